#include "columns.h"

#include <math.h>
#include <stdio.h>

#include "../../policy/model/setting.h"

#define CURVE_ROOM 40 /* columns reserved for curves before optional columns are added */
#define ESSENTIAL  13 /* the number of columns that take precedence over curves */
#define THOUSAND   999.5

const char *columns_number(double value, char cell[COLUMN_CELL_MAX])
{
	static const char *const units[] = { "", "k", "M", "G", "T" };
	size_t unit = 0;

	if (isnan(value)) {
		snprintf(cell, COLUMN_CELL_MAX, "-");
		return cell;
	}
	while (value >= THOUSAND && unit + 1 < sizeof(units) / sizeof(units[0])) {
		value /= 1000;
		unit++;
	}
	snprintf(cell, COLUMN_CELL_MAX, "%.*f%s",
		 value == 0 || value >= 9.95 ? 0
		 : value < 0.095	     ? 2
					     : 1,
		 value, units[unit]);
	return cell;
}

const char *columns_rate(const struct rates *f, enum rate rate, char cell[COLUMN_CELL_MAX])
{
	int on = rate == RATE_PAUSE_SENT       ? f->sent_on
		 : rate == RATE_PAUSE_RECEIVED ? f->received_on
					       : ON_NONE;
	char number[COLUMN_CELL_MAX];

	columns_number(f->value[rate], number);
	if (on == ON_NONE)
		snprintf(cell, COLUMN_CELL_MAX, "%.8s", number);
	else if (on == ON_ALL)
		snprintf(cell, COLUMN_CELL_MAX, "%.8s%%all", number);
	else
		snprintf(cell, COLUMN_CELL_MAX, "%.8s%%p%d", number, on);
	return cell;
}

static void write_name(const struct column *c, const struct live_port *p,
		       char cell[COLUMN_CELL_MAX])
{
	(void)c;
	snprintf(cell, COLUMN_CELL_MAX, "%.*s", COLUMN_CELL_MAX - 1, p->port.id.name);
}

static void write_link(const struct column *c, const struct live_port *p,
		       char cell[COLUMN_CELL_MAX])
{
	uint32_t mbps = p->port.speed_mbps;

	(void)c;
	if (p->gone || !p->port.carrier)
		snprintf(cell, COLUMN_CELL_MAX, "%s", p->gone ? "gone" : "down");
	else if (mbps >= 1000)
		snprintf(cell, COLUMN_CELL_MAX, mbps % 1000 ? "%.1fG" : "%.0fG", mbps / 1000.0);
	else
		snprintf(cell, COLUMN_CELL_MAX, mbps ? "%uM" : "up", mbps);
}

/* Writes "3,4", "off", or "-" if unknown. */
static void write_priorities(const struct column *c, const struct live_port *p,
			     char cell[COLUMN_CELL_MAX])
{
	size_t used = 0;

	(void)c;
	snprintf(cell, COLUMN_CELL_MAX,
		 p->actual.has & SETTING(SETTING_PFC_PRIORITIES) ? "off" : "-");
	for (unsigned i = 0; i < PRIOS && (p->actual.has & SETTING(SETTING_PFC_PRIORITIES)); i++)
		if (p->actual.pfc.priorities & (1u << i))
			used += (size_t)snprintf(cell + used, COLUMN_CELL_MAX - used, "%s%u",
						 used ? "," : "", i);
}

static void write_rate(const struct column *c, const struct live_port *p,
		       char cell[COLUMN_CELL_MAX])
{
	columns_rate(&p->now, c->rate, cell);
}

/* Curves have no cell: the lines for scripts omit them. */
#define RATES(name, group, head, width, rank, rate) \
	{ \
		name, group, head, width, rank, false, CURVE_NONE, write_rate, rate \
	}
#define CURVE(head, rank, curve) \
	{ \
		NULL, NULL, head, 5, rank, true, curve, NULL, RATE_COUNT \
	}

/* clang-format off: one row per column */
const struct column columns[] = {
	{ "port", NULL, "PORT", 4, 1, true, CURVE_NONE, write_name, RATE_COUNT },
	{ "link", NULL, "LINK", 4, 2, true, CURVE_NONE, write_link, RATE_COUNT },
	{ "pfc", NULL, "PFC", 3, 13, true, CURVE_NONE, write_priorities, RATE_COUNT },
	RATES("pause-sent", "time paused", "SENT", 7, 3, RATE_PAUSE_SENT),
	RATES("pause-received", NULL, "RECV", 7, 4, RATE_PAUSE_RECEIVED),
	CURVE("PAUSE", 8, CURVE_PAUSE),
	RATES("pfc-sent/s", "PFC/s", "SENT", 5, 16, RATE_PFC_SENT),
	RATES("pfc-received/s", NULL, "RECV", 5, 17, RATE_PFC_RECEIVED),
	RATES("cnp-sent/s", "CNP/s", "SENT", 5, 5, RATE_CNP_SENT),
	RATES("cnp-handled/s", NULL, "DONE", 5, 6, RATE_CNP_HANDLED),
	RATES("cnp-ignored/s", NULL, "IGNRD", 5, 18, RATE_CNP_IGNORED),
	CURVE("CNPS", 12, CURVE_CNP),
	RATES("ecn-marked/s", "CE/s", "MARKS", 5, 11, RATE_ECN_MARKED),
	RATES("rdma-rx-gb/s", "RDMA Gb/s", "RX", 4, 9, RATE_RDMA_RECEIVED),
	RATES("rdma-tx-gb/s", NULL, "TX", 4, 10, RATE_RDMA_SENT),
	RATES("rdma-rx-packets/s", "packets/s", "RX", 5, 19, RATE_RDMA_PACKETS_RECEIVED),
	RATES("rdma-tx-packets/s", NULL, "TX", 5, 20, RATE_RDMA_PACKETS_SENT),
	RATES("drops/s", "per s", "DROPS", 5, 7, RATE_DROPS),
	RATES("out-of-order/s", "out of", "ORDER", 6, 14, RATE_OUT_OF_ORDER),
	RATES("pci-stalled-%", "PCIe", "STALL%", 6, 15, RATE_PCI_STALLED),
};
/* clang-format on */

const size_t columns_count = sizeof(columns) / sizeof(columns[0]);
_Static_assert(sizeof(columns) / sizeof(columns[0]) <= COLUMNS_MAX, "room for all of them");

static size_t ranked(unsigned rank)
{
	for (size_t i = 0; i < columns_count; i++)
		if (columns[i].rank == rank)
			return i;
	return columns_count;
}

/* Gives the remaining width to the curves in equal shares. */
static void stretch(struct widths *w, unsigned left)
{
	unsigned curves = 0;

	for (size_t i = 0; i < columns_count; i++)
		curves += w->of[i] && columns[i].curve;
	for (size_t i = 0; i < columns_count && curves; i++) {
		unsigned share = left / curves;

		if (!w->of[i] || !columns[i].curve)
			continue;
		w->of[i] += w->of[i] + share < CURVE_MAX ? share : CURVE_MAX - w->of[i];
		left -= share;
		curves--;
	}
}

struct widths columns_fit(unsigned cols, unsigned name)
{
	struct widths w = { { 0 } };
	unsigned used = 0;

	for (unsigned rank = 1; rank <= columns_count; rank++) {
		size_t i = ranked(rank);
		unsigned width = i || name < columns[0].width ? columns[i].width : name;
		unsigned need = used + (used ? 1 : 0) + width;

		if (need + (rank > ESSENTIAL ? CURVE_ROOM : 0) > cols)
			continue;
		w.of[i] = width;
		used = need;
	}
	stretch(&w, cols - used);
	return w;
}
