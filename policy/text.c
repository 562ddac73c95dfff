#include "knob.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct out {
	char *buf;
	size_t used;
};

static void __attribute__((format(printf, 2, 3))) add(struct out *o, const char *fmt, ...)
{
	size_t room = KNOB_TEXT_MAX - o->used;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(o->buf + o->used, room, fmt, ap);
	va_end(ap);
	o->used += (size_t)n < room ? (size_t)n : room - 1;
}

static void scalar(struct out *o, const struct knob *k, int64_t v)
{
	/* No default: a new type must say how it reads. */
	switch (k->type) {
	case T_BOOL:
		add(o, "%s", v ? "on" : "off");
		return;
	case T_ENUM:
		add(o, "%s", k->names[v]);
		return;
	case T_REST:
		if (v > k->max)
			add(o, "%s", k->names[v - k->max - 1]);
		else
			add(o, "%d", (int)v);
		return;
	case T_INT:
	case T_PRIOSET:
	case T_DSCPMAP:
		add(o, "%lld", (long long)v);
		return;
	}
}

static void prioset(struct out *o, unsigned mask)
{
	const char *sep = "";

	if (!mask)
		add(o, "none");
	for (unsigned p = 0; p < PRIOS; p++)
		if (mask & (1u << p)) {
			add(o, "%s%u", sep, p);
			sep = ", ";
		}
}

/* Does this DSCP go without saying under the rule? Nothing does under REST_KEEP. */
static bool regular(const int8_t *prio, int d, enum dscp_rest rule)
{
	if (prio[d] == DSCP_KEEP)
		return true;
	return (rule == REST_CLASS && prio[d] == d >> 3) ||
	       (rule == REST_NONE && prio[d] == DSCP_NONE);
}

static int exceptions(const int8_t *prio, enum dscp_rest rule)
{
	int n = 0;

	for (int d = 0; d < DSCPS; d++)
		n += !regular(prio, d, rule);
	return n;
}

/* Runs of one priority are written once: "24-31:3". */
static void entries(struct out *o, const int8_t *prio, enum dscp_rest rule)
{
	const char *sep = "";

	for (int d = 0, end; d < DSCPS; d = end) {
		end = d + 1;
		if (regular(prio, d, rule))
			continue;
		while (end < DSCPS && prio[end] == prio[d] && !regular(prio, end, rule))
			end++;
		add(o, end - d > 1 ? "%s%d-%d:" : "%s%d:", sep, d, end - 1);
		add(o, prio[d] < 0 ? "none" : "%d", prio[d]);
		sep = " ";
	}
}

static void dscp_map(struct out *o, const int8_t *prio)
{
	int off_class = exceptions(prio, REST_CLASS), off_none = exceptions(prio, REST_NONE);

	if (memchr(prio, (unsigned char)DSCP_KEEP, DSCPS)) {
		entries(o, prio, REST_KEEP);
	} else if (off_none == 0) {
		add(o, "no entries");
	} else if (off_class == 0) {
		add(o, "DSCP >> 3");
	} else if (off_class < off_none) {
		add(o, "DSCP >> 3 but ");
		entries(o, prio, REST_CLASS);
	} else {
		entries(o, prio, REST_NONE);
	}
}

/* The places that hold a word: "0-5,7". */
static void places(struct out *o, const struct knob *k, const struct config *c, int64_t word)
{
	const char *sep = "";

	for (size_t i = 0, end; i < k->count; i = end) {
		for (end = i; end < k->count && knob_element(k, c, end) == word;)
			end++;
		if (end == i) {
			end++;
			continue;
		}
		add(o, end - i > 1 ? "%s%zu-%zu" : "%s%zu", sep, i, end - 1);
		sep = ",";
	}
}

/* A list of words by word: "all vendor", "ets 0-5,7; strict 6". */
static void words(struct out *o, const struct knob *k, const struct config *c)
{
	const char *sep = "";

	for (int64_t word = 0; k->names[word]; word++) {
		size_t found = 0;

		for (size_t i = 0; i < k->count; i++)
			found += knob_element(k, c, i) == word;
		if (found == k->count)
			add(o, "all %s", k->names[word]);
		if (found == k->count || !found)
			continue;
		add(o, "%s%s ", sep, k->names[word]);
		places(o, k, c, word);
		sep = "; ";
	}
}

const char *knob_text(const struct knob *k, const struct config *c, char buf[KNOB_TEXT_MAX])
{
	struct out o = { buf, 0 };

	buf[0] = '\0';
	if (k->type == T_DSCPMAP) {
		dscp_map(&o, (const int8_t *)c + k->offset);
	} else if (k->type == T_PRIOSET) {
		prioset(&o, (unsigned)knob_element(k, c, 0));
	} else if (k->type == T_ENUM && k->count > 1) {
		words(&o, k, c);
	} else {
		for (size_t i = 0; i < k->count; i++) {
			add(&o, "%s", i ? " " : "");
			scalar(&o, k, knob_element(k, c, i));
		}
	}
	return buf;
}
