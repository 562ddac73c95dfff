#include "policy_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/document/syntax.h"
#include "../../policy/util/fix_text.h"
#include "../../policy/util/oom.h"
#include "../../policy/util/sanitize.h"
#include "../output/print.h"
#include "trusted_open.h"
#include "tools.h"

#define EXCERPT_MAX 120 /* characters of a line */

static bool too_large(struct err *err)
{
	return err_set(err, ERR_POLICY, EFBIG, "larger than %u MiB", POLICY_MAX_BYTES >> 20);
}

/*
 * Reads one byte beyond the limit to detect a pipe that is too long; the size of a file is known.
 */
static bool read_all(int fd, char *buf, size_t *ret, struct err *err)
{
	const size_t most = POLICY_MAX_BYTES + 1;
	struct stat info;
	ssize_t n;

	*ret = 0;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > POLICY_MAX_BYTES)
		return too_large(err);
	while (*ret < most && (n = read(fd, buf + *ret, most - *ret)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, ERR_POLICY, errno, "%s", strerror(errno));
		*ret += (size_t)n;
	}
	return *ret < most || too_large(err);
}

static enum mount_trust mount_trust(const struct cli *c)
{
	return c->opt.trust_read_only_mount ? TRUST_READ_ONLY_MOUNTS : CHECK_EVERY_MOUNT;
}

/* Warns with --verbose, in a read-only verb, that apply would refuse this file. */
static void warn_of_refusal(const struct cli *c, const char *path)
{
	_close_ int fd = -1;
	struct err why = { 0 };

	if (c->opt.verbose && !trusted_open(path, CHECK_EVERY_MOUNT, &fd, &why) &&
	    why.kind == ERR_REFUSED)
		print_warning(c, "apply and agent would refuse this policy: %s", why.text);
}

/* Standard input has no signature, and the agent does not read it. */
static bool may_be_piped(const struct cli *c)
{
	return strcmp(c->opt.verb->name, "agent") != 0 && !signature_is_needed();
}

static bool open_trusted(const struct cli *c, const char *path, int *ret, struct err *err)
{
	if (trusted_open(path, mount_trust(c), ret, err))
		return true;
	if (err->kind == ERR_REFUSED)
		err_add_fix(err,
			    "move it to a directory that only root can change, such as "
			    "/etc/losslessctl%s",
			    may_be_piped(c) ? ", or run `losslessctl apply - <FILE`" : "");
	return false;
}

static bool open_file(struct cli *c, const char *path, int *ret, struct err *err)
{
	if (c->opt.verb->writes)
		return open_trusted(c, path, ret, err);
	if (!cli_foresees_apply(c))
		warn_of_refusal(c, path);
	else if (err_at(&c->foreseen.file, open_trusted(c, path, ret, &c->foreseen.file), "%s",
			path))
		return true;
	return any_open(path, ret, err);
}

static const char *path_of(const struct cli *c)
{
	return c->opt.policy ? c->opt.policy : DEFAULT_POLICY;
}

const char *policy_operand(const struct cli *c, char buf[POLICY_OPERAND_MAX])
{
	const char *policy = c->opt.policy, *word;
	char quoted[POLICY_OPERAND_MAX - sizeof(" -- ")];

	if (!policy)
		return "";
	word = shell_word(policy, quoted, sizeof(quoted));
	snprintf(buf, POLICY_OPERAND_MAX, "%s%s", policy[0] == '-' && policy[1] ? " -- " : " ",
		 word ? word : "POLICY");
	return buf;
}

static bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

void policy_find(struct cli *c)
{
	if (!is_stdin(path_of(c)))
		(void)!open_file(c, path_of(c), &c->policy_fd, &c->policy_why);
	if (!(c->opt.verb->takes & TAKES_POLICIES))
		return;
	for (size_t i = 0; i < c->opt.words_count; i++) {
		struct err why = { 0 };

		if (!is_stdin(c->opt.words[i]) && !any_open(c->opt.words[i], &c->more_fds[i], &why))
			c->more_fds[i] = -why.code;
	}
}

bool policy_next(struct cli *c, size_t i)
{
	int fd = c->more_fds[i];

	if (i >= c->opt.words_count)
		return false;
	c->opt.policy = c->opt.words[i];
	c->policy_fd = fd < 0 ? -1 : fd;
	if (fd < 0)
		err_record(&c->policy_why, file_err_kind(-fd), -fd, "%s", strerror(-fd));
	return true;
}

/*
 * Returns the file opened at the start, once. Later calls, as for a reload, open the current file.
 */
static bool hand_over_file(struct cli *c, const char *path, int *ret, struct err *err)
{
	struct err why = c->policy_why;

	*ret = c->policy_fd;
	c->policy_fd = -1;
	c->policy_why = (struct err){ 0 };
	if (why.kind)
		*err = why;
	return *ret >= 0 || (!why.kind && open_file(c, path, ret, err));
}

static bool read_source(struct cli *c, const char *path, char *buf, size_t *size, struct err *err)
{
	_close_ int fd = -1;

	if (is_stdin(path))
		return read_all(STDIN_FILENO, buf, size, err);
	if (hand_over_file(c, path, &fd, err))
		return read_all(fd, buf, size, err);
	if (err->code == EACCES && !err->fix[0])
		return err_fix(err,
			       "let this user read the policy, or run the same command with sudo");
	if (err->code != ENOENT || strcmp(path, DEFAULT_POLICY) != 0)
		return false;
	if ((c->opt.verb->takes & TAKES_POLICY) && c->opt.words_count)
		err_fix(err,
			"create it, or name another: \"%s\" is a port, and ./%s would be a file",
			c->opt.words[0], c->opt.words[0]);
	else
		err_fix(err,
			c->opt.verb->takes & TAKES_POLICY
				? "create it, or name another: `losslessctl %s ./policy.json`"
				: "create it, and run `losslessctl %s` again",
			c->opt.verb->name);
	return false;
}

/* Prints each unsafe character as one column, so that the mark below it stays aligned. */
static void print_line(const char *line, const char *end)
{
	while (line < end) {
		size_t harm = sanitize_harmful_length(line, NULL),
		       innocent = sanitize_harmless_length(line);

		if (harm)
			fputc(*line == '\t' ? ' ' : '?', stderr);
		fwrite(line, 1, innocent, stderr);
		line += harm + innocent > 0 ? harm + innocent : 1;
	}
}

/* The place `characters` further, or the end of the line. */
static const char *skip_characters(const char *line, unsigned characters)
{
	while (*line && *line != '\n' && characters) {
		line++;
		characters -= ((unsigned char)*line & 0xc0) != 0x80;
	}
	return line;
}

/* Prints the part of a long line around the column. */
static void print_excerpt(const struct cli *c, const char *line, const struct json_location *at)
{
	unsigned left = at->column > EXCERPT_MAX / 2 ? at->column - EXCERPT_MAX / 2 : 0;
	const char *begin = skip_characters(line, left), *end = skip_characters(begin, EXCERPT_MAX);
	const char *cut = left ? "..." : "";

	fprintf(stderr, "%s%5u |%s %s", c->err.dim, at->line, c->err.reset, cut);
	print_line(begin, end);
	fprintf(stderr, "%s\n      | %*s%s^%s\n", *end && *end != '\n' ? "..." : "",
		(int)(at->column - left - 1 + strlen(cut)), "", c->err.red, c->err.reset);
}

/* Prints the line of an error, with a mark below the column, if the text may be quoted. */
static void show_line(const struct cli *c, const char *text, const struct json_location *at)
{
	const char *line = text;

	for (unsigned n = 1; n < at->line && (line = strchr(line, '\n')); n++)
		line++;
	if (line && at->line && !c->opt.quiet && !c->opt.json &&
	    policy_may_be_quoted(text, strlen(text)))
		print_excerpt(c, line, at);
}

/* A verb that writes needs the signature; plan only reports that there is none. */
static bool check_signature(struct cli *c, const char *path, struct bytes text,
			    char signer[SIGNER_MAX], struct err *err)
{
	struct err *why = c->opt.verb->writes ? err : &c->foreseen.signature;
	const char *source = is_stdin(path) ? "standard input" : path;

	if (!c->opt.verb->writes && !cli_foresees_apply(c))
		return true;
	return err_at(why,
		      signature_check(c->helpers[HELPER_SIGNATURE], path, mount_trust(c), text,
				      signer, why),
		      "%s", source) ||
	       why != err;
}

/* Borrows `text`, which has room for the whole document. */
static bool load(struct cli *c, char *text, struct policy **ret, struct err *err)
{
	const char *path = path_of(c), *source = is_stdin(path) ? "standard input" : path;
	char signer[SIGNER_MAX] = "";
	size_t size;

	if (!read_source(c, path, text, &size, err))
		return err_in(err, "%s", source);
	if (!check_signature(c, path, (struct bytes){ text, size }, signer, err))
		return false;
	if (!policy_parse(ret, text, size, source, err))
		return false;
	memcpy((*ret)->signer, signer, sizeof(signer));
	return true;
}

bool policy_load(struct cli *c, struct policy **ret, struct err *err)
{
	_free_ char *text = calloc(1, POLICY_MAX_BYTES + 2);

	return text ? load(c, text, ret, err) : err_no_memory(err);
}

/* Leaves the last one to the caller, if `but_last` is set: the end of the run prints it. */
static void print_errors(const struct cli *c, const char *text, const struct err_list *all,
			 bool but_last)
{
	for (size_t i = 0; i < all->count && !c->opt.json; i++) {
		show_line(c, text, &all->list[i].at);
		if (i + 1 < all->count || !but_last)
			print_failure(c, &all->list[i]);
	}
}

static bool open_and_print(struct cli *c, struct policy **ret, struct err_list *all, bool but_last,
			   struct err *err)
{
	_free_ char *text = calloc(1, POLICY_MAX_BYTES + 2);
	bool ok;

	if (!text)
		return err_no_memory(err);
	err->all = all;
	ok = load(c, text, ret, err);
	err->all = NULL;
	if (!ok)
		print_errors(c, text, all, but_last);
	return ok;
}

bool policy_open_all(struct cli *c, struct policy **ret, struct err_list *all, struct err *err)
{
	return open_and_print(c, ret, all, false, err);
}

bool policy_open(struct cli *c, struct policy **ret, struct err *err)
{
	_free_ struct err_list *all = calloc(1, sizeof(*all));

	if (!all)
		return err_no_memory(err);
	if (open_and_print(c, ret, all, true, err))
		return true;
	if (all->count && !c->opt.json)
		*err = all->list[all->count - 1];
	err->all = NULL;
	return false;
}

bool policy_open_if_any(struct cli *c, struct policy **ret, bool *has, struct err *err)
{
	static const char text[] =
		"{\"version\":1,\"profiles\":{\"all\":{}},"
		"\"rules\":[{\"match\":{\"name\":\"*\"},\"profile\":\"all\",\"required\":false}]}";

	*has = c->opt.policy || access(DEFAULT_POLICY, F_OK) == 0;
	return *has ? policy_open(c, ret, err)
		    : policy_parse(ret, text, sizeof(text) - 1, "no policy", err);
}

/* ---- the document of --state ---- */

#define STATE_BYTES_MAX (32u << 20)

bool state_file_open(struct cli *c, struct err *err)
{
	const char *path = c->opt.state;

	if (strcmp(path, "-") != 0)
		return err_at(err, any_open(path, &c->state_fd, err), "%s", path);
	c->state_fd = dup(STDIN_FILENO);
	return c->state_fd >= 0 || err_set(err, ERR_SYSTEM, errno, "%s: %s", path, strerror(errno));
}

bool state_file_read(int fd, json_t **ret, struct err *err)
{
	const struct patience patience = { 10000, 60000 };
	_free_ char *text = NULL;
	json_error_t why;
	size_t size;

	if (!bounded_read_whole(fd, STATE_BYTES_MAX, patience, &text, &size, err))
		return false;
	*ret = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
	return *ret || err_set(err, ERR_POLICY, EINVAL, "line %d, column %d: %s", why.line,
			       why.column, why.text);
}
