#include "network_manager.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../../agent/host/namespace.h"

#define PROFILE_MAX 16384

struct search {
	struct host *h;
	const struct port *port;
	const char *dir;
	bool any_sets_dcb; /* for this port or for another */
	struct network_manager *found;
};

static char *trim(char *text)
{
	size_t size;

	while (isspace((unsigned char)*text))
		text++;
	size = strlen(text);
	while (size && isspace((unsigned char)text[size - 1]))
		text[--size] = '\0';
	return text;
}

/* The value of "KEY=VALUE", without blanks and quotes; NULL if the line has another key. */
static const char *keyfile_value(char *line, const char *key)
{
	char *value = strchr(line, '=');

	if (!value)
		return NULL;
	*value++ = '\0';
	if (strcmp(trim(line), key) != 0)
		return NULL;
	value = trim(value);
	if (*value == '"' || *value == '\'') {
		value++;
		value[strcspn(value, "\"'")] = '\0';
	}
	return value;
}

/* A profile selects a port by name or MAC address; without either it applies to all ports. */
static bool is_for_another(const char *section, char *line, const struct port *port)
{
	bool by_name = strcmp(section, "[connection]") == 0;
	const char *value = keyfile_value(line, by_name ? "interface-name" : "mac-address");

	if (!value || !*value)
		return false;
	if (by_name)
		return strcmp(value, port->id.name) != 0;
	return strcmp(section, "[ethernet]") == 0 && port->id.mac[0] &&
	       strcasecmp(value, port->id.mac) != 0;
}

static bool keyfile_sets_dcb(char *text, const struct port *port)
{
	const char *section = "";
	bool sets = false;

	for (char *line; (line = strsep(&text, "\n"));) {
		line = trim(line);
		if (*line == '[')
			section = line;
		else if (is_for_another(section, line, port))
			return false;
		sets = sets || strcmp(section, "[dcb]") == 0;
	}
	return sets;
}

/* g_file_set_contents() appends a dot and six of these to the name of a temporary file. */
#define TEMPORARY "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* True if the name is that of a profile to NetworkManager: below /etc it needs no ".nmconnection".
 */
static bool is_profile(const char *dir, const char *name)
{
	const char *dot = strrchr(name, '.'), *end = dot ? dot : "";

	if (name[0] == '.' || name[strlen(name) - 1] == '~')
		return false;
	if (strcmp(end, ".nmconnection") == 0)
		return true;
	return strncmp(dir, "/etc/", 5) == 0 && strcasecmp(end, ".pem") != 0 &&
	       strcasecmp(end, ".der") != 0 &&
	       !(strlen(end) == 7 && strspn(end + 1, TEMPORARY) == 6);
}

static void check_profile(const char *name, void *arg)
{
	struct search *s = arg;
	char text[PROFILE_MAX];
	struct err quiet = { 0 };

	if (!is_profile(s->dir, name) || s->found->profile[0])
		return;
	if (!host_read_file(s->h, text, sizeof(text), &quiet, "%s/%s", s->dir, name))
		return;
	s->any_sets_dcb = s->any_sets_dcb || strstr(text, "[dcb]");
	if (keyfile_sets_dcb(text, s->port))
		snprintf(s->found->profile, sizeof(s->found->profile), "%s", name);
}

static bool has_keyfile(struct search *s)
{
	static const char *const folders[] = {
		"/etc/NetworkManager/system-connections",
		"/run/NetworkManager/system-connections",
		"/usr/lib/NetworkManager/system-connections",
	};

	bool none = false;

	if (run_fact_recall(&s->h->facts, FACT_NO_DCB_PROFILE, &none, sizeof(none)))
		return false;
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		struct err quiet = { 0 };

		s->dir = folders[i];
		if (host_list_dir(s->h, s->dir, check_profile, s, &quiet) && s->found->profile[0])
			return true;
	}
	none = true;
	if (!s->any_sets_dcb)
		run_fact_remember(&s->h->facts, FACT_NO_DCB_PROFILE, &none, sizeof(none));
	return false;
}

/* The values that NetworkManager reads as yes in such a file. */
static bool is_yes(const char *value)
{
	static const char *const words[] = { "yes", "true", "t", "y", "1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(value, words[i]) == 0)
			return true;
	return false;
}

static bool has_ifcfg(struct search *s)
{
	char text[PROFILE_MAX], *rest = text;
	struct err quiet = { 0 };
	bool sets = false;

	if (!host_read_file(s->h, text, sizeof(text), &quiet,
			    "/etc/sysconfig/network-scripts/ifcfg-%s", s->port->id.name))
		return false;
	for (char *line; (line = strsep(&rest, "\n"));) {
		const char *value = keyfile_value(line, "DCB");

		sets = value ? is_yes(value) : sets;
	}
	snprintf(s->found->profile, sizeof(s->found->profile), "ifcfg-%.64s", s->port->id.name);
	return sets;
}

bool network_manager_sets_dcb(struct host *h, const struct port *port, struct network_manager *ret)
{
	struct search s = { .h = h, .port = port, .found = ret };

	*ret = (struct network_manager){ .pid = 0 };
	/* Check the files first: they are few, and processes are many. */
	return (has_keyfile(&s) || has_ifcfg(&s)) && process_runs(h, "NetworkManager", &ret->pid);
}
