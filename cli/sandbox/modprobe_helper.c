#include "modprobe_helper.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/host_linux.h"
#include "helper_process.h"
#include "privileges.h"
#include "safe_open.h"
#include "tool_process.h"

#define PROGRAM "/sbin/modprobe"

/* The modules that may be requested, and a path that exists once they are loaded. */
static const struct module {
	const char *name, *path;
} modules[] = {
	{ "rdma_cm", "/sys/kernel/config/rdma_cm" },
};

/*
 * Runs modprobe as the kernel does, if root alone can change it. In containers it is missing:
 * returns that error.
 */
static int load(const char *name)
{
	char *const argv[] = { "modprobe", "-q", "--", (char *)name, NULL };
	const struct tool t = { PROGRAM, argv, -1, STDOUT_FILENO, MODPROBE_LIMIT_S, -1 };
	_close_ int trusted = -1;
	struct err why = { 0 };
	enum tool_end end;
	int status, code;

	if (!trusted_open(PROGRAM, CHECK_EVERY_MOUNT, &trusted, &why))
		return why.code ? why.code : EPERM;
	code = tool_run(&t, &end, &status);
	if (code)
		return code;
	if (end != TOOL_ENDED)
		return ETIMEDOUT;
	return status ? ENOENT : 0;
}

static int load_one_of_ours(const char *name)
{
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (strcmp(modules[i].name, name) == 0)
			return load(modules[i].name);
	return EPERM;
}

static void serve(int line)
{
	struct err err = { 0 };
	struct helper_head head;
	char name[32];
	int code;
	const struct helper_answer a = { &code, sizeof(code), NULL, 0, 0 };

	if (!privilege_narrow(&rights_loader, &err))
		return;
	while (helper_next(line, name, sizeof(name) - 1, &head)) {
		name[head.size] = '\0';
		code = load_one_of_ours(name);
		if (!helper_reply(line, &head, &a))
			return;
	}
}

static bool are_there(void)
{
	for (size_t i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		if (access(modules[i].path, F_OK) < 0)
			return false;
	return true;
}

bool modprobe_helper_start(int *ret, struct err *err)
{
	*ret = -1;
	return geteuid() != 0 || are_there() ||
	       helper_process_start(serve, SOCK_STREAM, "loads modules", ret, err);
}
