/* Tests of the agent's main loop, with a clock and events of the test's own. */
#include <errno.h>
#include <string.h>

#include "agent/daemon/daemon.h"
#include "tests/support/unit.h"

#define EVENTS 8
#define TIMERS 3

/* A host with the test's events, whose time passes only as the test defines. */
struct world {
	struct host host; /* first */
	uint64_t now_ms, end_ms;
	struct {
		uint64_t at_ms;
		enum event_kind kind;
	} events[EVENTS];
	size_t logged_presence, heard;
	enum event_kind last;
	bool deaf, asked_to_stop, one_duty_stops_it;
	struct loop_timer timers[TIMERS];
	unsigned done[TIMERS], lasts_ms; /* lasts_ms: the first timer's duration */
	uint64_t done_at_ms[TIMERS][32];
	unsigned waits;
	uint64_t longest_wait_ms;
};

static uint64_t now_ms(struct host *h)
{
	return ((struct world *)h)->now_ms;
}

/* Advance the time to the next event, or to the end of the wait. */
static bool next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	struct world *w = (struct world *)h;
	uint64_t until = w->now_ms + wait_ms;

	*ret = (struct event){ .kind = EVENT_NONE };
	w->waits++;
	if (wait_ms > w->longest_wait_ms)
		w->longest_wait_ms = wait_ms;
	if (w->deaf)
		return err_set(err, ERR_SYSTEM, EBADF, "deaf");
	if (w->logged_presence < EVENTS && w->events[w->logged_presence].kind &&
	    w->events[w->logged_presence].at_ms <= until) {
		ret->kind = w->events[w->logged_presence].kind;
		if (w->events[w->logged_presence].at_ms > w->now_ms)
			w->now_ms = w->events[w->logged_presence].at_ms;
		w->logged_presence++;
	} else {
		w->now_ms = until < w->end_ms ? until : w->end_ms;
	}
	return true;
}

static void perform(struct world *w, unsigned which)
{
	if (w->done[which] < 32)
		w->done_at_ms[which][w->done[which]] = w->now_ms;
	w->done[which]++;
	w->asked_to_stop = w->one_duty_stops_it;
	if (which == 0)
		w->now_ms += w->lasts_ms;
}

static void first(void *arg)
{
	perform(arg, 0);
}

static void second(void *arg)
{
	perform(arg, 1);
}

static void third(void *arg)
{
	perform(arg, 2);
}

static void on_event(const struct event *e, void *arg)
{
	struct world *w = arg;

	w->heard++;
	w->last = e->kind;
	w->asked_to_stop = e->kind == EVENT_SIGNAL;
}

static bool keep_running(void *arg)
{
	const struct world *w = arg;

	return !w->asked_to_stop && w->now_ms < w->end_ms;
}

/* Start at second 100 and end `end_ms` later. A timer runs only if the test sets its interval. */
static struct world world_until(uint64_t end_ms)
{
	return (struct world){ .host = { .now_ms = now_ms, .next_event = next_event },
			       .now_ms = 100000,
			       .end_ms = 100000 + end_ms,
			       .timers = { { "first", 0, first, 0 },
					   { "second", 0, second, 0 },
					   { "third", 0, third, 0 } } };
}

static bool run(struct world *w, struct err *err)
{
	struct loop l = { &w->host, w->timers, TIMERS, on_event, keep_running, w };

	*err = (struct err){ 0 };
	return loop_run(&l, err);
}

static void runs(struct world *w)
{
	struct err err;

	if (!run(w, &err))
		fail_msg("%s", err.text);
}

static void every_duty_is_done_at_once_and_then_when_its_time_comes(void **s)
{
	struct world w = world_until(10000);

	(void)s;
	w.timers[0].every_ms = 1000;
	w.timers[1].every_ms = 3000;
	runs(&w);
	assert_int_equal(w.done[0], 10);
	assert_int_equal(w.done[1], 4);
	assert_int_equal(w.done_at_ms[1][0], 100000);
	assert_int_equal(w.done_at_ms[1][3], 109000);
}

static void a_duty_without_a_time_is_never_done(void **s)
{
	struct world w = world_until(10000);

	(void)s;
	w.timers[1].every_ms = 1000;
	runs(&w);
	assert_int_equal(w.done[0], 0);
	assert_int_equal(w.done[2], 0);
}

static void it_sleeps_until_the_next_duty_and_no_shorter(void **s)
{
	struct world w = world_until(9000);

	(void)s;
	w.timers[0].every_ms = 3000;
	runs(&w);
	assert_int_equal(w.waits, 3);
	assert_int_equal(w.longest_wait_ms, 3000);
}

static void without_duties_it_waits_for_events_alone(void **s)
{
	struct world w = world_until(1000);

	(void)s;
	runs(&w);
	assert_int_equal(w.waits, 1);
	assert_true(w.longest_wait_ms >= UINT32_MAX - 1);
}

static void a_duty_that_is_late_keeps_its_beat(void **s)
{
	struct world w = world_until(5000);

	(void)s;
	w.timers[0].every_ms = 1000;
	w.timers[1].every_ms = 700;
	w.lasts_ms = 300;
	runs(&w);
	assert_int_equal(w.done_at_ms[0][4], 104000);
	assert_int_equal(w.done_at_ms[1][0], 100300);
	assert_int_equal(w.done_at_ms[1][1], 101300); /* due at 101000 */
	assert_int_equal(w.done_at_ms[1][2], 101700);
}

static void what_was_missed_is_not_made_up_for(void **s)
{
	struct world w = world_until(30000);

	(void)s;
	w.timers[0].every_ms = 1000;
	w.lasts_ms = 5500;
	runs(&w);
	assert_int_equal(w.done[0], 6); /* one run after another, not 30 */
}

static void a_long_duty_does_not_starve_the_others(void **s)
{
	struct world w = world_until(20000);

	(void)s;
	w.timers[0].every_ms = 1000;
	w.timers[1].every_ms = 1000;
	w.lasts_ms = 2000;
	runs(&w);
	assert_true(w.done[1] >= w.done[0] - 1);
}

static void an_event_is_heard_when_it_comes_and_no_duty_is_done_for_it(void **s)
{
	struct world w = world_until(10000);

	(void)s;
	w.timers[0].every_ms = 5000;
	w.events[0].at_ms = 101234;
	w.events[0].kind = EVENT_DCB;
	runs(&w);
	assert_int_equal(w.heard, 1);
	assert_int_equal(w.last, EVENT_DCB);
	assert_int_equal(w.done[0], 2);
	assert_int_equal(w.done_at_ms[0][1], 105000);
}

static void a_stream_of_events_does_not_hold_up_the_duties(void **s)
{
	struct world w = world_until(8000);

	(void)s;
	w.timers[0].every_ms = 1000;
	for (size_t i = 0; i < EVENTS; i++) {
		w.events[i].at_ms = 100500 + i * 1000;
		w.events[i].kind = EVENT_LINK;
	}
	runs(&w);
	assert_int_equal(w.heard, EVENTS);
	assert_int_equal(w.done[0], 8);
}

static void a_signal_ends_it_before_another_duty_is_done(void **s)
{
	struct world w = world_until(10000);

	(void)s;
	w.timers[0].every_ms = 1000;
	w.events[0].at_ms = 102000; /* at the moment when the timer is due */
	w.events[0].kind = EVENT_SIGNAL;
	runs(&w);
	assert_int_equal(w.now_ms, 102000);
	assert_int_equal(w.done[0], 2);
}

static void who_is_asked_to_stop_at_the_start_does_nothing(void **s)
{
	struct world w = world_until(10000);

	(void)s;
	w.timers[0].every_ms = 1000;
	w.asked_to_stop = true;
	runs(&w);
	assert_int_equal(w.done[0], 0);
	assert_int_equal(w.waits, 0);
}

static void a_signal_while_a_duty_is_done_is_not_slept_over(void **s)
{
	struct world w = world_until(10000);

	(void)s;
	w.timers[0].every_ms = 1000;
	w.one_duty_stops_it = true;
	runs(&w);
	assert_int_equal(w.done[0], 1);
	assert_int_equal(w.waits, 0);
}

static void a_host_that_cannot_be_listened_to_ends_it_with_the_reason(void **s)
{
	struct world w = world_until(10000);
	struct err err;

	(void)s;
	w.deaf = true;
	assert_false(run(&w, &err));
	assert_string_equal(err.text, "deaf");
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, every_duty_is_done_at_once_and_then_when_its_time_comes);
	SUITE_ADD(&s, a_duty_without_a_time_is_never_done);
	SUITE_ADD(&s, it_sleeps_until_the_next_duty_and_no_shorter);
	SUITE_ADD(&s, without_duties_it_waits_for_events_alone);
	SUITE_ADD(&s, a_duty_that_is_late_keeps_its_beat);
	SUITE_ADD(&s, what_was_missed_is_not_made_up_for);
	SUITE_ADD(&s, a_long_duty_does_not_starve_the_others);
	SUITE_ADD(&s, an_event_is_heard_when_it_comes_and_no_duty_is_done_for_it);
	SUITE_ADD(&s, a_stream_of_events_does_not_hold_up_the_duties);
	SUITE_ADD(&s, a_signal_ends_it_before_another_duty_is_done);
	SUITE_ADD(&s, who_is_asked_to_stop_at_the_start_does_nothing);
	SUITE_ADD(&s, a_signal_while_a_duty_is_done_is_not_slept_over);
	SUITE_ADD(&s, a_host_that_cannot_be_listened_to_ends_it_with_the_reason);
	return suite_run(&s, "loop");
}
