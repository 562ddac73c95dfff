#include "job_environments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/host_facts.h"
#include "../../policy/document/job_json.h"
#include "../../policy/util/fix_text.h"
#include "../../policy/util/oom.h"
#include "../output/print.h"
#include "../sandbox/env_files.h"

void job_environments_free(struct job_environments *j)
{
	job_free(&j->job);
	free(j->sources);
}

/* Files that make up one environment, by precedence. */
static const struct {
	enum env_file files[6];
	size_t count;
	bool is_complete;
} groups[] = {
	{ { ENV_FILE_GIVEN, ENV_FILE_NCCL_CONF, ENV_FILE_RCCL_CONF, ENV_FILE_UCX_CONF }, 4, true },
	{ { ENV_FILE_PROCESS, ENV_FILE_USER_CONF, ENV_FILE_PROCESS_CONF, ENV_FILE_UCX_DIR,
	    ENV_FILE_UCX_HOME, ENV_FILE_UCX_PROCESS },
	  6,
	  true },
	{ { ENV_FILE_NCCL_CONF }, 1, false },
	{ { ENV_FILE_RCCL_CONF }, 1, false },
	{ { ENV_FILE_UCX_CONF }, 1, false },
};

typedef void parse(const char *text, size_t size, struct assignments *ret);

/* Files without a row are read as NCCL reads its own. */
static parse *const parsers[ENV_FILES] = {
	[ENV_FILE_GIVEN] = environ_parse,	 [ENV_FILE_PROCESS] = environ_parse,
	[ENV_FILE_UCX_DIR] = ucx_conf_parse,	 [ENV_FILE_UCX_HOME] = ucx_conf_parse,
	[ENV_FILE_UCX_PROCESS] = ucx_conf_parse, [ENV_FILE_UCX_CONF] = ucx_conf_parse,
};

/* The host's files fill in what a given environment leaves unset, and are judged with it. */
static bool is_judged(const struct cli *c, size_t group)
{
	return c->env_fds[groups[group].files[0]] >= 0 &&
	       (groups[group].is_complete || !c->opt.environ);
}

/* A file of another kind would pass for an environment that sets nothing. */
static bool check_given(const char *text, size_t size, struct err *err)
{
	size_t blanks = strspn(text, " \t\r\n");

	if (environ_is_plausible(text, size))
		return true;
	err_record(err, ERR_POLICY, 0, "%s",
		   text[blanks] == '{' || text[blanks] == '['
			   ? "it is JSON, not an environment"
			   : "it is not an environment: it does not begin with NAME=VALUE");
	return err_fix(err, "name a file with the output of env(1)");
}

static bool read_source(const struct cli *c, enum env_file file, struct environment_source *ret,
			struct err *err)
{
	_free_ char *text = NULL;
	char path[PATH_TEXT_MAX];
	size_t size;

	snprintf(ret->label, sizeof(ret->label), "%.159s", env_file_path(c, file, path));
	if (!env_file_read(c, file, &text, &size, err))
		return false;
	if (file == ENV_FILE_GIVEN && !check_given(text, size, err))
		return err_in(err, "%s", path);
	(parsers[file] ? parsers[file] : nccl_conf_parse)(text, size, &ret->assignments);
	return true;
}

static bool judge_group(const struct cli *c, size_t group, struct job_environments *j,
			struct err *err)
{
	struct environment_sources found = { .count = 0 };

	for (size_t i = 0; i < groups[group].count; i++) {
		enum env_file file = groups[group].files[i];
		struct environment_source *s = &j->sources[file];

		if (c->env_fds[file] < 0)
			continue;
		s->is_complete = groups[group].is_complete;
		s->fills_in = groups[group].files[0] == ENV_FILE_GIVEN && i > 0;
		s->of_rccl = file == ENV_FILE_RCCL_CONF;
		if (!read_source(c, file, s, err))
			return false;
		found.list[found.count++] = s;
	}
	job_judge(&j->job, &found, &j->verdict.report);
	return true;
}

static void read_piece(void *log, const char *text, size_t size)
{
	nccl_log_parse(log, text, size);
}

static bool read_log(const struct cli *c, struct nccl_log *ret, struct err *err)
{
	struct host_identity here;

	host_identify(c->h, &here);
	nccl_log_set_host(ret, here.name);
	return env_file_read_log(c, read_piece, ret, err) && nccl_log_is_of_host(ret, err);
}

static bool judge_log(const struct cli *c, struct job_environments *j, struct err *err)
{
	struct environment_source *s = &j->sources[ENV_FILE_LOG];
	char path[PATH_TEXT_MAX];

	if (c->env_fds[ENV_FILE_LOG] < 0)
		return true;
	env_file_path(c, ENV_FILE_LOG, path);
	if (!read_log(c, &j->log, err))
		return err_in(err, "%s", path);
	if (j->log.hosts.count > 1) {
		err_record(&j->verdict.note, ERR_UNKNOWN, 0,
			   "it has lines of %zu%s hosts: only those of %s are judged",
			   j->log.hosts.count,
			   j->log.hosts.count == LOG_HOSTS_MAX ? " or more" : "", j->log.host);
		err_locate(&j->verdict.note, "%s", path);
	}
	snprintf(s->label, sizeof(s->label), "%.159s", path);
	job_judge_log(&j->job, &j->log, s, &j->verdict.report);
	return true;
}

static bool judge_all(const struct cli *c, const struct policy *p, const struct targets *all,
		      struct job_environments *j, struct err *err)
{
	unsigned version = 0;

	j->sources = calloc(ENV_FILES, sizeof(*j->sources));
	if (!j->sources)
		return err_no_memory(err);
	if (c->opt.nccl && !nccl_version_parse(c->opt.nccl, &version))
		return err_set(err, ERR_USAGE, 0,
			       "--nccl: \"%s\" is no version of NCCL, such as "
			       "2.27",
			       c->opt.nccl);
	if (!job_read(&c->engine, p, all, version, &j->job, err))
		return false;
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++)
		if (is_judged(c, i) && !judge_group(c, i, j, err))
			return false;
	return judge_log(c, j, err);
}

static bool has_any(const struct cli *c)
{
	for (size_t i = 0; i < ENV_FILES; i++)
		if (c->env_fds[i] >= 0)
			return true;
	return c->env_why.kind;
}

bool job_environments_judge(const struct cli *c, const struct policy *p, const struct targets *all,
			    struct job_environments *ret, bool *ret_any, struct err *err)
{
	struct err why = { 0 };

	*ret_any = has_any(c);
	if (!*ret_any)
		return true;
	ret->verdict.severities = &p->severities;
	ret->verdict.asked = c->opt.environ || c->opt.pid || c->opt.nccl_log;
	ret->verdict.unknown = c->env_why;
	if (judge_all(c, p, all, ret, &why))
		return true;
	if (why.kind == ERR_USAGE || why.code == ENOMEM ||
	    (ret->verdict.asked && why.kind != ERR_UNKNOWN)) {
		*err = why;
		return false;
	}
	if (why.kind == ERR_UNKNOWN && !ret->verdict.asked)
		ret->verdict.note = why; /* the policy asks nothing of jobs */
	else if (!ret->verdict.unknown.kind)
		ret->verdict.unknown = why;
	return true;
}

bool job_environments_verify(const struct cli *c, struct verify_run *r,
			     struct job_environments *ret, struct err *err)
{
	bool any = false;

	if (!c->captured && !job_environments_judge(c, r->policy, &r->targets, ret, &any, err))
		return false;
	if (any)
		verify_add_environment(r, &ret->verdict);
	return true;
}
