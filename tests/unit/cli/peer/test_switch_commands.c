/* Tests of the complete commands for each system; "? " marks an uncertain line. */
#include <stdio.h>
#include <string.h>

#include "cli/peer/switch_commands.h"
#include "tests/support/parse.h"
#include "tests/support/unit.h"

#define OURS \
	"{'pfc':{'priorities':[3,5]},'dscp':{'prio':{'26':3,'48':6},'rest':'keep'}," \
	"'ets':{'prio_tc':[0,0,0,3,0,0,6,0],'bandwidth':[40,0,0,60,0,0,0,0]," \
	"'tsa':['ets','ets','ets','ets','ets','ets','strict','ets']}}"
#define THEIRS \
	"{'pfc':{'priorities':[3,4]},'dscp':{'prio':{'26':4,'48':6,'46':5},'rest':'keep'}," \
	"'ets':{'prio_tc':[0,0,0,0,0,0,6,0],'bandwidth':[100,0,0,0,0,0,0,0]," \
	"'tsa':['ets','ets','ets','ets','ets','ets','strict','ets']}}"
#define ALL ((1u << AGREE_PFC) | (1u << AGREE_ETS) | (1u << AGREE_APP))

struct text {
	char of[8192];
	size_t used;
};

static void add(const struct switch_line *line, void *arg)
{
	struct text *t = arg;

	t->used += (size_t)snprintf(t->of + t->used, sizeof(t->of) - t->used, "%s%s\n",
				    line->caveat ? "? " : "", line->text);
}

static struct text commands(enum switch_os os, const char *port, const char *ours,
			    const char *theirs, unsigned subjects)
{
	struct config a = config_of(ours), b = config_of(theirs);
	struct switch_change change = { port, &a, &b, subjects };
	struct text t = { .used = 0 };

	switch_commands(os, &change, add, &t);
	return t;
}

static const struct row {
	const char *sentence;
	enum switch_os os;
	const char *port, *lines;
} rows[] = {
	{ "Cumulus Linux has profiles of the port, and maps of all", SWITCH_CUMULUS, "swp7",
	  "nv unset qos pfc lossless-swp7\n"
	  "? nv set qos pfc lossless-swp7 switch-priority 3,5\n"
	  "? nv set qos pfc lossless-swp7 tx enable\n"
	  "? nv set qos pfc lossless-swp7 rx enable\n"
	  "? nv set interface swp7 qos pfc profile lossless-swp7\n"
	  "nv config apply\n"
	  "nv unset qos egress-scheduler lossless-swp7\n"
	  "? nv set qos egress-queue-mapping default-global switch-priority 3 traffic-class 3\n"
	  "nv set qos egress-scheduler lossless-swp7 traffic-class 0 mode dwrr\n"
	  "nv set qos egress-scheduler lossless-swp7 traffic-class 0 bw-percent 40\n"
	  "nv set qos egress-scheduler lossless-swp7 traffic-class 3 mode dwrr\n"
	  "nv set qos egress-scheduler lossless-swp7 traffic-class 3 bw-percent 60\n"
	  "nv set qos egress-scheduler lossless-swp7 traffic-class 6 mode strict\n"
	  "nv set interface swp7 qos egress-scheduler profile lossless-swp7\n"
	  "nv config apply\n"
	  "? nv set qos mapping default-global trust l3\n"
	  "? nv set qos mapping default-global dscp 26 switch-priority 3\n"
	  "nv config apply\n" },
	{ "SONiC has a command for PFC, and tables for the rest", SWITCH_SONIC, "Ethernet12",
	  "? sudo config interface buffer priority-group lossless add Ethernet12 5\n"
	  "sudo config interface pfc priority Ethernet12 5 on\n"
	  "sudo config interface pfc priority Ethernet12 4 off\n"
	  "? sudo sonic-db-cli CONFIG_DB HSET 'TC_TO_QUEUE_MAP|AZURE' 3 3\n"
	  "? sudo sonic-db-cli CONFIG_DB HSET 'SCHEDULER|lossless.Ethernet12.0' type DWRR weight "
	  "40\n"
	  "? sudo sonic-db-cli CONFIG_DB HSET 'QUEUE|Ethernet12|0' scheduler "
	  "lossless.Ethernet12.0\n"
	  "? sudo sonic-db-cli CONFIG_DB HSET 'SCHEDULER|lossless.Ethernet12.3' type DWRR weight "
	  "60\n"
	  "? sudo sonic-db-cli CONFIG_DB HSET 'QUEUE|Ethernet12|3' scheduler "
	  "lossless.Ethernet12.3\n"
	  "? sudo sonic-db-cli CONFIG_DB HSET 'SCHEDULER|lossless.Ethernet12.6' type STRICT\n"
	  "? sudo sonic-db-cli CONFIG_DB HSET 'QUEUE|Ethernet12|6' scheduler "
	  "lossless.Ethernet12.6\n"
	  "? sudo sonic-db-cli CONFIG_DB HSET 'DSCP_TO_TC_MAP|AZURE' 26 3\n" },
	{ "EOS sets the port, and maps of the switch", SWITCH_EOS, "Ethernet1/37",
	  "configure\ninterface Ethernet1/37\n? priority-flow-control on\n"
	  "priority-flow-control priority 5 no-drop\n"
	  "no priority-flow-control priority 4 no-drop\nend\n"
	  "configure\n? qos map traffic-class 3 to tx-queue 3\ninterface Ethernet1/37\n"
	  "? tx-queue 0\nno priority\nbandwidth percent 40\n"
	  "? tx-queue 3\nno priority\nbandwidth percent 60\n"
	  "? tx-queue 6\npriority strict\nend\n"
	  "configure\n? qos map dscp 26 to traffic-class 3\ninterface Ethernet1/37\n"
	  "qos trust dscp\nend\n" },
	{ "NX-OS has policies of the switch", SWITCH_NXOS, "Ethernet1/37",
	  "configure terminal\n? policy-map type network-qos POLICY\n"
	  "? class type network-qos c-8q-nq5\n? pause pfc-cos 5\n"
	  "? class type network-qos c-8q-nq4\n? no pause pfc-cos 4\n"
	  "interface Ethernet1/37\npriority-flow-control mode on\nend\n"
	  "configure terminal\n? \n? policy-map type queuing POLICY\n"
	  "? class type queuing c-out-8q-q-default\n? bandwidth remaining percent 40\n"
	  "? class type queuing c-out-8q-q3\n? bandwidth remaining percent 60\n"
	  "? class type queuing c-out-8q-q6\n? priority level 1\nend\n"
	  "configure terminal\nclass-map type qos match-any LOSSLESS-3\nmatch dscp 26\n"
	  "? policy-map type qos POLICY\n? class LOSSLESS-3\n? set qos-group 3\nend\n" },
};

static void they_are(void **s)
{
	const struct row *row = *s;
	struct text t = commands(row->os, row->port, OURS, THEIRS, ALL);

	assert_string_equal(t.of, row->lines);
}

static const struct single_row {
	const char *sentence;
	enum switch_os os;
	enum agreement subject;
	const char *ours, *theirs, *lines;
} singles[] = {
	{ "a port that is to have no PFC leaves its profile", SWITCH_CUMULUS, AGREE_PFC,
	  "{'pfc':{'priorities':[]}}", "{'pfc':{'priorities':[3]}}",
	  "? nv unset interface X qos pfc\nnv config apply\n" },
	{ "priority 0 has the default class of NX-OS", SWITCH_NXOS, AGREE_PFC,
	  "{'pfc':{'priorities':[0]}}", "{'pfc':{'priorities':[]}}",
	  "configure terminal\n? policy-map type network-qos POLICY\n"
	  "? class type network-qos c-8q-nq-default\n? pause pfc-cos 0\n"
	  "interface X\npriority-flow-control mode on\nend\n" },
	{ "a class that is neither ets nor strict has no command", SWITCH_EOS, AGREE_ETS,
	  "{'ets':{'prio_tc':[0,0,0,0,0,0,0,0],'bandwidth':[0,0,0,0,0,0,0,0],"
	  "'tsa':['vendor','ets','ets','ets','ets','ets','ets','ets']}}",
	  "{'ets':{'prio_tc':[0,0,0,0,0,0,0,0]}}", "configure\ninterface X\n? \nend\n" },
	{ "an entry other than of a DSCP has no command", SWITCH_SONIC, AGREE_APP,
	  "{'dscp':{'prio':{'26':3},'rest':'keep'}}", "{'dscp':{'prio':{'26':3},'rest':'keep'}}",
	  "? \n" },
	{ "shares that are unknown here cannot be asked for", SWITCH_EOS, AGREE_ETS,
	  "{'ets':{'prio_tc':[0,0,0,0,0,0,0,0]}}", "{'ets':{'prio_tc':[0,0,0,1,0,0,0,0]}}", "" },
};

static void that_one_is(void **s)
{
	const struct single_row *row = *s;
	struct text t = commands(row->os, "X", row->ours, row->theirs, 1u << row->subject);

	assert_string_equal(t.of, row->lines);
}

static void a_subject_that_does_not_differ_has_no_command(void **s)
{
	(void)s;
	for (enum switch_os os = 0; os < SWITCH_OS_COUNT; os++)
		assert_int_equal(commands(os, "X", OURS, THEIRS, 0).used, 0);
}

/* Fail if a value is not filled in, or if a line is cut. */
static void check_line(const struct switch_line *line, void *arg)
{
	(void)arg;
	assert_false(strpbrk(line->text, "{}\n"));
	assert_true(strlen(line->text) < SWITCH_LINE_MAX - 1);
	if (!line->caveat)
		return;
	assert_false(strpbrk(line->caveat, "{}\n"));
	assert_true(strlen(line->caveat) < SWITCH_LINE_MAX - 1);
}

static void every_line_is_whole_with_the_longest_name(void **s)
{
	struct config ours = config_of(OURS), theirs = config_of(THEIRS);
	struct switch_change change = { "Ethernet1/2/3_4-56789012", &ours, &theirs, ALL };

	(void)s;
	for (enum switch_os os = 0; os < SWITCH_OS_COUNT; os++)
		switch_commands(os, &change, check_line, NULL);
}

/* Names as they arrive from the network. */
static const struct name_row {
	const char *sentence;
	enum switch_os os;
	const char *name;
	bool is_port;
} names[] = {
	{ "a port of Cumulus Linux", SWITCH_CUMULUS, "swp12s3", true },
	{ "a bond of Cumulus Linux", SWITCH_CUMULUS, "bond1", true },
	{ "a port of SONiC", SWITCH_SONIC, "Ethernet124", true },
	{ "a port of EOS", SWITCH_EOS, "Ethernet1/37", true },
	{ "a port of EOS, abbreviated", SWITCH_EOS, "Et1/37", true },
	{ "a port of NX-OS, abbreviated", SWITCH_NXOS, "Eth1/1/2", true },
	{ "the port of another system", SWITCH_SONIC, "swp1", false },
	{ "a prefix alone", SWITCH_SONIC, "Ethernet", false },
	{ "a word that begins like one", SWITCH_EOS, "Etc", false },
	{ "nothing", SWITCH_EOS, "", false },
	{ "an alias", SWITCH_SONIC, "etp1", false },
	{ "an alias as of EOS", SWITCH_SONIC, "Ethernet5/1", false },
	{ "a MAC address", SWITCH_CUMULUS, "0c:42:a1:b2:c3:d4", false },
	{ "a second command", SWITCH_EOS, "Ethernet1; reload", false },
	{ "a second command without a blank", SWITCH_CUMULUS, "swp1;reboot", false },
	{ "a pipe", SWITCH_CUMULUS, "swp1|sh", false },
	{ "an and", SWITCH_SONIC, "Ethernet0&&reboot", false },
	{ "a substitution", SWITCH_SONIC, "Ethernet0$(reboot)", false },
	{ "a backquote", SWITCH_SONIC, "Ethernet0`reboot`", false },
	{ "a quote", SWITCH_SONIC, "Ethernet0'", false },
	{ "a double quote", SWITCH_SONIC, "Ethernet0\"", false },
	{ "a line feed, as it is decoded", SWITCH_NXOS, "Ethernet1/1\\x0areload", false },
	{ "a line feed", SWITCH_NXOS, "Ethernet1/1\nreload", false },
	{ "a blank", SWITCH_NXOS, "Ethernet1/1 reload", false },
	{ "a question mark", SWITCH_NXOS, "Ethernet1/1?", false },
	{ "a comment", SWITCH_EOS, "Ethernet1!", false },
	{ "a pattern", SWITCH_SONIC, "Ethernet*", false },
	{ "a range", SWITCH_EOS, "Ethernet1,2", false },
	{ "a name that was cut", SWITCH_EOS, "Ethernet1...", false },
	{ "a value's name", SWITCH_EOS, "Ethernet1{prio}", false },
	{ "an option", SWITCH_SONIC, "-Ethernet1", false },
};

static void that_is_a_port_or_not(void **s)
{
	const struct name_row *row = *s;

	assert_int_equal(switch_os_names_port(row->os, row->name), row->is_port);
}

static const struct description_row {
	const char *sentence, *description;
	int os; /* -1: none */
} descriptions[] = {
	{ "Cumulus Linux", "Cumulus Linux version 5.9.1 running on Mellanox Technologies Ltd.", 0 },
	{ "SONiC", "SONiC Software Version: SONiC.202311.1 - HwSku: X - Kernel:...", 1 },
	{ "EOS", "Arista Networks EOS version 4.30.1F running on an Arista Ne...", 2 },
	{ "NX-OS", "Cisco Nexus Operating System (NX-OS) Software 10.3(2)\\x0aTAC...", 3 },
	{ "another switch", "Juniper Networks, Inc. qfx5120-48y, kernel JUNOS 20.4", -1 },
	{ "a host", "Debian GNU/Linux 12 (bookworm) Linux 6.1.0 x86_64", -1 },
	{ "none", "", -1 },
};

static void it_is_recognised(void **s)
{
	const struct description_row *row = *s;
	enum switch_os os = SWITCH_OS_COUNT;

	assert_int_equal(switch_os_recognise(&os, row->description), row->os >= 0);
	assert_int_equal(os, row->os >= 0 ? row->os : SWITCH_OS_COUNT);
}

static void a_system_is_found_by_its_name(void **s)
{
	struct err err = { 0 };
	enum switch_os os;

	(void)s;
	for (enum switch_os i = 0; i < SWITCH_OS_COUNT; i++) {
		assert_true(switch_os_find(&os, switch_systems[i].name, &err));
		assert_int_equal(os, i);
		assert_true(switch_systems[i].source[0] && switch_systems[i].comment[0]);
	}
	assert_false(switch_os_find(&os, "ios", &err));
	assert_int_equal(err.kind, ERR_USAGE);
	assert_non_null(strstr(err.text, "cumulus, sonic, eos or nxos, not \"ios\""));
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, they_are);
	SUITE_ADD_ROWS(&s, singles, that_one_is);
	SUITE_ADD(&s, a_subject_that_does_not_differ_has_no_command);
	SUITE_ADD(&s, every_line_is_whole_with_the_longest_name);
	SUITE_ADD_ROWS(&s, names, that_is_a_port_or_not);
	SUITE_ADD_ROWS(&s, descriptions, it_is_recognised);
	SUITE_ADD(&s, a_system_is_found_by_its_name);
	return suite_run(&s, "switch_commands");
}
