/*
 * Stands in for systemd or its journal, for tests: binds a socket and prints
 * a line for each datagram, with " | " where it had a newline.
 *
 *   print_datagrams SOCKET
 */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void print_line(const char *text, ssize_t size)
{
	for (ssize_t i = 0; i < size; i++)
		if (text[i] == '\n')
			fputs(" | ", stdout);
		else
			putchar(text[i]);
	putchar('\n');
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	char text[65536];
	ssize_t n;

	if (argc != 2 || strlen(argv[1]) >= sizeof(at.sun_path))
		return 64;
	strcpy(at.sun_path, argv[1]);
	unlink(argv[1]);
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) < 0)
		return 1;
	while ((n = recv(fd, text, sizeof(text), 0)) >= 0)
		print_line(text, n);
	return 1;
}
