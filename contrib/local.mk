# What other programs must be told to let cordon run: named by cordon doctor.
contribdir = $(pkgdatadir)/contrib
dist_contrib_DATA = contrib/README contrib/docker-seccomp.json contrib/pod.yaml
contribapparmordir = $(contribdir)/apparmor
dist_contribapparmor_DATA = contrib/apparmor/cordon
