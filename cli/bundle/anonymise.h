/* Replaces what identifies a host and its users in a bundle. Pure. */
#ifndef LOSSLESSCTL_CLI_BUNDLE_ANONYMISE_H
#define LOSSLESSCTL_CLI_BUNDLE_ANONYMISE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Returns a copy of a bundle in which equal originals have equal replacements of the same length:
 * every address wherever it is found, and names of the host, its users, its policies
 * and its switches. Names of interfaces and RDMA devices, switch ports, versions and settings stay.
 * The same bundle always yields the same copy. The caller owns it.
 */
json_t *anonymise(const json_t *bundle);

/* ---- addresses ---- */

#define ADDRESS_MAX 64 /* the longest in text, with its NUL */

enum address_kind { ADDRESS_HEX, ADDRESS_PCI, ADDRESS_IPV4 };

/* An address found in a text. The same address written in another way has the same `value`. */
struct address {
	enum address_kind kind;
	size_t length;		 /* in the text */
	char value[ADDRESS_MAX]; /* its hexadecimal digits; of IPv4 the text */
};

/*
 * Finds an address that begins at text[at]. All zeros and all ones identify nobody, and are none.
 */
bool address_find(const char *text, size_t at, struct address *ret);

/*
 * Writes the value of the replacement with this number, of the same length. It keeps the function
 * of a PCI address, and the prefixes of link-local and of IPv4-mapped addresses.
 */
void address_replacement(const struct address *a, unsigned number, char ret[ADDRESS_MAX]);

/* Writes the address of `text` with the digits of another value. Returns the end of `out`. */
char *address_write(const struct address *a, const char *value, const char *text, char *out);

#endif
