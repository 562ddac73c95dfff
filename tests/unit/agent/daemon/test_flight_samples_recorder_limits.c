/* Tests of the flight recorders of all ports, and of the limits on their recordings. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "agent/daemon/flight_recorder.h"
#include "agent/daemon/monitored_ports.h"
#include "tests/support/recording_host.h"
#include "tests/support/unit.h"

#define MINUTE 60000u
#define START  (100 * MINUTE)

static struct recorders all;

static struct recorder port_of(unsigned number)
{
	struct recorder r = { .port = "" };

	snprintf(r.port, sizeof(r.port), "ens%u", number);
	snprintf(r.pci, sizeof(r.pci), "0000:%02x:00.0", number);
	return r;
}

static unsigned take_file(unsigned port, uint64_t now_ms)
{
	struct recorder r = port_of(port);

	return recorders_take_file(&all, &r, now_ms);
}

static void begin(void)
{
	recorders_free(&all);
	all = (struct recorders){ .count = 0 };
}

static void a_port_has_one_in_ten_minutes(void **s)
{
	(void)s;
	begin();
	assert_int_equal(take_file(1, START), 1);
	assert_int_equal(take_file(1, START + MINUTE), 0);
	assert_int_equal(take_file(1, START + 10 * MINUTE - 1), 0);
	assert_int_equal(take_file(1, START + 10 * MINUTE), 2);
}

static void ports_do_not_wait_for_each_other(void **s)
{
	(void)s;
	begin();
	for (unsigned port = 1; port <= RECORDINGS_MAX; port++)
		assert_int_equal(take_file(port, START), port);
}

/* The first ports of an incident are the most informative. */
static void a_new_recording_is_not_replaced(void **s)
{
	(void)s;
	begin();
	for (unsigned port = 1; port <= RECORDINGS_MAX; port++)
		take_file(port, START + port);
	assert_int_equal(take_file(20, START + 100), 0);
	assert_int_equal(take_file(20, START + 10 * MINUTE), 0);
	assert_int_equal(take_file(20, START + 10 * MINUTE + 1), 1);
}

/* Save a recording of a port with this age; a negative age is in the future. */
static void put_aged(unsigned number, unsigned port, int64_t age_s)
{
	struct flight_recording r = recording_of(2);
	struct recorder of = port_of(port);
	char *text;

	memcpy(r.incident.port, of.port, sizeof(of.port));
	memcpy(r.incident.pci, of.pci, sizeof(of.pci));
	r.incident.detected_s = (int64_t)time(NULL) - age_s;
	text = text_of_recording(&r);
	put_recording(number, text, strlen(text));
	free(text);
}

static uint64_t a_minute_from_start(struct host *h)
{
	(void)h;
	return START;
}

static void load_all(void)
{
	struct err err = { 0 };

	begin();
	recording_h->now_ms = a_minute_from_start;
	assert_true(recorders_load(&all, recording_h, &err));
}

static void an_agent_that_starts_again_knows_the_limit(void **s)
{
	const struct recorded *last;
	struct port port = { .id = { .name = "ens1", .pci = "0000:01:00.0" } };

	(void)s;
	begin_recordings();
	put_aged(3, 1, 240);
	load_all();
	assert_int_equal(take_file(1, START), 0);
	assert_int_equal(take_file(1, START + 5 * MINUTE), 0);
	last = recorded_last(all.files, &port);
	assert_int_equal(last - all.files, 2);
	assert_string_equal(last->symptom, "lossless-drops");
	assert_int_equal(take_file(1, START + 7 * MINUTE), 1);
	assert_int_equal(recorded_last(all.files, &port) - all.files, 2); /* 1 is not saved yet */
	all.files[0].saved = true;
	assert_int_equal(recorded_last(all.files, &port) - all.files, 0);
}

static void the_oldest_is_replaced_first(void **s)
{
	(void)s;
	begin_recordings();
	for (unsigned i = 1; i <= RECORDINGS_MAX; i++)
		put_aged(i, i, i == 5 ? 90000 : 80000 + i);
	load_all();
	assert_int_equal(take_file(20, START), 5);
	assert_int_equal(take_file(21, START), 8);
}

/* Ignore recordings from the future in the limits: the clock was wrong. */
static void one_of_the_future_limits_nothing(void **s)
{
	(void)s;
	begin_recordings();
	for (unsigned i = 1; i <= RECORDINGS_MAX; i++)
		put_aged(i, 1, -90000);
	load_all();
	assert_int_equal(take_file(1, START), 1);
}

static void a_free_number_is_taken_before_a_broken_file_and_that_before_others(void **s)
{
	(void)s;
	begin_recordings();
	for (unsigned i = 1; i < RECORDINGS_MAX; i++)
		put_aged(i, i, 80000);
	put_recording(4, "{", 1);
	load_all();
	assert_int_equal(take_file(20, START), RECORDINGS_MAX);
	assert_int_equal(take_file(21, START), 4);
}

static void follow(unsigned first, unsigned count)
{
	struct monitored_port *list = calloc(count + 1, sizeof(*list));
	struct monitored_ports ports = { .list = list, .count = count };

	for (unsigned i = 0; i < count; i++) {
		struct recorder of = port_of(first + i);

		memcpy(list[i].port.id.name, of.port, sizeof(of.port));
		memcpy(list[i].port.id.pci, of.pci, sizeof(of.pci));
	}
	recorders_follow(&all, &ports);
	free(list);
}

static void a_port_that_stays_keeps_its_samples(void **s)
{
	struct recorder *second;

	(void)s;
	begin();
	follow(1, 3);
	assert_int_equal(all.count, 3);
	second = all.list[1];
	second->flight.count = 7;
	follow(2, 3); /* port 1 is removed, port 4 is added */
	assert_int_equal(all.count, 3);
	assert_ptr_equal(all.list[0], second);
	assert_int_equal(all.list[0]->flight.count, 7);
	assert_string_equal(all.list[2]->port, "ens4");
	assert_int_equal(all.list[2]->flight.count, 0);
	follow(1, 0);
	assert_int_equal(all.count, 0);
	begin();
}

/* Two interfaces of one PCI function, as mlx4 has them. */
static void each_interface_has_its_own(void **s)
{
	struct monitored_port list[2] = { { .port.id = { .name = "eth0", .pci = "0000:01:00.0" } },
					  { .port.id = { .name = "eth1",
							 .pci = "0000:01:00.0" } } };
	struct monitored_ports ports = { .list = list, .count = 2 };

	(void)s;
	begin();
	recorders_follow(&all, &ports);
	recorders_follow(&all, &ports);
	assert_ptr_not_equal(all.list[0], all.list[1]);
	assert_string_equal(all.list[1]->port, "eth1");
	begin();
}

int main(void)
{
	static struct suite s;
	int failed;

	if (!make_recording_root())
		return 1;
	SUITE_ADD(&s, a_port_has_one_in_ten_minutes);
	SUITE_ADD(&s, ports_do_not_wait_for_each_other);
	SUITE_ADD(&s, a_new_recording_is_not_replaced);
	SUITE_ADD(&s, an_agent_that_starts_again_knows_the_limit);
	SUITE_ADD(&s, the_oldest_is_replaced_first);
	SUITE_ADD(&s, one_of_the_future_limits_nothing);
	SUITE_ADD(&s, a_free_number_is_taken_before_a_broken_file_and_that_before_others);
	SUITE_ADD(&s, a_port_that_stays_keeps_its_samples);
	SUITE_ADD(&s, each_interface_has_its_own);
	failed = suite_run(&s, "flight_recorder_limits");
	return remove_recording_root() || failed;
}
