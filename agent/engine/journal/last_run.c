#include "last_run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"
#include "../../host/log.h"
#include "port_lines.h"

#define PATH	    "/run/losslessctl/last-runs" /* one line per port: its key and its record */
#define ROLLED_BACK "rolled-back"
#define TEXT_MAX    524288

static const char *line_of(const char *text, const struct port *p)
{
	const char *line = port_lines_first(text);

	while (line && !port_line_is_of(line, p))
		line = port_lines_next(line);
	return line;
}

static bool read_line(const char *line, struct last_run *ret)
{
	struct last_decision *s = &ret->decision;

	return sscanf(line,
		      "%*s %15s %39s %31s %" SCNu64 " %" SCNu64 " %u %llx %64s %" SCNu64
		      " %31s %15s %39s",
		      ret->verb, ret->user, ret->time, &ret->started_ms, &ret->ended_ms, &ret->pid,
		      &ret->settings, s->policy, &s->at_ms, s->time, s->verb, s->user) == 12;
}

static void write_line(FILE *f, const struct port *p, const struct last_run *r)
{
	const struct last_decision *s = &r->decision;

	fprintf(f, "%s %s %s %s %" PRIu64 " %" PRIu64 " %u %llx %s %" PRIu64 " %s %s %s\n",
		port_key(p), r->verb, r->user, r->time, r->started_ms, r->ended_ms, r->pid,
		r->settings, s->policy, s->at_ms, s->time, s->verb, s->user);
}

/* Changes the record of one port. */
typedef void change_fn(const struct engine *e, const void *how, const struct target *t,
		       struct last_run *r);

static bool is_of_any(const char *line, const struct targets *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (port_line_is_of(line, &all->list[i].task.port))
			return true;
	return false;
}

/*
 * Returns the other ports' lines and the changed ones of these. The caller owns the text; NULL: out
 * of memory.
 */
static char *changed(const struct engine *e, const char *old, const struct targets *all,
		     change_fn *change, const void *how)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (const char *line = port_lines_first(old); line; line = port_lines_next(line))
		if (!is_of_any(line, all))
			fprintf(f, "%.*s\n", (int)strcspn(line, "\n"), line);
	for (size_t i = 0; i < all->count; i++) {
		const struct target *t = &all->list[i];
		const char *line = line_of(old, &t->task.port);
		struct last_run r;

		if (!line || !read_line(line, &r))
			r = (struct last_run){ .decision = { "-", 0, "-", "-", "-" } };
		change(e, how, t, &r);
		write_line(f, &t->task.port, &r);
	}
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

static bool save(const struct engine *e, const struct targets *all, change_fn *change,
		 const void *how, struct err *err)
{
	_free_ char *old = port_lines_load(e->h, PATH, TEXT_MAX, err), *text = NULL;

	if (!old)
		return false;
	text = changed(e, old, all, change, how);
	return text ? host_save_file(e->h, PATH, text, err) : err_no_memory(err);
}

static void decides(struct last_run *r, uint64_t now_ms, const char *policy)
{
	struct last_decision *d = &r->decision;

	snprintf(d->policy, sizeof(d->policy), "%s", policy);
	d->at_ms = now_ms;
	timestamp_now(d->time);
	snprintf(d->verb, sizeof(d->verb), "%s", r->verb);
	snprintf(d->user, sizeof(d->user), "%s", r->user);
}

static void begins(const struct engine *e, const void *how, const struct target *t,
		   struct last_run *r)
{
	snprintf(r->verb, sizeof(r->verb), "%s", how ? "apply" : "rollback");
	snprintf(r->user, sizeof(r->user), "%.39s", e->user ? e->user : "unknown");
	timestamp_now(r->time);
	r->started_ms = e->h->now_ms(e->h);
	r->ended_ms = 0;
	r->pid = (unsigned)getpid();
	/* Count settings that change only during a step: mlx5 trusts PCP without DSCP entries. */
	r->settings = t->task.plan.back.has;
	if (!how) /* it may be interrupted */
		decides(r, r->started_ms, ROLLED_BACK);
}

static void ends(const struct engine *e, const void *how, const struct target *t,
		 struct last_run *r)
{
	const struct policy *p = how;

	r->ended_ms = e->h->now_ms(e->h);
	if (!p)
		decides(r, r->ended_ms, ROLLED_BACK);
	else if (t->task.result.outcome <= OUTCOME_AWAITING)
		decides(r, r->ended_ms, p->sha256);
}

void last_run_begins(const struct engine *e, const struct policy *p, const struct targets *all)
{
	struct err quiet = { 0 };

	(void)!save(e, all, begins, p, &quiet);
}

void last_run_ends(const struct engine *e, const struct policy *p, const struct targets *all)
{
	struct err err = { 0 };

	if (!save(e, all, ends, p, &err))
		engine_warn(
			e,
			"this run is not recorded, and an agent in mode enforce may revert it: %s",
			err.text);
}

bool last_run_find(struct host *h, const struct port *port, struct last_run *ret)
{
	struct err quiet = { 0 };
	_free_ char *text = port_lines_load(h, PATH, TEXT_MAX, &quiet);
	const char *line = line_of(text, port);

	return line && read_line(line, ret);
}

/*
 * Each save makes a file of its own, so that two within one tick of the kernel's clock differ. The
 * factor keeps the inode's number from making up for a small difference in time.
 */
uint64_t last_run_stamp(struct host *h)
{
	struct stat s;

	if (fstatat(h->root, &PATH[1], &s, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	return (uint64_t)s.st_mtim.tv_sec * 1000000000u + (uint64_t)s.st_mtim.tv_nsec +
	       s.st_ino * 0x9e3779b97f4a7c15u;
}

uint64_t last_run_ended_ms(struct host *h)
{
	struct err quiet = { 0 };
	_free_ char *text = port_lines_load(h, PATH, TEXT_MAX, &quiet);
	struct last_run r;
	uint64_t last = 0;

	for (const char *line = port_lines_first(text); line; line = port_lines_next(line))
		if (read_line(line, &r) && r.ended_ms > last)
			last = r.ended_ms;
	return last;
}

static bool is_under_way(struct host *h, const struct last_run *r)
{
	struct err quiet = { 0 };
	char comm[32];

	return host_read_file(h, comm, sizeof(comm), &quiet, "/proc/%u/comm", r->pid) &&
	       strcmp(comm, "losslessctl") == 0;
}

bool last_run_explains(struct host *h, const struct last_run *r, unsigned setting, uint64_t from_ms,
		       uint64_t until_ms)
{
	if (!(r->settings & SETTING(setting)) || r->started_ms > until_ms)
		return false;
	return r->ended_ms ? r->ended_ms >= from_ms : is_under_way(h, r);
}

/* Omit the date: the run has just happened. */
const char *last_run_text(const struct last_run *r, char buf[RUN_TEXT_MAX])
{
	const char *hours = strchr(r->time, 'T');

	snprintf(buf, RUN_TEXT_MAX, "losslessctl %s (%s, %.9s)", r->verb, r->user,
		 hours ? hours + 1 : r->time);
	return buf;
}

static bool is_other(const struct last_decision *s, const struct policy *p, uint64_t loaded_ms)
{
	return strcmp(s->policy, "-") != 0 && s->at_ms >= loaded_ms &&
	       strcmp(s->policy, p->sha256) != 0;
}

bool last_run_permits(struct host *h, const struct policy *p, uint64_t loaded_ms,
		      const struct port *port, struct err *err)
{
	_free_ char *text = port_lines_load(h, PATH, TEXT_MAX, err);
	const char *line = line_of(text, port);
	struct last_run r;

	if (!text)
		return false;
	if (!line)
		return true;
	if (!read_line(line, &r))
		return err_set(err, ERR_SYSTEM, EINVAL, "%s is damaged", PATH);
	if (!is_other(&r.decision, p, loaded_ms))
		return true;
	return err_set(err, ERR_REFUSED, EBUSY,
		       "%s after the agent loaded its policy (%s at %s, by %s): repairs are "
		       "paused; run `systemctl reload losslessctl` to resume them",
		       strcmp(r.decision.policy, ROLLED_BACK) == 0 ? "an apply was rolled back"
								   : "another policy was applied",
		       r.decision.verb, r.decision.time, r.decision.user);
}
