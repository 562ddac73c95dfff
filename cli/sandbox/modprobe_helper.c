#include "modprobe_helper.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "helper_process.h"
#include "privileges.h"

/* The modules that may be requested, and a path that exists once they are loaded. */
static const struct module {
	const char *name, *path;
} modules[] = {
	{ "rdma_cm", "/sys/kernel/config/rdma_cm" },
};

/* Runs modprobe as the kernel does. In containers modprobe is missing: returns that error. */
static int load(const char *name)
{
	char *const argv[] = { "modprobe", "-q", "--", (char *)name, NULL };
	char *const envp[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };
	pid_t pid;
	int status, code = posix_spawn(&pid, "/sbin/modprobe", NULL, NULL, argv, envp);

	if (code)
		return code;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return errno;
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
	char name[32] = "";
	int code;

	if (!privilege_keep(PRIVILEGE(CAP_SYS_MODULE), &err))
		return;
	while (recv(line, name, sizeof(name) - 1, 0) > 0) {
		code = load_one_of_ours(name);
		memset(name, 0, sizeof(name));
		if (send(line, &code, sizeof(code), MSG_NOSIGNAL) < 0)
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
	       helper_process_start(serve, SOCK_SEQPACKET, "loads modules", ret, err);
}
