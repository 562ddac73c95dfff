/*
 * Silences the kernel, for tests: preloaded into a program, it drops all messages to the netlink
 * sockets that send the DEAF_FROM-th or a later request. The requests still take effect.
 */
#include <dlfcn.h>
#include <linux/filter.h>
#include <stdlib.h>
#include <sys/socket.h>

static void fall_silent(int fd)
{
	struct sock_filter drop_all = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog filter = { 1, &drop_all };

	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) < 0)
		abort(); /* the test would wait for nothing */
}

/* Counts a request, if this is netlink. */
static void count(int fd)
{
	static unsigned long questions;
	const char *from = getenv("DEAF_FROM");
	int domain = 0;
	socklen_t size = sizeof(domain);

	if (!from || getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0 ||
	    domain != AF_NETLINK)
		return;
	if (++questions >= strtoul(from, NULL, 10))
		fall_silent(fd);
}

ssize_t sendto(int fd, const void *bytes, size_t size, int flags, const struct sockaddr *to,
	       socklen_t to_len)
{
	ssize_t (*real)(int, const void *, size_t, int, const struct sockaddr *, socklen_t) =
		dlsym(RTLD_NEXT, "sendto");

	count(fd);
	return real(fd, bytes, size, flags, to, to_len);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	ssize_t (*real)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");

	count(fd);
	return real(fd, message, flags);
}
