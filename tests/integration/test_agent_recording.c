/* Tests of the agent's flight recorder on a fast clock: the recordings that it saves, and when. */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <linux/ethtool.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "agent/daemon/flight_recorder.h"
#include "agent/host/host_linux.h"
#include "tests/support/unit.h"
#include "whole.h"
#include "port_state.h"

#define WANT "{\"pfc\": {\"priorities\": [3]}}"
static const char policy[] = "{\"version\": 1, \"profiles\": {\"p\": " WANT "}, "
			     "\"rules\": [{\"match\": {\"name\": \"ens*\"}, \"profile\": \"p\"}]}";

/* The seconds at which a packet is dropped, and at which the agent is stopped; 0: never. */
struct course {
	uint64_t drops_at[4], ends_at;
	uint64_t restarts_at;		    /* the driver makes another netdev */
	uint64_t drifts_at, gone_at;	    /* the port */
	uint64_t unread_from, unread_until; /* no reading of its counters works in between */
};
static const struct course *course;
static uint64_t begun_ms;
static unsigned first_ifindex;

static uint64_t second(void)
{
	return (whole->fake.now - begun_ms) / 1000;
}

static bool next_event(struct host *h, unsigned wait_ms, struct event *ret, struct err *err)
{
	(void)h;
	(void)err;
	*ret = (struct event){ .kind = EVENT_NONE };
	whole->fake.now += wait_ms;
	if (course && course->drifts_at && second() >= course->drifts_at)
		whole->fake.hw.pfc = 0;
	if (course && course->restarts_at && second() >= course->restarts_at &&
	    whole->fake.port.ifindex == first_ifindex) {
		whole->fake.port.ifindex++;
		ret->kind = EVENT_RDMA;
	}
	if (course && second() >= course->ends_at)
		whole_let_signal_in(SIGTERM);
	return true;
}

static bool (*ethtool_of_fake)(struct host *h, const char *port, void *command, struct err *err);

static uint64_t drops(void)
{
	uint64_t n = 0;

	for (size_t i = 0; i < COUNT(course->drops_at); i++)
		n += course->drops_at[i] && second() >= course->drops_at[i];
	return n;
}

/* A driver with two counters: drops as in `course`, and 7 ms of pause per second. */
static bool stats(struct host *h, const char *port, void *command, struct err *err)
{
	static const char *const names[] = { "rx_prio3_discards", "tx_prio3_pause_duration" };
	struct ethtool_gstrings *strings = command;
	struct ethtool_stats *values = command;
	struct {
		uint32_t cmd, reserved;
		uint64_t mask;
		uint32_t count;
	} *info = command;
	uint32_t number;

	memcpy(&number, command, sizeof(number));
	if (number == ETHTOOL_GSSET_INFO && course->unread_from &&
	    second() >= course->unread_from && second() < course->unread_until)
		return err_set(err, ERR_SYSTEM, EIO, "no answer");
	if (number == ETHTOOL_GSSET_INFO)
		info->count = COUNT(names);
	else if (number == ETHTOOL_GSTRINGS)
		for (size_t i = 0; i < COUNT(names); i++)
			strncpy((char *)strings->data + i * ETH_GSTRING_LEN, names[i],
				ETH_GSTRING_LEN);
	else if (number == ETHTOOL_GSTATS)
		memcpy(values->data, (uint64_t[]){ drops(), second() * 7000 },
		       2 * sizeof(uint64_t));
	else
		return ethtool_of_fake(h, port, command, err);
	return true;
}

static bool (*read_of_fake)(struct host *h, const char *path, char *buf, size_t size,
			    struct err *err);

static bool read_file(struct host *h, const char *path, char *buf, size_t size, struct err *err)
{
	if (strncmp(path, RECORDINGS_DIR, strlen(RECORDINGS_DIR)) == 0)
		return host_linux_read_file(h, path, buf, size, err);
	return read_of_fake(h, path, buf, size, err);
}

static bool (*links_of_fake)(struct host *h, struct link_list *ret, struct err *err);

static bool links(struct host *h, struct link_list *ret, struct err *err)
{
	if (!links_of_fake(h, ret, err))
		return false;
	if (course->gone_at && second() >= course->gone_at) /* the port is the first one */
		ret->count = 0;
	return true;
}

static void run(const struct course *how, struct end *end, char *const words[3])
{
	const struct fake first = whole->fake;
	struct call call = { .input = policy,
			     .words = { words[0], words[1], words[2], "--sample-interval=5",
					"--nfd=/run/losslessctl/label" } };
	struct config desired = parsed(WANT);
	struct result r;

	if (strcmp(words[0], "agent") != 0)
		call.words[3] = call.words[4] = NULL;
	course = how;
	go(&whole->fake, &desired, &r);
	ethtool_of_fake = whole->fake.host.ethtool;
	read_of_fake = whole->fake.host.read_file;
	links_of_fake = whole->fake.host.links;
	first_ifindex = whole->fake.port.ifindex;
	whole->fake.host.ethtool = stats;
	whole->fake.host.read_file = read_file;
	whole->fake.host.links = links;
	begun_ms = whole->fake.now;
	whole_run(&call, end);
	whole->fake = first;
}

static void run_agent(const struct course *how, struct end *end)
{
	run(how, end, (char *const[]){ "agent", "--allow-other-netns", "-" });
	assert_int_equal(end->code, 0);
}

static void remove_recordings(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s" RECORDINGS_DIR, whole_root);
	assert_int_equal(system(command), 0);
}

static size_t times_said(const char *log, const char *text)
{
	size_t n = 0;

	for (const char *at = log; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* Loads a recording; NULL: there is none. */
static json_t *document(unsigned number)
{
	char path[128];

	snprintf(path, sizeof(path), "%s" RECORDING_FILE, whole_root, number);
	return json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
}

static void is_whole(unsigned number, size_t count, size_t incident_row, unsigned withheld)
{
	json_auto_t *doc = document(number);
	struct flight_recording r;
	struct err err = { 0 };
	unsigned drops_seen = 0;

	assert_non_null(doc);
	assert_true(recording_from_json(doc, &r, &err));
	assert_string_equal(r.incident.symptom, "lossless-drops");
	assert_string_equal(r.incident.port, "ens1f0np0");
	assert_int_equal(r.incident.withheld, withheld);
	assert_int_equal(r.count, count);
	assert_int_equal(recording_incident_row(&r), incident_row);
	for (size_t i = 0; i < r.count; i++) {
		assert_int_equal(r.samples[i].interval_ms, 5000);
		assert_true(flight_rate(&r.samples[i], RATE_PAUSE_SENT) > 0.69);
		assert_int_equal(r.samples[i].sent_on, 3);
		drops_seen += flight_rate(&r.samples[i], RATE_DROPS) > 0;
	}
	assert_int_equal(drops_seen, number); /* including the withheld one */
	assert_int_equal(r.samples[incident_row].symptoms, 1u << 1);
}

static const struct course quiet = { .drops_at = { 0 }, .ends_at = 2000 };

static void without_an_incident_nothing_is_saved(void **s)
{
	static struct end end;

	(void)s;
	remove_recordings();
	run_agent(&quiet, &end);
	assert_int_equal(times_said(end.err, "recording"), 0);
	assert_null(document(1));
}

static const struct course incident = { .drops_at = { 402 }, .ends_at = 430 };

static void a_symptom_is_no_drift_to_the_node(void **s)
{
	static struct end end;
	static char paper[SAYS_MAX];

	(void)s;
	remove_recordings();
	run_agent(&incident, &end);
	assert_true(whole_document("run/losslessctl/status.json", paper));
	assert_int_equal(times_said(paper, "\n  \"verdict\": \"symptom\""), 1);
	assert_true(whole_document("run/losslessctl/label", paper));
	assert_int_equal(times_said(paper, "losslessctl.in-sync=true\n"), 1);
}

/* True if the agent's last document has the text. */
static bool says(const char *document_path, const char *text)
{
	static char paper[SAYS_MAX];

	assert_true(whole_document(document_path, paper));
	return strstr(paper, text);
}

static const struct course broken = { .drops_at = { 402 }, .ends_at = 440, .drifts_at = 410 };
static const struct course gone = {
	.drops_at = { 402 }, .ends_at = 462, .drifts_at = 410, .gone_at = 445
};

static void a_port_that_is_gone_has_neither_symptoms_nor_drift(void **s)
{
	static const struct course *const both[] = { &broken, &gone };
	static struct end end;

	(void)s;
	for (size_t i = 0; i < COUNT(both); i++) {
		bool here = both[i] == &broken;

		remove_recordings();
		run_agent(both[i], &end);
		assert_int_equal(says("run/losslessctl/status.json", "\"present\": true"), here);
		assert_int_equal(says("run/losslessctl/status.json", "\"symptoms\": []"), !here);
		assert_int_equal(says("run/losslessctl/status.json", "\"setting\": \"pfc."), here);
		assert_int_equal(says("run/losslessctl/metrics.prom",
				      "symptom=\"lossless-drops\",severity=\"critical\"} 1"),
				 here);
		assert_int_equal(says("run/losslessctl/metrics.prom",
				      "losslessctl_setting_drifted{"),
				 here);
		assert_int_equal(says("run/losslessctl/metrics.prom", "rx_drops_total{"), here);
	}
}

static const struct course restart = { .drops_at = { 402 }, .ends_at = 440, .restarts_at = 415 };

static void a_driver_that_restarts_ends_no_symptom(void **s)
{
	static struct end end;

	(void)s;
	remove_recordings();
	run_agent(&restart, &end);
	assert_int_equal(times_said(end.err, "driver-reinitialized"), 1);
	assert_int_equal(times_said(end.err, "symptom-cleared"), 0);
	assert_true(says("run/losslessctl/status.json", "\"symptom\": \"lossless-drops\""));
}

static const struct course unread = {
	.drops_at = { 402 }, .ends_at = 900, .unread_from = 412, .unread_until = 800
};

static void counters_that_cannot_be_read_are_reported_once(void **s)
{
	static struct end end;

	(void)s;
	remove_recordings();
	run_agent(&unread, &end);
	assert_int_equal(times_said(end.err, "the port's counters cannot be read, and its symptoms "
					     "are unknown: ethtool: no answer"),
			 1);
	assert_int_equal(times_said(end.err, "symptom-cleared"), 1);
}

static const struct course eventful = { .drops_at = { 402, 700, 1102 }, .ends_at = 1300 };

static void the_minutes_before_an_incident_and_the_minute_after_are_saved(void **s)
{
	static struct end end;

	(void)s;
	remove_recordings();
	run_agent(&eventful, &end);
	assert_int_equal(times_said(end.err, "recording-saved"), 2);
	assert_int_equal(times_said(end.err, "recording-withheld"), 1);
	is_whole(1, 94, 81, 0);
	is_whole(2, FLIGHT_SAMPLES, FLIGHT_SAMPLES - 13, 1);
	assert_true(says("run/losslessctl/status.json", "\"last_recording\": {"));
	assert_true(says("run/losslessctl/metrics.prom", "last_recording_timestamp_seconds{"));
	assert_null(document(3));
}

static void drift_prints_them(void **s)
{
	static struct end end;

	(void)s;
	run(&quiet, &end, (char *const[]){ "history", NULL, NULL });
	assert_int_equal(end.code, 0);
	assert_int_equal(times_said(end.out, "lossless-drops"), 2);
	run(&quiet, &end, (char *const[]){ "history", "ens9", NULL });
	assert_int_equal(times_said(end.out, "lossless-drops"), 0);
	run(&quiet, &end, (char *const[]){ "history", "--recording", "2" });
	assert_int_equal(end.code, 0);
	assert_int_equal(times_said(end.out, "\n> "), 1);
	assert_int_equal(times_said(end.out, "0.7%p3"), FLIGHT_SAMPLES);
	assert_non_null(strstr(end.out, "1 critical symptom before it had no recording"));
	assert_non_null(strstr(end.out, "raised lossless-drops"));
	run(&quiet, &end, (char *const[]){ "history", "--recording", "3" });
	assert_int_equal(end.code, 66);
	run(&quiet, &end, (char *const[]){ "history", "--json", NULL });
	assert_int_equal(times_said(end.out, "\"detected_at\""), 2);
}

static void a_directory_of_others_costs_the_recordings_and_not_the_history(void **s)
{
	static struct end end;
	int root = whole->fake.host.root;

	(void)s;
	assert_int_equal(fchmodat(root, &RECORDINGS_DIR[1], 0777, 0), 0);
	run(&quiet, &end, (char *const[]){ "history", NULL, NULL });
	assert_int_equal(end.code, 0);
	assert_non_null(strstr(end.out, "no drift is recorded"));
	assert_non_null(strstr(end.err, "users other than root can change it"));
	run(&quiet, &end, (char *const[]){ "history", "--recording", "2" });
	assert_int_equal(end.code, 1);
	assert_int_equal(fchmodat(root, &RECORDINGS_DIR[1], 0755, 0), 0);
}

static const struct course again = { .drops_at = { 100 }, .ends_at = 300 };

static void the_limit_outlives_the_agent(void **s)
{
	static struct end end;

	(void)s;
	run_agent(&again, &end);
	assert_int_equal(times_said(end.err, "recording-saved"), 0);
	assert_int_equal(times_said(end.err, "recording-withheld"), 1);
	assert_null(document(3));
}

/* A file in place of the directory stands for any error in writing recordings. */
static void one_that_cannot_be_saved_is_reported_once(void **s)
{
	static struct end end;
	char command[128];

	(void)s;
	remove_recordings();
	snprintf(command, sizeof(command), "touch %s" RECORDINGS_DIR, whole_root);
	assert_int_equal(system(command), 0);
	run_agent(&again, &end);
	assert_int_equal(times_said(end.err, "symptom-detected"), 1);
	assert_int_equal(times_said(end.err, "recording-saved"), 0);
	assert_int_equal(times_said(end.err, "agent-error: " RECORDINGS_DIR ": Not a directory"),
			 1);
	assert_true(says("run/losslessctl/status.json", "\"last_recording\": null"));
	assert_false(says("run/losslessctl/metrics.prom", "last_recording_timestamp_seconds{"));
	remove_recordings();
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, without_an_incident_nothing_is_saved);
	SUITE_ADD(&s, a_symptom_is_no_drift_to_the_node);
	SUITE_ADD(&s, a_port_that_is_gone_has_neither_symptoms_nor_drift);
	SUITE_ADD(&s, a_driver_that_restarts_ends_no_symptom);
	SUITE_ADD(&s, counters_that_cannot_be_read_are_reported_once);
	SUITE_ADD(&s, the_minutes_before_an_incident_and_the_minute_after_are_saved);
	SUITE_ADD(&s, drift_prints_them);
	SUITE_ADD(&s, a_directory_of_others_costs_the_recordings_and_not_the_history);
	SUITE_ADD(&s, the_limit_outlives_the_agent);
	SUITE_ADD(&s, one_that_cannot_be_saved_is_reported_once);
	return whole_tests("agent_recording", &s, next_event);
}
