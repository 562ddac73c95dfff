#include "doctor_page.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/wrap.h"

#define SHOWN_MAX   10	/* findings on the page, of up to five lines each */
#define TEXT_SHOWN  150 /* two lines */
#define LEVEL_WIDTH 9
#define MORE_INDENT 12

static const char *const level_names[DOCTOR_LEVELS] = {
	[DOCTOR_CRITICAL] = "critical",
	[DOCTOR_WARNING] = "warning",
	[DOCTOR_UNKNOWN] = "unknown",
};

static const char *colour_of(const struct cli *c, enum doctor_level level)
{
	return level == DOCTOR_CRITICAL ? c->out.red : c->out.yellow;
}

int doctor_exit_code(const struct doctor_findings *all)
{
	if (all->totals[DOCTOR_CRITICAL])
		return EXIT_DIFFERS;
	return all->totals[DOCTOR_UNKNOWN] ? EXIT_UNKNOWN : EXIT_SUCCESS;
}

static const char *verdict_of(const struct doctor_findings *all)
{
	for (size_t level = 0; level < DOCTOR_LEVELS; level++)
		if (all->totals[level])
			return level_names[level];
	return "ok";
}

/* ---- text ---- */

static void print_line(const char *head, const char *text)
{
	printf("  %-*s ", LEVEL_WIDTH, head);
	print_clean(stdout, text);
	putchar('\n');
}

static void print_head(const struct cli *c, const struct doctor *d)
{
	char name[256] = "";

	if (gethostname(name, sizeof(name) - 1) != 0)
		snprintf(name, sizeof(name), "this host");
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
	const size_t *n = d->ready->totals;
	char text[128];

	snprintf(text, sizeof(text), "%zu of %zu checks ready for a job", n[READY_MET],
		 n[READY_MET] + n[READY_NOT_MET] + n[READY_UNKNOWN]);
	print_line("host", text);
}

static void print_counters(const struct doctor *d)
{
	size_t found = verify_totals_symptoms(&d->verify->totals);
	char text[128];

	snprintf(text, sizeof(text), "%zu symptom%s in %u s", found, found == 1 ? "" : "s",
		 d->seconds);
	print_line("counters", text);
}

static void print_more(const char *colour, const char *text, const char *reset)
{
	struct report_row row = { 0, MORE_INDENT };
	char cut[TEXT_SHOWN + 8];

	if (!text[0])
		return;
	snprintf(cut, sizeof(cut), "%.*s%s", TEXT_SHOWN, text,
		 strlen(text) > TEXT_SHOWN ? "..." : "");
	report_row_add(&row, MORE_INDENT, colour, cut, reset);
	putchar('\n');
}

static void print_finding_of(const struct cli *c, const struct doctor_finding *one)
{
	printf("  %s%-*s%s ", colour_of(c, one->level), LEVEL_WIDTH, level_names[one->level],
	       c->out.reset);
	print_outside(stdout, "%s%s%.40s", one->subject, one->ports[0] ? "  " : "", one->ports);
	if (one->ports_count > 1)
		printf("  (%zu ports)", one->ports_count);
	putchar('\n');
	print_more("", one->text, "");
	print_more(c->out.dim, one->fix, c->out.reset);
}

void print_doctor(const struct cli *c, const struct doctor *d)
{
	const struct doctor_findings *all = d->findings;
	size_t shown = all->count < SHOWN_MAX ? all->count : SHOWN_MAX;

	print_head(c, d);
	print_settings(d);
	print_peers(d);
	print_ready_totals(d);
	print_counters(d);
	if (shown)
		putchar('\n');
	for (size_t i = 0; i < shown; i++)
		print_finding_of(c, &all->list[i]);
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
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "level", level_names[one->level], "from",
			 one->from, "subject", one->subject, "ports", ports_to_json(one->ports),
			 "message", json_from_text(one->text), "fix",
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
