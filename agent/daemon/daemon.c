#include "daemon.h"

#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

#include "../../policy/util/oom.h"
#include "../engine/journal/journal.h"
#include "../engine/journal/lock.h"
#include "../engine/journal/policy_generation.h"
#include "../engine/journal/unfinished.h"
#include "../host/cleanup.h"
#include "../host/log.h"
#include "../host/notify.h"
#include "../host/namespace.h"
#include "agent.h"

/* ---- the loop ---- */

/* Runs timers that are due; one that overran its interval restarts now. */
static void perform_due(struct loop *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct loop_timer *d = &l->timers[i];
		uint64_t now = l->h->now_ms(l->h);

		if (!d->every_ms || now < d->due_ms)
			continue;
		d->due_ms = d->due_ms && now - d->due_ms < d->every_ms ? d->due_ms + d->every_ms
								       : now + d->every_ms;
		d->perform(l->arg);
	}
}

static unsigned until_next(const struct loop *l)
{
	uint64_t now = l->h->now_ms(l->h), next = UINT64_MAX;

	for (size_t i = 0; i < l->count; i++)
		if (l->timers[i].every_ms && l->timers[i].due_ms < next)
			next = l->timers[i].due_ms;
	if (next <= now)
		return 0;
	return next - now < UINT32_MAX ? (unsigned)(next - now) : UINT32_MAX;
}

bool loop_run(struct loop *l, struct err *err)
{
	while (l->keep_running(l->arg)) {
		struct event e;

		perform_due(l);
		if (!l->keep_running(l->arg))
			break;
		if (!host_next_event(l->h, until_next(l), &e, err))
			return false;
		if (e.kind != EVENT_NONE)
			l->on_event(&e, l->arg);
	}
	return true;
}

/* ---- daemon ---- */

#define CHECK_S	    30
#define SAMPLE_S    5
#define PORTS_MS    1000
#define LARGE_BYTES 65536 /* mmap threshold: freed blocks above it return to the kernel */

static volatile sig_atomic_t caught;

/* Let a stop request win over a reload. */
static void on_signal(int number)
{
	if (number != SIGHUP || !caught)
		caught = number;
}

static int asked_to_stop(void)
{
	return caught == SIGHUP ? 0 : caught;
}

/* Blocks the signals outside the loop's wait; a repair polls for pending stop requests. */
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

/* Tries at once what was refused, and says it again: the new policy may permit it. */
static void begin_anew(struct monitored_port *mp)
{
	mp->due = true;
	mp->repair_paused = false;
	drift_retry(&mp->drift, EVERY_SETTING);
	mp->last_error[0] = '\0';
}

/* Rejects an invalid policy and keeps the current one. */
static void reload(struct agent *a)
{
	struct policy *fresh = NULL;
	struct err err = { 0 };

	caught = 0;
	notify_send(a->notify, "RELOADING=1\nMONOTONIC_USEC=%llu",
		    (unsigned long long)a->engine.h->now_ms(a->engine.h) * 1000);
	a->reloaded = a->engine.backends->load_policy(a->engine.arg, &fresh, &err) &&
		      agent_update_ports(a, fresh, &err);
	if (a->reloaded) {
		free(a->policy);
		a->policy = fresh;
		a->loaded_ms = loaded_policy_anew(&a->writer.host, fresh);
		for (size_t i = 0; i < a->monitored_ports.count; i++)
			begin_anew(&a->monitored_ports.list[i]);
		a->unconfirmed.again_ms = 0;
		log_event(&a->log, LOG_POLICY_RELOADED, (struct topic){ .policy = fresh },
			  "policy %s is in force", fresh->name);
		agent_report_ports(a);
	} else {
		free(fresh);
		log_event(&a->log, LOG_POLICY_REFUSED, (struct topic){ .fix = err.fix },
			  "the agent refused the new policy and keeps the previous one: "
			  "%s%s%s%s%s",
			  err.where, err.where[0] ? ": " : "", err.text,
			  err.fix[0] ? "; fix: " : "", err.fix);
	}
	a->status_dirty = a->readiness_due = true;
	host_release_memory(a->engine.h);
	agent_publish_label(a);
	notify_send(a->notify, "READY=1");
}

static void follow_at_once(struct agent *a)
{
	if (a->follow_at_once)
		agent_follow_ports(a);
	a->follow_at_once = false;
}

/*
 * Checks and reports a port that an event concerns, before others that only have their turn: their
 * checks may take seconds. A driver's restart is followed first (check.c).
 */
static void check_announced_port(struct agent *a)
{
	for (size_t i = 0; i < a->monitored_ports.count && !a->follow_at_once; i++) {
		struct monitored_port *mp = &a->monitored_ports.list[i];

		if (!mp->due || !mp->clues)
			continue;
		agent_check_port(a, mp);
		if (!mp->due) /* it does not wait for a run of losslessctl */
			agent_publish_status(a);
		a->status_dirty = true; /* the round goes on */
		return;
	}
}

/*
 * Checks all ports with the same facts of the host. Stops between two ports: checking many of them
 * takes a while. Publishes before it records, because that waits for the disk.
 */
static void check_due_ports(struct agent *a)
{
	a->late_events = false;
	run_facts_forget(&a->engine.h->facts);
	run_facts_forget(&a->writer.host.facts);
	follow_at_once(a);
	for (size_t i = 0; i < a->monitored_ports.count && !interrupted(a->engine.h); i++) {
		struct monitored_port *mp = &a->monitored_ports.list[i];
		bool has_its_turn = !mp->clues;

		if (!mp->due)
			continue;
		agent_check_port(a, mp);
		if (has_its_turn)
			check_announced_port(a);
	}
	a->predecessor_ms = 0;
	follow_at_once(a);
	if (a->status_dirty)
		agent_publish_status(a);
	agent_write_records(a);
	oom_reset(); /* the next round may get the memory that it needs */
}

/* Wait before listing new ports: udev renames them just after they appear. */
static void on_ports_timer(void *arg)
{
	struct agent *a = arg;

	agent_follow_ports(a);
	agent_follow_runs(a);
	check_due_ports(a);
}

/* Check all ports periodically, because events may be missing. */
static void on_check_timer(void *arg)
{
	struct agent *a = arg;

	a->monitored_ports_stale = true;
	agent_follow_ports(a);
	for (size_t i = 0; i < a->monitored_ports.count; i++)
		a->monitored_ports.list[i].due = true;
	agent_roll_back_unconfirmed(a);
	a->unfinished = unfinished_is(a->engine.h);
	a->status_dirty = true; /* it has the time of the last check */
	check_due_ports(a);
	host_release_memory(a->engine.h);
}

static void on_sample_timer(void *arg)
{
	struct agent *a = arg;

	for (size_t i = 0; i < a->monitored_ports.count && !interrupted(a->engine.h); i++)
		agent_sample(a, &a->monitored_ports.list[i]);
	agent_follow_readiness(a);
	agent_publish_metrics(a);
	if (a->status_dirty)
		agent_publish_status(a);
	agent_save_recordings(a);
}

static void on_watchdog_timer(void *arg)
{
	notify_send(((struct agent *)arg)->notify, "WATCHDOG=1");
}

static void on_event(const struct event *e, void *arg)
{
	struct agent *a = arg;

	agent_handle_event(a, e);
	check_due_ports(a);
}

static bool keep_running(void *arg)
{
	struct agent *a = arg;
	bool reloads = caught == SIGHUP;

	if (reloads)
		reload(a);
	if (reloads || a->late_events)
		check_due_ports(a);
	return !asked_to_stop();
}

static bool run_loop(struct agent *a, struct err *err)
{
	const struct daemon_options *o = a->options;
	struct loop_timer timers[] = {
		{ "check", (o->verify_interval_s ? o->verify_interval_s : CHECK_S) * 1000,
		  on_check_timer, 0 },
		{ "ports", PORTS_MS, on_ports_timer, 0 },
		{ "sample", (o->sample_interval_s ? o->sample_interval_s : SAMPLE_S) * 1000,
		  on_sample_timer, 0 },
		{ "watchdog", o->watchdog_ms, on_watchdog_timer, 0 },
	};
	struct loop loop = { a->engine.h, timers,	sizeof(timers) / sizeof(timers[0]),
			     on_event,	  keep_running, a };

	return loop_run(&loop, err);
}

/* Pings systemd's watchdog: a repair or a rollback may wait a minute for the link. */
static void sleep_alive(struct host *h, unsigned ms)
{
	struct agent *a = (struct agent *)((char *)h - offsetof(struct agent, writer.host));

	notify_send(a->notify, "WATCHDOG=1");
	host_sleep(a->engine.h, ms);
}

/* Opens the host for writing files, and ports if the policy allows it. */
static bool open_writer(struct agent *a, struct err *err)
{
	struct host *h = a->engine.h;

	if ((a->policy->mode == MODE_ENFORCE && !namespace_may_change(h, err)) ||
	    !host_linux_open(&a->writer, a->options->root, true, err))
		return false;
	h->interrupted = interrupted;
	a->writer.host.interrupted = interrupted;
	a->writer.host.no_link_wait = true;
	a->writer.host.sleep_ms = sleep_alive;
	a->writer.host.session = h->session;
	if (!host_make_dir(&a->writer.host, err, AGENT_DIR) ||
	    !host_owns_dir(&a->writer.host, AGENT_DIR, err) ||
	    !journal_prepare(&a->writer.host, err))
		return err_fix(err, "make room there, or remove what is in its way");
	return lock_agent(&a->writer.host, &a->lock, err);
}

/* Prepares all that the agent needs before it reports that it is ready. */
static bool start(struct agent *a, struct err *err)
{
	struct event e;

	if (!open_writer(a, err))
		return false;
	a->loaded_ms = loaded_policy_since(&a->writer.host, a->policy);
	a->predecessor_ms = agent_predecessor_ms(a);
	a->target = calloc(1, sizeof(*a->target));
	a->scratch = scratch_new();
	a->pending_records = json_array();
	if (!a->target || !a->scratch || !a->pending_records)
		return err_no_memory(err);
	/* Open the sockets before reading ports, so that no later change is missed. */
	if (!host_next_event(a->engine.h, 0, &e, err) || !agent_update_ports(a, a->policy, err) ||
	    !policy_generation_accept(&a->writer.host, a->policy, err))
		return false;
	a->engine.warn = NULL;
	return true;
}

static void stop(struct agent *a)
{
	notify_send(a->notify, "STOPPING=1");
	host_linux_close(&a->writer);
	log_close(&a->log);
	if (a->notify >= 0)
		close(a->notify);
	if (a->lock >= 0)
		close(a->lock);
	recorders_free(&a->recorders);
	free(a->monitored_ports.list);
	free(a->metered);
	free(a->page);
	json_decref(a->pending_records);
	free(a->scratch);
	free(a->target);
	free(a->policy);
}

static void announce(struct agent *a)
{
	size_t count = a->monitored_ports.count;
	struct err err = { 0 };

	log_event(&a->log, LOG_AGENT_STARTED, (struct topic){ .policy = a->policy },
		  "policy %s, %zu port%s, mode %s", a->policy->name, count, count == 1 ? "" : "s",
		  a->policy->mode == MODE_ENFORCE ? "enforce" : "report");
	agent_report_ports(a);
	agent_follow_runs(a); /* the first check comes after those that have ended */
	for (size_t i = 0; i < count; i++)
		(void)agent_check_paused(a, &a->monitored_ports.list[i]);
	agent_recall(a);
	if (!recorders_load(&a->recorders, a->engine.h, &err))
		agent_report_error(a, OUTPUT_RECORDINGS, &err);
	notify_send(a->notify, "READY=1");
}

bool daemon_run(const struct daemon_options *o, struct policy **policy, struct err *err)
{
	struct agent a = { .options = o,
			   .engine = o->engine,
			   .policy = take(*policy),
			   .reloaded = true,
			   .notify = -1,
			   .lock = -1,
			   .writer.ioctl_fd = -1,
			   .writer.host.root = -1 };
	bool ok;

	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	catch_signals();
	log_open(&a.log, o->log_to_journal ? LOG_JOURNAL : NULL);
	a.log.report = o->report_event;
	a.log.arg = o->arg;
	a.notify = notify_open(o->notify_socket);
	ok = start(&a, err);
	if (ok) {
		announce(&a);
		ok = run_loop(&a, err);
		log_event(&a.log, LOG_AGENT_STOPPED, NO_TOPIC, "stopped");
	}
	stop(&a);
	return ok;
}
