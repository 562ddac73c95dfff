#include "host_identity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/timestamp.h"
#include "../../policy/document/config_json.h"
#include "../../policy/util/oom.h"
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

/* Computes a UUID of version 4 (RFC 4122), as systemd does. */
static bool host_id(struct host *h, char ret[2 * ID_SIZE + 1])
{
	unsigned char machine[ID_SIZE], digest[SHA256_SIZE];
	struct err err = { 0 };
	char text[64];

	if (!host_read_file(h, text, sizeof(text), &err, "/etc/machine-id") ||
	    !parse_id(text, machine))
		return false;
	hmac(machine, application, digest);
	digest[6] = (digest[6] & 0x0f) | 0x40;
	digest[8] = (digest[8] & 0x3f) | 0x80;
	for (size_t i = 0; i < ID_SIZE; i++)
		snprintf(ret + 2 * i, 3, "%02x", digest[i]);
	return true;
}

void identity_add(json_t *doc, struct host *h)
{
	char name[256] = "", boot[BOOT_ID_MAX], id[2 * ID_SIZE + 1];
	struct err err = { 0 };

	if (!h)
		return;
	gethostname(name, sizeof(name) - 1);
	json_object_set_new(doc, "host", json_from_text(name));
	json_object_set_new(doc, "host_id", host_id(h, id) ? json_string(id) : json_null());
	json_object_set_new(doc, "boot_id",
			    host_boot_id(h, boot, &err) ? json_from_text(boot) : json_null());
	json_object_set_new(doc, "agent_version", json_string(LOSSLESSCTL_VERSION));
}

static bool digest_of(const struct config *c, char ret[SHA256_HEX])
{
	json_auto_t *object = config_to_json(c, SETUP_SETTINGS);
	_free_ char *text = object ? json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS) : NULL;

	if (text)
		sha256_hex(text, strlen(text), ret);
	return text;
}

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, SHA256_HEX);
}

/*
 * Sorts the digests, so that the order of the ports does not matter. Returns false without ports.
 */
static bool digest_all(const struct setup *setups, size_t count, char ret[SHA256_HEX])
{
	_free_ char(*each)[SHA256_HEX] = oom_calloc(count + 1, sizeof(*each));

	for (size_t i = 0; i < count; i++)
		if (!each || !digest_of(setups[i].actual, each[i]))
			return false;
	if (!each || count == 0)
		return false;
	qsort(each, count, sizeof(*each), compare);
	sha256_hex(each, count * sizeof(*each), ret);
	return true;
}

void identity_add_state(json_t *doc, const struct setup *setups, size_t count)
{
	char hex[SHA256_HEX];

	json_object_set_new(doc, "state_hash",
			    setups && digest_all(setups, count, hex) ? json_string(hex)
								     : json_null());
}
