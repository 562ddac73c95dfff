/* SHA-256 (FIPS 180-4): identifies the policy, the host and its state in reports. */
#ifndef LOSSLESSCTL_POLICY_UTIL_SHA256_H
#define LOSSLESSCTL_POLICY_UTIL_SHA256_H

#include <stddef.h>

#define SHA256_HEX  65
#define SHA256_SIZE 32

/* Writes the digest of `size` bytes. */
void sha256(const void *data, size_t size, unsigned char digest[SHA256_SIZE]);

/* Writes the digest of `size` bytes as 64 lower-case hex digits and a NUL. */
void sha256_hex(const void *data, size_t size, char hex[SHA256_HEX]);

#endif
