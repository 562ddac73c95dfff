#include "switch_map.h"

#include <stdio.h>
#include <string.h>

#define ALL_UNKNOWN \
	"--------" \
	"--------" \
	"--------" \
	"--------" \
	"--------" \
	"--------" \
	"--------" \
	"--------"

/* clang-format off: eight DSCPs a line */
const struct switch_map switch_maps[] = {
	/* Sorts IP by DSCP and everything else by PCP; `nv show qos roce` prints both maps. */
	{ .name = "cumulus-lossless",
	  .display_name = "Cumulus Linux's lossless RoCE mode",
	  .trust = TRUST_DSCP,
	  .lossless = 1 << 3,
	  .has_cnp_tc = true,
	  .cnp_tc = 6,
	  .dscp_tc = "00000000"
		     "00000000"
		     "00000000"
		     "33333333"
		     "00000000"
		     "00000000"
		     "66666666"
		     "00000000",
	  .pcp_tc = "00030060",
	  .source = "NVIDIA Cumulus Linux 5 user guide, RDMA over Converged Ethernet",
	  .watchdog_ms = 300,
	  .watchdog_source =
		  "Cumulus Linux 5.6 user guide, Quality of Service: 3 polls of 100 ms" },
	/*
	 * `show roce` reports trust L3 and switch priorities 3 and 6. The DSCPs of these depend on
	 * the DSCP map, which RoCE mode does not set: only NVIDIA's own two marks are certain.
	 */
	{ .name = "onyx",
	  .display_name = "Onyx's lossless RoCE mode",
	  .trust = TRUST_DSCP,
	  .lossless = 1 << 3,
	  .has_cnp_tc = true,
	  .cnp_tc = 6,
	  .dscp_tc = "--------"
		     "--------"
		     "--------"
		     "--3-----"
		     "--------"
		     "--------"
		     "6-------"
		     "--------",
	  .pcp_tc = "--------",
	  .source = "NVIDIA Onyx user manual 3.10, RoCE commands" },
	/* Its PCP map is meant for storage back ends only, so it is left out. */
	{ .name = "sonic-default",
	  .display_name = "SONiC's default map",
	  .trust = TRUST_DSCP,
	  .lossless = 1 << 3 | 1 << 4,
	  .dscp_tc = "11134211"
		     "01111111"
		     "11111111"
		     "11111111"
		     "11111111"
		     "11111151"
		     "61111111"
		     "11111111",
	  .pcp_tc = "--------",
	  .source = "sonic-buildimage, qos_config.j2: DSCP_TO_TC_MAP AZURE, LOSSLESS_TC",
	  .watchdog_ms = 200,
	  .watchdog_source = "sonic-utilities, pfcwd start_default: 200 ms up to 32 ports, "
			     "twice that up to 64" },
	/* Matches CoS only; all values but 3 and 7 are in the default class. */
	{ .name = "nxos-azure-local",
	  .display_name = "Microsoft's NX-OS policy for Azure Local",
	  .trust = TRUST_PCP,
	  .lossless = 1 << 3,
	  .dscp_tc = ALL_UNKNOWN,
	  .pcp_tc = "00030007",
	  .source = "AzureLocal-Supportability, reference TOR QoS policy" },
	{ .name = "" },
};
/* clang-format on */

const struct switch_map *switch_map_find(const char *name)
{
	for (const struct switch_map *f = switch_maps; f->name[0]; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

static int tc_of_digit(char digit)
{
	return digit == '-' ? NO_TC : digit - '0';
}

int switch_map_tc_of_dscp(const struct switch_map *f, int dscp)
{
	return tc_of_digit(f->dscp_tc[dscp]);
}

int switch_map_tc_of_pcp(const struct switch_map *f, int pcp)
{
	return tc_of_digit(f->pcp_tc[pcp]);
}

bool switch_map_drops(const struct switch_map *f, int tc)
{
	return tc != NO_TC && !(f->lossless & (1u << tc));
}

static bool is_lossless_tc(const struct switch_map *f, int tc)
{
	return tc != NO_TC && !switch_map_drops(f, tc);
}

/* The last mark of the run of lossless marks that starts at `mark`. */
static int last_of_run(const struct switch_map *f, const char *map, int mark)
{
	while (map[mark + 1] && is_lossless_tc(f, tc_of_digit(map[mark + 1])))
		mark++;
	return mark;
}

const char *switch_map_lossless_marks(const struct switch_map *f, char *text, size_t size)
{
	const char *map = f->trust == TRUST_DSCP ? f->dscp_tc : f->pcp_tc;
	const char *before = f->trust == TRUST_DSCP ? "DSCP " : "PCP ";
	size_t used = 0;

	snprintf(text, size, "none");
	for (int mark = 0; map[mark] && used < size; mark++) {
		int last = last_of_run(f, map, mark);

		if (!is_lossless_tc(f, tc_of_digit(map[mark])))
			continue;
		used += (size_t)snprintf(text + used, size - used, "%s%d", before, mark);
		if (last > mark + 1 && used < size) {
			used += (size_t)snprintf(text + used, size - used, " to %d", last);
			mark = last;
		}
		before = ", ";
	}
	return text;
}
