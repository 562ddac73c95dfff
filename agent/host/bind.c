/* Binds sockets. */
#include <string.h>
#include <sys/socket.h>

#include "host_linux.h"

bool host_linux_bind(int fd, const void *address, size_t size)
{
	struct sockaddr_storage at = { 0 };

	memcpy(&at, address, size);
	return bind(fd, (const struct sockaddr *)&at, sizeof(at)) == 0;
}
