/* Tests of the lints that compare a port with the switch's map. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_switch_map.h"

/* Messages for particular configs. */
static const struct lint_text_row texts[] = {
	{ "what a switch drops is said with what it keeps",
	  MARKED "}",
	  "fabric-roce-not-lossless",
	  "on a switch with SONiC's default map, DSCP 26 lands in TC 1, which is lossy; lossless "
	  "there: DSCP 3, 4",
	  { .switch_map = &switch_maps[SONIC] } },
	{ "a PCP that a switch drops is said with what it keeps",
	  "{'pfc': {'priorities': [5]}}",
	  "fabric-roce-not-lossless",
	  "on a switch with Microsoft's NX-OS policy for Azure Local, PCP 5 lands in TC 0, which "
	  "is "
	  "lossy; lossless there: PCP 3",
	  { .switch_map = &switch_maps[NXOS] } },
	{ "a priority that a switch does not pause is named",
	  "{'pfc': {'priorities': [3,5]}}",
	  "fabric-pfc-mismatch",
	  "priority 5 is lossless here and TC 5 is lossy on a switch with Cumulus Linux's lossless "
	  "RoCE mode",
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ "what the switch and the port go by is named",
	  "{'trust': 'dscp'}",
	  "fabric-trust-mismatch",
	  "a switch with Microsoft's NX-OS policy for Azure Local classifies by PCP, and this port "
	  "by "
	  "DSCP",
	  { .switch_map = &switch_maps[NXOS] } },
	{ "CNPs beside their class are said with the class",
	  "{'cnp': {'dscp': 4}}",
	  "fabric-cnp-wrong-tc",
	  "on a switch with Cumulus Linux's lossless RoCE mode, CNPs (DSCP 4) land in TC 0; TC 6 "
	  "is theirs",
	  { .switch_map = &switch_maps[CUMULUS] } },
	{ "CNPs in a lossless class are said so",
	  "{'cnp': {'dscp': 4}}",
	  "fabric-cnp-wrong-tc",
	  "on a switch with SONiC's default map, CNPs (DSCP 4) land in TC 4, which is lossless",
	  { .switch_map = &switch_maps[SONIC] } },
	{ "both times of a pause storm are said",
	  STORM("8000"),
	  "storm-timeout-outlasts-switch",
	  "pause that lasts makes a switch with SONiC's default map drop the queue after 200 ms, "
	  "if its watchdog is on, and this port only after 8000 ms",
	  { .switch_map = &switch_maps[SONIC] } },
};

int main(void)
{
	static struct suite s;

	for (size_t i = 0; i < COUNT(switch_map_ports); i++)
		suite_add(&s, switch_map_ports[i].row.sentence, lint_port_breaks_exactly,
			  &switch_map_ports[i]);
	SUITE_ADD_ROWS(&s, texts, lint_says);
	return suite_run(&s, "lint_switch_map");
}
