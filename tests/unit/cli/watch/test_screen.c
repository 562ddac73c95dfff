/* Tests of the picture of `watch`, drawn without a terminal: its rows, and parts without room. */
#include <string.h>

#include "cli/watch/screen.h"
#include "tests/support/picture.h"
#include "tests/support/unit.h"

static const struct style plain_ascii = { "", "", "", "", "", "", "", false };
static const struct style coloured = { "\033[1m",  "\033[2m", "\033[31m", "\033[32m",
				       "\033[33m", "\033[0m", "",	  true };

static size_t columns_of(const char *row)
{
	size_t n = 0;

	for (; *row; row++)
		n += ((unsigned char)*row & 0xc0) != 0x80;
	return n;
}

static bool shows(const struct picture *p, const char *text)
{
	for (size_t i = 0; i < p->count; i++)
		if (strstr(p->rows[i], text))
			return true;
	return false;
}

static void complain_row(struct live_port *p, const struct symptom *symptom, const char *text)
{
	struct active_symptom *k = &p->sampler.active_symptoms[p->sampler.active_symptoms_count++];

	k->symptom = symptom;
	k->severity = symptom->severity;
	snprintf(k->text, sizeof(k->text), "%s", text);
}

static void complain(struct live_port *p, const char *name, const char *text)
{
	size_t i = 0;

	while (strcmp(symptoms[i].name, name) != 0)
		assert_true(++i < symptoms_count);
	complain_row(p, &symptoms[i], text);
}

static void every_size_is_kept(void **s)
{
	struct picture *p = *s;

	p->scene.count = PORTS_MAX;
	for (size_t i = 0; i < PORTS_MAX; i++)
		complain_row(&p->ports[i], &symptoms[i % symptoms_count],
			     "the peer was paused for 85 % of 2 s");
	for (unsigned cols = 1; cols <= 260; cols++)
		for (unsigned rows = 1; rows <= 60; rows += 7) {
			picture_draw(p, cols, rows);
			assert_int_equal(p->count, rows);
			for (size_t i = 0; i < rows; i++)
				assert_true(columns_of(p->rows[i]) <= cols);
		}
}

static void a_size_beyond_reason_is_cut(void **s)
{
	struct picture *p = *s;

	p->scene.style = &coloured;
	p->scene.count = PORTS_MAX;
	picture_draw(p, 100000, 100000);
	assert_int_equal(p->count, CANVAS_ROWS_MAX);
	picture_draw(p, 0, 0);
	assert_int_equal(p->count, 1);
}

static void one_port_on_80_columns(void **s)
{
	struct picture *p = *s;

	picture_draw(p, 80, 24);
	assert_string_equal(p->rows[2], "PORT      LINK PFC    SENT    RECV PAUSE  SENT  DONE "
					"CNPS  MARKS   RX   TX DROPS");
	assert_string_equal(p->rows[3], "ens0f0np0 100G 3     85%p3       0     ▇   102   103 "
					"    █   105  106  107   110");
	assert_string_equal(p->rows[5], "sampling");
	assert_string_equal(p->rows[23], "");
}

static void two_hundred_columns_show_more_and_longer_curves(void **s)
{
	struct picture *p = *s;

	for (unsigned i = 0; i < 60; i++)
		curve_add(&p->ports[0].pause, 100);
	picture_draw(p, 80, 24);
	assert_false(shows(p, "STALL%"));
	assert_false(shows(p, "██████"));
	picture_draw(p, 200, 50);
	assert_true(shows(p, "STALL%"));
	assert_true(shows(p, "IGNRD"));
	assert_true(shows(p, "██████████████████"));
	assert_int_equal(columns_of(p->rows[2]), 200);
}

static void letters_where_there_is_no_utf8(void **s)
{
	struct picture *p = *s;

	p->scene.style = &plain_ascii;
	p->scene.count = PORTS_MAX;
	picture_draw(p, 80, 24);
	for (const char *at = p->bytes; *at; at++)
		assert_true((unsigned char)*at < 0x80);
	assert_string_equal(p->rows[3], "ens0f0np0 100G 3     85%p3       0     %   102   103 "
					"    @   105  106  107   110");
	assert_true(shows(p, "... 22 more ports"));
}

static void ports_that_do_not_fit_are_counted(void **s)
{
	struct picture *p = *s;

	p->scene.count = PORTS_MAX;
	picture_draw(p, 80, 24);
	assert_true(shows(p, "… 22 more ports"));
	picture_draw(p, 80, 44);
	assert_true(shows(p, "… 2 more ports"));
	picture_draw(p, 80, 45);
	assert_false(shows(p, "more port"));
	p->scene.count = 3;
	complain(&p->ports[2], "storm-watchdog-tripped", "on a port that is hidden");
	picture_draw(p, 80, 7);
	assert_true(shows(p, "… 2 more ports"));
	assert_true(shows(p, "more symptom"));
}

static void what_is_absent_is_a_dash(void **s)
{
	struct picture *p = *s;

	p->ports[0].now = rates_unknown();
	p->ports[0].actual.has = 0;
	p->ports[0].pause = p->ports[0].cnp = (struct curve){ .count = 0 };
	picture_draw(p, 80, 24);
	assert_string_equal(p->rows[3], "ens0f0np0 100G -         -       -           -     - "
					"          -    -    -     -");
}

static void a_port_that_is_away_is_gone(void **s)
{
	struct picture *p = *s;

	p->ports[0].gone = true;
	picture_draw(p, 80, 24);
	assert_non_null(strstr(p->rows[3], "ens0f0np0 gone"));
	p->ports[0].gone = false;
	p->ports[0].port.carrier = false;
	picture_draw(p, 80, 24);
	assert_non_null(strstr(p->rows[3], "ens0f0np0 down"));
}

static void a_long_name_takes_the_place_of_what_matters_least(void **s)
{
	struct picture *p = *s;

	snprintf(p->ports[0].port.id.name, ID_MAX, "enp161s0f0np0");
	picture_draw(p, 80, 24);
	assert_non_null(strstr(p->rows[3], "enp161s0f0np0 100G   85%p3"));
	assert_true(shows(p, "CNPS"));
	assert_true(shows(p, "DROPS"));
	snprintf(p->ports[0].port.id.name, ID_MAX, "enp161s0f0np0ab");
	picture_draw(p, 80, 24);
	assert_non_null(strstr(p->rows[3], "enp161s0f0np0ab 100G 3     85%p3"));
	assert_false(shows(p, "CNPS"));
	picture_draw(p, 30, 24);
	assert_string_equal(p->rows[3], "enp161s0f0np0ab 100G   85%p3");
}

static void what_has_no_room_in_its_cell_is_cut_in_sight(void **s)
{
	struct picture *p = *s;

	p->ports[0].actual.pfc.priorities = 1 << 3 | 1 << 4 | 1 << 5;
	picture_draw(p, 80, 24);
	assert_non_null(strstr(p->rows[3], "100G 3,+ "));
	p->ports[0].actual.pfc.priorities = 0;
	picture_draw(p, 80, 24);
	assert_non_null(strstr(p->rows[3], "100G off "));
}

static void global_pause_is_told_from_a_priority(void **s)
{
	struct picture *p = *s;

	p->ports[0].now.sent_on = ON_ALL;
	p->ports[0].now.value[RATE_PAUSE_SENT] = 100;
	picture_draw(p, 80, 24);
	assert_non_null(strstr(p->rows[3], "100%all"));
}

static void symptoms_are_printed_in_words_and_the_worst_first(void **s)
{
	struct picture *p = *s;

	p->scene.count = 2;
	complain(&p->ports[0], "host-congestion", "the adapter waits 40 % of the time");
	complain(&p->ports[1], "pause-storm-sent",
		 "the peer was paused on priority 3 for 85 % of 2 s");
	picture_draw(p, 80, 24);
	assert_string_equal(p->rows[6], "critical  ens1f0np0 pause-storm-sent: the peer was paused "
					"on priority 3 for 85 %");
	assert_string_equal(p->rows[7], "          of 2 s; look at this host");
	assert_string_equal(p->rows[8], "warning   ens0f0np0 host-congestion: the adapter waits "
					"40 % of the time; look at");
	assert_string_equal(p->rows[9], "          this host");
	assert_false(shows(p, "no symptoms"));
}

static void a_host_that_was_judged_and_is_well_says_so(void **s)
{
	struct picture *p = *s;

	p->ports[0].sampler.checked_ms = 7;
	picture_draw(p, 80, 24);
	assert_string_equal(p->rows[5], "no symptoms");
}

static void critical_is_red_and_a_warning_yellow(void **s)
{
	struct picture *p = *s;

	p->scene.style = &coloured;
	p->scene.count = 3;
	complain(&p->ports[0], "host-congestion", "x");
	complain(&p->ports[1], "host-congestion", "x");
	complain(&p->ports[1], "pause-storm-sent", "y");
	picture_draw(p, 80, 24);
	assert_non_null(strstr(p->bytes, "\033[31mcritical\033[0m"));
	assert_non_null(strstr(p->bytes, "\033[33mwarning\033[0m"));
	assert_non_null(strstr(p->bytes, "\033[33mens0f0np0\033[0m"));
	assert_non_null(strstr(p->bytes, "\033[31mens1f0np0\033[0m"));
	assert_null(strstr(p->bytes, "\033[33mens2f0np0"));
}

static void nothing_raw_from_outside(void **s)
{
	struct picture *p = *s;

	snprintf(p->ports[0].port.id.name, ID_MAX, "a\033]0;x\xc2\x9b");
	p->scene.host = "h\033[2Jo";
	complain(&p->ports[0], "pause-storm-sent", "y");
	picture_draw(p, 80, 24);
	assert_true(shows(p, "a?]0;x??"));
	assert_true(shows(p, "h?[2Jo"));
	assert_null(strstr(p->bytes, "\033]"));
	assert_null(strstr(p->bytes, "\033[2J"));
}

static void a_line_is_erased_before_it_is_written(void **s)
{
	struct picture *p = *s;

	picture_draw(p, 80, 24);
	assert_memory_equal(p->bytes, "\033[H\033[K", 6);
	for (const char *at = p->bytes; (at = strchr(at, '\n')); at++)
		assert_memory_equal(at + 1, "\033[K", 3);
}

int main(void)
{
	static struct suite suite;

	SUITE_ADD(&suite, every_size_is_kept);
	SUITE_ADD(&suite, a_size_beyond_reason_is_cut);
	SUITE_ADD(&suite, one_port_on_80_columns);
	SUITE_ADD(&suite, two_hundred_columns_show_more_and_longer_curves);
	SUITE_ADD(&suite, letters_where_there_is_no_utf8);
	SUITE_ADD(&suite, ports_that_do_not_fit_are_counted);
	SUITE_ADD(&suite, what_is_absent_is_a_dash);
	SUITE_ADD(&suite, a_port_that_is_away_is_gone);
	SUITE_ADD(&suite, a_long_name_takes_the_place_of_what_matters_least);
	SUITE_ADD(&suite, what_has_no_room_in_its_cell_is_cut_in_sight);
	SUITE_ADD(&suite, global_pause_is_told_from_a_priority);
	SUITE_ADD(&suite, symptoms_are_printed_in_words_and_the_worst_first);
	SUITE_ADD(&suite, a_host_that_was_judged_and_is_well_says_so);
	SUITE_ADD(&suite, critical_is_red_and_a_warning_yellow);
	SUITE_ADD(&suite, nothing_raw_from_outside);
	SUITE_ADD(&suite, a_line_is_erased_before_it_is_written);
	for (size_t i = 0; i < suite.count; i++) {
		suite.tests[i].setup_func = picture_begin;
		suite.tests[i].teardown_func = picture_end;
	}
	return suite_run(&suite, "frame");
}
