/* Netlink requests and their answers, without a library. */
#include "ask.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

static char answer[1 << 16];

int open_netlink(int family)
{
	return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, family);
}

/* Return true after the last message of a dump, or an error. */
static bool take_all(int left, void (*take)(const struct nlmsghdr *h))
{
	const struct nlmsghdr *h = (const void *)answer;

	for (; NLMSG_OK(h, (unsigned)left); h = NLMSG_NEXT(h, left)) {
		if (h->nlmsg_type == NLMSG_DONE || h->nlmsg_type == NLMSG_ERROR)
			return true;
		if (take)
			take(h);
	}
	return false;
}

void ask(int fd, unsigned type, unsigned flags, const void *body, size_t size,
	 void (*take)(const struct nlmsghdr *h))
{
	struct {
		struct nlmsghdr h;
		char body[128];
	} r = { .h = { (uint32_t)(NLMSG_HDRLEN + size), (uint16_t)type,
		       (uint16_t)(NLM_F_REQUEST | flags), 1, 0 } };
	bool done = false;

	if (size)
		memcpy(r.body, body, size);
	if (send(fd, &r, r.h.nlmsg_len, 0) < 0)
		return;
	while (!done) {
		ssize_t n = recv(fd, answer, sizeof(answer), 0);

		done = n <= 0 || take_all((int)n, take) || !(flags & NLM_F_DUMP);
	}
}

void copy_attribute(const struct nlmsghdr *h, size_t skip, unsigned type, void *ret, size_t size)
{
	const char *at = (const char *)NLMSG_DATA(h) + NLMSG_ALIGN(skip);
	const struct nlattr *a = (const void *)at;

	for (; at + NLA_HDRLEN <= (const char *)h + h->nlmsg_len; a = (const void *)at) {
		size_t used = a->nla_len - NLA_HDRLEN;

		if (a->nla_len < NLA_HDRLEN)
			return;
		if ((a->nla_type & NLA_TYPE_MASK) == type)
			memcpy(ret, a + 1, used < size ? used : size);
		at += NLA_ALIGN(a->nla_len);
	}
}
