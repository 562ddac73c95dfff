/*
 * Is lldpad here, and does it write? It sends its own ETS and PFC to every
 * port that it can configure, within 30 s of any change, and never looks at
 * what is there. Started with -R it only speaks.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../policy/knob.h"
#include "guards.h"

#define CMDLINE_MAX 1024

struct search {
	struct host *h;
	char pid[16]; /* of the lldpad found, or "" */
};

/* -R by itself or among others ("-tR"); -f and -V take the rest of the word. */
static bool word_says_read_only(const char *word)
{
	if (*word++ != '-')
		return false;
	for (; *word && *word != 'f' && *word != 'V'; word++)
		if (*word == 'R')
			return true;
	return false;
}

static bool is_read_only(struct host *h, const char *pid)
{
	char words[CMDLINE_MAX] = { 0 };
	struct err quiet = { 0 };

	/* A process that has just ended writes nothing either. */
	if (!host_read_file(h, words, sizeof(words) - 1, &quiet, "/proc/%s/cmdline", pid))
		return true;
	for (const char *w = words; *w; w += strlen(w) + 1)
		if (word_says_read_only(w))
			return true;
	return false;
}

static void look_at(const char *pid, void *arg)
{
	struct search *s = arg;
	struct err quiet = { 0 };
	char comm[32], netns[64];

	if (!isdigit((unsigned char)pid[0]) || s->pid[0])
		return;
	if (!host_read_file(s->h, comm, sizeof(comm), &quiet, "/proc/%s/comm", pid))
		return;
	snprintf(netns, sizeof(netns), "/proc/%s/ns/net", pid);
	if (strcmp(comm, "lldpad") == 0 && host_same_file(s->h, netns, "/proc/self/ns/net") &&
	    !is_read_only(s->h, pid))
		snprintf(s->pid, sizeof(s->pid), "%.15s", pid);
}

static bool lldpad_objects(struct host *h, const struct port *port, char why[GUARD_WHY_MAX])
{
	struct search s = { .h = h };
	struct err quiet = { 0 };

	(void)port;
	if (!host_list_dir(h, "/proc", look_at, &s, &quiet) || !s.pid[0])
		return false;
	snprintf(why, GUARD_WHY_MAX,
		 "lldpad (pid %s) manages this port and would overwrite it within 30 s", s.pid);
	return true;
}

const struct guard guard_lldpad = {
	.name = "lldpad",
	.over = KNOB(KNOB_DCBX_MODE) | KNOB(KNOB_PFC_PRIORITIES) | KNOB(KNOB_PFC_CABLE_M) |
		KNOB(KNOB_ETS_PRIO_TC) | KNOB(KNOB_ETS_TSA) | KNOB(KNOB_ETS_BANDWIDTH) |
		KNOB(KNOB_TRUST) | KNOB(KNOB_DSCP_PRIO),
	.objects = lldpad_objects,
	.mend = "stop it (systemctl disable --now lldpad.service lldpad.socket), or start it with "
		"-R so "
		"that it only advertises",
};
