#include "perftest.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool has_only(const char *text, size_t size, const char *characters)
{
	size_t n = strnlen(text, size);

	return n < size && strspn(text, characters) == n;
}

#define DIGITS	"0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

static bool is_address(const char *text)
{
	struct in6_addr any;

	return strnlen(text, PERFTEST_ADDRESS_MAX) < PERFTEST_ADDRESS_MAX &&
	       (inet_pton(AF_INET, text, &any) == 1 || inet_pton(AF_INET6, text, &any) == 1);
}

/* A word that begins with "-" would be an option. */
static bool has_names(const struct perftest *p)
{
	return p->device[0] && p->device[0] != '-' &&
	       has_only(p->device, sizeof(p->device), LETTERS DIGITS "_-.") &&
	       (!p->peer[0] || is_address(p->peer));
}

bool perftest_check(const struct perftest *p, struct err *err)
{
	const struct {
		const char *what;
		uint32_t value, least, most;
	} rows[] = {
		{ "path", p->path, 0, PROBE_PATHS - 1 },
		{ "port of the RDMA device", p->ib_port, 1, 255 },
		{ "GID index", p->gid_index, 0, 255 },
		{ "traffic class", p->traffic_class, 0, 255 },
		{ "service level", p->service_level, 0, 7 },
		{ "TCP port", p->tcp_port, 1024, 65535 },
		{ "number of messages", p->messages, PERFTEST_MESSAGES_MIN, PERFTEST_MESSAGES_MAX },
		{ "size of messages", p->size, 1, PERFTEST_SIZE_MAX },
	};

	if (p->asks_help)
		return true;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value < rows[i].least || rows[i].value > rows[i].most)
			return err_set(err, ERR_USAGE, EINVAL, "%s %u is not in %u to %u",
				       rows[i].what, rows[i].value, rows[i].least, rows[i].most);
	if ((uint64_t)p->messages * p->size > PERFTEST_BYTES_MAX)
		return err_set(err, ERR_USAGE, EINVAL, "one run may carry %u MiB at most",
			       PERFTEST_BYTES_MAX >> 20);
	return has_names(p) || err_set(err, ERR_USAGE, EINVAL,
				       "no name of an RDMA device, or no "
				       "address");
}

static void __attribute__((format(printf, 2, 3)))
add(struct perftest_words *w, const char *fmt, ...)
{
	char *word = w->text + w->used;
	va_list args;

	va_start(args, fmt);
	vsnprintf(word, sizeof(w->text) - w->used, fmt, args);
	va_end(args);
	w->used += strlen(word) + 1;
	w->list[w->count++] = word;
	w->list[w->count] = NULL;
}

/* The way in which the class is set: --tclass is for queue pairs made without rdma_cm. */
static void add_path(const struct perftest *p, struct perftest_words *w)
{
	if (p->path == PROBE_VERBS || p->path == PROBE_GPU) {
		add(w, "--tclass=%u", p->traffic_class);
		add(w, "--gid-index=%u", p->gid_index);
		if (p->service_level)
			add(w, "--sl=%u", p->service_level);
		if (p->path == PROBE_GPU)
			add(w, PERFTEST_GPU_OPTION "=0");
		return;
	}
	add(w, "--rdma_cm");
	if (p->path == PROBE_RDMA_CM_TOS)
		add(w, "--tos=%u", p->traffic_class);
}

void perftest_write_words(const struct perftest *p, struct perftest_words *ret)
{
	ret->count = ret->used = 0;
	if (p->asks_help) {
		add(ret, "--help");
		return;
	}
	add(ret, "--CPU-freq"); /* no warning about the processor's frequency */
	add(ret, "--ib-dev=%s", p->device);
	add(ret, "--ib-port=%u", p->ib_port);
	add(ret, "--port=%u", p->tcp_port);
	add(ret, "--size=%u", p->size);
	add(ret, "--iters=%u", p->messages);
	add_path(p, ret);
	if (p->peer[0])
		add(ret, "%s", p->peer);
}

#define NO_TCP	 "Couldn't connect to"
#define NO_CM	 "Unexpected CM event"
#define REJECTED "RDMA_CM_EVENT_REJECTED"

const char *const perftest_state_names[PERFTEST_STATES] = {
	[PERFTEST_NO_CONNECTION] = "no_connection",
	[PERFTEST_CONNECTED] = "connected",
	[PERFTEST_UNKNOWN] = "unknown",
	[PERFTEST_UNSUPPORTED] = "unsupported",
};

/* The first row whose text is in the messages explains them. */
static const struct {
	const char *message, *why, *fix;
	enum perftest_state state;
} rows[] = {
	{ "was killed", "perftest was killed at one end",
	  "see the kernel's log for a lack of memory, and probe again", PERFTEST_UNKNOWN },
	{ "is not installed", "perftest is not installed at both ends",
	  "install the package perftest there", PERFTEST_NO_CONNECTION },
	{ NO_TCP, "the other end's perftest cannot be reached by TCP",
	  "permit TCP 18515 between the addresses of the two ports in firewalls, and see "
	  "`ip route get ADDRESS` for the other port's address",
	  PERFTEST_NO_CONNECTION },
	{ NO_CM, "the other port does not answer rdma_cm, or refuses it",
	  "permit UDP 4791 in firewalls, and see `ip route get ADDRESS` for its address",
	  PERFTEST_NO_CONNECTION },
	{ "did not end within", "packets, or their acknowledgements, do not arrive",
	  "permit UDP 4791 and TCP 18515 in firewalls; see that both ports have the same MTU, and "
	  "that `losslessctl ready` has no finding about gid and shared-subnet",
	  PERFTEST_NO_CONNECTION },
	{ "RDMA_CM_EVENT_ADDR_ERROR", "rdma_cm finds no neighbour at the other port's address",
	  "check `ip route get ADDRESS` and `ip neighbour` for the other port's address",
	  PERFTEST_NO_CONNECTION },
	{ "rdma_resolve_addr failed", "rdma_cm finds no route to the other port's address",
	  "check `ip route get ADDRESS` for the other port's address", PERFTEST_NO_CONNECTION },
	{ "RDMA_CM_EVENT_ROUTE_ERROR", "rdma_cm finds no route to the other port's address",
	  "check `ip route get ADDRESS` for the other port's address", PERFTEST_NO_CONNECTION },
	{ "RDMA_CM_EVENT_UNREACHABLE", "the other port does not answer rdma_cm",
	  "permit UDP 4791 in firewalls, and check the path of the other port's address",
	  PERFTEST_NO_CONNECTION },
	{ REJECTED, "the other port refuses rdma_cm's connection",
	  "see that no other perftest runs there", PERFTEST_NO_CONNECTION },
	{ "Failed status 12", "packets of RoCE, or their acknowledgements, do not arrive",
	  "permit UDP 4791 in firewalls; see that both ports have the same MTU, and that "
	  "`losslessctl ready` has no finding about gid and shared-subnet",
	  PERFTEST_NO_CONNECTION },
	{ "to RTR", "the queue pairs cannot be connected: the GID, the route or the MTU is wrong",
	  "see `losslessctl ready --all` at both ends", PERFTEST_NO_CONNECTION },
	{ "Cannot allocate memory", "memory cannot be locked",
	  "raise the limit: `ulimit -l unlimited`, or run it with sudo", PERFTEST_NO_CONNECTION },
	{ "Couldn't allocate MR", "memory cannot be locked",
	  "raise the limit: `ulimit -l unlimited`, or run it with sudo", PERFTEST_NO_CONNECTION },
	{ "IB device", "the RDMA device cannot be opened",
	  "see that ib_uverbs is loaded, and that /dev/infiniband has the device",
	  PERFTEST_NO_CONNECTION },
};

bool perftest_must_wait(const char *output)
{
	return strstr(output, NO_TCP) || strstr(output, NO_CM);
}

bool perftest_was_too_early(const char *output)
{
	return strstr(output, REJECTED);
}

/* Copies the last line with text. */
static void last_line(const char *output, char *ret, size_t size)
{
	const char *last = "", *at = output;
	size_t length = 0;

	while (*at) {
		size_t n = strcspn(at, "\n");

		if (strspn(at, " \t\r-") < n) {
			last = at;
			length = n;
		}
		at += n + (at[n] == '\n');
	}
	snprintf(ret, size, "%.*s", (int)(length < size ? length : size - 1), last);
}

enum perftest_state perftest_explain(const char *near, const char *far, char why[PERFTEST_WHY_MAX],
				     char fix[PERFTEST_WHY_MAX])
{
	char last[160];

	fix[0] = '\0';
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strstr(near, rows[i].message) || strstr(far, rows[i].message)) {
			snprintf(why, PERFTEST_WHY_MAX, "%s", rows[i].why);
			snprintf(fix, PERFTEST_WHY_MAX, "%s", rows[i].fix);
			return rows[i].state;
		}
	last_line(near[0] ? near : far, last, sizeof(last));
	snprintf(why, PERFTEST_WHY_MAX, "perftest failed%s%s", last[0] ? ": " : "", last);
	return PERFTEST_NO_CONNECTION;
}
