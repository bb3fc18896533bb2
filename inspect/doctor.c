/*
 * cordon doctor.
 */
#include "inspect/inspect.h"

int doctor_main(const char *launcher, char **words)
{
	(void)launcher;
	(void)words;
	return INSPECT_BROKEN;
}
