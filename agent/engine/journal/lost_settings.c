#include "lost_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../policy/model/setting.h"
#include "../../../policy/util/oom.h"
#include "../../host/cleanup.h"
#include "port_lines.h"

#define PATH	  "/run/losslessctl/lost-settings" /* one line per lost setting of a port */
#define TEXT_MAX  65536
#define NAME_MAX_ 64

struct line {
	char key[ID_MAX], setting[NAME_MAX_], how[8];
	unsigned ifindex, rdma_index; /* if they differ now, the driver has restarted */
};

static bool read_line(const char *text, struct line *ret)
{
	return sscanf(text, "%63s %u %u %63s %7s", ret->key, &ret->ifindex, &ret->rdma_index,
		      ret->setting, ret->how) == 5;
}

static bool is_of(const struct line *l, const struct port *p)
{
	return strcmp(l->key, port_key(p)) == 0 && l->ifindex == p->ifindex &&
	       l->rdma_index == p->rdma_index;
}

/* Treats an unreadable file as empty. The caller owns the text; NULL: out of memory. */
static char *load(struct host *h)
{
	struct err quiet = { 0 };
	char *text = port_lines_load(h, PATH, TEXT_MAX, &quiet);

	return text ? text : strdup("");
}

/* For each port of a run: mostly nothing is lost, which is found out once. */
static char *load_once(struct host *h)
{
	struct err quiet = { 0 };
	char *text;
	bool none = false;

	if (run_fact_recall(&h->facts, FACT_NONE_LOST, &none, sizeof(none)))
		return NULL;
	text = port_lines_load(h, PATH, TEXT_MAX, &quiet);
	none = text && !text[0];
	if (none)
		run_fact_remember(&h->facts, FACT_NONE_LOST, &none, sizeof(none));
	return text;
}

static setting_set by_name(const char *name)
{
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (strcmp(settings[i].path, name) == 0)
			return SETTING(i);
	return 0;
}

struct lost_settings lost_settings_of(struct host *h, const struct port *port)
{
	_free_ char *text = load_once(h);
	struct lost_settings ret = { 0, 0 };
	struct line l;

	for (const char *at = port_lines_first(text); at; at = port_lines_next(at)) {
		if (!read_line(at, &l) || !is_of(&l, port))
			continue;
		ret.unseen |= by_name(l.setting);
		ret.stuck |= strcmp(l.how, "stuck") == 0 ? by_name(l.setting) : 0;
	}
	return ret;
}

/*
 * Returns the other ports' lines and this port's new ones. The caller owns the text; NULL: out of
 * memory.
 */
static char *changed(const char *old, const struct port *port, const struct lost_settings *now)
{
	char *text = NULL;
	size_t size;
	struct line l;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (const char *at = port_lines_first(old); at; at = port_lines_next(at))
		if (read_line(at, &l) && strcmp(l.key, port_key(port)) != 0)
			fprintf(f, "%.*s\n", (int)strcspn(at, "\n"), at);
	for (unsigned i = 0; i < SETTING_COUNT; i++)
		if (now->unseen & SETTING(i))
			fprintf(f, "%s %u %u %s %s\n", port_key(port), port->ifindex,
				port->rdma_index, settings[i].path,
				now->stuck & SETTING(i) ? "stuck" : "lost");
	if (fclose(f) == 0)
		return text;
	free(text);
	return NULL;
}

bool lost_settings_record(struct host *h, const struct port *port, const struct lost_settings *l,
			  struct err *err)
{
	_free_ char *old = load(h), *text = NULL;

	if (!old)
		return err_no_memory(err);
	if (!l->unseen && !strstr(old, port_key(port)))
		return true;
	text = changed(old, port, l);
	return text ? host_publish_file(h, PATH, text, err) : err_no_memory(err);
}

void lost_settings_reveal(struct host *h, const struct port *port, struct observation *seen)
{
	seen->actual = config_zeroed(&seen->actual, lost_settings_of(h, port).unseen);
}
