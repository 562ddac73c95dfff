#include "switch_commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../../policy/util/json_util.h"
#include "../output/print.h"

/* ---- operating systems ---- */

const struct switch_os_info switch_systems[SWITCH_OS_COUNT] = {
	[SWITCH_CUMULUS] = { "cumulus",
			     "Cumulus Linux (NVUE)",
			     "Cumulus Linux",
			     { "swp", "bond" },
			     false,
			     false,
			     "#",
			     "docs.nvidia.com/networking-ethernet-software: Quality of Service" },
	[SWITCH_SONIC] = { "sonic",
			   "SONiC",
			   "SONiC",
			   { "Ethernet" },
			   true,
			   true,
			   "#",
			   "github.com/sonic-net/sonic-utilities: Command-Reference" },
	[SWITCH_EOS] = { "eos",
			 "Arista EOS",
			 "Arista Networks EOS",
			 { "Ethernet", "Et" },
			 false,
			 false,
			 "!",
			 "www.arista.com/en/um-eos: Quality of Service, DCBX and Flow Control" },
	[SWITCH_NXOS] = { "nxos",
			  "Cisco NX-OS",
			  "NX-OS",
			  { "Ethernet", "Eth" },
			  false,
			  false,
			  "!",
			  "www.cisco.com: Nexus 9000 Series NX-OS Quality of Service" },
};

bool switch_os_find(enum switch_os *ret, const char *name, struct err *err)
{
	for (enum switch_os os = 0; os < SWITCH_OS_COUNT; os++)
		if (strcmp(switch_systems[os].name, name) == 0) {
			*ret = os;
			return true;
		}
	return err_set(err, ERR_USAGE, EINVAL,
		       "--switch-os takes cumulus, sonic, eos or nxos, not \"%s\"", name);
}

bool switch_os_recognise(enum switch_os *ret, const char *description)
{
	for (enum switch_os os = 0; os < SWITCH_OS_COUNT; os++)
		if (strstr(description, switch_systems[os].described)) {
			*ret = os;
			return true;
		}
	return false;
}

#define DIGITS "0123456789"

static bool is_port_after(const char *prefix, bool numbered, const char *name)
{
	const char *allowed = numbered ? DIGITS
				       : DIGITS
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				      "/_-";
	size_t n = prefix ? strlen(prefix) : 0;

	return n && strncmp(name, prefix, n) == 0 && name[n] >= '0' && name[n] <= '9' &&
	       !name[n + strspn(&name[n], allowed)];
}

bool switch_os_names_port(enum switch_os os, const char *name)
{
	const struct switch_os_info *s = &switch_systems[os];

	return is_port_after(s->ports[0], s->numbers_ports, name) ||
	       is_port_after(s->ports[1], s->numbers_ports, name);
}

/* ---- commands ---- */

#define ANY_SWITCH SWITCH_OS_COUNT
#define ETS_SETTINGS \
	(SETTING(SETTING_ETS_PRIO_TC) | SETTING(SETTING_ETS_TSA) | SETTING(SETTING_ETS_BANDWIDTH))

/* Purposes of commands; PFC_ALL and PFC_NONE state the whole list of lossless priorities. */
enum edit {
	PFC_BEGIN,
	PFC_ALL,
	PFC_NONE,
	PFC_ON,
	PFC_OFF,
	PFC_END,
	ETS_BEGIN,
	ETS_MAP,
	ETS_QUEUES,
	ETS_SHARE,
	ETS_STRICT,
	ETS_OTHER,
	ETS_END,
	APP_BEGIN,
	APP_DSCP,
	APP_OTHER,
	APP_END
};

/* An empty command: there is none, as the caveat says. */
static const struct row {
	enum switch_os os;
	enum edit edit;
	const char *command, *caveat;
} rows[] = {
#define ROW(os, edit, command, caveat) { os, edit, command, caveat },
#include "switch_commands.def"
#undef ROW
};

enum value_id { PORT, PRIO, TC, BANDWIDTH, DSCP, LIST, NQ, QUEUE, VALUES };

#define VALUE_MAX 64

static const char *const value_names[VALUES] = {
	[PORT] = "{port}", [PRIO] = "{prio}", [TC] = "{tc}", [BANDWIDTH] = "{share}",
	[DSCP] = "{dscp}", [LIST] = "{list}", [NQ] = "{nq}", [QUEUE] = "{queue}",
};

struct writer {
	enum switch_os os;
	const struct switch_change *change;
	enum agreement subject;
	switch_line_fn *each;
	void *arg;
	char values[VALUES][VALUE_MAX];
};

static void set_number(struct writer *w, enum value_id id, unsigned number)
{
	snprintf(w->values[id], VALUE_MAX, "%u", number);
}

/* NX-OS has a name for the class of number 0. */
static void set_class(struct writer *w, enum value_id id, unsigned number)
{
	const char *prefix = id == NQ ? "nq" : "c-out-8q-q";

	if (number)
		snprintf(w->values[id], VALUE_MAX, "%s%u", prefix, number);
	else
		snprintf(w->values[id], VALUE_MAX, "%s-default", prefix);
}

static void set_prio(struct writer *w, unsigned prio)
{
	set_number(w, PRIO, prio);
	set_class(w, NQ, prio);
}

static void set_tc(struct writer *w, unsigned tc)
{
	set_number(w, TC, tc);
	set_class(w, QUEUE, tc);
}

static void set_list(struct writer *w, uint8_t priorities)
{
	size_t used = 0;

	for (unsigned p = 0; p < PRIOS; p++)
		if (priorities & (1u << p))
			used += (size_t)snprintf(w->values[LIST] + used, VALUE_MAX - used, "%s%u",
						 used ? "," : "", p);
}

/* The value whose name is at the beginning of `at`, or VALUES. */
static enum value_id value_at(const char *at)
{
	enum value_id id = 0;

	while (id < VALUES && strncmp(at, value_names[id], strlen(value_names[id])) != 0)
		id++;
	return id;
}

static const char *fill_in(const struct writer *w, const char *template, char ret[SWITCH_LINE_MAX])
{
	size_t used = 0;

	while (*template && used + 1 < SWITCH_LINE_MAX) {
		enum value_id id = value_at(template);

		if (id == VALUES) {
			ret[used++] = *template ++;
			continue;
		}
		used += (size_t)snprintf(ret + used, SWITCH_LINE_MAX - used, "%s", w->values[id]);
		template += strlen(value_names[id]);
	}
	ret[used < SWITCH_LINE_MAX ? used : SWITCH_LINE_MAX - 1] = '\0';
	return ret;
}

static void write_edit(struct writer *w, enum edit edit)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[SWITCH_LINE_MAX], caveat[SWITCH_LINE_MAX];
		struct switch_line line = { .subject = w->subject };

		if (rows[i].edit != edit || (rows[i].os != w->os && rows[i].os != ANY_SWITCH))
			continue;
		line.text = fill_in(w, rows[i].command, text);
		line.caveat = rows[i].caveat ? fill_in(w, rows[i].caveat, caveat) : NULL;
		w->each(&line, w->arg);
	}
}

static void write_priorities(struct writer *w, enum edit edit, unsigned priorities)
{
	for (unsigned p = 0; p < PRIOS; p++)
		if (priorities & (1u << p)) {
			set_prio(w, p);
			write_edit(w, edit);
		}
}

static void write_pfc(struct writer *w)
{
	uint8_t ours = w->change->ours->pfc.priorities, theirs = w->change->theirs->pfc.priorities;

	set_list(w, ours);
	write_edit(w, PFC_BEGIN);
	write_edit(w, ours ? PFC_ALL : PFC_NONE);
	write_priorities(w, PFC_ON, ours & ~theirs);
	write_priorities(w, PFC_OFF, theirs & ~ours);
	write_edit(w, PFC_END);
}

static void write_class(struct writer *w, unsigned tc)
{
	const struct config *c = w->change->ours;

	set_tc(w, tc);
	set_number(w, BANDWIDTH, c->ets.bandwidth[tc]);
	write_edit(w, c->ets.tsa[tc] == TSA_ETS	     ? ETS_SHARE
		      : c->ets.tsa[tc] == TSA_STRICT ? ETS_STRICT
						     : ETS_OTHER);
}

/* All classes in use are written: their shares add up to 100. */
static void write_ets(struct writer *w)
{
	const struct config *ours = w->change->ours, *theirs = w->change->theirs;
	unsigned used = 0;

	if ((ours->has & ETS_SETTINGS) != ETS_SETTINGS)
		return;
	write_edit(w, ETS_BEGIN);
	for (unsigned p = 0; p < PRIOS; p++) {
		used |= 1u << ours->ets.prio_tc[p];
		set_prio(w, p);
		set_tc(w, ours->ets.prio_tc[p]);
		if (ours->ets.prio_tc[p] != theirs->ets.prio_tc[p])
			write_edit(w, ETS_MAP);
	}
	write_edit(w, ETS_QUEUES);
	for (unsigned tc = 0; tc < PRIOS; tc++)
		if (used & (1u << tc))
			write_class(w, tc);
	write_edit(w, ETS_END);
}

static bool dscp_differs(const struct switch_change *change, unsigned dscp)
{
	int ours = change->ours->dscp.prio[dscp], theirs = change->theirs->dscp.prio[dscp];

	return (change->ours->has & SETTING(SETTING_DSCP_PRIO)) && ours >= 0 && theirs >= 0 &&
	       ours != theirs;
}

/* Entries of other selectors have no commands that are alike on all systems. */
static void write_app(struct writer *w)
{
	unsigned count = 0;

	for (unsigned d = 0; d < DSCPS; d++)
		count += dscp_differs(w->change, d);
	if (!count) {
		write_edit(w, APP_OTHER);
		return;
	}
	write_edit(w, APP_BEGIN);
	for (unsigned d = 0; d < DSCPS; d++)
		if (dscp_differs(w->change, d)) {
			set_number(w, DSCP, d);
			set_prio(w, (unsigned)w->change->ours->dscp.prio[d]);
			write_edit(w, APP_DSCP);
		}
	write_edit(w, APP_END);
}

void switch_commands(enum switch_os os, const struct switch_change *change, switch_line_fn *each,
		     void *arg)
{
	static void (*const write[AGREE_COUNT])(struct writer *) = {
		[AGREE_PFC] = write_pfc,
		[AGREE_ETS] = write_ets,
		[AGREE_APP] = write_app,
	};
	struct writer w = { .os = os, .change = change, .each = each, .arg = arg };

	snprintf(w.values[PORT], VALUE_MAX, "%s", change->port);
	for (w.subject = 0; w.subject < AGREE_COUNT; w.subject++)
		if (change->subjects & (1u << w.subject))
			write[w.subject](&w);
}

/* ---- a switch's fix ---- */

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

/*
 * SONiC's alias may be the name of another port: on an Arista 7060DX5-32, Ethernet256 has the
 * alias Ethernet33 (sonic-buildimage, port_config.ini).
 */
static const char *port_of(enum switch_os os, const struct lldp *peer)
{
	bool may_be_id = !switch_systems[os].describes_ports;

	return may_be_id && switch_os_names_port(os, peer->port)  ? peer->port
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
