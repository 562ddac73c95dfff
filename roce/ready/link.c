/* The ports that the policy asks for, their links, and counters since the driver started. */
#include "../../agent/engine/target/unmet_rules.h"
#include "registry.h"

enum { MISSING, COMPLETE };
enum { DOWN, UP };

static void read_ports(const struct ready_scene *s, const struct port *none,
		       struct ready_reading *r)
{
	const struct unmet *u = s->unmet;

	(void)none;
	if (u && u->required) {
		ready_found(r, MISSING, "%s", "");
		ready_reason(r, "%s", u->first.text);
		ready_fix(r, "%s", u->first.fix);
	} else if (u && u->count) {
		ready_unknown(r, "%s", u->first.text);
		ready_fix(r, "%s", u->first.fix);
	} else if (s->count) {
		ready_found(r, COMPLETE, "%zu port%s", s->count, s->count == 1 ? "" : "s");
	} else if (u) {
		ready_not_applicable(r, "no rule of the policy needs a port");
	} else {
		ready_unknown(r, "no port of this host has DCB or RDMA");
		ready_fix(r, "%s", ready_checks[READY_PORTS].fix);
	}
}

const struct ready_reader ready_ports = { .id = READY_PORTS,
					  .read = read_ports,
					  .needs_no_host = true };

/* A virtual function that is not up is one that nobody uses. */
static void read_link(const struct ready_scene *s, const struct port *port, struct ready_reading *r)
{
	(void)s;
	if (port->no_interface || (port->is_vf && !port->up)) {
		ready_not_applicable(r, port->no_interface ? "its interface is elsewhere"
							   : "the virtual function is not in use");
		return;
	}
	ready_found(r, port->up && port->carrier ? UP : DOWN, "%s", "");
	if (!port->up) {
		ready_found(r, DOWN, "switched off");
		ready_fix(r, "run `ip link set dev PORT up`");
	}
}

const struct ready_reader ready_link = { .id = READY_LINK,
					 .read = read_link,
					 .needs_no_host = true };

static void read_counter(const struct ready_scene *s, enum counter_id id, const char *absent,
			 struct ready_reading *r)
{
	size_t slot = counter_slot(id, 0);

	if (!s->sample) {
		ready_unknown(r, "the counters of the port cannot be read");
		return;
	}
	if (!s->sample->has[slot]) {
		ready_not_applicable(r, absent);
		return;
	}
	ready_found(r, s->sample->value[slot], "%s", "");
}

static void read_fec_errors(const struct ready_scene *s, const struct port *port,
			    struct ready_reading *r)
{
	(void)port;
	read_counter(s, COUNT_FEC_UNCORRECTABLE_BLOCKS,
		     "the driver or the kernel has no FEC counters", r);
}

const struct ready_reader ready_fec_errors = { .id = READY_FEC_ERRORS, .read = read_fec_errors };

/*
 * rx_symbol_err_phy is a_symbol_error_during_carrier of the 802.3 counters (mlx5's en_stats.c):
 * lost frames. rx_pcs_symbol_err_phy counts single symbols that FEC did not correct: where FEC is
 * on, the blocks of fec-errors have them already.
 */
static void read_symbol_errors(const struct ready_scene *s, const struct port *port,
			       struct ready_reading *r)
{
	(void)port;
	read_counter(s, COUNT_RX_SYMBOL_ERRORS, "the driver does not count symbol errors", r);
}

const struct ready_reader ready_symbol_errors = { .id = READY_SYMBOL_ERRORS,
						  .read = read_symbol_errors };

static void read_link_downs(const struct ready_scene *s, const struct port *port,
			    struct ready_reading *r)
{
	(void)port;
	read_counter(s, COUNT_CARRIER_DOWNS, "the port has no interface here", r);
}

const struct ready_reader ready_link_downs = { .id = READY_LINK_DOWNS, .read = read_link_downs };
