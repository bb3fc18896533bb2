/*
 * Where this process is, by what such places leave lying about. More than one
 * may be true: a job of GitHub's in a container of Docker's.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/io.h"
#include "base/path.h"
#include "inspect/doctor.h"

static bool has_file(const char *file, const char **evidence)
{
	if (access(file, F_OK) != 0)
		return false;
	*evidence = file;
	return true;
}

static bool has_variable(const char *name, const char **evidence)
{
	const char *value = getenv(name);

	if (value == NULL || *value == '\0')
		return false;
	*evidence = name;
	return true;
}

static const char *read_text(struct arena *arena, const char *file)
{
	char *bytes;
	size_t length;

	return io_read_file(arena, file, 65536, &bytes, &length) == 0 ? bytes
								      : "";
}

/* What the manager of the container said to its first process, or to this one:
 * lxc, podman, docker, ... (systemd keeps it in the file). */
static bool is_named(struct arena *arena, const char *name,
		     const char **evidence)
{
	static const char file[] = "/run/systemd/container";
	const char *said = read_text(arena, file);
	const char *variable = getenv("container");

	if (strncmp(said, name, strlen(name)) == 0) {
		*evidence = file;
		return true;
	}
	if (variable == NULL || strcmp(variable, name) != 0)
		return false;
	*evidence = arena_join(arena, "container=", name, NULL);
	return true;
}

static bool in_docker(struct arena *arena, const char **evidence)
{
	return has_file("/.dockerenv", evidence) ||
	       is_named(arena, "docker", evidence);
}

static bool in_podman(struct arena *arena, const char **evidence)
{
	return has_file("/run/.containerenv", evidence) ||
	       is_named(arena, "podman", evidence);
}

static bool in_kubernetes(struct arena *arena, const char **evidence)
{
	(void)arena;
	return has_variable("KUBERNETES_SERVICE_HOST", evidence) ||
	       has_file("/var/run/secrets/kubernetes.io", evidence);
}

static bool in_lxc(struct arena *arena, const char **evidence)
{
	return has_file("/dev/lxd/sock", evidence) ||
	       has_file("/dev/incus/sock", evidence) ||
	       is_named(arena, "lxc", evidence);
}

/* The last line of cgroup version 2 or of systemd's own hierarchy that ends in
 * a service; the shells of a desktop are in scopes. */
static const char *own_service(struct arena *arena)
{
	const char *line = read_text(arena, "/proc/self/cgroup");
	const char *service = NULL;

	while (*line != '\0') {
		size_t length = strcspn(line, "\n");
		const char *group = arena_strndup(arena, line, length);
		size_t end = strlen(group);

		if (end > 8 && strcmp(group + end - 8, ".service") == 0)
			service = path_name(group);
		line += length;
		line += *line == '\n';
	}
	return service;
}

static bool in_unit(struct arena *arena, const char **evidence)
{
	const char *service = own_service(arena);

	if (service == NULL || getenv("INVOCATION_ID") == NULL)
		return false;
	*evidence = service;
	return true;
}

static bool in_github(struct arena *arena, const char **evidence)
{
	(void)arena;
	return has_variable("GITHUB_ACTIONS", evidence);
}

static bool in_gitlab(struct arena *arena, const char **evidence)
{
	(void)arena;
	return has_variable("GITLAB_CI", evidence);
}

static bool in_wsl(struct arena *arena, const char **evidence)
{
	static const char file[] = "/proc/version";
	const char *version = read_text(arena, file);

	*evidence = file;
	return strstr(version, "icrosoft") != NULL;
}

static bool in_cordon(struct arena *arena, const char **evidence)
{
	static const char file[] = "/proc/1/comm";

	*evidence = file;
	return strcmp(read_text(arena, file), "cordon-init\n") == 0;
}

#define FILTER CORDON_CONTRIBDIR "/docker-seccomp.json"

const struct container containers[] = {
	{ "Docker",
	  in_docker,
	  { "docker run --security-opt seccomp=" FILTER
	    " --security-opt apparmor=unconfined"
	    " --security-opt systempaths=unconfined IMAGE" } },
	{ "Podman",
	  in_podman,
	  { "podman run --security-opt unmask=ALL"
	    " --security-opt label=disable IMAGE" } },
	/* Unmasked is refused for a pod with the host's users. */
	{ "Kubernetes",
	  in_kubernetes,
	  { "kubectl apply -f " CORDON_CONTRIBDIR "/pod.yaml",
	    "spec: { hostUsers: false }",
	    "securityContext: { procMount: Unmasked, "
	    "seccompProfile: { type: Unconfined }, "
	    "appArmorProfile: { type: Unconfined } }" } },
	{ "LXC",
	  in_lxc,
	  { "incus config set NAME security.nesting=true",
	    "lxc config set NAME security.nesting=true",
	    "without either, in the container's configuration: "
	    "lxc.include = /usr/share/lxc/config/nesting.conf" } },
	{ "a systemd unit",
	  in_unit,
	  { "systemctl edit UNIT, and below [Service]:",
	    "RestrictNamespaces=no", "ProtectKernelTunables=no",
	    "ProtectKernelLogs=no", "ProtectHostname=no", "ProcSubset=all",
	    "SystemCallFilter=@mount @keyring", "Delegate=yes" } },
	{ "GitHub Actions",
	  in_github,
	  { "- run: sudo sysctl -w "
	    "kernel.apparmor_restrict_unprivileged_userns=0",
	    "a job with container: options: --security-opt seccomp=unconfined "
	    "--security-opt apparmor=unconfined "
	    "--security-opt systempaths=unconfined" } },
	/* Docker's daemon refuses systempaths: its command line translates
	 * that word, and GitLab's runner does not. */
	{ "GitLab CI",
	  in_gitlab,
	  { "config.toml of the runner, below [runners.docker]: "
	    "privileged = true",
	    "or, on a machine made for it, the shell executor: "
	    "executor = \"shell\"" } },
	{ "another cordon",
	  in_cordon,
	  { "none: with --nested other programs make sandboxes inside, cordon "
	    "is started from outside" } },
	{ "WSL", in_wsl, { "wsl.exe --set-version DISTRIBUTION 2" } },
};

const unsigned container_count = sizeof(containers) / sizeof(*containers);
