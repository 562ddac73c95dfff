#include "unreachable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../util/oom.h"
#include "pattern.h"

/*
 * Search state. A policy may have thousands of rules, which mostly name one port each: a hash table
 * finds these. Only rules with globs, speeds or versions are compared one by one.
 */
struct search {
	const struct policy *policy;
	/* Hash table of the rules with literal texts only; its size is a power of two. */
	const struct port_rule **named;
	size_t size;
	const struct port_rule **wide; /* all other rules, later ones first */
	size_t wide_count;
};

/* Bit per key of the rule that is a literal text. */
static unsigned literals(const struct match *m)
{
	unsigned set = 0;

	for (unsigned i = 0; i < MATCH_TEXTS; i++) {
		const char *pattern = match_text(m, i);

		if (pattern[0] && !glob_is_wild(pattern))
			set |= 1u << i;
	}
	return set;
}

static unsigned given(const struct match *m)
{
	unsigned set = 0;

	for (unsigned i = 0; i < MATCH_COUNT; i++)
		set |= match_has_key(m, &match_keys[i]) ? 1u << i : 0;
	return set;
}

/* FNV-1a over the texts of these keys. */
static size_t hash_texts(const struct match *m, unsigned keys)
{
	uint32_t h = 2166136261u ^ keys;

	for (unsigned i = 0; i < MATCH_TEXTS; i++)
		for (const char *c = match_text(m, i); (keys >> i & 1) && *c; c++)
			h = (h ^ (unsigned char)*c) * 16777619u;
	return h;
}

static bool same_texts(const struct match *a, const struct match *b, unsigned keys)
{
	for (unsigned i = 0; i < MATCH_TEXTS; i++)
		if ((keys >> i & 1) && strcmp(match_text(a, i), match_text(b, i)) != 0)
			return false;
	return true;
}

/* The slot of the rule with exactly these texts of `m`, or a free slot. */
static const struct port_rule **find_slot(const struct search *s, const struct match *m,
					  unsigned keys)
{
	size_t at = hash_texts(m, keys);

	while (s->named[at & (s->size - 1)]) {
		const struct port_rule **found = &s->named[at & (s->size - 1)];

		if (given(&(*found)->match) == keys && same_texts(&(*found)->match, m, keys))
			return found;
		at++;
	}
	return &s->named[at & (s->size - 1)];
}

static const struct port_rule *first_of(const struct port_rule *a, const struct port_rule *b)
{
	return !a || (b && b < a) ? b : a;
}

static const struct port_rule *find_covering_rule(const struct search *s, const struct port_rule *r)
{
	const struct port_rule *by = NULL;
	unsigned all = literals(&r->match);

	for (unsigned keys = all; keys; keys = (keys - 1) & all)
		by = first_of(by, *find_slot(s, &r->match, keys));
	for (size_t i = s->wide_count; i-- > 0;)
		if (match_covers(&s->wide[i]->match, &r->match))
			return first_of(by, s->wide[i]);
	return by;
}

static void add_rule(struct search *s, const struct port_rule *r)
{
	unsigned keys = literals(&r->match);

	if (keys == given(&r->match))
		*find_slot(s, &r->match, keys) = r;
	else
		s->wide[s->wide_count++] = r;
}

static void find_all(struct search *s, const struct port_rule **by)
{
	for (size_t i = s->policy->count; i-- > 0;) {
		by[i] = find_covering_rule(s, &s->policy->rules[i]);
		add_rule(s, &s->policy->rules[i]);
	}
}

bool shadows_find(const struct policy *p, const struct port_rule ***ret, struct err *err)
{
	struct search s = { .policy = p, .size = 16 };
	const struct port_rule **by = calloc(p->count + 1, sizeof(*by));
	bool ok;

	while (s.size < 2 * p->count)
		s.size *= 2;
	s.named = calloc(s.size, sizeof(*s.named));
	s.wide = calloc(p->count + 1, sizeof(*s.wide));
	ok = by && s.named && s.wide;
	if (ok)
		find_all(&s, by);
	*ret = ok ? by : NULL;
	if (!ok)
		free(by);
	free(s.named);
	free(s.wide);
	return ok || err_no_memory(err);
}
