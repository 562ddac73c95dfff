/*
 * Holds the fake kernel to Debian's mlx5 driver: sends every request of a file to both, and after
 * each change asks both for all that they can be asked. Prints what differs, and each accepted
 * difference that is none.
 */
#include <libmnl/libmnl.h>
#include <linux/dcbnl.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "agent/host/host_linux.h"
#include "fake_requests.h"

#define PORT	   "ens1f0np0"
#define ANSWER_MAX 16384
#define LINES_MAX  8192
#define READS_MAX  128
#define SHOWN_MAX  30
#define RTT	   "/sys/kernel/debug/mlx5/0000:01:00.0/cc_params/rtt_resp_dscp"

/* The accepted differences: a line that one of the two answers may lack; "": the whole answer. */
static struct {
	const char *kernel; /* its release begins so; "": any */
	const char *request, *line, *reason;
	bool seen;
} accepted[] = {
	{ "6.12", "route 78",
	  "/13/12:", "the table of rewriting is empty with mlx5; nothing reads it", 0 },
	{ "7.3", "route 78", "/13/12:", "the same", 0 },
	{ "6.12", "ethtool 0 15", "/6: ", "the source of pause counters; nothing reads it", 0 },
	{ "7.3", "ethtool 0 15", "/6: ", "the same", 0 },
	{ "7.3", "ethtool 0 15", "/5/4: ", "drivers before 2026 sum no storms, nor the fake", 0 },
	{ "6.1.", "read " RTT, "", "the driver of 6.1 has no such file", 0 },
	{ "6.1.", "write " RTT, "", "the driver of 6.1 has no such file", 0 },
};

struct side {
	struct host *h;
	const char *pci;
	unsigned ifindex, vlan;
};

struct answer {
	char text[ANSWER_MAX];
	size_t used;
};

static struct utsname kernel;
static unsigned differences;

static void say(struct answer *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct answer *a, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	a->used += (size_t)vsnprintf(a->text + a->used, sizeof(a->text) - a->used, fmt, args);
	va_end(args);
	if (a->used >= sizeof(a->text))
		a->used = sizeof(a->text) - 1;
}

static void say_bytes(struct answer *a, const char *what, const void *from, size_t size)
{
	say(a, "%s: ", what);
	for (size_t i = 0; i < size; i++)
		say(a, "%02x", ((const uint8_t *)from)[i]);
	say(a, "\n");
}

/* DCB does not mark its nests, and answers a change by one byte in the same attribute. */
static bool is_nest(const char *path, const struct nlattr *a)
{
	bool dcb = strcmp(path, "/13") == 0 || strcmp(path, "/13/3") == 0;

	return a->nla_type & NLA_F_NESTED || (dcb && mnl_attr_get_payload_len(a) != 1);
}

/* Says the attributes, each in a line that begins with its types from the top. */
static void say_attributes(struct answer *a, const char *above, const void *from, size_t size)
{
	const struct nlattr *n = from;
	int left = (int)size;
	char path[64];

	for (; mnl_attr_ok(n, left); left -= MNL_ALIGN(n->nla_len), n = mnl_attr_next(n)) {
		const void *value = mnl_attr_get_payload(n);
		size_t length = mnl_attr_get_payload_len(n);

		snprintf(path, sizeof(path), "%.40s/%u", above, mnl_attr_get_type(n));
		say_bytes(a, path, value, is_nest(path, n) ? 0 : length);
		if (is_nest(path, n))
			say_attributes(a, path, value, length);
	}
}

struct replies {
	struct answer *to;
	size_t header;
};

static int say_reply(const struct nlmsghdr *n, void *arg)
{
	const struct replies *r = arg;
	const char *payload = mnl_nlmsg_get_payload(n);

	say_bytes(r->to, "header", payload, r->header);
	say_attributes(r->to, "", payload + r->header, mnl_nlmsg_get_payload_len(n) - r->header);
	return MNL_CB_OK;
}

static bool talk(const struct side *s, const struct request *r, struct answer *a, struct err *err)
{
	char buf[MNL_NLMSG_HDRLEN + sizeof(r->bytes)] __attribute__((aligned(8))) = { 0 };
	struct nlmsghdr *n = mnl_nlmsg_put_header(buf);
	bool dcb = r->kind == REQUEST_ROUTE;
	struct replies replies = { a, dcb ? sizeof(struct dcbmsg) : sizeof(struct genlmsghdr) };

	n->nlmsg_type = r->type;
	n->nlmsg_len += (uint32_t)r->size;
	memcpy(mnl_nlmsg_get_payload(n), r->bytes, r->size);
	return s->h->talk(s->h, dcb ? BUS_ROUTE : BUS_ETHTOOL, n, say_reply, &replies, err);
}

static bool command(const struct side *s, const struct request *r, struct answer *a,
		    struct err *err)
{
	uint8_t copy[sizeof(r->bytes)] __attribute__((aligned(8)));
	bool ok;

	memcpy(copy, r->bytes, sizeof(copy));
	ok = s->h->ethtool(s->h, PORT, copy, err);
	if (ok)
		say_bytes(a, "value", copy, r->size);
	return ok;
}

/* The path of a file, with the adapter of this side. */
static const char *path_of(const struct side *s, const struct request *r, char *copy, size_t size)
{
	static const char adapter[] = "0000:01:00.0";
	char *at;

	snprintf(copy, size, "%.200s", r->words);
	at = strstr(copy, adapter);
	if (at)
		memcpy(at, s->pci, strlen(adapter));
	return copy;
}

static bool read_file(const struct side *s, const struct request *r, struct answer *a,
		      struct err *err)
{
	char path[256], text[256] = "";
	bool ok = s->h->read_file(s->h, path_of(s, r, path, sizeof(path)), text, sizeof(text), err);

	text[strcspn(text, "\n")] = '\0';
	say(a, "%s: %s\n", strrchr(r->words, '/') + 1, ok ? text : "no answer");
	return ok;
}

static bool write_file(const struct side *s, const struct request *r, struct err *err)
{
	char path[256];

	return s->h->write_file(s->h, path_of(s, r, path, sizeof(path)), r->value, err);
}

static bool ask(const struct side *s, const struct request *r, struct answer *a, struct err *err)
{
	switch (r->kind) {
	case REQUEST_ROUTE:
	case REQUEST_ETHTOOL:
		return talk(s, r, a, err);
	case REQUEST_IOCTL:
		return command(s, r, a, err);
	case REQUEST_READ:
		return read_file(s, r, a, err);
	case REQUEST_WRITE:
		return write_file(s, r, err);
	case REQUEST_MTU:
		return s->h->set_mtu(s->h, s->ifindex, (uint32_t)atoi(r->words), err);
	case REQUEST_EGRESS:
		return s->h->set_egress(s->h, s->vlan, (uint8_t)atoi(r->words),
					(uint8_t)atoi(r->value), err);
	case REQUEST_COUNT:
		break;
	}
	return false;
}

/* True if this line may be in one answer alone, or all of them if a row is about the whole answer.
 */
static bool is_accepted(const char *request, const char *line)
{
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++)
		if (strncmp(kernel.release, accepted[i].kernel, strlen(accepted[i].kernel)) == 0 &&
		    strncmp(request, accepted[i].request, strlen(accepted[i].request)) == 0 &&
		    strncmp(line, accepted[i].line, strlen(accepted[i].line)) == 0) {
			accepted[i].seen = true;
			return true;
		}
	return false;
}

static bool has_line(const char *text, const char *line)
{
	size_t n = strlen(line);

	for (const char *at = text; (at = strstr(at, line)); at++)
		if ((at == text || at[-1] == '\n') && (at[n] == '\n' || !at[n]))
			return true;
	return false;
}

/* Removes the lines that may be in one answer alone. */
static void drop_accepted(const char *request, char text[static ANSWER_MAX])
{
	char copy[ANSWER_MAX], *rest = copy, *line;
	size_t used = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	text[0] = '\0';
	while ((line = strsep(&rest, "\n")))
		if (!is_accepted(request, line))
			used += (size_t)snprintf(text + used, ANSWER_MAX - used, "%s\n", line);
}

static void print_missing(char sign, const char *text, const char *other)
{
	char copy[ANSWER_MAX], *rest = copy, *line;

	snprintf(copy, sizeof(copy), "%s", text);
	while ((line = strsep(&rest, "\n")))
		if (!has_line(other, line))
			printf("%c %s\n", sign, line);
}

static void compare(const struct side sides[2], const char *line, const char *change)
{
	static struct answer answers[2];
	static struct request r;

	request_parse(line, &r);
	for (int i = 0; i < 2; i++) {
		struct err err = { 0 };
		bool ok;

		answers[i].used = 0;
		ok = ask(&sides[i], &r, &answers[i], &err);
		say(&answers[i], ok ? "ok" : "error %d", err.code);
		drop_accepted(line, answers[i].text);
	}
	if (strcmp(answers[0].text, answers[1].text) == 0 || differences++ >= SHOWN_MAX)
		return;
	printf("driver (<) and fake (>) differ, perhaps in order: %s\n%s%s%s", line,
	       change ? "  after: " : "", change ? change : "", change ? "\n" : "");
	print_missing('<', answers[0].text, answers[1].text);
	print_missing('>', answers[1].text, answers[0].text);
}

/* True for what every change may change. */
static bool is_state(const char *line)
{
	static struct request r;
	const struct genlmsghdr *g = (const struct genlmsghdr *)r.bytes;
	const uint32_t *ioctl = (const uint32_t *)r.bytes;

	if (!request_parse(line, &r))
		return false;
	return r.kind == REQUEST_READ || (r.kind == REQUEST_ROUTE && r.type == RTM_GETDCB) ||
	       (r.kind == REQUEST_ETHTOOL && g->cmd == ETHTOOL_MSG_PAUSE_GET) ||
	       (r.kind == REQUEST_IOCTL && *ioctl == ETHTOOL_GTUNABLE);
}

static void wait_for_carrier(const struct side *s)
{
	struct link l = { 0 };
	struct err err = { 0 };

	for (int i = 0; i < 1000 && !l.carrier; i++) {
		s->h->sleep_ms(s->h, 5);
		(void)s->h->link(s->h, s->ifindex, &l, &err);
	}
}

static size_t read_lines(const char *path, char **lines)
{
	FILE *from = fopen(path, "r");
	char line[REQUEST_LINE_MAX];
	size_t count = 0;

	while (from && count < LINES_MAX && fgets(line, sizeof(line), from)) {
		line[strcspn(line, "\n")] = '\0';
		lines[count++] = strdup(line);
	}
	if (from)
		fclose(from);
	return count;
}

static void replay(const struct side sides[2], char **lines, size_t count)
{
	const char *reads[READS_MAX];
	size_t read_count = 0;

	for (size_t i = 0; i < count; i++)
		if (is_state(lines[i]) && read_count < READS_MAX)
			compare(sides, reads[read_count++] = lines[i], NULL);
	for (size_t i = 0; i < count; i++) {
		if (is_state(lines[i]))
			continue;
		compare(sides, lines[i], NULL);
		for (int k = 0; k < 2; k++)
			wait_for_carrier(&sides[k]);
		for (size_t j = 0; j < read_count; j++)
			compare(sides, reads[j], lines[i]);
	}
}

int main(int argc, char **argv)
{
	static char *lines[LINES_MAX];
	static struct host_linux real;
	static struct fake fake;
	struct err err = { 0 };
	struct side sides[2] = {
		{ &real.host, argc > 2 ? argv[2] : "", if_nametoindex(PORT),
		  if_nametoindex(FAKE_VLAN) },
		{ &fake.host, "0000:01:00.0", if_nametoindex(PORT), 3 },
	};
	size_t count = argc > 2 ? read_lines(argv[1], lines) : 0;

	if (!count || !host_linux_open(&real, "/", true, &err) || uname(&kernel) < 0) {
		fprintf(stderr, "usage: conform REQUESTS PCI-ADDRESS, in the guest\n");
		return 64;
	}
	fake_init(&fake);
	fake.has_rdma_cm = true;
	fake.asks_for_owner = strncmp(kernel.release, "6.1.", 4) != 0;
	fake.port.ifindex = sides[0].ifindex;
	replay(sides, lines, count);
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++)
		if (strncmp(kernel.release, accepted[i].kernel, strlen(accepted[i].kernel)) == 0 &&
		    !accepted[i].seen)
			printf("no longer differs: %s (%s)\n", accepted[i].line,
			       accepted[i].reason);
	if (differences)
		printf("%u answers differ\n", differences);
	host_linux_close(&real);
	return differences > 0;
}
