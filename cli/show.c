#include <stdio.h>
#include <unistd.h>

#include "../policy/dscp.h"
#include "../policy/json.h"
#include "print.h"
#include "report.h"

static json_t *port_to_json(const struct port *p, const struct observation *seen)
{
	struct config spelled = dscp_spelled(&seen->have, REST_KEEP);

	return json_pack("{s:s, s:o, s:o}", "port", p->id.name, "device", report_device(p),
			 "config", config_to_json(&spelled, EVERY_KNOB));
}

static void print_knob(struct cli *c, const struct observation *seen, unsigned i)
{
	const struct knob *k = &knobs[i];
	const struct reason *r = observation_reason(seen, i);
	char text[KNOB_TEXT_MAX];

	if (seen->have.has & KNOB(i))
		printf("  %-16s %s%s%s\n", k->path, knob_text(k, &seen->have, text),
		       k->unit ? " " : "", k->unit ? k->unit : "");
	else if (r)
		printf("  %-16s %s%s: %s%s\n", k->path, c->out.dim,
		       r->kind == ERR_UNSUPPORTED ? "unsupported"
		       : r->kind == ERR_MISSING	  ? "not there yet"
						  : "unknown",
		       r->text, c->out.reset);
}

static void print_setup(struct cli *c, const struct port *p, const struct observation *seen)
{
	print_port(c, p);
	putchar('\n');
	for (unsigned i = 0; i < KNOB_COUNT; i++)
		print_knob(c, seen, i);
}

int verb_show(struct cli *c, struct err *err)
{
	_inventory_ struct inventory inv = { NULL, 0 };
	json_auto_t *ports = json_array();
	char name[256] = "";

	if (!cli_open_host(c, false, err) || !inventory_take(c, &inv, err))
		return -1;
	for (size_t i = 0; i < inv.count; i++) {
		struct observation seen;

		if (!observe(c->h, all_features, &inv.ports[i], &seen, err))
			return -1;
		json_array_append_new(ports, port_to_json(&inv.ports[i], &seen));
		if (!c->opt.json)
			print_setup(c, &inv.ports[i], &seen);
	}
	gethostname(name, sizeof(name) - 1);
	if (c->opt.json) {
		json_t *doc = report_new("show");

		json_object_set_new(doc, "host", json_string(name));
		json_object_set(doc, "ports", ports);
		print_json(c, doc);
	} else if (inv.count == 0) {
		print_warning(c, "no port of this host has DCB or RDMA");
	}
	return EXIT_AS_WISHED;
}
