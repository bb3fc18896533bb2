/*
 * Opening a canonical path: no symbolic link is followed, anywhere.
 */
#ifndef CORDON_BASE_RESOLVE_H
#define CORDON_BASE_RESOLVE_H

/* An O_PATH descriptor owned by the caller, or -errno: ELOOP when there is a
 * link on the way. With a dirfd the path is resolved below it and never leaves
 * it; with AT_FDCWD it is absolute. */
int resolve_open(int dirfd, const char *path);

#endif
