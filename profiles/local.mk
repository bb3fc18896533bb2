# Shipped profiles, found by name with --profile NAME.
profilesdir = $(pkgdatadir)/profiles
dist_profiles_DATA = profiles/agent profiles/build profiles/offline
