/* Netlink requests without a library, for the programs of the benchmark. */
#ifndef BENCH_ASK_H
#define BENCH_ASK_H

#include <linux/netlink.h>
#include <stddef.h>

/* The header of an attribute whose value has `size` bytes. */
#define ATTR(type, size) \
	{ \
		(unsigned short)(NLA_HDRLEN + (size)), type \
	}

int open_netlink(int family);

/* Send a request of `size` bytes after its header; pass each answer to `take`, unless NULL. */
void ask(int fd, unsigned type, unsigned flags, const void *body, size_t size,
	 void (*take)(const struct nlmsghdr *h));

/* Copy the attribute, if the message has it after its family's header of `skip` bytes. */
void copy_attribute(const struct nlmsghdr *h, size_t skip, unsigned type, void *ret, size_t size);

#endif
