#include "agent.h"

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../agent/daemon/loaded_policy.h"
#include "../agent/daemon/loop.h"
#include "../agent/daemon/sd_notify.h"
#include "../agent/engine/journal.h"
#include "../agent/engine/lock.h"
#include "../agent/host/cleanup.h"
#include "../agent/host/namespace.h"
#include "../policy/util/oom.h"
#include "sandbox/policy_file.h"
#include "sandbox/policy_signature.h"
#include "verbs/plan.h"

#define LOOK_S	     30
#define SAMPLE_S     5
#define PORTS_MS     1000
#define LARGE_BYTES  65536 /* what is larger goes back to the kernel once it is freed */
#define JOURNAL_PATH "/run/systemd/journal/socket"

static volatile sig_atomic_t caught;

/* Who is asked to stop does not load a policy any more. */
static void on_signal(int number)
{
	if (number != SIGHUP || !caught)
		caught = number;
}

static int asked_to_stop(void)
{
	return caught == SIGHUP ? 0 : caught;
}

/*
 * Signals wait until the loop listens; a repair in between looks for the one
 * that asks it to stop.
 */
static void catch_signals(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		sigaddset(&set, numbers[i]);
		sigaction(numbers[i], &action, NULL);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static int interrupted(struct host *h)
{
	sigset_t waiting;

	(void)h;
	if (asked_to_stop() || sigpending(&waiting) < 0)
		return asked_to_stop();
	return sigismember(&waiting, SIGTERM)  ? SIGTERM
	       : sigismember(&waiting, SIGINT) ? SIGINT
					       : 0;
}

/* systemd says in $JOURNAL_STREAM that standard error leads to the journal. */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat s;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &s) == 0 && s.st_dev == device && s.st_ino == inode;
}

/* A bad policy is refused, and the one that holds is kept. */
static void reload(struct agent *a)
{
	struct policy *fresh = NULL;
	bool quiet = a->c->opt.quiet;
	struct err err = { 0 };

	caught = 0;
	notify_send(a->notify, "RELOADING=1\nMONOTONIC_USEC=%llu",
		    (unsigned long long)a->engine.h->now_ms(a->engine.h) * 1000);
	a->c->opt.quiet = true; /* what is wrong goes to the log, in one line */
	a->reloaded = policy_open(a->c, &fresh, &err) &&
		      signature_take_generation(&a->writer.host, fresh, &err) &&
		      agent_take_ports(a, fresh, &err);
	a->c->opt.quiet = quiet;
	if (a->reloaded) {
		free(a->policy);
		a->policy = fresh;
		a->loaded_ms = loaded_policy_anew(&a->writer.host, fresh);
		for (size_t i = 0; i < a->monitored_ports.count; i++) {
			a->monitored_ports.list[i].due = true;
			a->monitored_ports.list[i].repair_paused = false;
		}
		log_say(&a->log, LOG_RELOADED, NO_TOPIC, "policy %s is in force", fresh->name);
	} else {
		free(fresh);
		log_say(&a->log, LOG_POLICY_REFUSED, NO_TOPIC,
			"the new policy is refused, and the old one kept: %s%s%s", err.where,
			err.where[0] ? ": " : "", err.text);
	}
	a->status_dirty = true;
	malloc_trim(0);
	notify_send(a->notify, "READY=1");
}

static void follow_at_once(struct agent *a)
{
	if (a->follow_at_once)
		agent_follow_ports(a);
	a->follow_at_once = false;
}

/* Looking at many ports takes a while, and who is asked to stop stops at once. */
static void look_at_due(struct agent *a)
{
	follow_at_once(a);
	for (size_t i = 0; i < a->monitored_ports.count && !interrupted(a->engine.h); i++)
		if (a->monitored_ports.list[i].due)
			agent_look(a, &a->monitored_ports.list[i]);
	follow_at_once(a);
	agent_write_notes(a);
	if (a->status_dirty)
		agent_publish_status(a);
	oom_reset(); /* and another round may have what it needs */
}

/* A port that comes has another name for a moment: udev gives it its own. */
static void duty_ports(void *arg)
{
	struct agent *a = arg;

	agent_follow_ports(a);
	agent_follow_runs(a);
	look_at_due(a);
}

/* Events are hints, and this is the truth. */
static void duty_look(void *arg)
{
	struct agent *a = arg;

	a->monitored_ports_stale = true;
	agent_follow_ports(a);
	for (size_t i = 0; i < a->monitored_ports.count; i++)
		a->monitored_ports.list[i].due = true;
	a->unfinished = is_unfinished(a->c);
	a->status_dirty = true; /* the time of the last look is news */
	look_at_due(a);
	malloc_trim(0); /* looking takes more memory than knowing: it is given back */
}

static void duty_sample(void *arg)
{
	struct agent *a = arg;

	for (size_t i = 0; i < a->monitored_ports.count && !interrupted(a->engine.h); i++)
		agent_sample(a, &a->monitored_ports.list[i]);
	agent_publish_metrics(a);
	if (a->status_dirty)
		agent_publish_status(a);
}

static void duty_watchdog(void *arg)
{
	notify_send(((struct agent *)arg)->notify, "WATCHDOG=1");
}

static void on_event(const struct event *e, void *arg)
{
	struct agent *a = arg;

	agent_note_event(a, e);
	look_at_due(a);
}

static bool goes_on(void *arg)
{
	struct agent *a = arg;

	if (caught == SIGHUP) {
		reload(a);
		look_at_due(a);
	}
	return !asked_to_stop();
}

/* Half of what systemd allows, as sd_watchdog_enabled(3) advises. */
static unsigned watchdog_ms(void)
{
	const char *usec = getenv("WATCHDOG_USEC");

	return usec ? (unsigned)(strtoull(usec, NULL, 10) / 2000) : 0;
}

static bool run_loop(struct agent *a, struct err *err)
{
	const struct options *o = &a->c->opt;
	struct duty duties[] = {
		{ "look", (o->look_s ? o->look_s : LOOK_S) * 1000, duty_look, 0 },
		{ "ports", PORTS_MS, duty_ports, 0 },
		{ "sample", (o->sample_s ? o->sample_s : SAMPLE_S) * 1000, duty_sample, 0 },
		{ "watchdog", watchdog_ms(), duty_watchdog, 0 },
	};
	struct loop loop = { a->engine.h, duties,  sizeof(duties) / sizeof(duties[0]),
			     on_event,	  goes_on, a };

	return loop_run(&loop, err);
}

/* Everything that the agent needs, before it says that it is ready. */
static bool begin(struct agent *a, struct err *err)
{
	struct cli *c = a->c;
	struct event e;

	if (!cli_open_host(c, false, err) || (!c->opt.netns_ok && !namespace_is_hosts(c->h, err)) ||
	    !policy_open(c, &a->policy, err) ||
	    (a->policy->mode == MODE_ENFORCE && !namespace_may_change(c->h, err)) ||
	    !host_linux_open(&a->writer, c->opt.root, true, err))
		return false;
	a->engine = c->engine;
	c->h->interrupted = interrupted;
	a->writer.host.interrupted = interrupted;
	a->writer.host.no_link_wait = true;
	memcpy(a->writer.host.session_peer, c->h->session_peer, sizeof(c->h->session_peer));
	if (!host_make_dir(&a->writer.host, err, AGENT_FOLDER) ||
	    !journal_prepare(&a->writer.host, err))
		return err_fix(err, "the agent keeps its state there; run it as root");
	if (!lock_agent(&a->writer.host, &a->lock, err))
		return false;
	a->loaded_ms = loaded_policy_since(&a->writer.host, a->policy);
	a->target = calloc(1, sizeof(*a->target));
	a->scratch = scratch_new();
	a->notes = json_array();
	/* What happens from here on is told, or in the first look. */
	if (!((a->target && a->scratch && a->notes) || err_no_memory(err)) ||
	    !signature_take_generation(&a->writer.host, a->policy, err) ||
	    !host_next_event(c->h, 0, &e, err) || !agent_take_ports(a, a->policy, err))
		return false;
	a->engine.warn = NULL;
	return true;
}

static void end(struct agent *a)
{
	notify_send(a->notify, "STOPPING=1");
	host_linux_close(&a->writer);
	log_close(&a->log);
	if (a->notify >= 0)
		close(a->notify);
	if (a->lock >= 0)
		close(a->lock);
	free(a->monitored_ports.list);
	free(a->metered);
	free(a->page);
	json_decref(a->notes);
	free(a->scratch);
	free(a->target);
	free(a->policy);
}

int verb_agent(struct cli *c, struct err *err)
{
	struct agent a = { .c = c,
			   .reloaded = true,
			   .notify = -1,
			   .lock = -1,
			   .writer.ioctl_fd = -1,
			   .writer.host.root = -1 };
	bool ok;

	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	catch_signals();
	log_open(&a.log, stderr_is_journal() ? LOG_JOURNAL : NULL);
	a.notify = notify_open(getenv("NOTIFY_SOCKET"));
	ok = begin(&a, err);
	if (ok) {
		log_say(&a.log, LOG_STARTED, NO_TOPIC, "policy %s, %zu port%s, mode %s",
			a.policy->name, a.monitored_ports.count,
			a.monitored_ports.count == 1 ? "" : "s",
			a.policy->mode == MODE_ENFORCE ? "enforce" : "report");
		for (size_t i = 0; i < a.monitored_ports.count; i++)
			(void)agent_check_paused(&a, &a.monitored_ports.list[i]);
		agent_recall(&a);
		notify_send(a.notify, "READY=1");
		ok = run_loop(&a, err);
		log_say(&a.log, LOG_STOPPED, NO_TOPIC, "stopped");
	}
	end(&a);
	return ok ? EXIT_AS_WISHED : -1;
}
