#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../policy/lint/headroom.h"
#include "../output/print.h"
#include "../output/report_json.h"
#include "../output/table.h"
#include "verbs.h"

/* The largest MTU of a ConnectX; `ip -d link` shows it as maxmtu. */
#define CONNECTX_MAX_MTU 9978

/* A number given as an option. */
struct quantity {
	const char *option;
	size_t given;			  /* offset of the option's text in struct options */
	size_t into;			  /* offset of the number in struct headroom_link */
	uint32_t min, max, default_value; /* default_value 0: the option is required */
	bool takes_giga;		  /* accepts "100G" for 100000 */
	const char *range;		  /* in words */
};

#define WORD(member) offsetof(struct options, member)
#define INTO(member) offsetof(struct headroom_link, member)

/* clang-format off: one row per number */
static const struct quantity quantities[] = {
	{ "--speed", WORD(speed), INTO(speed_mbps), 1000, 10000000, 0, true,
	  "1000 to 10000000 Mb/s, or 1G to 10000G" },
	{ "--mtu", WORD(mtu), INTO(mtu), 1, 65535, 0, false, "1 to 65535 bytes" },
	{ "--cable", WORD(cable), INTO(cable_m), 1, 999, 0, false, "1 to 999 metres" },
	{ "--max-mtu", WORD(max_mtu), INTO(max_mtu), 1, 65535, CONNECTX_MAX_MTU, false,
	  "1 to 65535 bytes" },
	{ "--cell", WORD(cell), INTO(cell_bytes), 1, 65535, HEADROOM_CELL_BYTES, false,
	  "1 to 65535 bytes" },
};
/* clang-format on */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The option's text; NULL if it is not given. */
static const char *word_of(const struct options *o, const struct quantity *q)
{
	return *(const char *const *)((const char *)o + q->given);
}

static bool read_quantity(const struct quantity *q, const char *word, uint32_t *ret,
			  struct err *err)
{
	char *end;
	unsigned long n = strtoul(word, &end, 10);
	bool giga = q->takes_giga && strcmp(end, "G") == 0;
	bool is_number = word[0] >= '0' && word[0] <= '9' && (!*end || giga);

	if (is_number && n <= q->max)
		n *= giga ? 1000 : 1;
	if (is_number && n >= q->min && n <= q->max) {
		*ret = (uint32_t)n;
		return true;
	}
	err_record(err, ERR_USAGE, 0, "%s takes %s, not \"%s\"", q->option, q->range, word);
	return is_number && q->takes_giga && n > 0 && n < q->min &&
	       err_fix(err, "did you mean %luG?", n);
}

/* Names every option that is missing. */
static bool has_required(const struct options *o, struct err *err)
{
	char missing[64] = "";

	for (size_t i = 0; i < COUNT_OF(quantities); i++) {
		const struct quantity *q = &quantities[i];
		size_t used = strlen(missing);

		if (!q->default_value && !word_of(o, q))
			snprintf(missing + used, sizeof(missing) - used, "%s%s", used ? ", " : "",
				 q->option);
	}
	if (!missing[0])
		return true;
	err_record(err, ERR_USAGE, 0, "`headroom` needs %s", missing);
	return err_fix(err, "run `losslessctl headroom --speed 400G --mtu 9000 --cable 30`");
}

static bool mtu_is_possible(const struct headroom_link *link, struct err *err)
{
	if (link->mtu <= link->max_mtu)
		return true;
	err_record(err, ERR_USAGE, 0, "--mtu %u is above --max-mtu %u", link->mtu, link->max_mtu);
	return err_fix(err, "run `ip -d link show dev PORT`: maxmtu is the largest MTU of a port");
}

static bool read_link(const struct options *o, struct headroom_link *link, struct err *err)
{
	if (!has_required(o, err))
		return false;
	for (size_t i = 0; i < COUNT_OF(quantities); i++) {
		const struct quantity *q = &quantities[i];
		const char *word = word_of(o, q);
		uint32_t *into = (uint32_t *)((char *)link + q->into);

		*into = q->default_value;
		if (word && !read_quantity(q, word, into, err))
			return false;
	}
	return mtu_is_possible(link, err);
}

static void add_term(struct table *t, const char *colour, const char *name, const char *how,
		     uint32_t bytes)
{
	char size[32];

	snprintf(size, sizeof(size), "%u bytes", bytes);
	table_add(t, colour, name);
	table_add(t, colour, how);
	table_add(t, colour, size);
}

static void print_terms(const struct cli *c, const struct headroom_link *link,
			const struct headroom *h)
{
	static const struct table_column columns[] = { { "", .width = 17 },
						       { "", .width = 31 },
						       { "", .width = 16, .is_right = true } };
	_table_ struct table t = { .c = c,
				   .columns = columns,
				   .columns_count = COUNT_OF(columns),
				   .indent = 2,
				   .gap = 1 };
	char how[64];

	snprintf(how, sizeof(how), "(301 + %u) * %g Gb/s", h->bytes_per_gbps - 301,
		 h->speed_mbps / 1000.0);
	add_term(&t, "", "in flight", how, h->in_flight_bytes);
	snprintf(how, sizeof(how), "2.72 * %u", link->mtu);
	add_term(&t, "", "frames in transit", how, h->frames_bytes);
	add_term(&t, "", "xoff", "", h->xoff_bytes);
	snprintf(how, sizeof(how), "max(%u, %u)", HEADROOM_MIN_MAX_MTU, link->max_mtu);
	add_term(&t, "", "largest frame", how, h->max_mtu);
	add_term(&t, "", "one cell", "", h->cell_bytes);
	add_term(&t, c->out.bold, "smallest buffer", "of a lossless priority", h->min_buffer_bytes);
	table_print(&t);
}

static void print_headroom(const struct cli *c, const struct headroom_link *link,
			   const struct headroom *h)
{
	printf("%s%s%s\n\n", c->out.dim, HEADROOM_FORMULA, c->out.reset);
	print_terms(c, link, h);
	if (h->speed_mbps != link->speed_mbps)
		puts("\nThe mlx5 driver computes with at least 40 Gb/s.");
	puts("\nThis is the formula of Linux's mlx5 driver. MLNX_OFED's driver sizes the buffers\n"
	     "itself, from speed, MTU and `pfc.cable_m`.");
}

static json_t *document(const struct headroom_link *link, const struct headroom *h)
{
	json_t *doc = report_new("headroom");

	json_object_update_new(doc,
			       json_pack("{s:I, s:I, s:I, s:s}", "speed_mbps",
					 (json_int_t)link->speed_mbps, "mtu_bytes",
					 (json_int_t)link->mtu, "cable_m",
					 (json_int_t)link->cable_m, "formula", HEADROOM_FORMULA));
	json_object_set_new(doc, "terms",
			    json_pack("{s:I, s:I, s:I, s:I}", "in_flight_bytes",
				      (json_int_t)h->in_flight_bytes, "frames_bytes",
				      (json_int_t)h->frames_bytes, "largest_frame_bytes",
				      (json_int_t)h->max_mtu, "cell_bytes",
				      (json_int_t)h->cell_bytes));
	json_object_set_new(doc, "xoff_bytes", json_integer(h->xoff_bytes));
	json_object_set_new(doc, "min_buffer_bytes", json_integer(h->min_buffer_bytes));
	return doc;
}

int verb_headroom(struct cli *c, struct err *err)
{
	struct headroom_link link = { 0 };
	struct headroom h;

	if (!read_link(&c->opt, &link, err))
		return -1;
	h = headroom_of(&link);
	if (c->opt.json)
		print_json(c, document(&link, &h));
	else
		print_headroom(c, &link, &h);
	return EXIT_SUCCESS;
}
