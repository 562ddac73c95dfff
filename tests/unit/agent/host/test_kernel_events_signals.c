/* Tests of signals that end the wait for an event. */
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/host/host_linux.h"
#include "tests/support/events_host.h"
#include "tests/support/unit.h"

static void block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(how, &set, NULL);
}

static void a_signal_that_was_blocked_ends_the_wait(void **s)
{
	uint64_t before;

	events_begin(s);
	block(SIG_BLOCK);
	caught = 0;
	raise(SIGTERM);
	assert_int_equal(caught, 0);
	before = events_h->now_ms(events_h);
	assert_int_equal(next_event(10000).kind, EVENT_SIGNAL);
	assert_int_equal(caught, SIGTERM);
	assert_true(events_h->now_ms(events_h) - before < 5000);
	assert_silence();
	block(SIG_UNBLOCK);
}

static void a_signal_that_comes_meanwhile_ends_the_wait(void **s)
{
	uint64_t before;
	pid_t parent = getpid(), pid;

	events_begin(s);
	block(SIG_BLOCK);
	caught = 0;
	before = events_h->now_ms(events_h);
	pid = fork();
	if (pid == 0) {
		usleep(50000);
		kill(parent, SIGTERM);
		_exit(0);
	}
	assert_int_equal(next_event(10000).kind, EVENT_SIGNAL);
	assert_int_equal(caught, SIGTERM);
	assert_true(events_h->now_ms(events_h) - before < 5000);
	block(SIG_UNBLOCK);
}

static void events_keep_no_signal_out_nor_the_other_way_round(void **s)
{
	events_begin(s);
	block(SIG_BLOCK);
	set_mtu(1504);
	raise(SIGTERM);
	assert_int_equal(next_event(1000).kind, EVENT_SIGNAL);
	assert_int_equal(next_event(1000).kind, EVENT_LINK);
	assert_silence();
	block(SIG_UNBLOCK);
}

static void a_signal_with_no_time_to_wait_is_reported(void **s)
{
	events_begin(s);
	block(SIG_BLOCK);
	raise(SIGTERM);
	assert_int_equal(next_event(0).kind, EVENT_SIGNAL);
	block(SIG_UNBLOCK);
}

int main(void)
{
	static struct suite s;
	int failed;

	if (!events_open())
		return 1;
	SUITE_ADD(&s, a_signal_that_was_blocked_ends_the_wait);
	SUITE_ADD(&s, a_signal_that_comes_meanwhile_ends_the_wait);
	SUITE_ADD(&s, events_keep_no_signal_out_nor_the_other_way_round);
	SUITE_ADD(&s, a_signal_with_no_time_to_wait_is_reported);
	failed = suite_run(&s, "kernel_events");
	events_close();
	return failed;
}
