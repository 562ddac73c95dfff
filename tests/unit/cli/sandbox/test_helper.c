/* Tests of helper processes: each answers the questions of its own tasks, and refuses all others.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/host/helper_line.h"
#include "cli/sandbox/helper.h"
#include "cli/sandbox/output_file.h"
#include "tests/support/unit.h"

static int start(enum helper helper)
{
	struct err err = { 0 };
	int line;

	assert_true(helper_start(helper, NULL, NULL, &line, &err));
	return line;
}

static const struct row {
	const char *sentence;
	enum helper helper;
	enum helper_task task;
	const char *question;
	int code;   /* returned by helper_ask() */
	int answer; /* code of the result, with 0 */
} rows[] = {
	{ "no module but those of the list is loaded", HELPER_LOADER, TASK_MODPROBE, "evil", 0,
	  EINVAL },
	{ "nor one that an option stands for", HELPER_LOADER, TASK_MODPROBE, "-r", 0, EINVAL },
	{ "who loads modules runs no other tool", HELPER_LOADER, TASK_RDMA_TOPO, "", EPIPE, 0 },
	{ "nor does it name files", HELPER_LOADER, TASK_NAME_FILE, "", EPIPE, 0 },
	{ "nor what no helper does", HELPER_LOADER, HELPER_TASKS, "", EPIPE, 0 },
	{ "a question that is too long ends the line", HELPER_LOADER, TASK_MODPROBE,
	  "a_module_whose_name_is_longer_than_any", EPIPE, 0 },
	{ "no firmware is queried but that of a PCI address", HELPER_FIRMWARE, TASK_NVCONFIG, "-h",
	  0, EINVAL },
	{ "who queries it loads no module", HELPER_FIRMWARE, TASK_MODPROBE, "rdma_cm", EPIPE, 0 },
	{ "who verifies signatures keeps no results", HELPER_SIGNATURE, TASK_READY_RUN, "", EPIPE,
	  0 },
	{ "who runs perftest takes nothing shorter", HELPER_PERFTEST, TASK_PERFTEST, "x", EPIPE,
	  0 },
};

static void ends_as_the_row_says(void **s)
{
	const struct row *r = *s;
	/* Its own limit is for a task that there is. */
	const struct helper_question q = { r->task, r->question, strlen(r->question) + 1, NULL,
					   20000 };
	struct helper_answer a = { 0 };
	int line = start(r->helper);

	assert_int_equal(helper_ask(line, &q, &a), r->code);
	assert_int_equal(a.result.code, r->answer);
	close(line);
}

static void a_cancelled_run_that_has_ended_is_no_question(void **s)
{
	const struct helper_question nothing = { TASK_MODPROBE, "", 0, NULL, 20000 };
	const struct helper_question q = { TASK_MODPROBE, "evil", sizeof("evil"), NULL, 20000 };
	struct helper_answer a = { 0 };
	struct helper_head head;
	int line = start(HELPER_LOADER);

	(void)s;
	assert_int_equal(helper_begin(line, &nothing, &head), 0);
	assert_int_equal(helper_ask(line, &q, &a), 0);
	close(line);
}

/* ---- the file of a report ---- */

static char dir[] = "/tmp/losslessctl-helper-XXXXXX";
static char report[64], draft[64];

static int begin_report(int *ret_fd)
{
	_place_ struct file_place place = { .dir = -1 };
	struct err err = { 0 };
	int line;

	assert_true(output_file_find(report, &place, &err));
	assert_true(helper_start(HELPER_OUTPUT, &place, &place.dir, &line, &err));
	assert_true(output_file_create(line, report, &place, ret_fd, &err));
	assert_int_equal(access(draft, F_OK), 0);
	return line;
}

/* The helper ends after the line's end: it closes its own last. */
static void wait_for_end(int line)
{
	char none;

	shutdown(line, SHUT_WR);
	while (read(line, &none, 1) > 0)
		;
	close(line);
	for (int tries = 0; access(draft, F_OK) == 0 && tries < 1000; tries++)
		poll(NULL, 0, 10);
	assert_int_equal(access(draft, F_OK), -1);
}

static void a_complete_report_gets_its_name(void **s)
{
	struct err err = { 0 };
	int fd, line = begin_report(&fd);

	(void)s;
	assert_int_equal(write(fd, "{}", 2), 2);
	assert_true(output_file_keep(line, report, &err));
	assert_false(output_file_keep(line, report, &err)); /* once */
	wait_for_end(line);
	assert_int_equal(access(report, F_OK), 0);
	close(fd);
	unlink(report);
}

static void another_one_is_removed(void **s)
{
	int fd, line = begin_report(&fd);

	(void)s;
	wait_for_end(line);
	assert_int_equal(access(report, F_OK), -1);
	close(fd);
}

static void the_draft_of_another_run_stays(void **s)
{
	_place_ struct file_place place = { .dir = -1 };
	struct err err = { 0 };
	int line, fd, other = open(draft, O_WRONLY | O_CREAT, 0600);
	char none;

	(void)s;
	assert_true(output_file_find(report, &place, &err));
	assert_true(helper_start(HELPER_OUTPUT, &place, &place.dir, &line, &err));
	assert_false(output_file_create(line, report, &place, &fd, &err));
	assert_int_equal(err.kind, ERR_REFUSED);
	while (read(line, &none, 1) > 0)
		;
	close(line);
	while (wait(NULL) > 0)
		;
	assert_int_equal(access(draft, F_OK), 0);
	close(other);
	unlink(draft);
}

static void no_file_is_overwritten(void **s)
{
	struct err err = { 0 };
	int fd, line = begin_report(&fd);
	int other = open(report, O_WRONLY | O_CREAT, 0600);
	struct stat info;

	(void)s;
	assert_true(other >= 0);
	assert_int_equal(write(fd, "{}", 2), 2);
	assert_false(output_file_keep(line, report, &err));
	assert_int_equal(err.kind, ERR_REFUSED);
	wait_for_end(line);
	assert_int_equal(stat(report, &info), 0);
	assert_int_equal(info.st_size, 0);
	close(fd);
	close(other);
	unlink(report);
}

int main(void)
{
	static struct suite s;
	int failed;

	if (!mkdtemp(dir))
		return EXIT_FAILURE;
	snprintf(report, sizeof(report), "%s/report.json", dir);
	snprintf(draft, sizeof(draft), "%s/.report.json.new", dir);
	SUITE_ADD_ROWS(&s, rows, ends_as_the_row_says);
	SUITE_ADD(&s, a_cancelled_run_that_has_ended_is_no_question);
	SUITE_ADD(&s, a_complete_report_gets_its_name);
	SUITE_ADD(&s, another_one_is_removed);
	SUITE_ADD(&s, the_draft_of_another_run_stays);
	SUITE_ADD(&s, no_file_is_overwritten);
	failed = suite_run(&s, "helper");
	rmdir(dir);
	return failed;
}
