/* Asks the helper process that runs the vendor's tools (firmware.h). */
#include "firmware.h"

#include <errno.h>
#include <stdio.h>

#include "helper_line.h"
#include "host_linux.h"

#define LIMIT_MS ((FIRMWARE_TIMEOUT_S + 10) * 1000)

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

/* The kind of a tool that did not run to its end: ENOENT means that there is none. */
static enum err_kind kind_of(int code)
{
	return code == ENOENT ? ERR_UNSUPPORTED : ERR_UNKNOWN;
}

bool host_linux_query_firmware(struct host *h, enum firmware_query query, const char *pci,
			       struct firmware_output *ret, struct err *err)
{
	const struct host_linux *l = (const struct host_linux *)h;
	struct firmware_request request = { .query = query };
	struct firmware_answer answer = { 0 };
	struct helper_question q = { &request, sizeof(request), LIMIT_MS, h };
	struct helper_answer a = { &answer, sizeof(answer), ret->text, sizeof(ret->text) - 1, 0 };
	int code;

	if (l->firmware_helper < 0)
		return err_set(err, ERR_DENIED, EPERM, "%s needs root",
			       query == RDMA_TOPO_CHECK ? "rdma_topo" : "a query of the firmware");
	snprintf(request.pci, sizeof(request.pci), "%s", pci);
	code = helper_ask(l->firmware_helper, &q, &a);
	if (code)
		return ended(h, code, err);
	ret->text[a.text_size] = '\0';
	ret->failed = answer.failed;
	answer.reason[sizeof(answer.reason) - 1] = '\0';
	return !answer.code || err_set(err, kind_of(answer.code), answer.code, "%s", answer.reason);
}
