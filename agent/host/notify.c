#include "notify.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "cleanup.h"

#define MESSAGE_MAX 512

int notify_open(const char *socket_name)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t length = socket_name ? strlen(socket_name) : 0;
	_close_ int fd = -1;
	int ret;

	if (length < 2 || length >= sizeof(to.sun_path) || !strchr("/@", socket_name[0]))
		return -1;
	memcpy(to.sun_path, socket_name, length);
	if (to.sun_path[0] == '@')
		to.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || connect(fd, (struct sockaddr *)&to,
			      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)) < 0)
		return -1;
	ret = fd;
	fd = -1;
	return ret;
}

void notify_send(int fd, const char *fmt, ...)
{
	char message[MESSAGE_MAX];
	va_list ap;

	if (fd < 0)
		return;
	va_start(ap, fmt);
	vsnprintf(message, sizeof(message), fmt, ap);
	va_end(ap);
	send(fd, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT);
}
