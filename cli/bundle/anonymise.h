/* Replaces what identifies a host and its users in a bundle. Pure. */
#ifndef LOSSLESSCTL_CLI_BUNDLE_ANONYMISE_H
#define LOSSLESSCTL_CLI_BUNDLE_ANONYMISE_H

#include <jansson.h>

/*
 * Returns a copy of a bundle in which equal originals have equal replacements of the same length:
 * every address wherever it is found (address.h), and names of the host, its users, its policies
 * and its switches. Names of interfaces and RDMA devices, switch ports, versions and settings stay.
 * The same bundle always yields the same copy. The caller owns it.
 */
json_t *anonymise(const json_t *bundle);

#endif
