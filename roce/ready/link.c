/* Counters of the port's link since its driver started. */
#include "probe.h"
#include "registry.h"

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

const struct ready_probe ready_fec_errors = { READY_FEC_ERRORS, read_fec_errors };

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

const struct ready_probe ready_symbol_errors = { READY_SYMBOL_ERRORS, read_symbol_errors };

static void read_link_downs(const struct ready_scene *s, const struct port *port,
			    struct ready_reading *r)
{
	(void)port;
	read_counter(s, COUNT_CARRIER_DOWNS, "the port has no interface here", r);
}

const struct ready_probe ready_link_downs = { READY_LINK_DOWNS, read_link_downs };
