#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/util/oom.h"
#include "tests/support/recording_host.h"
#include "tests/support/unit.h"

static struct host_linux recording_host;

struct host *const recording_h = &recording_host.host;

static char recording_root[] = "/tmp/losslessctl-recordings-XXXXXX";

bool make_recording_root(void)
{
	static const char *const dirs[] = { "var", "var/lib", "var/lib/losslessctl", RECORDINGS };
	struct err err = { 0 };

	oom_watch_jansson();
	if (!mkdtemp(recording_root) ||
	    !host_linux_open(&recording_host, recording_root, true, &err))
		return false;
	for (size_t i = 0; i < COUNT(dirs); i++)
		if (mkdirat(recording_h->root, dirs[i], 0755) < 0)
			return false;
	return true;
}

static void remove_all(const char *below)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s%s", recording_root, below);
	assert_int_equal(system(command), 0);
}

int remove_recording_root(void)
{
	host_linux_close(&recording_host);
	remove_all("");
	return 0;
}

void begin_recordings(void)
{
	remove_all("/" RECORDINGS);
	mkdirat(recording_h->root, RECORDINGS, 0755);
}

struct flight_recording recording_of(size_t samples)
{
	struct flight_recording r = {
		.incident = { .port = "ens1f0np0",
			      .pci = "0000:3b:00.0",
			      .symptom = "lossless-drops",
			      .origin = "host",
			      .message = "1 packet was dropped on arrival on lossless priority 3",
			      .detected_s = 1777636800,
			      .withheld = 2 },
		.count = samples,
	};

	for (size_t i = 0; i < samples; i++) {
		struct flight_sample *s = &r.samples[i];
		struct rates rates = { .sent_on = i % 2 ? 3 : ON_ALL, .received_on = ON_NONE };

		*s = (struct flight_sample){
			.at_ms = (uint64_t)(1777636800 - 5 * (int64_t)(samples - 1 - i)) * 1000,
			.interval_ms = 5000,
			.link_downs = (uint16_t)i,
			.symptoms = i + 1 == samples ? 2 : 0,
		};
		rates.value[RATE_PAUSE_SENT] = 12.345;
		rates.value[RATE_RDMA_SENT] = 389.125;
		rates.value[RATE_PCI_STALLED] = NAN;
		flight_set_rates(s, &rates);
	}
	return r;
}

char *text_of_recording(const struct flight_recording *r)
{
	return recording_to_text(r, json_pack("{s:s, s:s}", "schema", RECORDING_SCHEMA, "host",
					      "node1"));
}

void put_recording(unsigned number, const char *bytes, size_t size)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), RECORDINGS "/%u.json", number);
	fd = openat(recording_h->root, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

static void count_found(const struct flight_recording *r, const json_t *document, void *arg)
{
	struct seen_recordings *seen = arg;

	assert_true(json_is_object(document));
	assert_true(r->count <= FLIGHT_SAMPLES);
	seen->found++;
	seen->last = r->number;
}

static void count_skipped(unsigned number, const struct err *why, void *arg)
{
	struct seen_recordings *seen = arg;

	seen->skipped++;
	seen->last_skipped = number;
	seen->why = *why;
}

const struct recording_visitor counting_visitor = { count_found, count_skipped, NULL };

struct seen_recordings seen_recordings(void)
{
	struct seen_recordings seen = { 0 };
	struct recording_visitor v = counting_visitor;
	struct err err = { 0 };

	v.arg = &seen;
	if (!recordings_each(recording_h, &v, &err))
		fail_msg("%s", err.text);
	return seen;
}
