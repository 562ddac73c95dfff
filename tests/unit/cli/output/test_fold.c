/* Tests of folding reports: identical ones are printed once, below the list of their ports. */
#include <stdlib.h>
#include <string.h>

#include "cli/output/fold.h"
#include "policy/model/setting.h"
#include "tests/support/unit.h"

static bool same_letter(const void *all, size_t a, size_t b)
{
	return ((const char *)all)[a] == ((const char *)all)[b];
}

static void equals_share_a_group_wherever_they_are(void **s)
{
	const char letters[] = "abacab";
	const size_t expected[] = { 0, 1, 0, 3, 0, 1 };
	size_t first[6];

	(void)s;
	groups_find(letters, 6, same_letter, first);
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(first[i], expected[i]);
	assert_int_equal(group_size(first, 6, 2), 3);
	assert_int_equal(group_size(first, 6, 3), 1);
	groups_find(letters, 0, same_letter, first);
}

#define PORTS_MAX 8

/*
 * A report of some ports: the text behind each name. Behind that, "!": the port failed; a digit:
 * which MTU the policy desires.
 */
static const struct row {
	const char *sentence, *texts[PORTS_MAX], *named, *printed;
} rows[] = {
	{ "nothing is printed of no port", { NULL }, NULL, "" },
	{ "two ports alike are printed one by one",
	  { "  ok\n", "  ok\n" },
	  NULL,
	  "p0  ok\np1  ok\n" },
	{ "three ports alike are printed once, below their names",
	  { "  ok\n  mtu 9000\n", "  ok\n  mtu 9000\n", "  ok\n  mtu 9000\n" },
	  NULL,
	  "3 identical ports  ok\n  p0, p1, p2\n  mtu 9000\n" },
	{ "an odd port comes behind the ports alike",
	  { "  drift\n", "  ok\n", "  ok\n", "  ok\n" },
	  NULL,
	  "3 identical ports  ok\n  p1, p2, p3\np0  drift\n" },
	{ "the port's own names and addresses are no difference",
	  { "  x, 0000:00:00.0, rdma_0, up\n  /sys/rdma_0 of p0\n",
	    "  x, 0000:00:01.0, rdma_1, up\n  /sys/rdma_1 of p1\n",
	    "  x, 0000:00:02.0, rdma_2, up\n  /sys/rdma_2 of p2\n" },
	  NULL,
	  "3 identical ports  x, up\n  p0, p1, p2\n  /sys/RDMA of PORT\n" },
	{ "another port's name is a difference",
	  { "  next to p1\n", "  next to p2\n", "  next to p0\n" },
	  NULL,
	  "p0  next to p1\np1  next to p2\np2  next to p0\n" },
	{ "a name is found as a whole word only",
	  { "  up0\n", "  up1\n", "  up2\n" },
	  NULL,
	  "p0  up0\np1  up1\np2  up2\n" },
	{ "a fact of the device that differs is a difference",
	  { "  firmware 1\n", "  firmware 2\n", "  firmware 1\n", "  firmware 1\n" },
	  NULL,
	  "3 identical ports  firmware 1\n  p0, p2, p3\np1  firmware 2\n" },
	{ "a port that is named is printed in full",
	  { "  ok\n", "  ok\n", "  ok\n", "  ok\n" },
	  "p2",
	  "3 identical ports  ok\n  p0, p1, p3\np2  ok\n" },
	{ "a pattern names no port in full",
	  { "  ok\n", "  ok\n", "  ok\n" },
	  "p*",
	  "3 identical ports  ok\n  p0, p1, p2\n" },
	{ "a port that failed is never folded, and comes last",
	  { "  failed\n!", "  ok\n", "  ok\n", "  ok\n", "  failed\n!", "  late\n" },
	  NULL,
	  "3 identical ports  ok\n  p1, p2, p3\np5  late\np0  failed\np4  failed\n" },
	{ "ports that should have something else are not alike, whatever they print",
	  { "  in sync\n1", "  in sync\n2", "  in sync\n1", "  in sync\n1", "  in sync\n" },
	  NULL,
	  "3 identical ports  in sync\n  p0, p2, p3\np1  in sync\np4  in sync\n" },
	{ "a failed port keeps its place where nothing is folded",
	  { "  failed\n!", "  late\n" },
	  NULL,
	  "p0  failed\np1  late\n" },
};

static void print_port_text(struct fold *f, const struct port *p, const char *text)
{
	static const struct config desired[] = {
		{ .has = SETTING(SETTING_MTU), .mtu = 1500 },
		{ .has = SETTING(SETTING_MTU), .mtu = 9000 },
	};
	const char *mark = strrchr(text, '\n') + 1;

	const struct cli *c = fold_begin(f, p);

	if (*mark == '!')
		fold_failed(f);
	else if (*mark)
		fold_desired(f, &desired[*mark - '1']);
	fprintf(c->to, "%s%.*s", p->id.name, (int)(mark - text), text);
	fold_end(f);
}

static void ports_alike_are_printed_once(void **s)
{
	const struct row *row = *s;
	bool lost = false;
	struct cli c = { .out = { .bold = "", .reset = "" }, .output_lost = &lost };
	struct port ports[PORTS_MAX];
	char *printed = NULL;
	size_t size;
	struct fold f = { .c = &c };

	if (row->named)
		c.engine.selection = (struct selection){ &row->named, 1 };
	c.to = open_memstream(&printed, &size);
	fold_open(&f, PORTS_MAX);
	for (size_t i = 0; row->texts[i]; i++) {
		ports[i] = (struct port){ .ifindex = 1 };
		snprintf(ports[i].id.name, ID_MAX, "p%zu", i);
		snprintf(ports[i].id.pci, ID_MAX, "0000:00:0%zu.0", i);
		snprintf(ports[i].id.rdma, ID_MAX, "rdma_%zu", i);
		print_port_text(&f, &ports[i], row->texts[i]);
	}
	fold_print(&f);
	fold_close(&f);
	fclose(c.to);
	assert_string_equal(printed, row->printed);
	assert_false(lost);
	free(printed);
}

int main(void)
{
	struct suite s = { 0 };

	SUITE_ADD(&s, equals_share_a_group_wherever_they_are);
	SUITE_ADD_ROWS(&s, rows, ports_alike_are_printed_once);
	return suite_run(&s, "fold");
}
