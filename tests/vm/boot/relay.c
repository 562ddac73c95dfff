/* Copies its input to a virtio port, and exits when the host has read all of it: relay PORT. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

static int fail(const char *what)
{
	perror(what);
	return 1;
}

/* The port becomes writable again when the host has read the last buffer. */
static void await_host(int port)
{
	struct pollfd p = { .fd = port, .events = POLLOUT };

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
}

int main(int argc, char **argv)
{
	char data[32768];
	ssize_t got, sent;
	int port;

	if (argc != 2) {
		fputs("usage: relay PORT\n", stderr);
		return 64;
	}
	port = open(argv[1], O_WRONLY);
	if (port < 0)
		return fail(argv[1]);
	while ((got = read(STDIN_FILENO, data, sizeof(data))) > 0) {
		for (ssize_t done = 0; done < got; done += sent) {
			sent = write(port, data + done, (size_t)(got - done));
			if (sent < 0)
				return fail(argv[1]);
		}
	}
	await_host(port);
	return 0;
}
