#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../captured/captured_host.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

#define VALUE_WIDTH 32

/* The subject, and its values of both hosts. */
enum { COLUMN_SUBJECT, COLUMN_A, COLUMN_B, COLUMNS };

static const struct table_column columns[COLUMNS] = {
	[COLUMN_SUBJECT] = { "", .width = NAME_WIDTH_MIN, .max = NAME_WIDTH_MIN },
	[COLUMN_A] = { "", .width = VALUE_WIDTH, .max = VALUE_WIDTH, .gap = 1 },
	[COLUMN_B] = { .head = "" },
};

struct compared {
	const struct cli *c;
	struct table_column columns[COLUMNS];
	struct table table;
	const char *files[2];
	struct captured_host hosts[2];
	json_t *differences; /* for JSON; owned */
	const char *port;    /* the last heading */
	size_t printed, count, unknown;
};

/* ---- text ---- */

static const char *name_of(const struct compared *d, int side)
{
	const char *name = json_string_value(json_object_get(d->hosts[side].document, "host"));

	return name ? name : d->files[side];
}

static const char *time_of(const struct compared *d, int side)
{
	const char *at = json_string_value(json_object_get(d->hosts[side].document, "observed_at"));

	return at ? at : "at an unknown time";
}

/* Label two documents of the same host by their times. */
static const char *label_of(const struct compared *d, int side)
{
	if (strcmp(name_of(d, 0), name_of(d, 1)) != 0)
		return name_of(d, side);
	return strcmp(time_of(d, 0), time_of(d, 1)) != 0 ? time_of(d, side) : d->files[side];
}

static void print_heading(struct compared *d, const char *port)
{
	const struct style *s = &d->c->out;

	fputs(s->bold, stdout);
	print_clean(stdout, port ? port : "host");
	printf("%s\n", s->reset);
	d->port = port;
}

/* A value that is too wide moves the second one to a line of its own. */
static void print_values(struct compared *d, const char *colour, const char *subject,
			 const char *const texts[2])
{
	bool is_wide = wrap_width(texts[0]) > VALUE_WIDTH;

	table_add(&d->table, colour, subject);
	table_add(&d->table, colour, texts[0]);
	if (is_wide)
		for (int i = 0; i < 3; i++)
			table_add(&d->table, "", "");
	table_add(&d->table, colour, texts[1]);
	table_print_rows(&d->table);
}

static void print_labels(struct compared *d)
{
	const char *const labels[] = { label_of(d, 0), label_of(d, 1) };

	print_values(d, d->c->out.dim, "", labels);
}

static void count_difference(struct compared *d, const struct host_difference *f)
{
	d->count += f->is_known;
	d->unknown += !f->is_known;
}

/* Rows are printed one by one: the longest subject has to be known before the first. */
static void fit_subject(const struct host_difference *f, void *arg)
{
	struct table_column *column = &((struct compared *)arg)->columns[COLUMN_SUBJECT];

	if (wrap_width(f->subject) > column->width)
		column->width = column->max = wrap_width(f->subject);
}

static void print_difference(const struct host_difference *f, void *arg)
{
	struct compared *d = arg;

	count_difference(d, f);
	if (!d->printed++)
		print_labels(d);
	if (d->printed == 1 || d->port != f->port)
		print_heading(d, f->port);
	print_values(d, "", f->subject, f->texts);
}

static void print_only(const struct compared *d, int side, const json_t *names)
{
	const json_t *name;
	size_t i;

	json_array_foreach (names, i, name) {
		print_outside(stdout, "only %s has %s", label_of(d, side), json_string_value(name));
		putchar('\n');
	}
}

static void print_sum(const struct compared *d, size_t only)
{
	size_t ports = d->hosts[0].view.count;

	if (d->printed || only) {
		printf("\n%zu difference%s", d->count + only, d->count + only == 1 ? "" : "s");
		if (d->unknown)
			printf(", %zu unknown", d->unknown);
		putchar('\n');
		return;
	}
	print_outside(stdout, "%s and %s are alike", label_of(d, 0), label_of(d, 1));
	printf(": %zu port%s\n", ports, ports == 1 ? "" : "s");
}

/* ---- JSON ---- */

static void add_difference(const struct host_difference *f, void *arg)
{
	struct compared *d = arg;

	count_difference(d, f);
	json_array_append_new(d->differences,
			      json_pack("{s:s?, s:s, s:b, s:O, s:O}", "port", f->port, "subject",
					f->subject, "known", f->is_known, "a", f->values[0], "b",
					f->values[1]));
}

static json_t *side_to_json(const struct compared *d, int side, json_t *only)
{
	json_t *j = json_object();

	captured_host_identify(&d->hosts[side], j);
	json_object_del(j, "losslessctl_version");
	json_object_set_new(j, "file", json_string(d->files[side]));
	json_object_set(j, "only_ports", only);
	return j;
}

static json_t *document(const struct compared *d, json_t *const only[2])
{
	json_t *doc = report_new("diff");

	json_object_set_new(doc, "losslessctl_version", json_string(LOSSLESSCTL_VERSION));
	json_object_set_new(doc, "a", side_to_json(d, 0, only[0]));
	json_object_set_new(doc, "b", side_to_json(d, 1, only[1]));
	json_object_set(doc, "differences", d->differences);
	return doc;
}

/* ---- the verb ---- */

static int compare(struct compared *d)
{
	json_auto_t *a = host_diff_only(&d->hosts[0], &d->hosts[1]);
	json_auto_t *b = host_diff_only(&d->hosts[1], &d->hosts[0]);
	json_t *const only[2] = { a, b };
	size_t only_count = json_array_size(a) + json_array_size(b);
	bool is_text = !d->c->opt.json && !d->c->opt.quiet;

	host_diff_each(&d->hosts[0], &d->hosts[1], fit_subject, d);
	host_diff_each(&d->hosts[0], &d->hosts[1], is_text ? print_difference : add_difference, d);
	if (d->c->opt.json)
		print_json(d->c, document(d, only));
	if (is_text) {
		print_only(d, 0, a);
		print_only(d, 1, b);
		print_sum(d, only_count);
	}
	if (d->count || only_count)
		return EXIT_DIFFERS;
	return d->unknown ? EXIT_UNKNOWN : EXIT_SUCCESS;
}

/* Reads the document that the command line names first, or the next one. */
static bool read_document(struct cli *c, struct compared *d, int side, struct err *err)
{
	const char *path = d->files[side] = c->opt.policy;
	int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : c->policy_fd;

	if (fd < 0) {
		*err = c->policy_why;
		return err_in(err, "%s", path);
	}
	return err_at(err, captured_host_read(fd, &d->hosts[side], err), "%s", path);
}

static bool not_two_files(struct err *err)
{
	err_record(err, ERR_USAGE, EINVAL, "`diff` compares two files");
	return err_fix(err, "write each with `losslessctl show --json` or `losslessctl bundle`");
}

int verb_diff(struct cli *c, struct err *err)
{
	struct compared d = { .c = c,
			      .table = { .c = c, .columns_count = COLUMNS, .indent = 2, .gap = 2 },
			      .differences = json_array() };
	bool ok = (c->opt.policy && c->opt.words_count == 1) || not_two_files(err);
	int code = -1;

	memcpy(d.columns, columns, sizeof(columns));
	d.table.columns = d.columns;
	if (ok && read_document(c, &d, 0, err) && policy_next(c, 0) && read_document(c, &d, 1, err))
		code = compare(&d);
	captured_host_clear(&d.hosts[0]);
	captured_host_clear(&d.hosts[1]);
	json_decref(d.differences);
	table_free(&d.table);
	return code;
}
