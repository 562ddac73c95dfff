#include "firmware_helper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/firmware.h"
#include "helper_process.h"
#include "privileges.h"
#include "safe_open.h"
#include "tool_process.h"

#define PATHS_MAX 2
#define WORDS_MAX 8
#define ADDRESS	  "" /* stands for the PCI address in a program's words */

/* Both names of a tool: of mstflint, and of NVIDIA's MFT. Each prints the same. */
static const struct program {
	const char *paths[PATHS_MAX], *words[WORDS_MAX];
	const char *package;
	unsigned timeout_s;
} programs[FIRMWARE_QUERIES] = {
	[FIRMWARE_NVCONFIG] = { { "/usr/bin/mstconfig", "/usr/bin/mlxconfig" },
				{ "-d", ADDRESS, "-e", "q" },
				"mstflint",
				FIRMWARE_TIMEOUT_S },
	[FIRMWARE_ROCE_ACCL] = { { "/usr/bin/mstreg", "/usr/bin/mlxreg" },
				 { "-d", ADDRESS, "--reg_name", "ROCE_ACCL", "--get" },
				 "mstflint",
				 FIRMWARE_TIMEOUT_S },
	[RDMA_TOPO_CHECK] = { { RDMA_TOPO_PATH, RDMA_TOPO_PATH_2 },
			      { "check" },
			      "rdma-core 61 or later",
			      15 },
};

static bool failed(struct firmware_answer *a, int code, const char *reason)
{
	a->code = code;
	snprintf(a->reason, sizeof(a->reason), "%s", reason);
	return false;
}

/* Finds the first name that is installed; root alone may be able to change it. */
static bool find(const struct program *p, const char **ret, struct firmware_answer *a)
{
	_close_ int fd = -1;
	struct err err = { 0 };

	for (size_t i = 0; i < PATHS_MAX; i++) {
		*ret = p->paths[i];
		if (access(*ret, F_OK) < 0)
			continue;
		return trusted_open(*ret, CHECK_EVERY_MOUNT, &fd, &err) ||
		       failed(a, err.code && err.code != ENOENT ? err.code : EPERM, err.text);
	}
	failed(a, ENOENT, "");
	snprintf(a->reason, sizeof(a->reason), "neither %s nor %s is installed (package %s)",
		 p->paths[0], p->paths[1], p->package);
	return false;
}

static bool is_address(const char *pci)
{
	size_t n = strnlen(pci, FIRMWARE_PCI_ADDRESS_MAX);

	return n > 0 && n < FIRMWARE_PCI_ADDRESS_MAX && strspn(pci, "0123456789abcdef:.") == n;
}

static bool run(const struct program *p, char *const argv[], int output, struct firmware_answer *a)
{
	const struct tool t = { argv[0], argv, -1, output, p->timeout_s, -1 };
	enum tool_end end;
	int status, code = tool_run(&t, &end, &status);
	char reason[128];

	if (code)
		return failed(a, code, strerror(code));
	if (end == TOOL_LATE) {
		snprintf(reason, sizeof(reason), "%s did not end within %u s", argv[0],
			 p->timeout_s);
		return failed(a, ETIMEDOUT, reason);
	}
	a->failed = status != 0;
	return true;
}

/* Runs the tool for a request, and keeps its output in memory. */
static bool answer_to(const struct firmware_request *r, struct helper_answer *ret)
{
	struct firmware_answer *a = ret->fixed;
	_close_ int output = memfd_create("output", MFD_CLOEXEC);
	const struct program *p = &programs[r->query < FIRMWARE_QUERIES ? r->query : 0];
	char *argv[WORDS_MAX + 2];
	const char *path;
	ssize_t n;

	if (output < 0)
		return failed(a, errno, strerror(errno));
	if (r->query >= FIRMWARE_QUERIES || (r->query != RDMA_TOPO_CHECK && !is_address(r->pci)))
		return failed(a, EINVAL, "the port has no PCI address");
	if (!find(p, &path, a))
		return false;
	argv[0] = (char *)path;
	for (size_t i = 0; i <= WORDS_MAX; i++)
		argv[i + 1] = i == WORDS_MAX || !p->words[i] ? NULL
			      : p->words[i][0]		     ? (char *)p->words[i]
							     : (char *)r->pci;
	if (!run(p, argv, output, a))
		return false;
	n = pread(output, ret->text, ret->text_max, 0);
	ret->text_size = n > 0 ? (size_t)n : 0;
	return true;
}

/* Limits what a tool can write to one file, its output among them; the rest is a signal. */
static bool limit_output(void)
{
	const struct rlimit most = { FIRMWARE_OUTPUT_MAX, FIRMWARE_OUTPUT_MAX };

	return setrlimit(RLIMIT_FSIZE, &most) == 0;
}

static void serve(int line)
{
	_free_ char *text = malloc(FIRMWARE_OUTPUT_MAX);
	struct firmware_request request;
	struct helper_head head;
	struct err err = { 0 };

	if (!text || !privilege_narrow(&rights_firmware, &err) || !limit_output())
		return;
	while (helper_next(line, &request, sizeof(request), &head) &&
	       head.size == sizeof(request)) {
		struct firmware_answer answer = { 0 };
		struct helper_answer a = { &answer, sizeof(answer), text, FIRMWARE_OUTPUT_MAX - 1,
					   0 };

		request.pci[sizeof(request.pci) - 1] = '\0';
		(void)!answer_to(&request, &a);
		if (!helper_reply(line, &head, &a))
			return;
	}
}

bool firmware_helper_can(enum firmware_query query)
{
	return access(programs[query].paths[0], F_OK) == 0 ||
	       access(programs[query].paths[1], F_OK) == 0;
}

bool firmware_helper_start(int *ret, struct err *err)
{
	*ret = -1;
	return geteuid() != 0 ||
	       helper_process_start(serve, SOCK_STREAM, "queries the firmware", ret, err);
}
