/* Tests of the signals of a verb that writes: one asks for a stop, two for an end at once. */
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/host/host.h"
#include "cli/interrupt.h"
#include "tests/support/unit.h"

enum { GOES_ON = 100 }; /* exit code of a child that no signal ends */

static const struct row {
	const char *sentence;
	int signals[4];
	int caught; /* the signal that asked for the rollback; 0: none */
	bool ends;
	bool nohup;
	const char *verb; /* NULL: apply */
	bool unchanged;	  /* no port was written to */
	bool ended;	  /* all of them are done */
	int code;	  /* exit code of the end; 0: 4 */
} rows[] = {
	{ "Ctrl-C", { SIGINT }, .caught = SIGINT },
	{ "Ctrl-C twice", { SIGINT, SIGINT }, .caught = SIGINT, .ends = true },
	{ "SIGTERM twice", { SIGTERM, SIGTERM }, .caught = SIGTERM, .ends = true },
	{ "Ctrl-C after SIGTERM", { SIGTERM, SIGINT }, .caught = SIGTERM, .ends = true },
	{ "a terminal that goes away hangs up twice", { SIGHUP, SIGHUP }, .caught = SIGHUP },
	{ "a session that ends", { SIGTERM, SIGHUP }, .caught = SIGTERM },
	{ "a hang-up, and a session that ends",
	  { SIGHUP, SIGHUP, SIGTERM, SIGHUP },
	  .caught = SIGHUP },
	{ "a hang-up, and then Ctrl-C twice",
	  { SIGHUP, SIGINT, SIGINT },
	  .caught = SIGHUP,
	  .ends = true },
	{ "a hang-up under nohup", { SIGHUP, SIGHUP }, .caught = 0, .nohup = true },
	{ "Ctrl-C twice in a rollback", { SIGINT, SIGINT }, .ends = true, .verb = "rollback" },
	{ "Ctrl-C twice in confirm, which writes to no port",
	  { SIGINT, SIGINT },
	  .ends = true,
	  .verb = "confirm",
	  .code = 130 },
	{ "Ctrl-C twice before the first change",
	  { SIGINT, SIGINT },
	  .ends = true,
	  .unchanged = true,
	  .code = 130 },
	{ "SIGTERM twice after the last",
	  { SIGTERM, SIGTERM },
	  .ends = true,
	  .ended = true,
	  .code = 143 },
};

static int child(const struct row *r)
{
	const struct host h = { .at_ports = !r->unchanged };

	signal(SIGHUP, r->nohup ? SIG_IGN : SIG_DFL);
	close(STDERR_FILENO);
	interrupt_catch(&h, r->verb ? r->verb : "apply");
	if (r->ended)
		interrupt_end();
	for (size_t i = 0; i < COUNT(r->signals) && r->signals[i]; i++)
		raise(r->signals[i]);
	return interrupt_caught(NULL) == r->caught ? GOES_ON : 1;
}

static void ends_or_goes_on(void **s)
{
	const struct row *r = *s;
	int status;
	pid_t pid = fork();

	if (pid == 0)
		_exit(child(r));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), !r->ends ? GOES_ON : r->code ? r->code : 4);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, rows, ends_or_goes_on);
	return suite_run(&s, "interrupt");
}
