/* Tests of the agent's reads of several ports: their order and number, on the fake kernel. */
#include <fcntl.h>
#include <linux/ethtool.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/unit.h"
#include "whole.h"

#define PORTS	 3
#define FIRST	 7 /* ifindex of the first port */
#define ROUND_MS 30000
#define POLICY \
	"{\"version\": 1, \"profiles\": {\"p\": {\"pfc\": {\"priorities\": [3]}}}, \"rules\": " \
	"[{\"match\": {\"name\": \"ens*\"}, \"profile\": \"p\"}]}"

/* Letters of the ports in the order in which they were read, from the event on. */
static char order[32];
static bool event_waits;
static bool share_a_function; /* as the two ports of an adapter of mlx4 do */

static struct link link_of_port(unsigned ifindex)
{
	struct link l = { .ifindex = ifindex, .mtu = 1500, .up = true, .carrier = true };

	snprintf(l.name, sizeof(l.name), "ens%c", (char)('A' + ifindex - FIRST));
	return l;
}

static bool several_links(struct host *h, struct link_list *ret, struct err *err)
{
	(void)h;
	(void)err;
	*ret = (struct link_list){ .links = calloc(PORTS, sizeof(*ret->links)), .count = PORTS };
	assert_non_null(ret->links);
	for (unsigned i = 0; i < PORTS; i++)
		ret->links[i] = link_of_port(FIRST + i);
	return true;
}

/* While the agent reads the second port in the second round, the first one is written. */
static bool link_of_several(struct host *h, unsigned ifindex, struct link *ret, struct err *err)
{
	size_t used = strlen(order);
	char letter = (char)('A' + ifindex - FIRST);

	(void)err;
	*ret = link_of_port(ifindex);
	if (!used && (h->now_ms(h) < ROUND_MS || letter != 'B'))
		return true;
	event_waits = event_waits || !used;
	if ((!used || order[used - 1] != letter) && used + 1 < sizeof(order))
		order[used] = letter;
	return true;
}

static bool (*ethtool_of_one)(struct host *h, const char *port, void *command, struct err *err);

static bool ethtool_of_several(struct host *h, const char *port, void *command, struct err *err)
{
	struct ethtool_drvinfo *info = command;

	if (!ethtool_of_one(h, port, command, err))
		return false;
	if (info->cmd == ETHTOOL_GDRVINFO || !info->cmd)
		snprintf(info->bus_info, sizeof(info->bus_info), "0000:01:00.%c",
			 share_a_function ? '0' : port[3] - 'A' + '0');
	return true;
}

static bool next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	(void)h;
	(void)err;
	*ret = (struct event){ .ifindex = FIRST };
	ret->kind = !event_waits ? EVENT_NONE : share_a_function ? EVENT_LINK : EVENT_DCB;
	event_waits = false;
	if (ret->kind != EVENT_NONE)
		return true;
	whole->fake.now += wait_ms;
	if (wait_ms && whole->fake.now > ROUND_MS + ROUND_MS / 2)
		whole_let_signal_in(SIGTERM);
	return true;
}

static void print_order(void *arg)
{
	(void)arg;
	fprintf(stderr, "order: %s\n", order);
}

static const char *counted_file;
static bool (*read_of_one)(struct host *h, const char *path, char *buf, size_t size,
			   struct err *err);

static bool count_reads(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	whole->counted += counted_file && strcmp(path, counted_file) == 0;
	return read_of_one(h, path, buf, size, err);
}

/* Runs two rounds of checks, with an event in the second. Returns the reads of the file. */
static unsigned reads_of(const char *path, struct end *end)
{
	const struct fake first = whole->fake;
	struct call call = { .words = { "agent", "--allow-other-netns", "-" },
			     .input = POLICY,
			     .ended = print_order };

	unlinkat(whole->fake.host.root, "run/losslessctl/status.json", 0); /* an earlier agent's */
	counted_file = path;
	whole->counted = 0;
	ethtool_of_one = whole->fake.host.ethtool;
	read_of_one = whole->fake.host.read_file;
	whole->fake.host.links = several_links;
	whole->fake.host.link = link_of_several;
	whole->fake.host.ethtool = ethtool_of_several;
	whole->fake.host.read_file = count_reads;
	whole->fake.host.facts.is_kept = true;
	whole_run(&call, end);
	whole->fake = first;
	assert_int_equal(end->code, 0);
	return whole->counted;
}

static void a_port_with_an_event_goes_before_those_in_turn(void **s)
{
	static struct end end;

	(void)s;
	(void)reads_of(NULL, &end);
	assert_non_null(strstr(end.err, "order: BAC"));
}

static void a_round_of_checks_reads_the_sockets_once(void **s)
{
	static struct end end;

	(void)s;
	assert_int_equal(reads_of("/proc/net/unix", &end), 2);
}

/* Seven checks read the last run on their port, and so does the first drift of each port. */
static void records_of_runs_are_read_once_they_change(void **s)
{
	static struct end end;

	(void)s;
	assert_int_equal(reads_of("/run/losslessctl/last-runs", &end), 7 + PORTS);
}

/* The run ends before the first round. */
static void a_run_that_ended_before_makes_no_round(void **s)
{
	static const char path[] = "/run/losslessctl/last-runs";
	static const char record[] =
		"0000:01:00.0 apply root 2026-11-26T17:00:00Z 1 2 3 0 - 0 - - -\n";
	int fd = openat(whole->fake.host.root, &path[1], O_CREAT | O_WRONLY | O_TRUNC, 0600);
	static struct end end;

	(void)s;
	assert_true(fd >= 0);
	close(fd);
	strcpy(fake_file(&whole->fake, path, true)->text, record);
	assert_int_equal(reads_of("/proc/net/unix", &end), 2);
}

static void ports_of_one_pci_function_are_told_apart(void **s)
{
	static struct end end;

	(void)s;
	share_a_function = true;
	(void)reads_of(NULL, &end);
	share_a_function = false;
	assert_non_null(strstr(end.err, "ensC: pfc.priorities is"));
	assert_null(strstr(end.err, "driver-reinitialized"));
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, a_port_with_an_event_goes_before_those_in_turn);
	SUITE_ADD(&s, a_round_of_checks_reads_the_sockets_once);
	SUITE_ADD(&s, records_of_runs_are_read_once_they_change);
	SUITE_ADD(&s, a_run_that_ended_before_makes_no_round);
	SUITE_ADD(&s, ports_of_one_pci_function_are_told_apart);
	return whole_tests("agent_ports", &s, next_event);
}
