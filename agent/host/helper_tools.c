/* Asks the helper processes that run tools for this host. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "helper_line.h"
#include "host_linux.h"

/* A tool that is ended halfway may keep the adapter's semaphore: only a signal ends the wait. */
static bool ended(struct host *h, int code, struct err *err)
{
	if (code == EINTR)
		return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted");
	return err_set(err, ERR_UNKNOWN, code, "the process that queries the firmware %s",
		       code == ETIMEDOUT ? "does not answer"
		       : code == EBADMSG ? "answers another question"
					 : "has ended");
}

/* ENOENT means that the tool is not installed; with another code it did not run to its end. */
bool host_linux_run_tool(struct host *h, enum helper_task tool, const char *pci,
			 struct tool_output *ret, struct err *err)
{
	const struct host_linux *l = (const struct host_linux *)h;
	const struct helper_question q = { tool, pci, strlen(pci) + 1, h, 0 };
	struct helper_answer a = { .text = ret->text, .text_max = sizeof(ret->text) - 1 };
	int code;

	if (l->firmware_helper < 0)
		return err_set(err, ERR_DENIED, EPERM, "%s needs root",
			       tool == TASK_RDMA_TOPO ? "rdma_topo" : "a query of the firmware");
	code = helper_ask(l->firmware_helper, &q, &a);
	if (code)
		return ended(h, code, err);
	ret->text[a.text_size] = '\0';
	ret->failed = a.result.failed;
	code = a.result.code;
	return !code || err_set(err, code == ENOENT ? ERR_UNSUPPORTED : ERR_UNKNOWN, code, "%s",
				a.result.reason);
}

bool host_linux_load_module(struct host *h, const char *name, struct err *err)
{
	const struct host_linux *l = (const struct host_linux *)h;
	const struct helper_question q = { TASK_MODPROBE, name, strlen(name) + 1, NULL, 0 };
	struct helper_answer a = { 0 };
	int code;

	if (l->modprobe_helper < 0)
		return err_set(err, ERR_DENIED, EPERM, "module %s: this process cannot request it",
			       name);
	code = helper_ask(l->modprobe_helper, &q, &a);
	if (code)
		return err_set(err, ERR_SYSTEM, code,
			       "module %s: the process that loads modules %s", name,
			       code == ETIMEDOUT ? "does not answer" : "has died");
	code = a.result.failed ? ENOENT : a.result.code;
	return !code || err_set(err, ERR_SYSTEM, code, "modprobe %s: %s", name, strerror(code));
}
