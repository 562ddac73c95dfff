#include "host_identity.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../policy/util/sha256.h"

#define ID_SIZE	   16
#define HMAC_BLOCK 64

/*
 * This program's application id, generated once. `systemd-id128 machine-id -a` with it prints the
 * host_id.
 */
static const unsigned char application[ID_SIZE] = {
	0x5c, 0x1f, 0x0b, 0x6e, 0x2a, 0x94, 0x4d, 0x27,
	0x8e, 0x63, 0xb1, 0x70, 0xd8, 0x35, 0xfa, 0x49
};

/* HMAC-SHA-256 (RFC 2104) of an id, with an id as the key. */
static void hmac(const unsigned char key[ID_SIZE], const unsigned char text[ID_SIZE],
		 unsigned char ret[SHA256_SIZE])
{
	unsigned char inner[HMAC_BLOCK + ID_SIZE], outer[HMAC_BLOCK + SHA256_SIZE];

	memset(inner, 0x36, HMAC_BLOCK);
	memset(outer, 0x5c, HMAC_BLOCK);
	for (size_t i = 0; i < ID_SIZE; i++) {
		inner[i] ^= key[i];
		outer[i] ^= key[i];
	}
	memcpy(inner + HMAC_BLOCK, text, ID_SIZE);
	sha256(inner, sizeof(inner), outer + HMAC_BLOCK);
	sha256(outer, sizeof(outer), ret);
}

/* Accepts 32 hexadecimal digits only: machine-id is "uninitialized" during a first boot. */
static bool parse_id(const char *text, unsigned char ret[ID_SIZE])
{
	if (strspn(text, "0123456789abcdef") != 2 * ID_SIZE || text[2 * ID_SIZE])
		return false;
	for (size_t i = 0; i < ID_SIZE; i++)
		sscanf(text + 2 * i, "%2hhx", &ret[i]);
	return true;
}

/* Computes a UUID of version 4 (RFC 4122), as systemd does. Leaves "" without a machine id. */
static void derive_id(struct host *h, char ret[HOST_ID_MAX])
{
	unsigned char machine[ID_SIZE], digest[SHA256_SIZE];
	struct err err = { 0 };
	char text[64];

	if (!host_read_file(h, text, sizeof(text), &err, "/etc/machine-id") ||
	    !parse_id(text, machine))
		return;
	hmac(machine, application, digest);
	digest[6] = (digest[6] & 0x0f) | 0x40;
	digest[8] = (digest[8] & 0x3f) | 0x80;
	for (size_t i = 0; i < ID_SIZE; i++)
		snprintf(ret + 2 * i, 3, "%02x", digest[i]);
}

bool host_boot_id(struct host *h, char buf[BOOT_ID_MAX], struct err *err)
{
	return host_read_file(h, buf, BOOT_ID_MAX, err, "/proc/sys/kernel/random/boot_id");
}

void host_identify(struct host *h, struct host_identity *ret)
{
	struct err quiet = { 0 };

	*ret = (struct host_identity){ .name = "" };
	gethostname(ret->name, sizeof(ret->name) - 1);
	derive_id(h, ret->host_id);
	if (!host_boot_id(h, ret->boot_id, &quiet))
		ret->boot_id[0] = '\0';
}
