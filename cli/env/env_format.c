#include "env_format.h"

#include <errno.h>
#include <string.h>

#include "../../policy/util/fix_text.h"
#include "../output/print.h"

/* clang-format off: one block per format */
const struct env_format env_formats[ENV_FORMATS] = {
	{ "nccl.conf", "/etc/nccl.conf", .nccl = true, .head = "", .comment = "# %s\n",
	  .assignment = "%s=%s\n", .doc = "the file that NCCL reads on each host" },
	{ "rccl", "/etc/rccl.conf", .nccl = true, .rccl = true, .head = "", .comment = "# %s\n",
	  .assignment = "%s=%s\n", .doc = "the file that RCCL reads on each host" },
	{ "ucx", "/etc/ucx/ucx.conf", .ucx = true, .head = "", .comment = "# %s\n",
	  .assignment = "%s=%s\n", .doc = "the file that UCX reads on each host" },
	{ "sh", "env.sh", .nccl = true, .ucx = true, .head = "", .comment = "# %s\n",
	  .assignment = "export %s='%s'\n", .doc = "lines for a shell" },
	{ "k8s", "a container", .nccl = true, .ucx = true, .head = "env:\n", .comment = "# %s\n",
	  .assignment = "- name: %s\n  value: \"%s\"\n",
	  .doc = "the list \"env\" of a container in Kubernetes" },
	{ "slurm", "TaskProlog", .nccl = true, .ucx = true, .head = "#!/bin/sh\n",
	  .comment = "# %s\n", .assignment = "echo \"export %s=%s\"\n",
	  .doc = "a TaskProlog for Slurm" },
};
/* clang-format on */

bool env_format_find(const char *name, const struct env_format **ret, struct err *err)
{
	struct suggestion near = suggest_for(name);

	for (size_t i = 0; i < ENV_FORMATS; i++) {
		if (strcmp(env_formats[i].name, name) == 0) {
			*ret = &env_formats[i];
			return true;
		}
		suggest_offer(&near, env_formats[i].name);
	}
	err_record(err, ERR_USAGE, EINVAL, "unknown format \"%s\"", name);
	if (near.best)
		return err_fix(err, "did you mean %s?", near.best);
	return err_fix(err, "use nccl.conf, rccl, ucx, sh, k8s or slurm");
}

bool env_format_has(const struct env_format *f, const struct environment *e, enum variable_id id)
{
	const struct variable *v = &variables[id];

	return e->of[id].is_set && (v->of_ucx ? f->ucx : f->nccl) && !(f->rccl && v->nvidia_only);
}

/* A comment is one line, whatever the policy is called. */
static void print_comment(FILE *to, const struct env_format *f, const char *text)
{
	const char *rest = strstr(f->comment, "%s");

	fprintf(to, "%.*s", (int)(rest - f->comment), f->comment);
	print_clean(to, text);
	fputs(rest + strlen("%s"), to);
}

/* The formats have two strings: the name and the value. */
static void print_assignment(FILE *to, const char *format, const char *const words[2])
{
	const char *at;

	for (size_t i = 0; (at = strstr(format, "%s")) && i < 2; i++) {
		fprintf(to, "%.*s%s", (int)(at - format), format, words[i]);
		format = at + strlen("%s");
	}
	fputs(format, to);
}

void env_format_print(FILE *to, const struct env_format *f, const struct environment *e,
		      const char *policy)
{
	char text[ID_MAX + 96];

	fputs(f->head, to);
	snprintf(text, sizeof(text), "Written by losslessctl env --format %s, from policy %.63s",
		 f->name, policy);
	print_comment(to, f, text);
	for (enum variable_id id = 0; id < VARIABLE_COUNT; id++) {
		const char *const words[2] = { variables[id].name, e->of[id].text };

		if (!env_format_has(f, e, id))
			continue;
		print_comment(to, f, e->of[id].from);
		print_assignment(to, f->assignment, words);
	}
}
