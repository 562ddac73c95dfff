/* Receives LLDP on packet sockets, one for each port. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "../../policy/util/oom.h"
#include "cleanup.h"
#include "host_linux.h"

/* The longest delay until a signal is noticed that arrives just before the wait. */
#define SLICE_MS 200

/* Larger than any MTU. */
#define FRAME_MAX 16384

#define ETHERTYPE   (SKF_AD_OFF + SKF_AD_PROTOCOL)
#define PACKET_TYPE (SKF_AD_OFF + SKF_AD_PKTTYPE)
#define TO_HIGH	    (SKF_LL_OFF + 0)
#define TO_LOW	    (SKF_LL_OFF + 4)

/* Loads a value and continues with the next pair if it matches, else jumps to the end. */
#define ONLY(size, at, value, to_end) \
	BPF_STMT(BPF_LD | (size) | BPF_ABS, (unsigned)(at)), \
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, to_end)

/*
 * Accepts LLDP to the nearest bridge, 01-80-C2-00-00-0E. The other group addresses pass some
 * bridges: behind these are other agents, whose PDUs have no DCBX. Frames sent by this host, or
 * tagged for a VLAN that has no device, are not of type "multicast".
 */
static const struct sock_filter nearest_bridge[] = {
	ONLY(BPF_H, ETHERTYPE, ETH_P_LLDP, 7), ONLY(BPF_B, PACKET_TYPE, PACKET_MULTICAST, 5),
	ONLY(BPF_W, TO_HIGH, 0x0180c200, 3),   ONLY(BPF_H, TO_LOW, 0x000e, 1),
	BPF_STMT(BPF_RET | BPF_K, FRAME_MAX),  BPF_STMT(BPF_RET | BPF_K, 0),
};

struct lldp_sockets {
	struct host *h;
	const struct lldp_listener *l;
	struct pollfd *fds; /* parallel to l->ports */
	size_t count;
};

static void close_lldp_sockets(struct lldp_sockets *e)
{
	for (size_t i = 0; i < e->count; i++)
		close(e->fds[i].fd);
	free(e->fds);
}

#define _lldp_sockets_ __attribute__((cleanup(close_lldp_sockets)))

static bool lldp_socket_failed(const char *what, struct err *err)
{
	err_record(err, host_err_kind(errno), errno, "%s: %s", what, strerror(errno));
	if (err->kind == ERR_DENIED)
		err_fix(err, "run losslessctl as root, or with CAP_NET_RAW");
	return false;
}

static bool set_option(int fd, int level, int option, const void *value, size_t size)
{
	return setsockopt(fd, level, option, value, (socklen_t)size) == 0;
}

/* Attaches the filter before bind(): until then the socket has no protocol and receives nothing. */
static bool configure_socket(int fd, unsigned ifindex)
{
	const struct sock_fprog filter = {
		sizeof(nearest_bridge) / sizeof(nearest_bridge[0]),
		(struct sock_filter *)nearest_bridge,
	};
	const struct packet_mreq group = {
		.mr_ifindex = (int)ifindex,
		.mr_type = PACKET_MR_MULTICAST,
		.mr_alen = ETH_ALEN,
		.mr_address = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e },
	};
	const struct sockaddr_ll at = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_LLDP),
		.sll_ifindex = (int)ifindex,
	};

	return set_option(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) &&
	       set_option(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &group, sizeof(group)) &&
	       host_linux_bind(fd, &at, sizeof(at));
}

static bool open_lldp_sockets(struct lldp_sockets *e, struct err *err)
{
	e->fds = calloc(e->l->count + 1, sizeof(*e->fds));
	if (!e->fds)
		return err_no_memory(err);
	for (size_t i = 0; i < e->l->count; i++) {
		int fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

		if (fd < 0)
			return lldp_socket_failed("open a packet socket", err);
		e->fds[e->count++] = (struct pollfd){ fd, POLLIN, 0 };
		if (!configure_socket(fd, e->l->ports[i]))
			return lldp_socket_failed("listen for LLDP", err);
	}
	return true;
}

/* True if the frame belongs to this port: frames through its bond do, frames of a VLAN do not. */
static bool is_for_port(struct host *h, int from, unsigned ifindex)
{
	struct err quiet = { 0 };
	struct link through;

	return from == (int)ifindex ||
	       (h->link(h, (unsigned)from, &through, &quiet) && !through.is_vlan);
}

/* A port that goes down fails once with ENETDOWN, and may come back. */
static bool is_transient(int code)
{
	return code == EAGAIN || code == EINTR || code == ENETDOWN || code == ENOBUFS;
}

/* Reads at most one frame, so that a flood of frames cannot delay the deadline. */
static bool receive_frame(const struct lldp_sockets *e, size_t i, bool *enough, struct err *err)
{
	uint8_t pdu[FRAME_MAX];
	struct sockaddr_ll from = { 0 };
	socklen_t from_len = sizeof(from);
	unsigned ifindex = e->l->ports[i];
	ssize_t got =
		recvfrom(e->fds[i].fd, pdu, sizeof(pdu), 0, (struct sockaddr *)&from, &from_len);

	if (got < 0)
		return is_transient(errno) || lldp_socket_failed("listen for LLDP", err);
	if (is_for_port(e->h, from.sll_ifindex, ifindex))
		*enough = !e->l->each(ifindex, pdu, (size_t)got, e->l->arg);
	return true;
}

static bool receive_ready(const struct lldp_sockets *e, bool *enough, struct err *err)
{
	for (size_t i = 0; i < e->count && !*enough; i++)
		if (e->fds[i].revents && !receive_frame(e, i, enough, err))
			return false;
	return true;
}

/* A signal ends the wait without a frame: clear the stale results. */
static bool wait_slice(const struct lldp_sockets *e, uint64_t left_ms, struct err *err)
{
	int n = poll(e->fds, e->count, (int)(left_ms < SLICE_MS ? left_ms : SLICE_MS));

	if (n < 0 && errno != EINTR)
		return lldp_socket_failed("poll", err);
	for (size_t i = 0; n < 0 && i < e->count; i++)
		e->fds[i].revents = 0;
	return true;
}

bool host_linux_listen_lldp(struct host *h, const struct lldp_listener *l, struct err *err)
{
	_lldp_sockets_ struct lldp_sockets e = { h, l, NULL, 0 };
	uint64_t until = h->now_ms(h) + l->wait_ms;
	bool enough = false;

	if (!open_lldp_sockets(&e, err))
		return false;
	for (uint64_t now = h->now_ms(h); !enough && now < until; now = h->now_ms(h)) {
		int signal = h->interrupted(h);

		if (signal)
			return err_set(err, ERR_INTERRUPTED, signal, "interrupted (%s)",
				       strsignal(signal));
		if (!wait_slice(&e, until - now, err) || !receive_ready(&e, &enough, err))
			return false;
	}
	return true;
}
