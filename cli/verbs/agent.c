#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/daemon/daemon.h"
#include "../output/agent_json.h"
#include "../output/report_json.h"
#include "../sandbox/policy_file.h"
#include "verbs.h"

/* systemd sets $JOURNAL_STREAM if standard error is connected to the journal. */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat s;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &s) == 0 && s.st_dev == device && s.st_ino == inode;
}

/* Half of systemd's timeout, as sd_watchdog_enabled(3) recommends. */
static unsigned watchdog_ms(void)
{
	const char *usec = getenv("WATCHDOG_USEC");

	return usec ? (unsigned)(strtoull(usec, NULL, 10) / 2000) : 0;
}

static json_t *recording_head(void *arg)
{
	return report_of_host(arg, "recording");
}

static char *status_text(void *arg, const struct agent_status *s)
{
	return status_to_text(arg, s);
}

/* The file is written to as long as the agent runs, from any directory. */
static bool check_label_file(const char *path, struct err *err)
{
	return !path || (path[0] == '/' && strlen(path) < PATH_TEXT_MAX) ||
	       err_set(err, ERR_USAGE, EINVAL,
		       "--nfd %s: not an absolute path of at most %d characters", path,
		       PATH_TEXT_MAX - 1);
}

int verb_agent(struct cli *c, struct err *err)
{
	struct policy *p = NULL;
	struct daemon_options o = {
		.root = c->opt.root,
		.version = LOSSLESSCTL_VERSION,
		.verify_interval_s = c->opt.verify_interval_s,
		.sample_interval_s = c->opt.sample_interval_s,
		.notify_socket = getenv("NOTIFY_SOCKET"),
		.watchdog_ms = watchdog_ms(),
		.log_to_journal = stderr_is_journal(),
		.label_file = c->opt.nfd,
		.report_event = c->opt.json ? event_print : NULL,
		.status_text = status_text,
		.recording_head = recording_head,
		.arg = c,
	};

	if (!check_label_file(c->opt.nfd, err) || !cli_open_host(c, false, err))
		return -1;
	if (!cli_check_netns(c, err))
		return -1;
	if (!policy_open(c, &p, err))
		return -1;
	o.engine = c->engine;
	return daemon_run(&o, &p, err) ? EXIT_SUCCESS : -1;
}
