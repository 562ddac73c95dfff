#include <stdlib.h>
#include <string.h>

#include "policy/model/setting.h"
#include "tests/support/picture.h"

static const struct style plain_utf8 = { "", "", "", "", "", "", "", true };

static struct live_port busy_port(unsigned n)
{
	struct live_port p = { .now = rates_unknown(), .measured = true };

	snprintf(p.port.id.name, sizeof(p.port.id.name), "ens%uf0np0", n % 10);
	p.port.carrier = true;
	p.port.speed_mbps = 100000;
	p.actual.has = SETTING(SETTING_PFC_PRIORITIES);
	p.actual.pfc.priorities = 1 << 3;
	for (size_t i = 0; i < RATE_COUNT; i++)
		p.now.value[i] = 100 + (double)i;
	p.now.value[RATE_PAUSE_SENT] = 85;
	p.now.sent_on = 3;
	p.now.value[RATE_PAUSE_RECEIVED] = 0;
	curve_add(&p.pause, 85);
	curve_add(&p.cnp, 100);
	return p;
}

int picture_begin(void **s)
{
	struct picture *p = calloc(1, sizeof(*p));

	for (unsigned i = 0; i < PORTS_MAX; i++)
		p->ports[i] = busy_port(i);
	p->scene = (struct scene){ .ports = p->ports,
				   .count = 1,
				   .interval_s = 1,
				   .host = "node",
				   .time = "2026-11-21 12:00:00",
				   .style = &plain_utf8 };
	*s = p;
	return 0;
}

/* Splits at line ends and drops escapes that only move, erase or colour. */
static void develop(struct picture *p)
{
	size_t used = 0;

	p->count = 0;
	memset(p->rows, 0, sizeof(p->rows));
	for (const char *at = p->bytes; *at; at++) {
		if (*at == '\033') {
			while (*at != 'H' && *at != 'K' && *at != 'm')
				at++;
		} else if (*at == '\n') {
			p->count++;
			used = 0;
		} else if (*at != '\r') {
			p->rows[p->count][used++] = *at;
		}
	}
	p->count++;
}

void picture_draw(struct picture *p, unsigned cols, unsigned rows)
{
	struct screen_buffer c;

	screen_buffer_start(&c, p->bytes, cols, rows);
	frame_draw(&p->scene, &c);
	p->bytes[c.used] = '\0';
	develop(p);
}

int picture_end(void **s)
{
	free(*s);
	return 0;
}
