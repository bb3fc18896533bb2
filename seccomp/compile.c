/*
 * cordon-seccomp: an OCI seccomp profile as a BPF program, so that neither
 * libseccomp nor a JSON parser is part of the launcher. It runs at build time
 * for the shipped profiles and at run time for --seccomp FILE.
 */
#include <errno.h>
#include <getopt.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "denied.h"
#include "names.h"
#include "profile.h"
#include "program.h"
#include "rules.h"

enum { EXIT_REFUSED = 125, X32_FIRST = 0x40000000 };

static const uint32_t NO_SUCH_CALL = SECCOMP_RET_ERRNO | ENOSYS;

struct request {
	const char *name; /* of a C array; NULL: raw instructions */
	const char *list; /* of a C array of calls, instead of a program */
	int (*write_list)(FILE *stream, const struct profile *profile,
			  const char *array, struct problems *problems);
	const char *output; /* NULL: standard output */
	char *const *paths;
	size_t count;
};

/* An ERRNO default means "not permitted" for the calls that existed when the
 * profile was written. Later ones do not exist, or libc's fallbacks would not
 * work: clone3 and faccessat2 taught Docker, and runc does the same. */
static uint32_t beyond(const struct profile *profile)
{
	if ((profile->action & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO)
		return NO_SUCH_CALL;
	return profile->action;
}

/* Code for the calls of one architecture. Returns 0 or -ENOMEM. */
static int put_arch(struct program *program, const struct profile *profile,
		    const struct arch *arch, struct problems *problems,
		    size_t *place)
{
	const struct defaults defaults = { .base = arch->base,
					   .action = profile->action,
					   .beyond = beyond(profile) };
	struct table table;
	int error = rules_table(&table, profile, arch, problems);

	if (!error) {
		*place = program_table(program, &table, &defaults);
		error = *place == SIZE_MAX ? -ENOMEM : 0;
	}
	rules_done(&table);
	return error;
}

/*
 * The frame: by architecture, then by number. What is not asked for is shut
 * with ENOSYS whatever the default action is, for its calls have other
 * numbers: a 32-bit entry (int 0x80), and x32, which on x86-64 has the native
 * architecture and numbers from 0x40000000 on.
 */
static int put_all(struct program *program, const struct profile *profile,
		   struct problems *problems)
{
	const size_t shut = program_return(program, NO_SUCH_CALL);
	struct fork arch_fork = { .no = shut };
	struct fork x32_fork = { .yes = shut };
	int error;

	for (size_t i = words_arch_count; i-- > 0;) {
		const struct arch *arch = &words_archs[i];
		size_t place = shut;

		if (!profile->archs[i])
			continue;
		error = put_arch(program, profile, arch, problems, &place);
		if (error)
			return error;
		if (arch->base) {
			x32_fork.yes = place;
			continue;
		}
		if (arch->token == SCMP_ARCH_X86_64) {
			x32_fork.no = place;
			place = program_jump(program, BPF_JGE, X32_FIRST,
					     x32_fork);
		}
		place = program_load(program, offsetof(struct seccomp_data, nr),
				     place);
		arch_fork.yes = place;
		arch_fork.no = program_jump(program, BPF_JEQ, arch->audit,
					    arch_fork);
	}
	program_load(program, offsetof(struct seccomp_data, arch),
		     arch_fork.no);
	return 0;
}

/* Returns 0 or -errno. */
static int write_program(FILE *stream, const struct program *program,
			 const char *name)
{
	const struct sock_filter *code = program->code + program->start;
	const size_t length = BPF_MAXINSNS - program->start;

	errno = EIO; /* for a stream that does not say why */
	if (!name) {
		if (fwrite(code, sizeof(*code), length, stream) != length)
			return -errno;
		return fflush(stream) == 0 ? 0 : -errno;
	}
	(void)fprintf(stream, "static const struct sock_filter %s[] = {\n",
		      name);
	for (size_t i = 0; i < length; i++)
		(void)fprintf(stream, "\t{ 0x%02x, %u, %u, 0x%08x },\n",
			      code[i].code, code[i].jt, code[i].jf, code[i].k);
	(void)fputs("};\n", stream);
	return fflush(stream) == 0 && !ferror(stream) ? 0 : -errno;
}

static void write_output(const struct program *program,
			 const struct request *request,
			 struct problems *problems)
{
	const struct spot file = { .key = request->output ? request->output
							  : "output" };
	FILE *stream = stdout;
	int error;

	if (request->output)
		stream = fopen(request->output, "we");
	if (!stream) {
		problems_add(problems, &file, "%s", strerror(errno));
		return;
	}
	error = write_program(stream, program, request->name);
	if (request->output && fclose(stream) != 0 && !error)
		error = -errno;
	if (error)
		problems_add(problems, &file, "%s", strerror(-error));
}

static void compile(const struct request *request, struct problems *problems)
{
	static struct program program; /* 32 KiB */
	struct profile profile;
	int error;

	program_init(&program);
	error = profile_read(&profile, request->paths, request->count,
			     problems);
	if (!error && !problems->errors)
		error = request->list
				? request->write_list(stdout, &profile,
						      request->list, problems)
				: put_all(&program, &profile, problems);
	profile_done(&profile);
	if (error)
		problems_add(problems, NULL, "%s", strerror(-error));
	else if (program.full)
		problems_add(problems, NULL,
			     "the filter has more than %d instructions",
			     BPF_MAXINSNS);
	if (!problems->errors && !request->list)
		write_output(&program, request, problems);
}

static bool is_identifier(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				      "0123456789";

	return *name && (*name < '0' || *name > '9') &&
	       !name[strspn(name, letters)];
}

static void want_list(struct request *request, int option)
{
	request->list = optarg;
	request->write_list = option == 'n' ? names_write : denied_write;
}

/* False when the command line makes no sense. */
static bool parse(struct request *request, int argc, char **argv)
{
	static const struct option options[] = {
		{ "c", required_argument, NULL, 'c' },
		{ "denied", required_argument, NULL, 'd' },
		{ "names", required_argument, NULL, 'n' },
		{ "output", required_argument, NULL, 'o' },
		{ 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		if (option == 'c' && is_identifier(optarg))
			request->name = optarg;
		else if (strchr("nd", option) && is_identifier(optarg))
			want_list(request, option);
		else if (option == 'o')
			request->output = optarg;
		else
			return false;
	}
	request->paths = argv + optind;
	request->count = (size_t)(argc - optind);
	return request->count > 0;
}

int main(int argc, char **argv)
{
	struct request request = { 0 };
	struct problems problems;
	unsigned int errors;

	if (!parse(&request, argc, argv)) {
		(void)fputs("usage: cordon-seccomp [--c NAME | --denied NAME | "
			    "--names NAME] [-o FILE] PROFILE.json "
			    "[FRAGMENT.json...]\n",
			    stderr);
		return EXIT_REFUSED;
	}
	if (problems_init(&problems) < 0)
		return EXIT_REFUSED;
	compile(&request, &problems);
	errors = problems.errors;
	problems_done(&problems);
	return errors ? EXIT_REFUSED : 0;
}
