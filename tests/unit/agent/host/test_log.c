/* Tests of the log: entries in the journal and lines on standard error, with hostile text. */
#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/host/log.h"
#include "tests/support/unit.h"

static char folder[] = "/tmp/losslessctl-log.XXXXXX";
static char path[64];
static char said[8192];

/* Open a journal of the test's own, which reads only on request. */
static int open_journal(void)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	unlink(path);
	strcpy(at.sun_path, path);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

static const char *entry(int journal)
{
	ssize_t n = recv(journal, said, sizeof(said) - 1, 0);

	said[n < 0 ? 0 : n] = '\0';
	return said;
}

/* Return a field's last value in the entry read last, or NULL, and its number of occurrences. */
static const char *field(const char *name, unsigned *ret_times)
{
	static char value[sizeof(said)];
	const char *found = NULL;
	size_t length = strlen(name);

	*ret_times = 0;
	for (const char *line = said; *line; line = strchr(line, '\n') + 1) {
		if (strncmp(line, name, length) == 0 && line[length] == '=') {
			snprintf(value, sizeof(value), "%.*s",
				 (int)strcspn(line + length + 1, "\n"), line + length + 1);
			found = value;
			++*ret_times;
		}
		if (!strchr(line, '\n'))
			break;
	}
	return found;
}

static void has_once(const char *name, const char *value)
{
	unsigned times;
	const char *found = field(name, &times);

	assert_int_equal(times, 1);
	assert_string_equal(found, value);
}

/* Log an event to standard error, and return what was printed. */
static const char *plainly(const struct log *l, enum log_event e, struct topic about,
			   const char *text)
{
	char file[80];
	int kept = dup(STDERR_FILENO), fd;
	ssize_t n;

	snprintf(file, sizeof(file), "%s/err", folder);
	fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
	dup2(fd, STDERR_FILENO);
	log_event(l, e, about, "%s", text);
	dup2(kept, STDERR_FILENO);
	n = pread(fd, said, sizeof(said) - 1, 0);
	said[n < 0 ? 0 : n] = '\0';
	close(kept);
	close(fd);
	return said;
}

static unsigned lines(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void the_journal_gets_fields(void **s)
{
	int journal = open_journal();
	struct log l;

	(void)s;
	log_open(&l, path);
	log_event(&l, LOG_DRIFT_DETECTED,
		  (struct topic){ .port = "ens1f0np0", .setting = "pfc.priorities" }, "%s is %d",
		  "it", 4);
	entry(journal);
	has_once("MESSAGE", "ens1f0np0: it is 4");
	has_once("PRIORITY", "2");
	has_once("MESSAGE_ID", "0237a959a5e04bb49935f409cff3713e");
	has_once("SYSLOG_IDENTIFIER", "losslessctl");
	has_once("LOSSLESSCTL_EVENT", "drift-detected");
	has_once("LOSSLESSCTL_PORT", "ens1f0np0");
	has_once("LOSSLESSCTL_SETTING", "pfc.priorities");
	log_close(&l);
	close(journal);
}

static void a_line_has_a_time_a_weight_an_event_and_a_port(void **s)
{
	static const char form[] = "0000-00-00T00:00:00Z";
	struct log l;
	const char *line;

	(void)s;
	log_open(&l, NULL);
	line = plainly(&l, LOG_DRIFT_CONTESTED,
		       (struct topic){ .port = "ens1f0np0", .setting = "mtu" }, "why");
	for (size_t i = 0; form[i]; i++)
		assert_true(form[i] == '0' ? isdigit(line[i]) : line[i] == form[i]);
	assert_string_equal(line + strlen(form), " critical drift-contested ens1f0np0: why\n");
	log_close(&l);
}

static const struct graded {
	const char *sentence;
	enum log_event event;
	const char *priority, *severity, *weight;
} graded[] = {
	{ "a critical symptom has priority 2", LOG_SYMPTOM_CRITICAL, "2", "critical", "critical" },
	{ "a warning has priority 4", LOG_SYMPTOM_WARNING, "4", "warning", "warning" },
	{ "a symptom for information has priority 6", LOG_SYMPTOM_INFO, "6", "info", "info" },
};

static void a_symptom_has_one_id_and_its_severity(void **s)
{
	const struct graded *row = *s;
	struct topic about = { .port = "ens1f0np0",
			       .symptom = "cnp-ignored",
			       .severity = row->severity };
	int journal = open_journal();
	unsigned times;
	char end[80];
	struct log l;

	log_open(&l, path);
	log_event(&l, row->event, about, "why");
	entry(journal);
	has_once("PRIORITY", row->priority);
	has_once("MESSAGE_ID", "5b6d3756bc494984a31d353acb9c2469");
	has_once("LOSSLESSCTL_EVENT", "symptom-detected");
	has_once("LOSSLESSCTL_SYMPTOM", "cnp-ignored");
	has_once("LOSSLESSCTL_SEVERITY", row->severity);
	assert_null(field("LOSSLESSCTL_SETTING", &times));
	assert_null(field("LOSSLESSCTL_LINT", &times));
	log_close(&l);
	close(journal);
	log_open(&l, NULL);
	snprintf(end, sizeof(end), " %s symptom-detected ens1f0np0: why\n", row->weight);
	assert_non_null(strstr(plainly(&l, row->event, about, "why"), end));
}

static void without_a_port_none_is_named(void **s)
{
	int journal = open_journal();
	unsigned times;
	struct log l;

	(void)s;
	log_open(&l, path);
	log_event(&l, LOG_AGENT_STARTED, NO_TOPIC, "hello");
	entry(journal);
	has_once("MESSAGE", "hello");
	assert_null(field("LOSSLESSCTL_PORT", &times));
	assert_null(field("LOSSLESSCTL_SETTING", &times));
	log_close(&l);
	close(journal);
	log_open(&l, NULL);
	assert_non_null(strstr(plainly(&l, LOG_AGENT_STARTED, NO_TOPIC, "hello"),
			       " info agent-started: hello\n"));
}

static const struct hostile {
	const char *sentence, *text;
} hostile[] = {
	{ "a newline begins no field", "a\nPRIORITY=0" },
	{ "a newline at the end begins no field", "a\n" },
	{ "two newlines end no entry", "a\n\nMESSAGE=b" },
	{ "a carriage return begins no line", "a\rPRIORITY=0" },
	{ "an escape sequence reaches no terminal", "a\033[2Jb" },
	{ "a bell, a tab and a delete are no text", "a\007\t\177b" },
	{ "a field without a value has no binary length", "MESSAGE\n\001\0\0\0\0\0\0\0" },
	{ "a format is only text", "%s%n%d" },
	{ "a text longer than a line is cut",
	  "\n0123456789012345678901234567890123456789012345678901234567890123456789" },
};

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f)
			return false;
	return true;
}

static void cannot_begin_a_field(void **s)
{
	const struct hostile *row = *s;
	int journal = open_journal();
	unsigned times;
	struct log l;

	log_open(&l, path);
	log_event(&l, LOG_DRIFT_DETECTED, (struct topic){ .port = "ens1f0np0", .setting = "mtu" },
		  "%s", row->text);
	entry(journal);
	assert_int_equal(lines(said), 7);
	has_once("PRIORITY", "2");
	assert_true(is_plain(field("MESSAGE", &times)));
	log_close(&l);
	close(journal);
	log_open(&l, NULL);
	plainly(&l, LOG_DRIFT_DETECTED, (struct topic){ .port = "ens1f0np0", .setting = "mtu" },
		row->text);
	assert_int_equal(lines(said), 1);
	said[strlen(said) - 1] = '\0';
	assert_true(is_plain(said));
}

static void a_text_of_any_length_is_one_entry(void **s)
{
	int journal = open_journal();
	char text[5000];
	struct log l;

	(void)s;
	memset(text, '\n', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	log_open(&l, path);
	log_event(&l, LOG_DRIFT_DETECTED, (struct topic){ .port = "ens1f0np0", .setting = "mtu" },
		  "%s", text);
	entry(journal);
	assert_int_equal(lines(said), 7);
	has_once("LOSSLESSCTL_SETTING", "mtu");
	log_close(&l);
	close(journal);
}

/* The log keeps text in UTF-8. */
static void what_people_write_stays(void **s)
{
	struct log l;

	(void)s;
	log_open(&l, NULL);
	assert_non_null(
		strstr(plainly(&l, LOG_POLICY_RELOADED, NO_TOPIC, "policy Zürich"), "Zürich"));
}

static void where_no_journal_listens_it_is_a_line(void **s)
{
	struct log l;

	(void)s;
	log_open(&l, "/tmp/losslessctl-nobody-listens");
	assert_int_equal(l.journal, -1);
	assert_non_null(strstr(plainly(&l, LOG_AGENT_STARTED, NO_TOPIC, "hello"), "hello\n"));
	log_close(&l);
}

/* The log prints the rest to standard error, without waiting. */
static void a_journal_that_does_not_read_does_not_hold_us_up(void **s)
{
	int journal = open_journal(), told = 0;
	struct log l;

	(void)s;
	log_open(&l, path);
	alarm(20);
	while (told++ < 10000 && !plainly(&l, LOG_AGENT_STARTED, NO_TOPIC, "hello")[0])
		;
	alarm(0);
	assert_non_null(strstr(said, "hello\n"));
	log_close(&l);
	close(journal);
}

/* An event keeps its id in every severity. */
static void every_event_has_an_id_of_its_own(void **s)
{
	char ids[LOG_EVENTS][40], words[LOG_EVENTS][40];
	int journal = open_journal();
	unsigned times;
	struct log l;

	(void)s;
	log_open(&l, path);
	for (unsigned e = 0; e < LOG_EVENTS; e++) {
		log_event(&l, e, NO_TOPIC, "x");
		entry(journal);
		snprintf(ids[e], sizeof(ids[e]), "%s", field("MESSAGE_ID", &times));
		assert_int_equal(strspn(ids[e], "0123456789abcdef"), 32);
		snprintf(words[e], sizeof(words[e]), "%s", field("LOSSLESSCTL_EVENT", &times));
		for (unsigned i = 0; i < e; i++)
			assert_true(!strcmp(ids[i], ids[e]) == !strcmp(words[i], words[e]));
	}
	log_close(&l);
	close(journal);
}

int main(void)
{
	struct suite s = { .count = 0 };
	char file[80];
	int failed;

	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/journal", folder);
	SUITE_ADD(&s, the_journal_gets_fields);
	SUITE_ADD(&s, a_line_has_a_time_a_weight_an_event_and_a_port);
	SUITE_ADD_ROWS(&s, graded, a_symptom_has_one_id_and_its_severity);
	SUITE_ADD(&s, without_a_port_none_is_named);
	SUITE_ADD_ROWS(&s, hostile, cannot_begin_a_field);
	SUITE_ADD(&s, a_text_of_any_length_is_one_entry);
	SUITE_ADD(&s, what_people_write_stays);
	SUITE_ADD(&s, where_no_journal_listens_it_is_a_line);
	SUITE_ADD(&s, a_journal_that_does_not_read_does_not_hold_us_up);
	SUITE_ADD(&s, every_event_has_an_id_of_its_own);
	failed = suite_run(&s, "log");
	unlink(path);
	snprintf(file, sizeof(file), "%s/err", folder);
	unlink(file);
	rmdir(folder);
	return failed;
}
