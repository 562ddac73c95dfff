/*
 * Silences the kernel, for tests: preloaded into a program, it drops all messages to the netlink
 * sockets that send the DEAF_FROM-th or a later request. The requests still take effect. Once it has
 * begun, the first byte of the file DEAF_MARK is 1.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static char *mark;

/* Maps it, as the program will drop its rights and close what it does not know. */
__attribute__((constructor)) static void open_mark(void)
{
	const char *path = getenv("DEAF_MARK");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

	if (!path)
		return;
	mark = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (mark == MAP_FAILED)
		abort();
	close(fd);
}

static void fall_silent(int fd)
{
	struct sock_filter drop_all = BPF_STMT(BPF_RET | BPF_K, 0);
	struct sock_fprog filter = { 1, &drop_all };

	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) < 0)
		abort(); /* the test would wait for nothing */
	if (mark)
		*mark = '1';
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

ssize_t send(int fd, const void *bytes, size_t size, int flags)
{
	return sendto(fd, bytes, size, flags, NULL, 0);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
	ssize_t (*real)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");

	count(fd);
	return real(fd, message, flags);
}
