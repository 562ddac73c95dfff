#include "host_facts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../policy/util/sha256.h"

/* Stable releases of one branch: the first to the last with the fault. */
struct releases {
	unsigned major, minor, first, last;
};

/*
 * "net/mlx5e: Update and set Xon/Xoff upon MTU set" and "... upon port speed set" came with the
 * first; "Revert" of the second of them with 6.12.49 and 6.1.154, of the first with 6.12.53 and
 * 6.1.156 (ChangeLog-6.12.N, ChangeLog-6.1.N). 6.6 and 6.16 had them in releases that no source
 * here proves.
 */
static const struct releases slow_xoff[] = {
	{ 6, 12, 45, 52 },
	{ 6, 1, 150, 155 },
};

struct number {
	unsigned major, minor, patch;
};

/* Reads "6.12.48"; *ret_rest is what follows. */
static bool read_number(const char *text, struct number *ret, const char **ret_rest)
{
	int length = 0;

	if (sscanf(text, "%3u.%3u.%4u%n", &ret->major, &ret->minor, &ret->patch, &length) != 3)
		return false;
	*ret_rest = text + length;
	return true;
}

/*
 * kernel.org's releases have nothing behind the number, and those of Debian 13 "+deb13". The
 * releases of Debian 12 end in ".0", and the version has the number: "Debian 6.1.153-1".
 */
static bool find_number(const char *release, const char *version, struct number *ret)
{
	static const char debian[] = " Debian ";
	const char *at = strstr(version, debian), *rest;

	if (at)
		return read_number(at + strlen(debian), ret, &rest) && *rest == '-';
	return read_number(release, ret, &rest) && (!*rest || strncmp(rest, "+deb", 4) == 0);
}

bool kernel_slows_mlx5(const char *release, const char *version)
{
	struct number n;

	if (!find_number(release, version, &n))
		return false;
	for (size_t i = 0; i < sizeof(slow_xoff) / sizeof(slow_xoff[0]); i++) {
		const struct releases *r = &slow_xoff[i];

		if (n.major == r->major && n.minor == r->minor && n.patch >= r->first &&
		    n.patch <= r->last)
			return true;
	}
	return false;
}

_Static_assert(sizeof(struct host_facts) <= FACT_BYTES, "a run remembers them");

const char *mlx5_source_name(enum mlx5_source source)
{
	static const char *const names[] = {
		[MLX5_INBOX] = "inbox",
		[MLX5_RHEL] = "rhel",
		[MLX5_NVIDIA] = "nvidia",
	};

	return names[source];
}

/* The file has all levels, the one in force in brackets. */
static void read_lockdown(struct host *h, char *ret, size_t size)
{
	struct err quiet = { 0 };
	char levels[64], *start, *end;

	if (!host_read_file(h, levels, sizeof(levels), &quiet, "/sys/kernel/security/lockdown"))
		return;
	start = strchr(levels, '[');
	end = start ? strchr(start, ']') : NULL;
	if (end)
		snprintf(ret, size, "%.*s", (int)(end - start - 1), start + 1);
}

bool host_is_locked_down(struct host *h)
{
	char level[LOCKDOWN_MAX] = "";

	read_lockdown(h, level, sizeof(level));
	return strcmp(level, "integrity") == 0 || strcmp(level, "confidentiality") == 0;
}

struct mlx5_version {
	bool is_known;
	char text[sizeof(((struct host_facts *)0)->mlx5_version)];
};

/* The kernel's own driver had one until Linux 5.10: "5.0-0", before "3.0-1 (January 2015)". */
static bool is_of_kernel(const char *version)
{
	return strcmp(version, "5.0-0") == 0 || strncmp(version, "3.0-1 ", strlen("3.0-1 ")) == 0;
}

static struct mlx5_version read_version(struct host *h)
{
	struct mlx5_version v = { false };
	struct err quiet = { 0 };

	if (run_fact_recall(&h->facts, FACT_MLX5_VERSION, &v, sizeof(v)))
		return v;
	v.is_known = host_read_file(h, v.text, sizeof(v.text), &quiet,
				    "/sys/module/mlx5_core/version") &&
		     !is_of_kernel(v.text);
	run_fact_remember(&h->facts, FACT_MLX5_VERSION, &v, sizeof(v));
	return v;
}

bool host_has_nvidia_driver(struct host *h)
{
	return read_version(h).is_known;
}

/* Red Hat carries newer code in older kernels. */
static enum mlx5_source find_source(struct host *h, struct host_facts *p)
{
	struct mlx5_version version = read_version(h);

	if (version.is_known) {
		snprintf(p->mlx5_version, sizeof(p->mlx5_version), "%s", version.text);
		return MLX5_NVIDIA;
	}
	return strstr(p->kernel, ".el") ? MLX5_RHEL : MLX5_INBOX;
}

/* Reads a file of /proc/sys/kernel; "" if it cannot be read. */
static void read_uname(struct host *h, char *ret, size_t size, const char *name)
{
	struct err quiet = { 0 };

	if (!host_read_file(h, ret, size, &quiet, "/proc/sys/kernel/%s", name))
		ret[0] = '\0';
}

void host_facts_read(struct host *h, struct host_facts *ret)
{
	char version[128];

	if (run_fact_recall(&h->facts, FACT_HOST, ret, sizeof(*ret)))
		return;
	*ret = (struct host_facts){ .mlx5 = MLX5_INBOX };
	read_uname(h, ret->kernel, sizeof(ret->kernel), "osrelease");
	read_uname(h, version, sizeof(version), "version");
	read_lockdown(h, ret->lockdown, sizeof(ret->lockdown));
	ret->mlx5 = find_source(h, ret);
	ret->slows_mlx5 = ret->mlx5 == MLX5_INBOX && kernel_slows_mlx5(ret->kernel, version);
	run_fact_remember(&h->facts, FACT_HOST, ret, sizeof(*ret));
}

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
