#include "environment_report.h"

#include <stdio.h>
#include <string.h>

static bool is_managed(const struct environment_input *in, const char *device)
{
	for (size_t i = 0; i < in->count; i++)
		if (strcmp(in->ports[i].rdma, device) == 0)
			return true;
	return false;
}

/* Moves *text to the next entry of a list, and returns its length; 0: there is none. */
static size_t next_entry(const char **text)
{
	*text += strspn(*text, ",");
	return strcspn(*text, ",");
}

/* True if an entry of the list is the device in full, with or without a port. */
static bool names(const char *text, const char *device)
{
	size_t length;

	for (; (length = next_entry(&text)); text += length)
		if (strcspn(text, ":,") == strlen(device) &&
		    strncmp(text, device, strlen(device)) == 0)
			return true;
	return false;
}

/* NCCL would use a device that the policy does not cover. */
static bool judge_other_devices(struct judging *j, const struct found *f)
{
	const char *text = f->a->text;

	for (size_t i = 0; i < j->c->devices_count; i++) {
		const char *device = j->c->devices[i];
		struct environment_item *item;

		if (is_managed(j->c->input, device) || !nccl_hca_selects(text, device, 1))
			continue;
		item = judging_add_drift(j, VARIABLE_NCCL_IB_HCA, f);
		environment_item_say(item, "it selects %s, %s", device,
				     job_ports_foreign_text(j->c->input->ports, j->c->input->count,
							    device));
		if (text[0] != '=' && text[0] != '^' && !names(text, device))
			environment_item_say_trap(item, TRAP_HCA_PREFIX);
		return true;
	}
	return false;
}

static bool is_word(const char *entry, size_t length, const char *word)
{
	return strlen(word) == length && memcmp(entry, word, length) == 0;
}

/* UCX compares whole names. From 1.21 on it knows ^, and names without a port. */
static bool ucx_selects(const char *text, const struct job_port *p)
{
	bool exclude = text[0] == '^', found = false;
	size_t length;

	for (text += exclude; (length = next_entry(&text)); text += length) {
		if (is_word(text, length, "all"))
			return true;
		found = found || is_word(text, length, p->device) || is_word(text, length, p->rdma);
	}
	return found != exclude;
}

/* A rank of UCX often binds to one adapter, so that a port without it is worth a note. */
static bool judge_left_out(struct judging *j, enum variable_id id, const struct found *f)
{
	const struct environment_input *in = j->c->input;
	enum trap trap = judging_text_trap(f->a);
	const char *text = f->a->text;
	bool of_ucx = variables[id].of_ucx;

	for (size_t i = 0; i < in->count; i++) {
		const struct job_port *p = &in->ports[i];
		struct environment_item *item;

		if (!p->rdma[0] ||
		    (of_ucx ? ucx_selects(text, p) : nccl_hca_selects(text, p->rdma, p->rdma_port)))
			continue;
		item = of_ucx && !trap ? judging_add(j, id, f, NULL) : judging_add_drift(j, id, f);
		environment_item_say(item, "it leaves out %s of %s", p->device, p->name);
		environment_item_say_trap(item, trap);
		return true;
	}
	return false;
}

/* True if a device of the host has this name, or begins with it. */
static bool host_has(const struct judging *j, const char *name, size_t length, bool exact)
{
	for (size_t i = 0; i < j->c->devices_count; i++) {
		const char *device = j->c->devices[i];

		if (strncmp(device, name, length) == 0 && (!exact || !device[length]))
			return true;
	}
	return false;
}

/* Names the first device that the host lacks. UCX also takes interfaces, which have no port. */
static bool judge_missing(struct judging *j, enum variable_id id, const struct found *f)
{
	const char *entry = f->a->text + (f->a->text[0] == '^');
	bool of_ucx = variables[id].of_ucx, exact = of_ucx || *entry == '=';
	size_t length;

	if (!j->c->knows_devices || judging_text_trap(f->a))
		return false;
	for (entry += *entry == '='; (length = next_entry(&entry)); entry += length) {
		const char *colon = memchr(entry, ':', length);
		size_t name = colon ? (size_t)(colon - entry) : length;

		if (!name || (of_ucx && !colon) || host_has(j, entry, name, exact))
			continue;
		environment_item_say(judging_add_drift(j, id, f),
				     "it names %.*s, which this host does not have", (int)name,
				     entry);
		return true;
	}
	return false;
}

void judge_hca(struct judging *j, enum variable_id id, const struct found *f)
{
	bool any;

	if (!f->a)
		return;
	any = judge_left_out(j, id, f);
	any = judge_other_devices(j, f) || any;
	any = judge_missing(j, id, f) || any;
	if (!any && !strchr(f->a->text, '='))
		environment_item_say_trap(judging_add(j, id, f, NULL), TRAP_HCA_PREFIX);
}

/* Notes the first device that has no port. */
static void judge_portless(struct judging *j, enum variable_id id, const struct found *f)
{
	const char *entry = f->a->text + (f->a->text[0] == '^');
	size_t length;

	for (; (length = next_entry(&entry)); entry += length)
		if (host_has(j, entry, length, true)) {
			environment_item_say(judging_add(j, id, f, NULL),
					     "UCX before 1.21 does not find %.*s without its port",
					     (int)length, entry);
			return;
		}
}

/* A list of interfaces alone: their transport is TCP. The host's devices must be known. */
static bool judge_ucx_interfaces(struct judging *j, enum variable_id id, const struct found *f)
{
	const char *entry = f->a->text;
	struct environment_item *item;
	size_t length;

	if (!j->c->knows_devices || *entry == '^' || judging_text_trap(f->a))
		return false;
	for (; (length = next_entry(&entry)); entry += length)
		if (memchr(entry, ':', length) || is_word(entry, length, "all") ||
		    host_has(j, entry, length, true))
			return false;
	item = judging_add_drift(j, id, f);
	environment_item_say(item, "it names no RDMA device: UCX does not use RoCE");
	return true;
}

/* UCX 1.21 has ranges, such as mlx5_[0-3], which are not judged. */
void judge_ucx_devices(struct judging *j, enum variable_id id, const struct found *f)
{
	if (!f->a || strchr(f->a->text, '['))
		return;
	if (judge_ucx_interfaces(j, id, f))
		return;
	judge_left_out(j, id, f);
	judge_missing(j, id, f);
	judge_portless(j, id, f);
}

/* ---- transports ---- */

enum {
	RC_VERBS = 1 << 0,
	RC_MLX5 = 1 << 1,
	DC_MLX5 = 1 << 2,
	UD_VERBS = 1 << 3,
	UD_MLX5 = 1 << 4,
	RDMA_TRANSPORTS = RC_VERBS | RC_MLX5 | DC_MLX5 | UD_VERBS | UD_MLX5
};

/* ucp_tl_aliases[] of UCX's ucp_context.c, less those that only help to connect (":aux"). */
static const struct {
	const char *name;
	unsigned transports;
} transport_names[] = {
	{ "rc_verbs", RC_VERBS }, { "rc_mlx5", RC_MLX5 },	{ "dc_mlx5", DC_MLX5 },
	{ "ud_verbs", UD_VERBS }, { "ud_mlx5", UD_MLX5 },	{ "rc", RC_VERBS | RC_MLX5 },
	{ "rc_v", RC_VERBS },	  { "rc_x", RC_MLX5 },		{ "dc", DC_MLX5 },
	{ "dc_x", DC_MLX5 },	  { "ud", UD_VERBS | UD_MLX5 }, { "ud_v", UD_VERBS },
	{ "ud_x", UD_MLX5 },	  { "ib", RDMA_TRANSPORTS },
};

/* The RDMA transports that an entry names; a backslash only turns aliases off. */
static unsigned transports_of(const char *entry, size_t length)
{
	bool is_strict = *entry == '\\';

	for (size_t i = 0; i < sizeof(transport_names) / sizeof(transport_names[0]); i++)
		if (is_word(entry + is_strict, length - is_strict, transport_names[i].name))
			return transport_names[i].transports;
	return 0;
}

/* "all" counts as the first word only, also behind ^ (ucs_config_sscanf_allow_list()). */
static bool has_rdma(const char *text)
{
	bool exclude = text[0] == '^';
	unsigned named = 0;
	size_t length;

	text += exclude;
	if (is_word(text, strcspn(text, ","), "all"))
		return true;
	for (; (length = next_entry(&text)); text += length)
		named |= transports_of(text, length);
	return exclude ? named != RDMA_TRANSPORTS : named != 0;
}

void judge_ucx_transports(struct judging *j, enum variable_id id, const struct found *f)
{
	struct environment_item *item;

	if (!f->a || has_rdma(f->a->text))
		return;
	item = judging_add_drift(j, id, f);
	environment_item_say(item, "no RDMA transport: UCX does not use RoCE");
	snprintf(item->fix, sizeof(item->fix), "add rc, or remove it");
	environment_item_say_trap(item, judging_text_trap(f->a));
}
