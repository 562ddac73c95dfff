#include "ssh_line.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"
#include "../../policy/util/oom.h"

#define SSH    "/usr/bin/ssh"
#define REMOTE "losslessctl probe serve --stdio"

#define WORDS_MAX 10

static void write_words(const char *host, bool batch, bool allow_disruption,
			char *ret[WORDS_MAX + 1])
{
	static const char *const first[] = { SSH,  "-T",
					     "-o", "BatchMode=yes",
					     "-o", "ConnectTimeout=10" };
	size_t n = 0;

	while (n < (batch ? sizeof(first) / sizeof(first[0]) : 2)) {
		ret[n] = (char *)first[n];
		n++;
	}
	ret[n++] = (char *)"--";
	ret[n++] = (char *)host;
	ret[n++] = (char *)(allow_disruption ? REMOTE " --allow-disruption" : REMOTE);
	ret[n] = NULL;
}

/* Without `messages`, ssh keeps standard error for what the other end says. */
static int spawn(char *const argv[], int line, int messages)
{
	posix_spawn_file_actions_t files;
	extern char **environ;
	pid_t pid;
	int code;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, line, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, line, STDOUT_FILENO);
	if (messages >= 0)
		posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
	code = posix_spawn(&pid, SSH, &files, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	return code;
}

static bool open_pairs(bool batch, int line[2], int messages[2], struct err *err)
{
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line) < 0)
		return err_set(err, ERR_SYSTEM, errno, "socketpair: %s", strerror(errno));
	if (!batch ||
	    (pipe2(messages, O_CLOEXEC) == 0 && fcntl(messages[0], F_SETFL, O_NONBLOCK) == 0))
		return true;
	err_record(err, ERR_SYSTEM, errno, "pipe: %s", strerror(errno));
	close(line[0]);
	close(line[1]);
	return false;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

bool ssh_line_open(const char *host, bool batch, bool allow_disruption, struct ssh_line *ret,
		   struct err *err)
{
	char *argv[WORDS_MAX + 1];
	int line[2], messages[2] = { -1, -1 }, code;

	if (!host_is_plain(host))
		return err_set(err, ERR_USAGE, EINVAL, "\"%s\" is not one host as ssh takes it",
			       host);
	if (!open_pairs(batch, line, messages, err))
		return false;
	write_words(host, batch, allow_disruption, argv);
	code = spawn(argv, line[1], messages[1]);
	close(line[1]);
	close_if_open(messages[1]);
	if (code) {
		close(line[0]);
		close_if_open(messages[0]);
		return err_set(err, code == ENOENT ? ERR_NO_FILE : ERR_SYSTEM, code, SSH ": %s",
			       strerror(code));
	}
	*ret = (struct ssh_line){ line[0], messages[0] };
	return true;
}

void ssh_lines_free(struct ssh_lines *l)
{
	if (l)
		hosts_free(&l->hosts);
	free(l);
}

bool ssh_lines_open(const char *file, bool allow_disruption, struct ssh_lines **ret,
		    struct err *err)
{
	struct ssh_lines *l = oom_calloc(1, sizeof(*l));

	*ret = l;
	if (!l)
		return err_no_memory(err);
	if (!hosts_read(file, &l->hosts, err))
		return false;
	for (size_t i = 0; i < l->hosts.count; i++)
		if (!ssh_line_open(l->hosts.list[i], true, allow_disruption, &l->list[i], err))
			return false;
	return true;
}
