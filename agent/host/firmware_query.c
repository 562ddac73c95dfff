/* Asks the helper process that runs the vendor's tools (firmware.h). */
#include "firmware.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "host_linux.h"

#define DEADLINE_MS ((FIRMWARE_TIMEOUT_S + 10) * 1000)

/* A tool that is ended halfway may keep the adapter's semaphore: only a signal ends the wait. */
static bool wait_for_answer(struct host *h, int line, struct err *err)
{
	struct pollfd p = { line, POLLIN, 0 };
	int n;

	do {
		n = poll(&p, 1, DEADLINE_MS);
	} while (n < 0 && errno == EINTR && !h->interrupted(h));
	if (n < 0)
		return err_set(err, ERR_INTERRUPTED, h->interrupted(h), "interrupted");
	return n > 0 || err_set(err, ERR_UNKNOWN, ETIMEDOUT,
				"the process that queries the firmware does not answer");
}

static bool receive_all(int line, void *bytes, size_t size)
{
	return size == 0 || recv(line, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

static bool ended(struct err *err)
{
	return err_set(err, ERR_UNKNOWN, EPIPE, "the process that queries the firmware has ended");
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

	if (l->firmware_helper < 0)
		return err_set(err, ERR_DENIED, EPERM, "%s needs root",
			       query == RDMA_TOPO_CHECK ? "rdma_topo" : "a query of the firmware");
	snprintf(request.pci, sizeof(request.pci), "%s", pci);
	if (send(l->firmware_helper, &request, sizeof(request), MSG_NOSIGNAL) < 0)
		return ended(err);
	if (!wait_for_answer(h, l->firmware_helper, err))
		return false;
	if (!receive_all(l->firmware_helper, &answer, sizeof(answer)) ||
	    answer.size >= sizeof(ret->text) ||
	    !receive_all(l->firmware_helper, ret->text, answer.size))
		return ended(err);
	ret->text[answer.size] = '\0';
	ret->failed = answer.failed;
	answer.reason[sizeof(answer.reason) - 1] = '\0';
	return !answer.code || err_set(err, kind_of(answer.code), answer.code, "%s", answer.reason);
}
