#include "page_section.h"

#include <inttypes.h>

/* Sizes of the picture, in its own units. */
enum { WIDTH = 960, HEIGHT = 200, LEFT = 52, TOP = 12, BOTTOM = 24, BAR_MOST = 48 };
#define PLOT_WIDTH  (WIDTH - LEFT)
#define PLOT_HEIGHT (HEIGHT - TOP - BOTTOM)

/*
 * The five names with the most hosts, and the others as one, of the last 90 days: place of the name
 * from 1, day, offset of the day in days, name, hosts.
 */
#define SERIES(name, view) \
	"WITH t AS (SELECT day, " name " AS name, SUM(host_count) AS hosts FROM " view \
	" WHERE (?2 IS NULL OR day >= SUBSTR(?2, 1, 10)) AND day > " \
	"DATE((SELECT MAX(day) FROM " view "), '-90 days') GROUP BY 1, 2), " \
	"top AS (SELECT name, MIN(6, ROW_NUMBER() OVER (ORDER BY SUM(hosts) DESC, name)) AS " \
	"place " \
	"FROM t GROUP BY name), " \
	"bar AS (SELECT place, day, CAST(JULIANDAY(day) - JULIANDAY((SELECT MIN(day) FROM t)) AS " \
	"INTEGER) AS at, CASE WHEN place < 6 THEN name ELSE 'other' END AS name, " \
	"SUM(hosts) AS hosts FROM t JOIN top USING (name) GROUP BY 1, 2) "
#define BARS	"SELECT place, day, at, name, hosts FROM bar ORDER BY at, place"
#define LEGEND	"SELECT DISTINCT place, name FROM bar ORDER BY place"
#define HIGHEST "SELECT MAX(hosts) FROM (SELECT SUM(hosts) AS hosts FROM bar GROUP BY day)"
#define DAYS	"SELECT MAX(at) + 1 FROM bar"

struct chart {
	const char *bars, *legend, *highest, *days;
};

static const struct chart drift = {
	SERIES("setting", "drift_timeline") BARS,
	SERIES("setting", "drift_timeline") LEGEND,
	SERIES("setting", "drift_timeline") HIGHEST,
	SERIES("setting", "drift_timeline") DAYS,
};

static const struct chart symptoms = {
	SERIES("symptom", "symptom_timeline") BARS,
	SERIES("symptom", "symptom_timeline") LEGEND,
	SERIES("symptom", "symptom_timeline") HIGHEST,
	SERIES("symptom", "symptom_timeline") DAYS,
};

/* Where hosts and days are in the picture. */
struct scale {
	int64_t top; /* hosts at the upper edge */
	int64_t days;
};

/* The least round number that is not below. */
static int64_t round_up(int64_t n)
{
	static const int64_t steps[] = { 1, 2, 3, 4, 5, 6, 8 };

	for (int64_t power = 1;; power *= 10)
		for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
			if (steps[i] * power >= n)
				return steps[i] * power;
}

static double height_of(const struct scale *scale, int64_t hosts)
{
	return (double)PLOT_HEIGHT * (double)hosts / (double)scale->top;
}

static void write_line(FILE *out, const struct scale *scale, int64_t hosts)
{
	double y = TOP + PLOT_HEIGHT - height_of(scale, hosts);

	fprintf(out, "<path class=line d=\"M%d %.1fH%d\"/><text x=%d y=%.1f class=end>", LEFT, y,
		WIDTH, LEFT - 8, y + 4);
	number_write(out, hosts);
	fputs("</text>", out);
}

static double day_width(const struct scale *scale)
{
	return (double)PLOT_WIDTH / (double)scale->days;
}

static double day_centre(const struct scale *scale, int64_t day)
{
	return LEFT + ((double)day + 0.5) * day_width(scale);
}

/* About every seventh day, and at most nine, are named. */
static void write_day(FILE *out, const struct scale *scale, int64_t at, const char *day)
{
	if (at % (scale->days / 8 + 1) != 0)
		return;
	fprintf(out, "<text x=%.1f y=%d class=middle>", day_centre(scale, at), HEIGHT - 6);
	text_write_cut(out, day, 10);
	fputs("</text>", out);
}

/* The bar that is being piled up. */
struct pile {
	const struct scale *scale;
	int64_t day, below; /* hosts that it has so far */
};

static void write_part(FILE *out, sqlite3_stmt *stmt, const struct pile *pile)
{
	const struct scale *scale = pile->scale;
	int64_t hosts = sqlite3_column_int64(stmt, 4);
	double height = height_of(scale, hosts), width = day_width(scale) * 0.72;

	if (width > BAR_MOST)
		width = BAR_MOST;
	fprintf(out, "<rect class=series%d x=%.1f y=%.1f width=%.1f height=%.1f><title>",
		sqlite3_column_int(stmt, 0),
		day_centre(scale, sqlite3_column_int64(stmt, 2)) - width / 2,
		TOP + PLOT_HEIGHT - height_of(scale, pile->below) - height, width, height);
	text_write_cut(out, page_column(stmt, 1), 10);
	fputs(" · ", out);
	text_write_cut(out, page_column(stmt, 3), 60);
	fprintf(out, ": %" PRId64 " hosts</title></rect>\n", hosts);
}

static void write_bar(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	struct pile *pile = arg;
	int64_t day = sqlite3_column_int64(stmt, 2);

	if (day != pile->day) {
		*pile = (struct pile){ .scale = pile->scale, .day = day };
		write_day(out, pile->scale, day, page_column(stmt, 1));
	}
	write_part(out, stmt, pile);
	pile->below += sqlite3_column_int64(stmt, 4);
}

static void write_name(FILE *out, sqlite3_stmt *stmt, void *arg)
{
	(void)arg;
	fprintf(out, "<li class=series%d>", sqlite3_column_int(stmt, 0));
	text_write_cut(out, page_column(stmt, 1), 60);
	fputs("</li>", out);
}

static bool chart_write(const struct page *p, const struct page_section *s, const struct chart *c,
			struct err *err)
{
	struct scale scale;
	struct pile pile = { .scale = &scale, .day = -1 };
	int64_t highest;

	if (!page_number(p, c->highest, &highest, err) ||
	    !page_number(p, c->days, &scale.days, err))
		return false;
	if (highest <= 0 || scale.days <= 0)
		return true;
	scale.top = round_up(highest);
	fprintf(p->out,
		"<figure><svg class=chart viewBox=\"0 0 %d %d\" role=img "
		"aria-label=\"%s, up to %" PRId64 " a day\">\n",
		WIDTH, HEIGHT, s->title, highest);
	write_line(p->out, &scale, 0);
	if (scale.top % 2 == 0)
		write_line(p->out, &scale, scale.top / 2);
	write_line(p->out, &scale, scale.top);
	if (!page_each(p, c->bars, write_bar, &pile, err))
		return false;
	fputs("</svg>\n<ul class=legend>", p->out);
	if (!page_each(p, c->legend, write_name, NULL, err))
		return false;
	fputs("</ul>\n</figure>\n", p->out);
	return true;
}

bool page_chart_drift(const struct page *p, const struct page_section *s, struct err *err)
{
	return chart_write(p, s, &drift, err);
}

bool page_chart_symptoms(const struct page *p, const struct page_section *s, struct err *err)
{
	return chart_write(p, s, &symptoms, err);
}
