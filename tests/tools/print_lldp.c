/*
 * Listens for LLDP and prints the neighbours, for tests. Exits with losslessctl's codes.
 *
 *   print_lldp MS ENOUGH PORT...
 */
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../agent/host/host_linux.h"
#include "../../dcb/lldp/lldp.h"
#include "../../policy/util/exit_code.h"

#define PORTS_MAX 16

static volatile sig_atomic_t caught;

static void note(int signal)
{
	caught = signal;
}

static int interrupted(struct host *h)
{
	(void)h;
	return caught;
}

static void print_kinds(const char *what, unsigned kinds)
{
	for (enum lldp_tlv t = 0; t < LLDP_TLV_COUNT; t++)
		if (kinds & LLDP_BIT(t))
			printf(", %s%s", what, lldp_tlv_name(t));
}

static void tell(const struct neighbour *n)
{
	printf("  %s %s ttl %u frames %u", n->pdu.chassis, n->pdu.port, n->pdu.ttl_s, n->frames);
	print_kinds("", n->pdu.has);
	print_kinds("malformed ", n->pdu.malformed);
	if (n->pdu.has & LLDP_BIT(LLDP_PFC))
		printf(", pfc 0x%02x", n->pdu.pfc.enabled);
	putchar('\n');
}

static void print_port(const struct neighbours *n, const char *name)
{
	printf("%s: %u neighbours, %u more, %u malformed%s%s\n", name, n->count, n->more,
	       n->malformed, n->malformed ? ": " : "", n->why.text);
	for (unsigned i = 0; i < n->count; i++)
		tell(&n->list[i]);
}

int main(int argc, char **argv)
{
	static struct neighbours ports[PORTS_MAX];
	struct host_linux l;
	struct err err = { 0 };
	size_t count = 0;

	signal(SIGINT, note);
	for (int i = 3; i < argc && count < PORTS_MAX; i++)
		ports[count++].ifindex = if_nametoindex(argv[i]);
	if (argc < 4)
		return 64;
	if (host_linux_open(&l, "/", false, &err)) {
		l.host.interrupted = interrupted;
		if (neighbours_listen(&l.host, ports, count, (unsigned)strtoul(argv[1], NULL, 10),
				      (unsigned)strtoul(argv[2], NULL, 10), &err))
			for (size_t i = 0; i < count; i++)
				print_port(&ports[i], argv[3 + i]);
	}
	host_linux_close(&l);
	if (err.kind)
		fprintf(stderr, "%s\n%s\n", err.text, err.fix);
	return exit_code_of_err(&err);
}
