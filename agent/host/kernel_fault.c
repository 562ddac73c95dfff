#include "kernel_fault.h"

#include <stdio.h>
#include <string.h>

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
