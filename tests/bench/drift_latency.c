/*
 * Measure how soon the agent reports a drift. Change ETS of one port after another by dcbnl, and
 * print the µs from just before each SET until the agent's file has the drift. Then set the old
 * value, and wait until the file has no drift.
 *
 *   drift_latency STATUS_FILE COUNT PORT...
 */
#include <fcntl.h>
#include <libgen.h>
#include <linux/dcbnl.h>
#include <linux/if.h>
#include <linux/rtnetlink.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "ask.h"

#define PATIENCE_US 5000000
#define DRIFT	    "\"state\": \"drift\""

static struct ieee_ets ets;

static int64_t now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static bool says_drift(const char *path)
{
	static char text[1 << 20];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t used = 0, n;

	while ((n = read(fd, text + used, sizeof(text) - 1 - (size_t)used)) > 0)
		used += n;
	close(fd);
	text[used] = '\0';
	return strstr(text, DRIFT) != NULL;
}

static int watch_directory_of(const char *path)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	char directory[256];

	snprintf(directory, sizeof(directory), "%s", path);
	return inotify_add_watch(fd, dirname(directory), IN_MOVED_TO | IN_CLOSE_WRITE) < 0 ? -1
											   : fd;
}

/* Wait for changes in the directory until the file has a drift, or has none. */
static bool await(int watch, const char *path, bool drift, int64_t until)
{
	struct pollfd p = { watch, POLLIN, 0 };
	char events[4096];

	while (says_drift(path) != drift) {
		int64_t left = until - now_us();

		if (left <= 0)
			return false;
		poll(&p, 1, (int)(left / 1000) + 1);
		while (read(watch, events, sizeof(events)) > 0)
			;
	}
	return true;
}

static void take_ets(const struct nlmsghdr *h)
{
	struct {
		struct nlmsghdr h;
		char body[1024];
	} inner = { .h = { .nlmsg_len = sizeof(inner) } };

	copy_attribute(h, sizeof(struct dcbmsg), DCB_ATTR_IEEE, inner.body, sizeof(inner.body));
	copy_attribute(&inner.h, 0, DCB_ATTR_IEEE_ETS, &ets, sizeof(ets));
}

static void read_ets(int route, const char *port)
{
	struct {
		struct dcbmsg d;
		struct nlattr a;
		char name[IFNAMSIZ];
	} r = { { AF_UNSPEC, DCB_CMD_IEEE_GET, 0 }, ATTR(DCB_ATTR_IFNAME, IFNAMSIZ), "" };

	snprintf(r.name, sizeof(r.name), "%s", port);
	ask(route, RTM_GETDCB, 0, &r, sizeof(r), take_ets);
}

static void write_ets(int route, const char *port)
{
	struct {
		struct dcbmsg d;
		struct nlattr a;
		char name[IFNAMSIZ];
		struct nlattr ieee, b;
		struct ieee_ets ets;
	} r = { { AF_UNSPEC, DCB_CMD_IEEE_SET, 0 },
		ATTR(DCB_ATTR_IFNAME, IFNAMSIZ),
		"",
		ATTR(DCB_ATTR_IEEE, NLA_HDRLEN + sizeof(ets)),
		ATTR(DCB_ATTR_IEEE_ETS, sizeof(ets)),
		ets };

	snprintf(r.name, sizeof(r.name), "%s", port);
	ask(route, RTM_SETDCB, 0, &r, sizeof(r), NULL);
}

/* Move priority 5 to another traffic class, or back; return the microseconds, or -1 at timeout. */
static int64_t set_and_await(int route, const char *port, int watch, const char *path, bool drift)
{
	int64_t begin;

	read_ets(route, port);
	ets.prio_tc[5] ^= 1;
	begin = now_us();
	write_ets(route, port);
	return await(watch, path, drift, begin + PATIENCE_US) ? now_us() - begin : -1;
}

int main(int argc, char **argv)
{
	int route = open_netlink(NETLINK_ROUTE), watch;

	if (argc < 4)
		return 64;
	watch = watch_directory_of(argv[1]);
	for (long i = 0; i < strtol(argv[2], NULL, 10); i++) {
		const char *port = argv[3 + i % (argc - 3)];
		int64_t took_us = set_and_await(route, port, watch, argv[1], true);

		if (took_us < 0 || set_and_await(route, port, watch, argv[1], false) < 0)
			return 1;
		printf("%lld\n", (long long)took_us);
	}
	return 0;
}
