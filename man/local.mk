# Manual pages, mdoc, installed by their suffix.
dist_man_MANS = man/cordon.1 man/cordon.5 man/cordon-bwrap.7 man/cordon-security.7 \
	man/cordon-status.5
