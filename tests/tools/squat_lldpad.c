/*
 * Takes lldpad's address without being lldpad: prints every datagram, and answers it with ANSWER,
 * if given.
 *
 *   squat_lldpad [ANSWER]
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static const char name[] = "\0/com/intel/lldpad";

static int take_address(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memcpy(a.sun_path, name, sizeof(name) - 1);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a,
			   offsetof(struct sockaddr_un, sun_path) + sizeof(name) - 1) < 0)
		return -1;
	return fd;
}

int main(int argc, char **argv)
{
	struct sockaddr_un from;
	socklen_t size = sizeof(from);
	char buf[4096];
	int fd = take_address();
	ssize_t n;

	if (fd < 0) {
		perror("squat_lldpad");
		return 1;
	}
	while ((n = recvfrom(fd, buf, sizeof(buf), 0, (struct sockaddr *)&from, &size)) >= 0) {
		printf("%.*s\n", (int)n, buf);
		fflush(stdout);
		if (argc > 1 &&
		    sendto(fd, argv[1], strlen(argv[1]), 0, (struct sockaddr *)&from, size) < 0)
			perror("squat_lldpad");
		size = sizeof(from);
	}
	perror("squat_lldpad");
	return 1;
}
