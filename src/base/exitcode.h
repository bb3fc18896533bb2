/*
 * The exit codes of cordon(1), section EXIT STATUS. Every other number is the
 * command's own, 128 + N when it was killed by signal N.
 */
#ifndef CORDON_BASE_EXITCODE_H
#define CORDON_BASE_EXITCODE_H

enum exitcode {
	EXIT_OK = 0,
	EXIT_DENIED = 123,
	EXIT_TIMEOUT = 124,
	EXIT_REFUSED = 125,
	EXIT_NOT_EXECUTABLE = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNAL = 128,
};

#endif
