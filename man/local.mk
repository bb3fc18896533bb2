# Manual pages, mdoc, installed by their suffix.
dist_man_MANS =
