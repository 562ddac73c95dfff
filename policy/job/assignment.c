#include "assignment.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- variables ---- */

/*
 * Sources: NCCL's src/transport/net_ib/connect.cc, gin.cc and src/misc/socket.cc; UCX's
 * src/uct/ib/base/ib_iface.c and src/ucp/core/ucp_context.c.
 */
const struct variable variables[VARIABLE_COUNT] = {
	[VARIABLE_NCCL_IB_TC] = { "NCCL_IB_TC", VARIABLE_CLASS,
				  .doc = "Traffic class of NCCL's queue pairs." },
	[VARIABLE_NCCL_IB_FIFO_TC] = { "NCCL_IB_FIFO_TC", VARIABLE_CLASS, NCCL_VERSION(2, 22),
				       .doc = "Traffic class of NCCL's small control messages." },
	[VARIABLE_NCCL_GIN_IB_TC] = { "NCCL_GIN_IB_TC", VARIABLE_CLASS, NCCL_VERSION(2, 30),
				      .nvidia_only = true,
				      .doc = "Traffic class of the queue pairs that GPUs drive "
					     "themselves (GIN)." },
	[VARIABLE_NCCL_IB_SL] = { "NCCL_IB_SL", VARIABLE_INTEGER,
				  .doc = "Service level of NCCL's queue pairs: the PCP in a VLAN's "
					 "tag, 0 unless it is set." },
	[VARIABLE_NCCL_IB_HCA] = { "NCCL_IB_HCA", VARIABLE_TEXT,
				   .doc = "RDMA devices that NCCL uses." },
	[VARIABLE_NCCL_IB_ADDR_FAMILY] = { "NCCL_IB_ADDR_FAMILY", VARIABLE_TEXT, NCCL_CHOOSES_GID,
					   .doc = "Address family of the GID that NCCL chooses." },
	[VARIABLE_NCCL_IB_ROCE_VERSION_NUM] = { "NCCL_IB_ROCE_VERSION_NUM", VARIABLE_INTEGER,
						NCCL_CHOOSES_GID,
						.doc = "RoCE version of the GID that NCCL "
						       "chooses." },
	[VARIABLE_NCCL_IB_GID_INDEX] = { "NCCL_IB_GID_INDEX", VARIABLE_INTEGER,
					 .doc = "Index of the GID, for NCCL before 2.21." },
	[VARIABLE_NCCL_SOCKET_IFNAME] = { "NCCL_SOCKET_IFNAME", VARIABLE_TEXT,
					  .doc = "Interfaces over which NCCL's ranks find each "
						 "other." },
	[VARIABLE_NCCL_IB_TIMEOUT] = { "NCCL_IB_TIMEOUT", VARIABLE_INTEGER,
				       .doc = "Time-out of a queue pair, 4.096 us << value." },
	[VARIABLE_NCCL_IB_RETRY_CNT] = { "NCCL_IB_RETRY_CNT", VARIABLE_INTEGER,
					 .doc = "Retransmissions before a queue pair fails." },
	[VARIABLE_NCCL_IB_DISABLE] = { "NCCL_IB_DISABLE", VARIABLE_INTEGER,
				       .doc = "1 turns RDMA off." },
	[VARIABLE_NCCL_NET] = { "NCCL_NET", VARIABLE_TEXT,
				.doc = "Name of the network module: IB, or Socket for TCP." },
	[VARIABLE_UCX_IB_TRAFFIC_CLASS] = { "UCX_IB_TRAFFIC_CLASS", VARIABLE_CLASS, .of_ucx = true,
					    .doc = "Traffic class of UCX's queue pairs." },
	[VARIABLE_UCX_IB_SL] = { "UCX_IB_SL", VARIABLE_INTEGER, .of_ucx = true,
				 .doc = "Service level of UCX's queue pairs: the PCP in a VLAN's "
					"tag, 0 unless it is set." },
	[VARIABLE_UCX_NET_DEVICES] = { "UCX_NET_DEVICES", VARIABLE_TEXT, .of_ucx = true,
				       .doc = "Devices that UCX uses." },
	[VARIABLE_UCX_TLS] = { "UCX_TLS", VARIABLE_TEXT, .of_ucx = true,
			       .doc = "Transports that UCX uses." },
};

enum variable_id variable_find(const char *name, size_t length)
{
	enum variable_id id = 0;

	while (id < VARIABLE_COUNT && (strlen(variables[id].name) != length ||
				       memcmp(variables[id].name, name, length) != 0))
		id++;
	return id;
}

/* ---- assignments ---- */

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* as UTF-8 has it */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The text between the blanks around it. */
static void trim(const char **name, size_t *length)
{
	for (; *length && is_blank(**name); --*length)
		++*name;
	while (*length && is_blank((*name)[*length - 1]))
		--*length;
}

static bool is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* True if the names differ in case, in one letter, or in two that changed places. */
static bool is_one_edit(const char *a, size_t la, const char *b)
{
	size_t lb = strlen(b);

	for (; la && lb && is_same(*a, *b); la--, lb--)
		a++, b++;
	while (la && lb && is_same(a[la - 1], b[lb - 1]))
		la--, lb--;
	return (la <= 1 && lb <= 1) ||
	       (la == 2 && lb == 2 && is_same(a[0], b[1]) && is_same(a[1], b[0]));
}

static enum variable_id misspelled(const char *name, size_t length)
{
	enum variable_id id = 0;

	if (!length || !isalpha((unsigned char)name[0]))
		return VARIABLE_COUNT; /* a comment behind blanks */
	while (id < VARIABLE_COUNT && !is_one_edit(name, length, variables[id].name))
		id++;
	return id;
}

enum variable_id variable_resembled(const char *name, size_t length, enum trap *trap)
{
	static const char export_word[] = "export", mark[] = BYTE_ORDER_MARK;
	size_t word = sizeof(export_word) - 1;
	enum variable_id id = variable_find(name, length);

	*trap = TRAP_NONE;
	if (id != VARIABLE_COUNT)
		return id;
	*trap = TRAP_BLANK_IN_NAME;
	if (length > strlen(mark) && memcmp(name, mark, strlen(mark)) == 0) {
		*trap = TRAP_BYTE_ORDER_MARK;
		name += strlen(mark);
		length -= strlen(mark);
	}
	trim(&name, &length);
	if (length > word && memcmp(name, export_word, word) == 0 && is_blank(name[word])) {
		*trap = TRAP_EXPORT;
		name += word;
		length -= word;
		trim(&name, &length);
	}
	id = variable_find(name, length);
	if (id != VARIABLE_COUNT)
		return id;
	*trap = TRAP_MISSPELLED;
	return misspelled(name, length);
}

struct assignment *assignments_put(struct assignments *all, const struct written *w,
				   enum variable_id id, enum trap trap)
{
	struct assignment *a = &all->list[all->count];
	size_t size = w->length < VALUE_MAX ? w->length : VALUE_MAX - 1;

	if (all->count == ASSIGNMENTS_MAX) {
		all->omitted++;
		return NULL;
	}
	if (w->length > size && !trap)
		trap = TRAP_TOO_LONG;
	a->variable = id;
	a->trap = trap;
	a->line = w->line;
	snprintf(a->name, sizeof(a->name), "%.*s",
		 (int)(w->name_length < sizeof(a->name) ? w->name_length : sizeof(a->name) - 1),
		 w->name);
	memcpy(a->text, w->value, size);
	a->text[size] = '\0';
	all->count++;
	return a;
}

/* Adds "NAME=VALUE" if it concerns a variable. False if the text has no "=". */
static bool add(struct assignments *all, const char *text, size_t length, unsigned line)
{
	const char *equals = memchr(text, '=', length);
	size_t name = equals ? (size_t)(equals - text) : 0;
	enum variable_id id;
	enum trap trap;

	if (!equals)
		return false;
	id = variable_resembled(text, name, &trap);
	if (id == VARIABLE_COUNT)
		return true;
	if (!trap && assignment_of(all, id))
		trap = TRAP_SET_TWICE;
	(void)assignments_put(all,
			      &(struct written){ text, name, equals + 1, length - name - 1, line },
			      id, trap);
	return true;
}

/* Adds a line that begins with a variable, and sets nothing. */
static void add_without_equals(struct assignments *all, const char *text, size_t length,
			       unsigned line)
{
	size_t name = 0;
	enum variable_id id;
	enum trap trap;

	while (name < length && (isalnum((unsigned char)text[name]) || text[name] == '_'))
		name++;
	id = variable_resembled(text, name, &trap);
	if (id != VARIABLE_COUNT)
		(void)assignments_put(all, &(struct written){ text, length, "", 0, line }, id,
				      TRAP_NO_EQUALS);
}

/* The length of a line or a variable up to a NUL. */
static size_t length_of(const char *text, const char *stop)
{
	const char *nul = memchr(text, '\0', (size_t)(stop - text));

	return (size_t)((nul ? nul : stop) - text);
}

void nccl_conf_parse(const char *text, size_t size, struct assignments *ret)
{
	const char *end = text + size;
	unsigned line = 1;

	ret->count = ret->omitted = 0;
	for (const char *next; text < end; text = next, line++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline ? newline : end;

		next = stop + 1;
		if (*text != '#' && !add(ret, text, length_of(text, stop), line))
			add_without_equals(ret, text, length_of(text, stop), line);
	}
}

void environ_parse(const char *text, size_t size, struct assignments *ret)
{
	const char *end = text + size;
	bool has_nul = size && memchr(text, '\0', size);
	unsigned line = 1;

	ret->count = ret->omitted = 0;
	for (const char *next; text < end; text = next, line++) {
		const char *mark = memchr(text, has_nul ? '\0' : '\n', (size_t)(end - text));
		const char *stop = mark ? mark : end;

		next = stop + 1;
		(void)add(ret, text, length_of(text, stop), has_nul ? 0 : line);
	}
}

bool environ_is_plausible(const char *text, size_t size)
{
	const char *end = text + size, *name = text;

	while (name < end && (*name == '\n' || *name == '#')) {
		const char *newline = memchr(name, '\n', (size_t)(end - name));

		name = newline ? newline + 1 : end;
	}
	if (name == end)
		return true;
	for (text = name; text < end && *text != '='; text++)
		if (!isprint((unsigned char)*text) || strchr("{}[]\"'<>()", *text))
			return false;
	return text < end && text > name;
}

bool assignment_counts(const struct assignment *a)
{
	return a->trap == TRAP_NONE || a->trap == TRAP_TOO_LONG;
}

const struct assignment *assignment_of(const struct assignments *all, enum variable_id variable)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].variable == variable && assignment_counts(&all->list[i]))
			return &all->list[i];
	return NULL;
}
