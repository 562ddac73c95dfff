/*
 * Sends Ethernet frames, for tests: LLDP to the nearest bridge, or any other.
 * Pads short frames, as an adapter would.
 *
 *   send_frame [--to MAC] [--type HEX] PORT HEX...   one frame: the bytes after its Ethernet header
 *   send_frame [--to MAC] [--type HEX] PORT          a frame for each line of standard input
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <getopt.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define FRAME_MAX 65536

struct frame {
	unsigned char bytes[FRAME_MAX];
	size_t len;
};

static void give_up(const char *what)
{
	fprintf(stderr, "send_frame: %s\n", what);
	exit(1);
}

/* Blanks and colons may stand between the bytes. */
static void add_hex(struct frame *f, const char *hex)
{
	unsigned byte;

	for (; *hex; hex += 2) {
		hex += strspn(hex, " \t\r\n:");
		if (!*hex)
			return;
		if (!isxdigit((unsigned char)hex[0]) || !isxdigit((unsigned char)hex[1]))
			give_up("this is no hex");
		if (f->len == FRAME_MAX)
			give_up("the frame is too long");
		sscanf(hex, "%2x", &byte);
		f->bytes[f->len++] = (unsigned char)byte;
	}
}

static void send_one(int fd, const struct sockaddr_ll *to, const struct frame *f)
{
	size_t len = f->len < ETH_ZLEN - ETH_HLEN ? ETH_ZLEN - ETH_HLEN : f->len;

	if (sendto(fd, f->bytes, len, 0, (const struct sockaddr *)to, sizeof(*to)) < 0) {
		perror("send_frame");
		exit(1);
	}
}

static void send_lines(int fd, const struct sockaddr_ll *to)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) >= 0) {
		struct frame f = { .len = 0 };

		add_hex(&f, line);
		if (f.len)
			send_one(fd, to, &f);
	}
	free(line);
}

static void take_address(struct sockaddr_ll *to, const char *mac)
{
	struct frame f = { .len = 0 };

	add_hex(&f, mac);
	if (f.len != ETH_ALEN)
		give_up("a MAC address has six bytes");
	memcpy(to->sll_addr, f.bytes, ETH_ALEN);
}

/* Returns the index of the first word that is no option. */
static int take_options(int argc, char **argv, struct sockaddr_ll *to)
{
	static const struct option options[] = {
		{ "to", required_argument, NULL, 'a' },
		{ "type", required_argument, NULL, 't' },
		{ NULL, 0, NULL, 0 },
	};
	int o;

	while ((o = getopt_long(argc, argv, "+", options, NULL)) >= 0)
		if (o == 'a')
			take_address(to, optarg);
		else if (o == 't')
			to->sll_protocol = htons((unsigned short)strtoul(optarg, NULL, 16));
		else
			exit(64);
	return optind;
}

int main(int argc, char **argv)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_LLDP),
		.sll_halen = ETH_ALEN,
		.sll_addr = { 0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e },
	};
	int i = take_options(argc, argv, &to), fd = socket(AF_PACKET, SOCK_DGRAM, 0);
	struct frame f = { .len = 0 };

	if (i >= argc)
		give_up("which port?");
	to.sll_ifindex = (int)if_nametoindex(argv[i]);
	if (!to.sll_ifindex || fd < 0) {
		perror("send_frame");
		return 1;
	}
	if (++i == argc)
		send_lines(fd, &to);
	while (i < argc)
		add_hex(&f, argv[i++]);
	if (f.len)
		send_one(fd, &to, &f);
	return 0;
}
