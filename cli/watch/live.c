#include "live.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/engine/observe.h"
#include "../../agent/engine/selection.h"
#include "../../agent/engine/target/inventory.h"
#include "../../policy/util/oom.h"
#include "../backends.h"
#include "../cli.h"

/* ---- sparklines ---- */

#define LEVELS_MAX 9

struct levels {
	unsigned count;
	const char *at[LEVELS_MAX];
};

static const struct levels blocks = { 8, { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" } };
static const struct levels letters = { 9, { ".", ":", "-", "=", "+", "*", "#", "%", "@" } };

void curve_add(struct curve *c, double value)
{
	c->at[c->next] = (float)value;
	c->next = (c->next + 1) % CURVE_MAX;
	if (c->count < CURVE_MAX)
		c->count++;
}

/* Returns the value `behind` samples before the newest, or NAN. */
static double back(const struct curve *c, size_t behind)
{
	return behind < c->count ? (double)c->at[(c->next + CURVE_MAX - 1 - behind) % CURVE_MAX]
				 : (double)NAN;
}

static double highest(const struct curve *c, size_t width)
{
	double top = 0;

	for (size_t i = 0; i < width; i++)
		if (back(c, i) > top) /* false for NAN */
			top = back(c, i);
	return top;
}

static const char *block(const struct levels *l, double value, double top)
{
	double level = value / top * (l->count - 1);

	if (isnan(value))
		return " ";
	if (value <= 0)
		return l->at[0];
	if (!(level < l->count - 1))
		return l->at[l->count - 1];
	return l->at[(unsigned)level + ((unsigned)level < level)];
}

const char *sparkline(const struct curve *c, size_t width, double top, bool utf8,
		      char buf[SPARKLINE_MAX])
{
	size_t used = 0;

	if (width > CURVE_MAX)
		width = CURVE_MAX;
	if (top <= 0)
		top = highest(c, width);
	for (size_t i = width; i > 0; i--) {
		const char *text = block(utf8 ? &blocks : &letters, back(c, i - 1), top);
		size_t length = strlen(text);

		memcpy(buf + used, text, length);
		used += length;
	}
	buf[used] = '\0';
	return buf;
}

/* ---- live ---- */

#define LIST_MS	 5000 /* between two scans for ports */
#define MISS_MS	 1000 /* the same while a port is missing */
#define WINDOW_S 2    /* shorter windows are too short to judge */

void live_close(struct live *l)
{
	free(l->ports);
	free(l->scratch);
	free(l->seen);
}

/*
 * One second less than the interval, so that a sample that is a millisecond early does not double
 * the window.
 */
static struct thresholds limits_for(unsigned interval_s)
{
	struct thresholds l = thresholds_defaults();

	l.value[THRESHOLD_WINDOW_S] = interval_s > 1 ? interval_s - 1 : WINDOW_S;
	return l;
}

static void mark_gone(struct live_port *p)
{
	p->gone = true;
	p->measured = false;
	p->port.carrier = false;
	p->sampler = (struct sampled_port){ .begun = false };
	p->actual.has = 0;
	p->now = rates_unknown();
}

/* Matches a missing port by its PCI address as well, because it may return under another name. */
static struct live_port *find(struct live *l, const struct port *port)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->ports[i].port.id.name, port->id.name) == 0)
			return &l->ports[i];
	for (size_t i = 0; i < l->count; i++)
		if (l->ports[i].gone && strcmp(l->ports[i].port.id.pci, port->id.pci) == 0)
			return &l->ports[i];
	return NULL;
}

static bool add(struct live *l, const struct port *port, struct err *err)
{
	struct live_port *more = realloc(l->ports, (l->count + 1) * sizeof(*more));

	if (!more)
		return err_no_memory(err);
	l->ports = more;
	more[l->count++] = (struct live_port){ .port = *port, .now = rates_unknown() };
	return true;
}

static bool is_in(const struct inventory *inv, const char *name)
{
	for (size_t i = 0; i < inv->count; i++)
		if (strcmp(inv->ports[i].id.name, name) == 0)
			return true;
	return false;
}

static void observe_port(struct live *l, struct cli *c, struct live_port *p)
{
	struct err quiet = { 0 };

	if (!p->gone && observe(c->h, all_backends.features, &p->port, l->seen, &quiet))
		p->actual = l->seen->actual;
}

/* Finds ports that were added, removed or reconfigured. */
static void update_ports(struct live *l, struct cli *c)
{
	_inventory_ struct inventory inv = { .ports = NULL };
	struct err quiet = { 0 };
	/*
	 * Takes all ports, because selecting by name would fail while a selected port is missing.
	 */
	bool ok = inventory_read(&c->engine, EVERY_PORT, &inv, &quiet);

	for (size_t i = 0; ok && i < inv.count; i++) {
		struct live_port *p = find(l, &inv.ports[i]);

		if (p) {
			p->port = inv.ports[i];
			p->gone = false;
		} else if (selection_has(&c->engine.selection, &inv.ports[i].id)) {
			ok = add(l, &inv.ports[i], &quiet);
		}
	}
	for (size_t i = 0; ok && i < l->count; i++)
		if (!l->ports[i].gone && !is_in(&inv, l->ports[i].port.id.name))
			mark_gone(&l->ports[i]);
	for (size_t i = 0; i < l->count; i++)
		observe_port(l, c, &l->ports[i]);
	l->listed_ms = c->h->now_ms(c->h);
}

static void read_carrier(struct cli *c, struct port *port)
{
	struct err err = { 0 };
	char text[8];

	if (host_read_file(c->h, text, sizeof(text), &err, "/sys/class/net/%s/carrier",
			   port->id.name))
		port->carrier = text[0] == '1';
	else if (err.code == EINVAL) /* the port is down */
		port->carrier = false;
}

/* Resets the rates first, so that a port without counters shows none. */
static void sample(struct live *l, struct cli *c, struct live_port *p)
{
	struct err err = { 0 };
	struct sample s;
	bool ok = sample_read(c->h, all_backends.counter_readers, &p->port, l->scratch, &s, &err);

	p->measured = false;
	p->now = rates_unknown();
	if (!ok && err.kind == ERR_GONE)
		mark_gone(p);
	if (!ok)
		return;
	if (p->sampler.begun) {
		p->last = counter_delta_between(&p->sampler.last, &s);
		p->now = rates_of(&p->last);
		p->measured = true;
	}
	sampler_add(&p->sampler, &s, &p->actual, NULL, &l->thresholds);
	read_carrier(c, &p->port);
}

static double cnps(const struct rates *f)
{
	double sent = f->value[RATE_CNP_SENT], handled = f->value[RATE_CNP_HANDLED];

	return isnan(sent) ? handled : isnan(handled) ? sent : sent + handled;
}

static bool misses_any(const struct live *l)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->ports[i].gone)
			return true;
	return false;
}

void live_round(struct live *l, struct cli *c)
{
	uint64_t now = c->h->now_ms(c->h);

	l->seconds = l->round_ms ? (double)(now - l->round_ms) / 1000 : 0;
	l->round_ms = now;
	for (size_t i = 0; i < l->count; i++) {
		struct live_port *p = &l->ports[i];

		if (!p->gone)
			sample(l, c, p);
		curve_add(&p->cnp, cnps(&p->now));
		curve_add(&p->pause, rate_larger(p->now.value[RATE_PAUSE_SENT],
						 p->now.value[RATE_PAUSE_RECEIVED]));
	}
	if (now - l->listed_ms >= (misses_any(l) ? MISS_MS : LIST_MS))
		update_ports(l, c);
}

bool live_open(struct live *l, struct cli *c, struct err *err)
{
	_inventory_ struct inventory inv = { .ports = NULL };

	l->interval_s = c->opt.interval_s ? c->opt.interval_s : 1;
	l->thresholds = limits_for(l->interval_s);
	l->scratch = scratch_new();
	l->seen = malloc(sizeof(*l->seen));
	if (!l->scratch || !l->seen)
		return err_no_memory(err);
	if (!inventory_read(&c->engine, &c->engine.selection, &inv, err))
		return false;
	if (inv.count == 0)
		return err_set(err, ERR_GONE, ENODEV, "no port of this host has DCB or RDMA");
	for (size_t i = 0; i < inv.count; i++)
		if (!add(l, &inv.ports[i], err))
			return false;
	for (size_t i = 0; i < l->count; i++)
		observe_port(l, c, &l->ports[i]);
	l->listed_ms = c->h->now_ms(c->h);
	live_round(l, c);
	return true;
}
