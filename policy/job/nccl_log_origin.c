#include "nccl_log_origin.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
