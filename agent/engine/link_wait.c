#include "link_wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define POLL_MS		20
#define REPORT_MS	2000
#define REPORT_AGAIN_MS 10000
/*
 * Time for the netdev to notice a link flap: mlx5 takes the link down inside the call, but the
 * event reaches the netdev later. Its count of carrier changes proves no flap: it rises for another
 * MTU, too, and for rings and channels (mlx5e_switch_priv_channels(), en_main.c).
 */
#define GRACE_MS 1000
/* Time for a bond to notice: it polls its members, and LACP takes a few messages. */
#define STEADY_MS 1500

/* IEEE 802.1AX, 6.4.2.3: in sync, collecting and distributing. */
#define LACP_IN_USE 0x38

/* True unless the bond reports that its member is not in use. */
static bool bond_takes(struct host *h, const struct port *port)
{
	struct err quiet = { 0 };
	char word[32], *end;
	unsigned long state;

	if (!port->id.bond[0] ||
	    !host_read_file(h, word, sizeof(word), &quiet,
			    "/sys/class/net/%s/bonding_slave/mii_status", port->id.name))
		return true;
	if (strcmp(word, "up") != 0)
		return false;
	if (!host_read_file(h, word, sizeof(word), &quiet,
			    "/sys/class/net/%s/bonding_slave/ad_actor_oper_port_state",
			    port->id.name))
		return true;
	state = strtoul(word, &end, 10);
	return end == word || (state & LACP_IN_USE) == LACP_IN_USE; /* "N/A" without LACP */
}

bool carrier_read(struct host *h, const struct port *port, bool *ret, struct err *err)
{
	struct link link;

	if (!host_link(h, port, &link, err))
		return err_in(err, "%s: reading the link", port->id.name);
	*ret = link.carrier && bond_takes(h, port);
	return true;
}

bool carrier_wait(struct host *h, const struct port *port, bool flaps, bool yields, struct err *err)
{
	uint64_t start = h->now_ms(h), waited = 0, reported = 0, away = 0;
	uint64_t steady = flaps && port->id.bond[0] ? STEADY_MS : 0;
	bool went = !flaps;

	for (; waited < CARRIER_WAIT_MS; waited = h->now_ms(h) - start) {
		bool there;

		if (!carrier_read(h, port, &there, err))
			return false;
		if (h->no_link_wait && h->interrupted(h))
			return true;
		if (!there) {
			away = waited;
			went = true;
		}
		if (there && (went || waited >= GRACE_MS) && waited - away >= steady)
			return true;
		if (yields && h->interrupted(h))
			return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted (%s)",
				       strsignal(h->interrupted(h)));
		if (waited - reported >= (reported ? REPORT_AGAIN_MS : REPORT_MS)) {
			host_report(h, PROGRESS_WAIT, port->id.name,
				    "waiting for the link to come back (%u s of %d s)",
				    (unsigned)(waited / 1000), CARRIER_WAIT_MS / 1000);
			reported = waited;
		}
		host_sleep(h, POLL_MS);
	}
	err_record(err, ERR_SYSTEM, ENETDOWN, "the link did not come back within %d s",
		   CARRIER_WAIT_MS / 1000);
	return err_fix(err, "check the cable and the switch's port");
}
