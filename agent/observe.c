#include "observe.h"

#include <errno.h>
#include <stdio.h>

#include "../policy/knob.h"

static void note(struct observation *o, const struct feature *f, const struct err *why)
{
	struct reason *r = &o->reasons[o->reasons_count++];

	*r = (struct reason){ .feature = f, .kind = why->kind };
	snprintf(r->text, sizeof(r->text), "%.*s", (int)sizeof(r->text) - 1, why->text);
	snprintf(r->hint, sizeof(r->hint), "%.*s", (int)sizeof(r->hint) - 1, why->hint);
	if (why->kind == ERR_UNSUPPORTED)
		o->unsupported |= f->owns;
	else if (why->kind == ERR_MISSING)
		o->missing |= f->owns;
	else
		o->unknown |= f->owns;
}

bool observe(struct host *h, struct features all, const struct port *port, struct observation *ret,
	     struct err *err)
{
	*ret = (struct observation){ 0 };
	for (size_t i = 0; i < all.count; i++) {
		struct err why = { 0 };

		if (all.list[i]->read(h, port, &ret->have, &why))
			continue;
		if (why.kind == ERR_GONE) {
			*err = why;
			return err_at(err, false, "%s: reading %s", port->id.name,
				      all.list[i]->name);
		}
		note(ret, all.list[i], &why);
	}
	return true;
}

const struct reason *observation_reason(const struct observation *o, unsigned knob)
{
	for (size_t i = 0; i < o->reasons_count; i++)
		if (o->reasons[i].feature->owns & KNOB(knob))
			return &o->reasons[i];
	return NULL;
}

const struct feature *feature_of(struct features all, unsigned knob)
{
	for (size_t i = 0; i < all.count; i++)
		if (all.list[i]->owns & KNOB(knob))
			return all.list[i];
	return NULL;
}
