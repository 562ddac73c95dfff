#include "fix_switch.h"

#include <errno.h>
#include <string.h>

#include "../../policy/util/json_util.h"
#include "../output/print.h"
#include "switch_commands.h"

#define STAND_IN "PORT"

/* The reasons that commands at the switch can remove. */
static const enum peer_reason_id mismatches[AGREE_COUNT] = {
	[AGREE_PFC] = REASON_PFC_MISMATCH,
	[AGREE_ETS] = REASON_ETS_MISMATCH,
	[AGREE_APP] = REASON_APP_CONFLICT,
};

static unsigned subjects_of(const struct compared_peer *n)
{
	unsigned subjects = 0;

	for (enum agreement a = 0; a < AGREE_COUNT; a++)
		if (n->agreed[a].peer_reason == peer_reason_at(mismatches[a]))
			subjects |= 1u << a;
	return subjects;
}

/* SONiC sends an alias as the port's ID, and the name as its description. */
static const char *port_of(enum switch_os os, const struct lldp *peer)
{
	return switch_os_names_port(os, peer->port)		  ? peer->port
	       : switch_os_names_port(os, peer->port_description) ? peer->port_description
								  : STAND_IN;
}

/* How the system was found. */
enum found { BY_OPTION, BY_DESCRIPTION, NOT_FOUND };

static enum found find_system(const struct cli *c, const struct lldp *peer, enum switch_os *ret)
{
	struct err unused = { 0 };

	if (c->opt.switch_os && switch_os_find(ret, c->opt.switch_os, &unused))
		return BY_OPTION;
	return switch_os_recognise(ret, peer->system_description) ? BY_DESCRIPTION : NOT_FOUND;
}

bool fix_switch_check(const struct cli *c, struct err *err)
{
	enum switch_os os;

	if (c->opt.switch_os && !c->opt.fix_switch)
		return err_set(err, ERR_USAGE, EINVAL, "--switch-os is about --fix-switch");
	return !c->opt.switch_os || switch_os_find(&os, c->opt.switch_os, err);
}

/* Calls `each` with every system to print commands for. */
static void each_system(const struct cli *c, const struct compared_peer *n,
			void (*each)(enum switch_os os, enum found found, void *arg), void *arg)
{
	enum switch_os os;
	enum found found = find_system(c, &n->seen.peer, &os);

	if (found != NOT_FOUND) {
		each(os, found, arg);
		return;
	}
	for (os = 0; os < SWITCH_OS_COUNT; os++)
		each(os, found, arg);
}

/* ---- text ---- */

struct fix_page {
	const struct cli *c;
	const struct compared_peer *n;
	const struct switch_change *change;
	const struct switch_os_info *system;
	enum agreement subject; /* the last line's; AGREE_COUNT: there is none yet */
	char caveat[SWITCH_LINE_MAX];
};

static void print_comment(const struct fix_page *p, const char *label, const char *text)
{
	printf("    %s%s %s%s%s\n", p->c->out.dim, p->system->comment, label, text,
	       p->c->out.reset);
}

/* Comments say which subject follows, and from where to where lines are not certain. */
static void print_line(const struct switch_line *line, void *arg)
{
	struct fix_page *p = arg;
	const char *caveat = line->caveat ? line->caveat : "";

	if (line->subject != p->subject) {
		print_comment(p, agreement_name(line->subject), "");
		p->caveat[0] = '\0';
	}
	if (strcmp(caveat, p->caveat) != 0)
		print_comment(p,
			      *caveat && *line->text ? "not certain: "
			      : *caveat		     ? ""
						     : "certain",
			      caveat);
	if (*line->text)
		printf("    %s\n", line->text);
	p->subject = line->subject;
	snprintf(p->caveat, sizeof(p->caveat), "%s", caveat);
}

static void print_system(enum switch_os os, enum found found, void *arg)
{
	static const char *const why[] = { ", as --switch-os says", ", by its system description",
					   ", if the switch runs it" };
	struct fix_page *p = arg;
	struct switch_change change = *p->change;

	change.port = port_of(os, &p->n->seen.peer);
	p->system = &switch_systems[os];
	p->subject = AGREE_COUNT;
	printf("  commands for %s%s; losslessctl does not run them:\n", p->system->title,
	       why[found]);
	print_comment(p, "source: ", p->system->source);
	if (strcmp(change.port, STAND_IN) == 0)
		print_comment(p, "replace " STAND_IN ": ",
			      "LLDP does not have the port's name on this system");
	switch_commands(os, &change, print_line, p);
}

static struct switch_change change_of(const struct target *t, const struct compared_peer *n,
				      const struct config *theirs)
{
	return (struct switch_change){ STAND_IN, &t->seen.actual, theirs, subjects_of(n) };
}

void fix_switch_print(const struct cli *c, const struct target *t, const struct compared_peer *n)
{
	struct config theirs = lldp_to_config(&n->seen.peer);
	struct switch_change change = change_of(t, n, &theirs);
	struct fix_page p = { .c = c, .n = n, .change = &change };

	if (change.subjects)
		each_system(c, n, print_system, &p);
	else
		printf("  %sno commands for the switch: it is not known to differ%s\n", c->out.dim,
		       c->out.reset);
}

/* ---- JSON ---- */

struct list {
	const struct compared_peer *n;
	const struct switch_change *change;
	json_t *systems, *lines;
};

static void add_line(const struct switch_line *line, void *arg)
{
	struct list *l = arg;

	json_array_append_new(l->lines,
			      json_pack("{s:s, s:o, s:o}", "subject", agreement_name(line->subject),
					"command", json_text_or_null(line->text), "caveat",
					json_text_or_null(line->caveat)));
}

static void add_system(enum switch_os os, enum found found, void *arg)
{
	static const char *const names[] = { "option", "system_description", "unknown" };
	struct list *l = arg;
	struct switch_change change = *l->change;
	const char *port = port_of(os, &l->n->seen.peer);

	change.port = port;
	l->lines = json_array();
	switch_commands(os, &change, add_line, l);
	json_array_append_new(l->systems,
			      json_pack("{s:s, s:s, s:o, s:s, s:o}", "os", switch_systems[os].name,
					"os_from", names[found], "port_name",
					strcmp(port, STAND_IN) == 0 ? json_null()
								    : json_string(port),
					"source", switch_systems[os].source, "lines", l->lines));
}

json_t *fix_switch_to_json(const struct cli *c, const struct target *t,
			   const struct compared_peer *n)
{
	struct config theirs = lldp_to_config(&n->seen.peer);
	struct switch_change change = change_of(t, n, &theirs);
	struct list l = { n, &change, json_array(), NULL };

	if (change.subjects)
		each_system(c, n, add_system, &l);
	return l.systems;
}
