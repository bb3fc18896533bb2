/*
 * Names of capabilities, by number.
 */
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "policy/bwrap_read.h"

static const char *const names[] = {
	"chown",
	"dac_override",
	"dac_read_search",
	"fowner",
	"fsetid",
	"kill",
	"setgid",
	"setuid",
	"setpcap",
	"linux_immutable",
	"net_bind_service",
	"net_broadcast",
	"net_admin",
	"net_raw",
	"ipc_lock",
	"ipc_owner",
	"sys_module",
	"sys_rawio",
	"sys_chroot",
	"sys_ptrace",
	"sys_pacct",
	"sys_admin",
	"sys_boot",
	"sys_nice",
	"sys_resource",
	"sys_time",
	"sys_tty_config",
	"mknod",
	"lease",
	"audit_write",
	"audit_control",
	"setfcap",
	"mac_override",
	"mac_admin",
	"syslog",
	"wake_alarm",
	"block_suspend",
	"audit_read",
	"perfmon",
	"bpf",
	"checkpoint_restore",
};

int bwrap_cap_number(const char *name)
{
	if (strcasecmp(name, "ALL") == 0)
		return -1;
	if (strncasecmp(name, "cap_", 4) != 0)
		return -2;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcasecmp(name + 4, names[i]) == 0)
			return (int)i;
	}
	return -2;
}
