/* Tests of the PCP and the priority of packets, by the kind of their sender. */
#include "policy/model/marking.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

/* The table ip_tos2prio of the kernel, by ToS. */
static const struct {
	uint8_t tos, priority;
} table[] = {
	{ 0, 0 },   { 8, 2 },	{ 16, 6 },  { 24, 4 },	{ 32, 0 },  { 72, 2 },	{ 96, 0 },
	{ 104, 2 }, { 106, 2 }, { 128, 0 }, { 160, 0 }, { 184, 4 }, { 192, 0 }, { 255, 4 },
};

static void the_kernel_gives_a_tos_one_of_four_priorities(void **s)
{
	(void)s;
	for (size_t i = 0; i < COUNT(table); i++)
		assert_int_equal(tos_kernel_priority(table[i].tos), table[i].priority);
}

#define PCP_3 "{'trust':'pcp','vlan':{'egress':{'v':{'3':3,'6':6}}}}"
#define PCP_0 "{'trust':'pcp','vlan':{'egress':{'v':{'0':3,'1':0,'2':0,'3':0}}}}"
#define PCP_2 "{'trust':'pcp','vlan':{'egress':{'v':{'2':3,'6':6}}}}"
#define DSCP_26 \
	"{'trust':'dscp','dscp':{'prio':{'26':5},'rest':0}," \
	"'vlan':{'egress':{'v':{'2':3}}}}"
#define NO_VLAN	  "{'trust':'pcp','vlan':{'egress':{}}}"
#define VLAN_GAP  "{'trust':'pcp'}"
#define NO_TRUST  "{'vlan':{'egress':{'v':{'2':3}}}}"
#define KEPT_DSCP "{'dscp':{'prio':{'48':6},'rest':'keep'}}"

static const struct mqprio none, shifted = { true, { 1, 0, 5, 3, 4, 2, 6, 7 } },
				 high = { true, { 8, 8, 11, 8, 8, 8, 8, 8 } };

/* A packet, its PCP and its priority. */
static const struct packet_row {
	const char *sentence, *config;
	enum sender sender;
	uint8_t tos, service_level;
	int pcp, priority;
	const struct mqprio *mqprio;
} packets[] = {
	{ "the map of a PFC priority does nothing for rdma_cm", PCP_3, SENDER_RDMA_CM, 106, 0, 0, 0,
	  NULL },
	{ "ToS 0 has the kernel's priority 0", PCP_0, SENDER_RDMA_CM, 0, 0, 3, 3, NULL },
	{ "ToS 106 has the kernel's priority 2", PCP_2, SENDER_RDMA_CM, 106, 0, 3, 3, NULL },
	{ "a socket goes by the same map", PCP_2, SENDER_SOCKET, 72, 0, 3, 3, NULL },
	{ "a socket without a ToS has no class", PCP_2, SENDER_SOCKET, 0, 0, 0, 0, NULL },
	{ "verbs send the service level, whatever the map", PCP_2, SENDER_VERBS, 106, 0, 0, 0,
	  NULL },
	{ "verbs with a service level", PCP_3, SENDER_VERBS, 106, 3, 3, 3, NULL },
	{ "of a service level three bits count", PCP_3, SENDER_VERBS, 106, 11, 3, 3, NULL },
	{ "mqprio takes the map's place for rdma_cm", PCP_2, SENDER_RDMA_CM, 106, 0, 5, 5,
	  &shifted },
	{ "mqprio gives ToS 0 a PCP, too", PCP_2, SENDER_RDMA_CM, 0, 0, 1, 1, &shifted },
	{ "of a class three bits count", PCP_2, SENDER_RDMA_CM, 106, 0, 3, 3, &high },
	{ "mqprio without classes takes no place", PCP_2, SENDER_RDMA_CM, 106, 0, 3, 3, &none },
	{ "mqprio has no part in sockets", PCP_2, SENDER_SOCKET, 72, 0, 3, 3, &shifted },
	{ "mqprio has no part in verbs", PCP_2, SENDER_VERBS, 106, 4, 4, 4, &shifted },
	{ "the PCP does not decide on a port that trusts DSCP", DSCP_26, SENDER_RDMA_CM, 106, 0, 3,
	  5, NULL },
	{ "nor does a service level", DSCP_26, SENDER_VERBS, 106, 7, 7, 5, NULL },
	{ "without a VLAN device packets have no tag", NO_VLAN, SENDER_VERBS, 106, 3, PCP_NONE, 0,
	  NULL },
	{ "nor have those of rdma_cm, with mqprio either", NO_VLAN, SENDER_RDMA_CM, 106, 0,
	  PCP_NONE, 0, &shifted },
	{ "where the VLAN devices are unknown there is a tag", VLAN_GAP, SENDER_VERBS, 106, 3, 3, 3,
	  NULL },
	{ "without trust the priority is unknown", NO_TRUST, SENDER_RDMA_CM, 106, 0, 3, -1, NULL },
	{ "and that of a DSCP that is kept is", KEPT_DSCP, SENDER_VERBS, 106, 0, 0, -1, NULL },
};

static void a_packet_has_this_pcp_and_priority(void **state)
{
	const struct packet_row *row = *state;
	struct config c = config_of(row->config);
	struct packet p = { row->sender, row->tos, row->service_level, config_vlan(&c),
			    row->mqprio };

	assert_int_equal(packet_pcp(&p), row->pcp);
	assert_int_equal(marks_priority(&c, row->tos, packet_pcp(&p)), row->priority);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, the_kernel_gives_a_tos_one_of_four_priorities);
	SUITE_ADD_ROWS(&s, packets, a_packet_has_this_pcp_and_priority);
	return suite_run(&s, "marking");
}
