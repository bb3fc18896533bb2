/*
 * What a profile always denies, as a table.
 */
#include "denied.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdlib.h>

#include "names.h"
#include "rules.h"

static void write_row(FILE *stream, const struct profile *profile,
		      const struct row *row)
{
	char *known = seccomp_syscall_resolve_num_arch(words_archs->token,
						       (int)row->number);
	const char *name = known ? known : names_own(profile, row->number);

	(void)fprintf(stream, "\t{ \"%s\", %u, %u },\n", name ? name : "",
		      row->number, row->rule->action & SECCOMP_RET_DATA);
	free(known);
}

static bool is_only(const struct table *table, size_t i)
{
	const struct row *row = &table->rows[i];

	if (i > 0 && row[-1].number == row->number)
		return false;
	return i + 1 == table->count || row[1].number != row->number;
}

static bool is_denied(const struct row *row)
{
	return row->rule->count == 0 &&
	       (row->rule->action & SECCOMP_RET_ACTION_FULL) ==
		       SECCOMP_RET_ERRNO;
}

int denied_write(FILE *stream, const struct profile *profile, const char *name,
		 struct problems *problems)
{
	struct table table;
	int error = rules_table(&table, profile, words_archs, problems);

	if (!error) {
		(void)fprintf(stream,
			      "static const struct denied_call %s[] = {\n",
			      name);
		for (size_t i = 0; i < table.count; i++) {
			if (is_only(&table, i) && is_denied(&table.rows[i]))
				write_row(stream, profile, &table.rows[i]);
		}
		(void)fputs("};\n", stream);
		error = fflush(stream) == 0 && !ferror(stream) ? 0 : -EIO;
	}
	rules_done(&table);
	return error;
}
