/* Tests of events that a reporter takes over, as for `agent --json`. */
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "agent/host/log.h"
#include "tests/support/unit.h"

static char reported[256];

/* Record the entry; take it over if `arg` is true. */
static bool report(void *arg, const struct log_entry *e)
{
	const char *port = log_field_value(e->about, &log_fields[0]);

	snprintf(reported, sizeof(reported), "%s %s %d %s: %s", e->event, e->severity, e->priority,
		 port ? port : "-", e->message);
	return *(bool *)arg;
}

/* Log an event, and return the number of bytes on standard error. */
static off_t plain_bytes(bool takes)
{
	struct log l;
	int kept = dup(STDERR_FILENO), fd = open("/tmp", O_RDWR | O_TMPFILE, 0600);
	off_t size;

	assert_true(kept >= 0 && fd >= 0);
	log_open(&l, NULL);
	l.report = report;
	l.arg = &takes;
	dup2(fd, STDERR_FILENO);
	log_event(&l, LOG_PORT_MATCHED, (struct topic){ .port = "ens1f0np0" }, "hello\n");
	dup2(kept, STDERR_FILENO);
	log_close(&l);
	size = lseek(fd, 0, SEEK_END);
	close(fd);
	close(kept);
	return size;
}

static void a_reporter_takes_the_place_of_plain_lines(void **s)
{
	(void)s;
	assert_int_equal(plain_bytes(true), 0);
	assert_string_equal(reported, "port-matched info 6 ens1f0np0: hello\\x0a");
}

static void an_event_that_the_reporter_loses_is_a_plain_line(void **s)
{
	(void)s;
	assert_true(plain_bytes(false) > 0);
}

static void every_field_has_a_name_of_its_own(void **s)
{
	(void)s;
	for (size_t i = 0; i < log_fields_count; i++)
		for (size_t k = 0; k < i; k++) {
			assert_string_not_equal(log_fields[i].key, log_fields[k].key);
			assert_true(log_fields[i].offset != log_fields[k].offset);
		}
}

int main(void)
{
	struct suite s = { .count = 0 };

	SUITE_ADD(&s, a_reporter_takes_the_place_of_plain_lines);
	SUITE_ADD(&s, an_event_that_the_reporter_loses_is_a_plain_line);
	SUITE_ADD(&s, every_field_has_a_name_of_its_own);
	return suite_run(&s, "log's reporter");
}
