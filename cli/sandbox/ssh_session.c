#include "ssh_session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../agent/host/cleanup.h"

#define ANCESTORS_MAX 32
#define ENVIRON_MAX   (128u << 10)

/* Writes "::ffff:192.0.2.1", as a socket of IPv6 names an address of IPv4, as that. */
static void unmap(char address[64])
{
	static const char mapped[] = "::ffff:";

	if (strncmp(address, mapped, sizeof(mapped) - 1) == 0 && strchr(address, '.'))
		memmove(address, address + sizeof(mapped) - 1,
			strlen(address) - sizeof(mapped) + 2);
}

/* The format is "client-address client-port server-address server-port". */
static bool parse_connection(struct host *h, const char *value)
{
	struct ssh_session s = { .peer = "" };

	if (!value ||
	    sscanf(value, "%63s %hu %63s %hu", s.peer, &s.peer_port, s.server, &s.server_port) < 1)
		return false;
	unmap(s.peer);
	unmap(s.server);
	h->session = s;
	return true;
}

/* `words`: ENVIRON_MAX bytes and a zero, with the last environment or zeros. */
static bool look_in_environ(struct host *h, int pid, char *words)
{
	static const char key[] = "SSH_CONNECTION=";
	struct err quiet = { 0 };

	if (!host_read_file(h, words, ENVIRON_MAX, &quiet, "/proc/%d/environ", pid))
		return false;
	for (const char *w = words; *w; w += strlen(w) + 1)
		if (strncmp(w, key, sizeof(key) - 1) == 0)
			return parse_connection(h, w + sizeof(key) - 1);
	return false;
}

static int parent_of(struct host *h, int pid)
{
	char stat[512];
	struct err quiet = { 0 };
	const char *after;
	int parent;

	if (!host_read_file(h, stat, sizeof(stat), &quiet, "/proc/%d/stat", pid))
		return 0;
	after = strrchr(stat, ')'); /* the process name may contain any character */
	return after && sscanf(after, ") %*c %d", &parent) == 1 ? parent : 0;
}

void session_find(struct host *h)
{
	_free_ char *words = NULL;
	int pid = getpid();

	if (parse_connection(h, getenv("SSH_CONNECTION")))
		return;
	words = calloc(1, ENVIRON_MAX + 1);
	for (int depth = 0; words && depth < ANCESTORS_MAX && pid > 1;
	     depth++, pid = parent_of(h, pid))
		if (look_in_environ(h, pid, words))
			return;
}
