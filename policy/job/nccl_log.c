#include "nccl_log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 4096 /* NCCL writes at most 2 KiB */

/* Copies a word up to a character of `stop`. */
static void copy_word(char *ret, size_t size, const char *from, const char *stop)
{
	snprintf(ret, size, "%.*s", (int)strcspn(from, stop), from);
}

/* "NCCL version 2.27.3+cuda12.9" */
static void read_version(struct nccl_log *log, const char *rest)
{
	if (isdigit((unsigned char)*rest))
		copy_word(log->version, sizeof(log->version), rest, "+ \t\r");
}

/* "Using network IB" */
static void read_network(struct nccl_log *log, const char *rest)
{
	copy_word(log->network, sizeof(log->network), rest, " \t\r");
}

/* "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>" */
static void read_devices(struct nccl_log *log, const char *rest)
{
	const char *end = rest + strcspn(rest, ";");

	log->devices_count = 0;
	while ((rest = strchr(rest, '[')) && rest < end && log->devices_count < LOG_DEVICES_MAX) {
		const char *name = strchr(rest, ']');
		size_t length = name ? strcspn(name + 1, "/;[ ") : 0;

		if (!name)
			return;
		rest = name + 1 + length;
		if (name[1 + length] == '/' && length < LOG_NAME_MAX)
			snprintf(log->devices[log->devices_count++], LOG_NAME_MAX, "%.*s",
				 (int)length, name + 1);
	}
}

static void read_no_device(struct nccl_log *log, const char *rest)
{
	(void)rest;
	log->no_device = true;
}

/* "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA" */
static void read_channel(struct nccl_log *log, const char *rest)
{
	bool ib = strncmp(rest, "IB/", 3) == 0;

	log->ib_channels += ib;
	log->socket_channels += strncmp(rest, "Socket/", 7) == 0;
	log->gdrdma_channels += ib && strstr(rest, "/GDRDMA");
}

/* "NCCL_IB_TC set by environment to 106." */
static void read_traffic_class(struct nccl_log *log, const char *rest)
{
	log->has_traffic_class = true;
	log->traffic_class = strtol(rest, NULL, 10);
}

/* "NET/IB: NCCL Dev 0 IbDev 0 Port 1 qpn 291 mtu 5 GID 3 (80FE/...)" */
static void read_gid(struct nccl_log *log, const char *rest)
{
	long index = strtol(rest, NULL, 10);

	log->gid_differs = log->gid_differs || (log->has_gid_index && index != log->gid_index);
	log->has_gid_index = true;
	log->gid_index = index;
}

static const struct {
	const char *words;
	void (*read)(struct nccl_log *log, const char *rest);
} phrases[] = {
	{ "NCCL version ", read_version },
	{ "Using network ", read_network },
	{ "NET/IB : Using ", read_devices },
	{ "NET/IB : No device found", read_no_device },
	{ " via NET/", read_channel },
	{ "NCCL_IB_TC set by environment to ", read_traffic_class },
	{ " GID ", read_gid },
};

void nccl_log_line(struct nccl_log *log, const char *line)
{
	const char *at = strstr(line, "NCCL ");

	if (!at)
		return;
	log->lines++;
	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		const char *found = strstr(at, phrases[i].words);

		if (found)
			phrases[i].read(log, found + strlen(phrases[i].words));
	}
}

void nccl_log_parse(struct nccl_log *log, const char *text, size_t size)
{
	const char *end = text + size;
	char line[LINE_MAX_BYTES];

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t length = (size_t)((newline ? newline : end) - text);

		snprintf(line, sizeof(line), "%.*s",
			 (int)(length < sizeof(line) ? length : sizeof(line) - 1), text);
		nccl_log_line(log, line);
		text += length + 1;
	}
}
