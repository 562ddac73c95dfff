#include "nccl_log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- origin ---- */

/* The start of the digits that end before `at`, which a colon precedes; NULL: there are none. */
static const char *number_before(const char *line, const char *at)
{
	const char *digits = at;

	while (digits > line && isdigit((unsigned char)digits[-1]))
		digits--;
	return digits < at && digits > line && digits[-1] == ':' ? digits : NULL;
}

static bool is_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* Reads "HOST:PID:TID" that ends before `at`. */
static bool read_process(const char *line, const char *at, struct log_origin *ret)
{
	const char *tid = number_before(line, at), *pid = tid ? number_before(line, tid - 1) : NULL;
	const char *name = pid ? pid - 1 : NULL;

	if (!name)
		return false;
	while (name > line && is_of_name(name[-1]))
		name--;
	if (name == pid - 1)
		return false;
	snprintf(ret->host, sizeof(ret->host), "%.*s", (int)(pid - 1 - name), name);
	ret->host[strcspn(ret->host, ".")] = '\0';
	ret->pid = strtol(pid, NULL, 10);
	return ret->host[0];
}

bool log_origin_parse(const char *line, const char *end, struct log_origin *ret)
{
	const char *at = line;

	while ((at = strstr(at, " [")) && at < end) {
		const char *gpu = at + 2, *rest = gpu + strspn(gpu, "0123456789");

		if (rest > gpu && rest[0] == ']' && read_process(line, at, ret)) {
			ret->gpu = (int)strtol(gpu, NULL, 10);
			return true;
		}
		at = gpu;
	}
	return false;
}

/* FNV-1a; 0 marks a free slot. */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return hash ? hash : 1;
}

void log_hosts_add(struct log_hosts *all, const char *host)
{
	uint64_t hash = hash_of(host);
	size_t i = hash % LOG_HOSTS_SLOTS;

	while (all->slots[i] && all->slots[i] != hash)
		i = (i + 1) % LOG_HOSTS_SLOTS;
	if (all->slots[i] || all->count == LOG_HOSTS_MAX)
		return;
	all->slots[i] = hash;
	all->count++;
}

/* ---- lines ---- */

#define LINE_MAX_BYTES 4096 /* NCCL writes at most 2 KiB */

/* A line that is being read, and its process. */
struct reading {
	struct nccl_log *log;
	struct log_process *p;
	unsigned line;
	const char *message; /* from "NCCL " on */
};

static void note_line(unsigned *first, unsigned line)
{
	if (!*first)
		*first = line;
}

/* "NCCL version 2.27.3+cuda12.9" */
static void read_version(struct reading *r, const char *rest)
{
	if (isdigit((unsigned char)*rest))
		snprintf(r->log->version, sizeof(r->log->version), "%.*s",
			 (int)strcspn(rest, "+ \t\r"), rest);
}

/* "Using network IB" */
static void read_network(struct reading *r, const char *rest)
{
	if (strncmp(rest, "Socket", strlen("Socket")) == 0)
		note_line(&r->p->socket_line, r->line);
}

/* The index of a device in the log's list; LOG_DEVICES_MAX: there is no room for it. */
static size_t index_of(struct nccl_log *log, const char *name)
{
	size_t i = 0;

	while (i < log->devices_count && strcmp(log->devices[i], name) != 0)
		i++;
	if (i == log->devices_count && i < LOG_DEVICES_MAX)
		snprintf(log->devices[log->devices_count++], LOG_NAME_MAX, "%s", name);
	return i;
}

/*
 * Reads "NAME:PORT", without what follows: the rail and the plane. NCCL calls a port's Data Direct
 * interface NAME_dma.
 */
static bool read_device(const char *text, size_t length, char ret[LOG_NAME_MAX])
{
	static const char direct[] = "_dma";
	const char *colon = memchr(text, ':', length);
	size_t name = colon ? (size_t)(colon - text) : 0, suffix = sizeof(direct) - 1;
	size_t port = colon ? strspn(colon + 1, "0123456789") : 0;

	if (name > suffix && memcmp(colon - suffix, direct, suffix) == 0)
		name -= suffix;
	if (!name || !port || name + 1 + port >= LOG_NAME_MAX)
		return false;
	snprintf(ret, LOG_NAME_MAX, "%.*s:%.*s", (int)name, text, (int)port, colon + 1);
	return true;
}

static void add_device(struct reading *r, const char *name, const char *link)
{
	size_t i = index_of(r->log, name);

	if (i == LOG_DEVICES_MAX)
		return;
	r->p->devices |= 1u << i;
	if (strncmp(link, "IB", 2) == 0)
		r->p->infiniband |= 1u << i;
}

/*
 * "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.1<0>"; NCCL 2.22 merges
 * two: "[0]={[0] mlx5_0:1/RoCE, [1] mlx5_1:1/RoCE}".
 */
static void read_devices(struct reading *r, const char *rest)
{
	const char *end = rest + strcspn(rest, ";");
	char name[LOG_NAME_MAX];

	note_line(&r->p->uses_line, r->line);
	while ((rest = strchr(rest, ']')) && rest < end) {
		size_t length;

		rest += 1 + strspn(rest + 1, " ");
		length = strcspn(rest, "/;[ ");
		if (rest[length] == '/' && read_device(rest, length, name))
			add_device(r, name, rest + length + 1);
	}
}

static void read_no_device(struct reading *r, const char *rest)
{
	(void)rest;
	r->p->no_device = true;
	note_line(&r->p->socket_line, r->line);
}

/*
 * "Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA"; NVIDIA's plugins call themselves IBext
 * or IBext_v8.
 */
static void read_channel(struct reading *r, const char *rest)
{
	struct log_process *p = r->p;

	if (strncmp(rest, "Socket/", strlen("Socket/")) == 0)
		note_line(&p->socket_line, r->line);
	if (strncmp(rest, "IB", strlen("IB")) != 0 || rest[strcspn(rest, "/ ")] != '/')
		return;
	p->ib_channels++;
	note_line(&p->ib_line, r->line);
	if (strstr(rest, "/GDRDMA"))
		p->gdrdma_channels++;
	else
		note_line(&p->no_gdrdma_line, r->line);
}

/* "NCCL_IB_TC set by environment to 106." NCCL_COLLNET_ENABLE has the words without ENV. */
static void read_variable(struct reading *r, const char *rest)
{
	const char *end = rest - strlen(" set by environment to "), *name = end;
	enum variable_id id;

	while (name > r->message && name[-1] != ' ')
		name--;
	id = variable_find(name, (size_t)(end - name));
	if (id != VARIABLE_COUNT)
		r->p->set[id] = (struct logged){ r->line, strtol(rest, NULL, 10) };
	if (strncmp(name, "NCCL_COLLNET_ENABLE ", strlen("NCCL_COLLNET_ENABLE ")) != 0)
		note_line(&r->p->env_line, r->line);
}

/* "NET/IB: NCCL Dev 0 IbDev 0 Port 1 qpn 291 mtu 5 GID 3 (80FE/...)" */
static void read_gid(struct reading *r, const char *rest)
{
	struct log_process *p = r->p;
	long index = strtol(rest, NULL, 10);

	p->gid_differs = p->gid_differs || (p->gid.line && index != p->gid.value);
	p->gid = (struct logged){ r->line, index };
}

/*
 * The status of a completion: " with error 12, opcode" before NCCL 2.19, then "status=12 opcode",
 * and from 2.28 on "status=IBV_WC_RETRY_EXC_ERR(12)".
 */
static void read_completion(struct reading *r, const char *rest)
{
	const char *status = strstr(rest, " with "), *number;

	if (!status || r->p->failed.line)
		return;
	number = status + strcspn(status, "=(0123456789");
	if (*number == '=')
		number += isdigit((unsigned char)number[1]) ? 1 : strcspn(number, "(");
	number += *number == '(';
	r->p->failed = (struct logged){ r->line, strtol(number, NULL, 10) };
}

static const struct {
	const char *words;
	void (*read)(struct reading *r, const char *rest);
} phrases[] = {
	{ "NCCL version ", read_version },
	{ "Using network ", read_network },
	{ "NET/IB : Using ", read_devices },
	{ "NET/IB : No device found", read_no_device },
	{ " via NET/", read_channel },
	{ " set by environment to ", read_variable },
	{ " GID ", read_gid },
	{ "Got completion from peer ", read_completion },
};

/* Finds or adds the process; the last one stands for all that there is no room for. */
static struct log_process *process_of(struct nccl_log *log, const struct log_origin *o)
{
	struct log_process *p = log->processes, *end = p + log->processes_count;

	while (p < end && p->pid != o->pid)
		p++;
	if (p < end)
		return p;
	if (log->processes_count == LOG_PROCESSES_MAX)
		return end - 1;
	log->processes_count++;
	*p = (struct log_process){ .pid = o->pid, .gpu = o->gpu };
	return p;
}

/* True if this host wrote the line, or the line does not say which one did. */
static bool is_own(struct nccl_log *log, const struct log_origin *o)
{
	if (!o->host[0])
		return true;
	log_hosts_add(&log->hosts, o->host);
	if (!log->host[0] || strcasecmp(o->host, log->host) == 0)
		return true;
	if (!log->other[0])
		snprintf(log->other, sizeof(log->other), "%s", o->host);
	return false;
}

/* Removes colours and other sequences of ECMA-48 (ESC [ parameters final) from a line. */
static void remove_colours(char *line)
{
	char *to = line;

	for (const char *from = line; *from;) {
		if (from[0] != '\033' || from[1] != '[') {
			*to++ = *from++;
			continue;
		}
		from += 2;
		while (*from >= ' ' && *from < '@')
			from++;
		from += *from != '\0';
	}
	*to = '\0';
}

static void read_line(struct nccl_log *log, const char *line)
{
	struct log_origin o = { .host = "" };
	struct reading r = { .log = log, .line = log->line + 1 };

	r.message = strstr(line, "NCCL ");
	if (!r.message)
		return;
	log->lines++;
	if (!log_origin_parse(line, r.message, &o))
		o = (struct log_origin){ .host = "" };
	if (!is_own(log, &o))
		return;
	log->own_lines += o.host[0] != '\0';
	r.p = process_of(log, &o);
	note_line(&r.p->first_line, r.line);
	for (size_t i = 0; i < sizeof(phrases) / sizeof(phrases[0]); i++) {
		const char *found = strstr(r.message, phrases[i].words);

		if (found)
			phrases[i].read(&r, found + strlen(phrases[i].words));
	}
}

void nccl_log_set_host(struct nccl_log *log, const char *name)
{
	snprintf(log->host, sizeof(log->host), "%.*s", (int)strcspn(name, "."), name);
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
		remove_colours(line);
		read_line(log, line);
		log->line += newline != NULL;
		text += length + 1;
	}
}

bool nccl_log_is_of_host(const struct nccl_log *log, struct err *err)
{
	if (!log->lines) {
		err_record(err, ERR_POLICY, 0, "no line of NCCL in it");
		return err_fix(err, "run the job with NCCL_DEBUG=INFO");
	}
	if (!log->hosts.count || log->own_lines)
		return true;
	if (log->hosts.count == 1)
		err_record(err, ERR_POLICY, 0, "it is a log of %s, and this host is %s", log->other,
			   log->host);
	else
		err_record(err, ERR_POLICY, 0,
			   "it is a log of %s and %zu more hosts, and none is this host, %s",
			   log->other, log->hosts.count - 1, log->host);
	return err_fix(err,
		       "run it on %s, or, if that is a container of this host: sed "
		       "'s/\\<%s:/%s:/' FILE | losslessctl env --nccl-log -",
		       log->other, log->other, log->host);
}
