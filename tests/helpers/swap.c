/*
 * swap A B: exchanges two names of one file system without a pause, until it is
 * killed or its parent ends. Prints "swapping" when it has begun.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (renameat2(AT_FDCWD, argv[1], AT_FDCWD, argv[2], RENAME_EXCHANGE)) {
		perror("swap");
		return 1;
	}
	(void)puts("swapping");
	(void)fflush(stdout);
	for (;;)
		(void)renameat2(AT_FDCWD, argv[1], AT_FDCWD, argv[2],
				RENAME_EXCHANGE);
}
