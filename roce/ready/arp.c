#include "arp.h"

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/util/shell_word.h"

/*
 * Settings with their safe values. arp_ignore(), arp_solicit() and arp_filter() of net/ipv4/arp.c
 * and fib_validate_source() of net/ipv4/fib_frontend.c read them.
 */
static const struct arp_setting {
	const char *name;
	uint8_t safe; /* a bit for each value */
	int fix;
} arp_settings[] = {
	{ "arp_ignore", 1 << 1 | 1 << 2, 1 },
	{ "arp_announce", 1 << 2, 2 },
	{ "rp_filter", 1 << 0 | 1 << 2, 2 },
	{ "arp_filter", 1 << 0, 0 }, /* silences all ports but the first */
};

/* The value of an interface, and of all. The larger one is in force (IN_DEV_MAXCONF). */
struct conf {
	long own, all;
};

static bool read_one(struct host *h, const char *interface, const char *name, long *ret,
		     struct err *err)
{
	char text[32];

	if (!host_read_file(h, text, sizeof(text), err, "/proc/sys/net/ipv4/conf/%s/%s", interface,
			    name))
		return false;
	*ret = strtol(text, NULL, 10);
	return true;
}

static bool read_conf(struct host *h, const char *interface, const char *name, struct conf *ret,
		      struct err *err)
{
	return read_one(h, "all", name, &ret->all, err) &&
	       read_one(h, interface, name, &ret->own, err);
}

/* A dot in the name of an interface is a slash for sysctl(8). */
static void add_sysctl(const char *interface, const struct arp_setting *s, struct arp_fixes *ret)
{
	size_t used = strlen(ret->sysctls), size;
	char plain[64], quoted[128], one[128], name[IF_NAMESIZE];

	snprintf(name, sizeof(name), "%.15s", interface);
	for (char *dot = name; (dot = strchr(dot, '.'));)
		*dot = '/';
	snprintf(plain, sizeof(plain), "net.ipv4.conf.%s.%s=%d", name, s->name, s->fix);
	size = (size_t)snprintf(one, sizeof(one), " %s", shell_word(plain, quoted, sizeof(quoted)));
	if (strstr(ret->sysctls, one))
		return;
	ret->is_cut |= used + size >= sizeof(ret->sysctls);
	if (!ret->is_cut)
		memcpy(ret->sysctls + used, one, size + 1);
}

static void judge_setting(const char *interface, const struct arp_setting *s, const struct conf *c,
			  struct arp_fixes *ret)
{
	long value = c->own > c->all ? c->own : c->all;

	if (value >= 0 && value < 8 && (s->safe >> value & 1))
		return;
	if (!ret->count++)
		snprintf(ret->reason, sizeof(ret->reason),
			 "%s shares its subnet with another port, and its %s is %ld", interface,
			 s->name, value);
	add_sysctl(c->all > s->fix ? "all" : interface, s, ret);
}

bool arp_judge(struct host *h, const char *interface, bool has_route, struct arp_fixes *ret,
	       struct err *err)
{
	size_t count = has_route ? 1 : sizeof(arp_settings) / sizeof(arp_settings[0]);
	struct conf c;

	if (!read_conf(h, interface, "arp_filter", &c, err))
		return false;
	if (has_route && (c.own > 0 || c.all > 0))
		return true;
	for (size_t i = 0; i < count; i++) {
		if (!read_conf(h, interface, arp_settings[i].name, &c, err))
			return false;
		judge_setting(interface, &arp_settings[i], &c, ret);
	}
	return true;
}
