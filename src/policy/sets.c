/*
 * Named sets. A member is skipped where it is absent.
 */
#include <string.h>

#include "policy/sets.h"

static const char *const set_system[] = {
	"/usr",
	"/bin",
	"/sbin",
	"/lib",
	"/lib32",
	"/lib64",
	"/libx32",
	"/etc",
	"/opt",
	"/nix/store",
	"/gnu/store",
	"/run/current-system/sw",
	"/sys/fs/cgroup",
	"/sys/devices/system/cpu",
	"/var/lib/dpkg",
	"/var/lib/alternatives",
	"/var/lib/ca-certificates",
	"/var/cache/fontconfig",
	NULL,
};

static const char *const set_secrets[] = {
	"~/.ssh",
	"~/.aws",
	"~/.azure",
	"~/.gnupg",
	"~/.config/gh",
	"~/.config/glab-cli",
	"~/.config/hub",
	"~/.config/gcloud",
	"~/.config/doctl",
	"~/.config/op",
	"~/.config/rclone",
	"~/.config/git/credentials",
	"~/.netrc",
	"~/.git-credentials",
	"~/.npmrc",
	"~/.yarnrc.yml",
	"~/.pypirc",
	"~/.docker/config.json",
	"~/.config/containers/auth.json",
	"~/.kube",
	"~/.cargo/credentials",
	"~/.cargo/credentials.toml",
	"~/.gem/credentials",
	"~/.bundle/config",
	"~/.m2/settings.xml",
	"~/.m2/settings-security.xml",
	"~/.gradle/gradle.properties",
	"~/.terraform.d/credentials.tfrc.json",
	"~/.vault-token",
	"~/.pgpass",
	"~/.my.cnf",
	"~/.password-store",
	"~/.local/share/keyrings",
	"~/.local/share/kwalletd",
	"~/.mozilla",
	"~/.thunderbird",
	"~/.config/chromium",
	"~/.config/google-chrome",
	"~/.config/BraveSoftware",
	"~/.config/microsoft-edge",
	"~/snap/firefox",
	"~/.bash_history",
	"~/.zsh_history",
	"~/.histfile",
	"~/.local/share/fish/fish_history",
	"~/.python_history",
	"~/.node_repl_history",
	"~/.psql_history",
	"~/.mysql_history",
	"~/.lesshst",
	"~/.viminfo",
	"~/.claude/.credentials.json",
	"~/.codex/auth.json",
	"~/.gemini/oauth_creds.json",
	"~/.config/github-copilot",
	"~/.local/share/opencode/auth.json",
	NULL,
};

static const char *const set_toolchains[] = {
	"~/.cargo/bin",
	"~/.rustup",
	"~/.nvm",
	"~/.volta",
	"~/.fnm",
	"~/.local/share/fnm",
	"~/.pyenv",
	"~/.asdf",
	"~/.local/bin",
	"~/.local/lib",
	"~/.local/share/mise",
	"~/.local/share/uv",
	"~/.local/share/pnpm",
	"~/.sdkman",
	"~/.bun",
	"~/.deno",
	"~/go/bin",
	"~/.gitconfig",
	"~/.config/git",
	NULL,
};

/* Never a directory of executables: what a run leaves there is not run later */
static const char *const set_caches[] = {
	"~/.cache",	"~/.npm",    "~/.cargo/registry",
	"~/.cargo/git", "~/.ccache", "~/go/pkg/mod",
	"~/.m2",	"~/.gradle", "~/.local/share/pnpm/store",
	NULL,
};

/* Agents' sockets and what finds them: never pass unless named. */
static const char *const set_agent_env[] = {
	"SSH_AUTH_SOCK",
	"SSH_AGENT_*",
	"GPG_AGENT_INFO",
	"*_AGENT_PID",
	"*_AGENT_INFO",
	"*_AGENT_SOCK",
	"*_AGENT_PORT",
	"DBUS_SESSION_BUS_ADDRESS",
	NULL,
};

static const char *const set_secret_env[] = {
	"*TOKEN*",
	"*SECRET*",
	"*PASSWORD*",
	"*PASSWD*",
	"*CREDENTIAL*",
	"*_KEY",
	"*_KEY_ID",
	"*_API_KEY*",
	"*_PAT",
	"*_AUTH",
	"*APIKEY*",
	"*PRIVATE_KEY*",
	"CI_JOB_JWT*",
	"CI_REGISTRY_*",
	"ACTIONS_ID_TOKEN_*",
	"ACTIONS_RUNTIME_*",
	"SYSTEM_ACCESSTOKEN",
	"DATABASE_URL",
	"*_DSN",
	NULL,
};

/* The usual few that a cleared environment keeps. */
static const char *const set_basic_env[] = {
	"PATH", "HOME",	    "USER", "LOGNAME", "SHELL",	   "TERM", "COLORTERM",
	"LANG", "LANGUAGE", "LC_*", "TZ",      "NO_COLOR", "CI",   NULL,
};

/* Templates are meant to be read. */
static const char *const set_env_files[] = {
	".env",
	".env.*",
	"!.env.*example",
	"!.env.*sample",
	"!.env.*template",
	"!.env.*dist",
	NULL,
};

const struct set sets[] = {
	{ "@system", SET_PATHS, "programs, libraries and their configuration",
	  set_system },
	{ "@secrets", SET_PATHS, "keys, logins, histories and browser profiles",
	  set_secrets },
	{ "@toolchains", SET_PATHS, "compilers and tools in the home directory",
	  set_toolchains },
	{ "@caches", SET_PATHS, "package managers' caches, for --overlay",
	  set_caches },
	{ "@env-files", SET_PATTERNS,
	  "files of settings at the top of each write root, for --mask",
	  set_env_files },
	{ "@agent-env", SET_NAMES, "variables that lead to agents' sockets",
	  set_agent_env },
	{ "@secret-env", SET_NAMES, "variables that usually hold credentials",
	  set_secret_env },
	{ "@basic-env", SET_NAMES, "what --clear-env leaves when named",
	  set_basic_env },
};
const size_t set_count = sizeof(sets) / sizeof(*sets);

const struct set *set_find(const char *name)
{
	for (size_t i = 0; i < set_count; i++) {
		if (strcmp(sets[i].name, name) == 0)
			return &sets[i];
	}
	return NULL;
}

/* Backtracks to the last star only, so the cost is bounded by the product. */
bool set_matches(const char *pattern, const char *name)
{
	const char *star = NULL, *mark = NULL;

	while (*name != '\0') {
		if (*pattern == '*') {
			star = pattern++;
			mark = name;
		} else if (*pattern == '?' || *pattern == *name) {
			pattern++;
			name++;
		} else if (star != NULL) {
			pattern = star + 1;
			name = ++mark;
		} else {
			return false;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern == '\0';
}
