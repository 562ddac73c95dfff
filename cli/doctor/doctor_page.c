#include "doctor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/json_util.h"
#include "../captured/captured_host.h"
#include "../output/print.h"
#include "../output/report_json.h"

#define LINES_MAX   60
#define HEAD_LINES  6 /* with the blank one before the findings */
#define TAIL_LINES  3
#define PORTS_SHOWN 56 /* columns */
#define LEVEL_WIDTH 9
#define MORE_INDENT 12

static const enum word words[DOCTOR_LEVELS] = {
	[DOCTOR_CRITICAL] = WORD_CRITICAL,
	[DOCTOR_UNKNOWN] = WORD_UNKNOWN,
	[DOCTOR_WARNING] = WORD_WARNING,
	[DOCTOR_INFO] = WORD_INFO,
};

static enum doctor_level worst_of(const struct doctor_findings *all)
{
	enum doctor_level level = DOCTOR_CRITICAL;

	while (level < DOCTOR_LEVELS && !all->totals[level])
		level++;
	return level;
}

int doctor_exit_code(const struct doctor_findings *all)
{
	enum doctor_level worst = worst_of(all);

	return worst == DOCTOR_LEVELS ? EXIT_SUCCESS : exit_code_of_word(words[worst]);
}

static const char *verdict_of(const struct doctor_findings *all)
{
	enum doctor_level worst = worst_of(all);

	return worst >= DOCTOR_INFO ? "ok" : status_words[words[worst]].name;
}

/* ---- text ---- */

static void print_line(const char *head, const char *text)
{
	printf("  %-*s ", LEVEL_WIDTH, head);
	print_clean(stdout, text);
	putchar('\n');
}

static void host_name(const struct cli *c, char *name, size_t size)
{
	if (c->captured)
		snprintf(name, size, "%s", json_text(c->captured->document, "host"));
	else if (gethostname(name, size) != 0)
		snprintf(name, size, "this host");
	name[size - 1] = '\0';
}

static void print_head(const struct cli *c, const struct doctor *d)
{
	char name[256];

	host_name(c, name, sizeof(name));
	fputs(c->out.bold, stdout);
	print_outside(stdout, "%s: %s", name, verdict_of(d->findings));
	printf("%s", c->out.reset);
	if (d->has_policy)
		print_outside(stdout, "  (policy %s)", d->verify->policy->name);
	putchar('\n');
}

static void print_settings(const struct doctor *d)
{
	const struct verify_totals *n = &d->verify->totals;
	char text[128];

	snprintf(text, sizeof(text), "%zu of %zu in sync on %zu port%s",
		 n->settings[STATUS_OK] + n->settings[STATUS_ADVICE], n->items, n->ports,
		 n->ports == 1 ? "" : "s");
	print_line("settings", d->has_policy ? text : "no policy: nothing to compare with");
}

static void print_peers(const struct doctor *d)
{
	size_t heard = 0, count = d->verify->targets.count;
	char text[128];

	for (size_t i = 0; i < count; i++)
		heard += d->peers[i].seen.heard;
	snprintf(text, sizeof(text), "%zu of %zu heard by LLDP", heard, count);
	print_line("switches", text);
}

static void print_ready_totals(const struct doctor *d)
{
	const size_t *n = d->ready ? d->ready->totals : NULL;
	char text[128] = "the document does not have the checks of ready";

	if (n)
		snprintf(text, sizeof(text), "%zu of %zu checks ready for a job", n[READY_MET],
			 n[READY_MET] + n[READY_NOT_MET] + n[READY_UNKNOWN]);
	print_line("host", text);
}

static void print_counters(const struct doctor *d)
{
	size_t found = verify_totals_symptoms(&d->verify->totals);
	char text[128] = "not sampled: `losslessctl bundle --sample-for 10` does";

	if (d->seconds)
		snprintf(text, sizeof(text), "%zu symptom%s in %u s", found, found == 1 ? "" : "s",
			 d->seconds);
	print_line("counters", text);
}

static void write_more(FILE *to, const char *colour, const char *text, const char *reset)
{
	if (!text[0])
		return;
	fprintf(to, "%s%*s", colour, MORE_INDENT, "");
	wrap_print(to, text, MORE_INDENT, MORE_INDENT);
	fputs(reset, to);
}

/* The length of as many names as fit into a line. */
static int whole_names(const char *ports)
{
	size_t length = strlen(ports);

	while (length > PORTS_SHOWN) {
		while (length > 0 && ports[length - 1] != ',')
			length--;
		length -= length > 0;
	}
	return (int)length;
}

static void write_finding(FILE *to, const struct cli *c, const struct doctor_finding *one)
{
	fprintf(to, "  %s%-*s%s %s", word_colour(&c->out, words[one->level]), LEVEL_WIDTH,
		status_words[words[one->level]].name, c->out.reset, one->subject);
	print_outside(to, "%s%.*s", one->ports[0] ? "  " : "", whole_names(one->ports), one->ports);
	if (one->ports_count > 1)
		fprintf(to, "  (%zu ports)", one->ports_count);
	fputc('\n', to);
	write_more(to, "", one->text, "");
	write_more(to, c->out.dim, one->fix, c->out.reset);
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

/* Prints a finding if it fits into so many lines; returns how many it took, 0 if none. */
static size_t print_finding_of(const struct cli *c, const struct doctor_finding *one, size_t room)
{
	_free_ char *text = NULL;
	size_t size, lines;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return 0;
	write_finding(to, c, one);
	if (fclose(to) != 0)
		return 0;
	lines = count_lines(text);
	if (lines > room)
		return 0;
	fputs(text, stdout);
	return lines;
}

/* Returns how many findings the page has room for. */
static size_t print_findings_of(const struct cli *c, const struct doctor_findings *all)
{
	size_t room = LINES_MAX - HEAD_LINES - TAIL_LINES, shown = 0;

	for (; shown < all->count; shown++) {
		size_t lines = print_finding_of(c, &all->list[shown], room);

		if (!lines)
			break;
		room -= lines;
	}
	return shown;
}

void print_doctor(const struct cli *c, const struct doctor *d)
{
	const struct doctor_findings *all = d->findings;
	size_t shown;

	print_head(c, d);
	print_settings(d);
	print_peers(d);
	print_ready_totals(d);
	print_counters(d);
	if (all->count)
		putchar('\n');
	shown = print_findings_of(c, all);
	if (all->count + all->omitted > shown)
		printf("\n%zu more: run `losslessctl doctor --json`, or verify, peer and ready\n",
		       all->count + all->omitted - shown);
}

/* ---- JSON ---- */

static json_t *ports_to_json(const char *ports)
{
	json_t *list = json_array();

	while (*ports) {
		size_t n = strcspn(ports, ",");

		json_array_append_new(list, json_stringn(ports, n));
		ports += n + strspn(ports + n, ", ");
	}
	return list;
}

static json_t *finding_of_doctor_to_json(const struct doctor_finding *one)
{
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "level",
			 status_words[words[one->level]].name, "from", one->from, "subject",
			 one->subject, "ports", ports_to_json(one->ports), "message",
			 json_from_text(one->text), "fix",
			 one->fix[0] ? json_from_text(one->fix) : json_null());
}

json_t *doctor_to_json(const struct cli *c, const struct doctor *d)
{
	json_t *doc = report_of_host(c, "doctor"), *list = json_array();

	for (size_t i = 0; i < d->findings->count; i++)
		json_array_append_new(list, finding_of_doctor_to_json(&d->findings->list[i]));
	json_object_set_new(doc, "policy",
			    d->has_policy ? report_policy(d->verify->policy) : json_null());
	json_object_set_new(doc, "verdict", json_string(verdict_of(d->findings)));
	json_object_set_new(doc, "sampled_s", json_integer(d->seconds));
	json_object_set_new(doc, "findings", list);
	json_object_set_new(doc, "omitted_count", json_integer((json_int_t)d->findings->omitted));
	return doc;
}
