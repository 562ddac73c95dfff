/*
 * Fuzz target: netlink datagrams of any sender. The source of agent/host/netlink.c
 * is built in here with a socket that reads the input: a byte for the sender,
 * two for a length that may exceed the bytes that follow, and the bytes.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "fuzz.h"

static struct {
	const uint8_t *at, *end;
	unsigned datagrams;
} input;

static uint8_t take_byte(void)
{
	return input.at < input.end ? *input.at++ : 0;
}

static ssize_t give_datagram(void *buf, size_t size, struct sockaddr_nl *from)
{
	bool none = input.at == input.end;
	uint8_t who = take_byte();
	size_t low = take_byte(), length = low | (size_t)take_byte() << 8;
	size_t left = (size_t)(input.end - input.at);
	size_t n = length < left ? length : left;

	if (none || who >= 0xf0) {
		errno = none || who == 0xf2 ? EAGAIN
			: who == 0xf0	    ? EINTR
			: who == 0xf1	    ? ENOBUFS
					    : EIO;
		return -1;
	}
	from->nl_pid = who & 1;
	n = n < size ? n : size;
	memcpy(buf, input.at, n);
	input.at += n;
	return (ssize_t)(who & 2 ? length : n);
}

static int give_poll(void)
{
	return input.at < input.end;
}

#define recvfrom(fd, buf, size, flags, from, from_len) \
	((void)(fd), (void)(from_len), give_datagram(buf, size, (struct sockaddr_nl *)(from)))
#define poll(p, count, wait) ((void)(p), (void)(wait), give_poll())
#include "../../agent/host/netlink.c"
#undef recvfrom
#undef poll

static uint64_t now_ms(struct host *h)
{
	(void)h;
	return 1000;
}

static int walk(const struct nlattr *a, void *arg)
{
	*(size_t *)arg += mnl_attr_get_payload_len(a);
	return MNL_CB_OK;
}

/* Walk a reply, which must lie within its datagram. */
static int each(const struct nlmsghdr *n, void *arg)
{
	return mnl_attr_parse(n, 4, walk, arg);
}

static void hear(reply_fn *take, void *arg)
{
	struct host_linux l = { .host.now_ms = now_ms };
	struct exchange x = { .seq = 1, .portid = 7, .each = take, .arg = arg };
	struct err err = { 0 };

	MUST(read_replies(&l, 0, &x, &err) ? x.done : err.kind != ERR_NONE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct family family = { 0 };
	size_t sum = 0;

	input.at = data;
	input.end = data + size;
	if (take_byte() & 1)
		hear(each_family, &family);
	else
		hear(each, &sum);
	return 0;
}
