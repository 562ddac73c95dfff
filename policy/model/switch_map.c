#include "switch_map.h"

#include <stdio.h>
#include <string.h>

#define NOBODY_SAYS \
	"--------" \
	"--------" \
	"--------" \
	"--------" \
	"--------" \
	"--------" \
	"--------" \
	"--------"

/* clang-format off: eight DSCPs a line */
const struct fabric fabrics[] = {
	/* Sorts IP by DSCP and everything else by PCP; `nv show qos roce` prints both maps. */
	{ .name = "cumulus-lossless",
	  .called = "Cumulus Linux's lossless RoCE mode",
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
	  .source = "NVIDIA Cumulus Linux 5 user guide, RDMA over Converged Ethernet" },
	/*
	 * `show roce` reports trust L3 and switch priorities 3 and 6. The DSCPs of these depend on
	 * the DSCP map, which RoCE mode does not set: only NVIDIA's own two marks are certain.
	 */
	{ .name = "onyx",
	  .called = "Onyx's lossless RoCE mode",
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
	  .called = "SONiC's default map",
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
	  .source = "sonic-buildimage, qos_config.j2: DSCP_TO_TC_MAP AZURE, LOSSLESS_TC" },
	/* Matches CoS only; all values but 3 and 7 are in the default class. */
	{ .name = "nxos-azure-local",
	  .called = "Microsoft's NX-OS policy for Azure Local",
	  .trust = TRUST_PCP,
	  .lossless = 1 << 3,
	  .dscp_tc = NOBODY_SAYS,
	  .pcp_tc = "00030007",
	  .source = "AzureLocal-Supportability, reference TOR QoS policy" },
	{ .name = "" },
};
/* clang-format on */

const struct fabric *fabric_find(const char *name)
{
	for (const struct fabric *f = fabrics; f->name[0]; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

static int class_of(char digit)
{
	return digit == '-' ? NO_TC : digit - '0';
}

int fabric_tc_of_dscp(const struct fabric *f, int dscp)
{
	return class_of(f->dscp_tc[dscp]);
}

int fabric_tc_of_pcp(const struct fabric *f, int pcp)
{
	return class_of(f->pcp_tc[pcp]);
}

bool fabric_drops(const struct fabric *f, int tc)
{
	return tc != NO_TC && !(f->lossless & (1u << tc));
}

static bool keeps(const struct fabric *f, int tc)
{
	return tc != NO_TC && !fabric_drops(f, tc);
}

/* The last mark of the run of lossless marks that starts at `mark`. */
static int end_of_row(const struct fabric *f, const char *map, int mark)
{
	while (map[mark + 1] && keeps(f, class_of(map[mark + 1])))
		mark++;
	return mark;
}

const char *fabric_lossless_marks(const struct fabric *f, char *text, size_t size)
{
	const char *map = f->trust == TRUST_DSCP ? f->dscp_tc : f->pcp_tc;
	const char *before = f->trust == TRUST_DSCP ? "DSCP " : "PCP ";
	size_t used = 0;

	snprintf(text, size, "none");
	for (int mark = 0; map[mark] && used < size; mark++) {
		int last = end_of_row(f, map, mark);

		if (!keeps(f, class_of(map[mark])))
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
