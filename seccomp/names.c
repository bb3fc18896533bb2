/*
 * Names of calls, for programs that meet numbers. A profile that names every
 * call there is makes a list of all of them.
 */
#include "names.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "rules.h"

const char *names_own(const struct profile *profile, uint32_t call)
{
	for (size_t i = 0; i < profile->number_count; i++) {
		const struct number *number = &profile->numbers[i];

		if (number->number == call &&
		    (!number->arch ||
		     strcmp(number->arch, words_archs->name) == 0))
			return number->name;
	}
	return NULL;
}

static void write_row(FILE *stream, const struct profile *profile,
		      uint32_t call)
{
	char *known = seccomp_syscall_resolve_num_arch(words_archs->token,
						       (int)call);
	const char *name = known ? known : names_own(profile, call);

	if (name)
		(void)fprintf(stream, "\t{ %u, \"%s\" },\n", call, name);
	free(known);
}

int names_write(FILE *stream, const struct profile *profile, const char *array,
		struct problems *problems)
{
	struct table table;
	int error = rules_table(&table, profile, words_archs, problems);

	(void)fprintf(stream,
		      "static const unsigned %s_arch = 0x%08x;\n"
		      "static const struct {\n\tunsigned short number;\n"
		      "\tchar name[30];\n} %s[] = {\n",
		      array, words_archs->audit, array);
	for (size_t i = 0; i < table.count; i++) {
		if (i == 0 || table.rows[i].number != table.rows[i - 1].number)
			write_row(stream, profile, table.rows[i].number);
	}
	rules_done(&table);
	(void)fputs("};\n", stream);
	if (!error && (fflush(stream) != 0 || ferror(stream)))
		error = -EIO;
	return error;
}
