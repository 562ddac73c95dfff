/* What stands at the other end of each port's cable, for people and in JSON. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PEER_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_PEER_TEXT_H

#include "../../agent/engine/target.h"
#include "../../dcb/peer.h"
#include "../cli.h"

struct counterpart {
	struct peer_info seen;
	struct peer_comparison agreed[AGREE_COUNT];
};

/*
 * Looks for the other ends of the targets, which have been observed, and judges
 * them; `asked` (NULL: all) tells whom to ask about. The caller frees *ret, one a
 * target.
 */
bool counterparts_find(struct cli *c, const struct targets *all,
		       bool (*asked)(const struct target *t), struct counterpart **ret,
		       struct err *err) must_check;

/* {chassis, port, system, …}, or null where nobody was heard. */
json_t *counterpart_to_json(const struct peer_info *s);

/* "leaf-7, port Ethernet12", or why nobody is known. */
void print_counterpart(const struct cli *c, const struct peer_info *s);

#endif
