/*
 * What cordon needs, in the order in which one needs the other.
 */
#include <errno.h>
#include <sched.h>

#include "inspect/doctor.h"

#ifndef CLONE_NEWCGROUP
#	define CLONE_NEWCGROUP 0x02000000
#endif

#define NEEDS(id) (1U << (id))
#define INSIDE	  (NEEDS(DO_CLONE) | NEEDS(DO_USER))
#define MAPPED	  (INSIDE | NEEDS(DO_MAPS) | NEEDS(DO_MOUNT))
#define MOUNTS	  (MAPPED | NEEDS(DO_MOUNT_API))

#define CANNOT "cordon cannot run"

#define SPACE(what, flag, how, lacks)                                 \
	{                                                             \
		.name = (what), .place = SPACES, .spaces = (flag),    \
		.try = (how), .needs = INSIDE, .lack = THING_MISSING, \
		.means = CANNOT ": " lacks                            \
	}

const struct thing things[THING_KINDS] = {
	[DO_KERNEL] = { .name = "kernel",
			.place = HERE,
			.try = try_kernel,
			.lack = THING_MISSING,
			.means = CANNOT ": this is no Linux kernel" },
	[DO_CLONE] = { .name = "clone3",
		       .place = SPACES,
		       .lack = THING_MISSING,
		       .means = CANNOT ": no process can be made that is born "
				       "with its namespaces" },
	[DO_USER] = { .name = "user namespaces",
		      .place = SPACES,
		      .spaces = CLONE_NEWUSER,
		      .needs = NEEDS(DO_CLONE),
		      .lack = THING_MISSING,
		      .means = CANNOT ": all other namespaces are made with "
				      "the rights of this one" },
	[DO_MAPS] = { .name = "id maps",
		      .place = SPACES,
		      .spaces = CLONE_NEWUSER,
		      .try = try_maps,
		      .needs = INSIDE,
		      .lack = THING_MISSING,
		      .means = CANNOT ": the caller's own id has no meaning "
				      "inside" },
	[DO_MOUNT] = SPACE("mount namespaces", CLONE_NEWNS, NULL,
			   "no tree of its own"),
	[DO_PID] = SPACE("pid namespaces", CLONE_NEWPID, NULL,
			 "processes outside would be seen"),
	[DO_IPC] = SPACE("ipc namespaces", CLONE_NEWIPC, NULL,
			 "shared memory outside would be reached"),
	[DO_UTS] = SPACE("host name (uts namespaces)", CLONE_NEWUTS,
			 try_hostname, "no host name of its own"),
	[DO_CGROUP_SPACE] = { .name = "cgroup namespaces",
			      .place = SPACES,
			      .spaces = CLONE_NEWCGROUP,
			      .needs = INSIDE,
			      .lack = THING_LIMITED,
			      .means =
				      "inside another sandbox the names of "
				      "its groups are seen; elsewhere " CANNOT },
	[DO_NET] = SPACE("network namespaces", CLONE_NEWNET, try_loopback,
			 "no network of its own"),
	[DO_MOUNT_API] = { .name = "mount API",
			   .place = SPACES,
			   .spaces = CLONE_NEWNS,
			   .try = try_mount_api,
			   .needs = MAPPED,
			   .lack = THING_MISSING,
			   .means = CANNOT ": nothing can be shown, hidden or "
					   "made read-only" },
	[DO_OPENAT2] = { .name = "openat2",
			 .place = CHILD,
			 .try = try_openat2,
			 .lack = THING_LIMITED,
			 .means = "nothing is refused: cordon opens each path "
				  "name by name, which takes longer",
			 .mend = "Linux 5.6, and no filter that hides it: "
				 "systemctl edit UNIT: RestrictSUIDSGID=no" },
	[DO_PROC] = { .name = "a new /proc",
		      .place = SPACES,
		      .spaces = CLONE_NEWNS | CLONE_NEWPID,
		      .try = try_proc,
		      .needs = MOUNTS | NEEDS(DO_PID),
		      .lack = THING_MISSING,
		      .means = CANNOT ": no setting of its namespaces can be "
				      "written" },
	[DO_PIVOT] = { .name = "pivot_root",
		       .place = SPACES,
		       .spaces = CLONE_NEWNS,
		       .try = try_pivot,
		       .needs = MOUNTS,
		       .lack = THING_MISSING,
		       .means = CANNOT ": the host's root cannot be left" },
	[DO_KEYRING] = { .name = "session keyring",
			 .place = CHILD,
			 .try = try_keyring,
			 .lack = THING_MISSING,
			 .means = CANNOT ": the caller's keys would be "
					 "readable inside" },
	[DO_SECCOMP] = { .name = "system call filters",
			 .place = CHILD,
			 .try = try_seccomp,
			 .lack = THING_MISSING,
			 .means = CANNOT ": the kernel's whole surface would "
					 "be open" },
	[DO_LANDLOCK] = { .name = "Landlock scopes",
			  .place = CHILD,
			  .try = try_landlock,
			  .lack = THING_LIMITED,
			  .means = "--net host is refused without "
				   "--allow-abstract" },
	[DO_OVERLAY] = { .name = "overlays",
			 .place = SPACES,
			 .spaces = CLONE_NEWNS,
			 .try = try_overlay,
			 .needs = MOUNTS,
			 .lack = THING_LIMITED,
			 .means = "--overlay is refused or fails" },
	[DO_CGROUP] = { .name = "cgroup delegation",
			.place = HERE,
			.try = try_cgroup,
			.lack = THING_LIMITED,
			.means = "--limit memory and cpus are refused, and "
				 "for root procs" },
	[DO_SECCOMP_HELPER] = { .name = "cordon-seccomp",
				.place = HERE,
				.try = try_seccomp_helper,
				.lack = THING_LIMITED,
				.means = "--seccomp FILE is refused",
				.mend = "sudo make install" },
	[DO_PROFILES] = { .name = "shipped profiles",
			  .place = HERE,
			  .try = try_profiles,
			  .lack = THING_LIMITED,
			  .means = "--profile agent, build or offline is "
				   "refused",
			  .mend = "sudo make install" },
	[DO_NOTIFY] = { .name = "seccomp user notification",
			.place = CHILD,
			.try = try_notify,
			.needs = NEEDS(DO_SECCOMP),
			.lack = THING_LIMITED,
			.means = "--report is refused or fails",
			.mend = "Linux 5.0, and no outer filter with a "
				"listener of its own" },
	[DO_NEWUIDMAP] = { .name = "newuidmap",
			   .place = HERE,
			   .try = try_newuidmap,
			   .lack = THING_INFO,
			   .means = "nothing" },
	[DO_TIOCSTI] = { .name = "TIOCSTI",
			 .place = HERE,
			 .try = try_tiocsti,
			 .lack = THING_INFO,
			 .means = "nothing" },
	[DO_START] = { .name = "a start",
		       .place = HERE,
		       .try = try_start,
		       .needs = MOUNTS | NEEDS(DO_PID) | NEEDS(DO_IPC) |
				NEEDS(DO_UTS) | NEEDS(DO_CGROUP_SPACE) |
				NEEDS(DO_NET) | NEEDS(DO_PROC) |
				NEEDS(DO_PIVOT) | NEEDS(DO_KEYRING) |
				NEEDS(DO_SECCOMP) | NEEDS(DO_OPENAT2),
		       .lack = THING_MISSING,
		       .means = CANNOT ": all of the above is there, and it "
				       "failed",
		       .mend = "cordon run --verbose -- true" },
};
