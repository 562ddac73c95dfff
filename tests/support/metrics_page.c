#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/metrics_page.h"
#include "tests/support/unit.h"

char page[PAGE_MAX];

void set_stage(struct stage *g, size_t ports)
{
	*g = (struct stage){
		.host = { .version = "0.1.0",
			  .policy = "gpu-backend",
			  .sha256 = "0123abcd",
			  .verified_at_s = 1700000000,
			  .reloaded = true },
		.count = ports,
	};
	for (size_t i = 0; i < ports; i++) {
		snprintf(g->names[i], LINK_NAME_MAX, "ens%uf0np0", (unsigned)i & 0xffff);
		for (size_t k = 0; k < COUNTER_SLOTS; k++) {
			g->samples[i].has[k] = true;
			g->samples[i].value[k] = 1000 * i + k;
		}
		g->ports[i] = (struct metered){ .port = g->names[i],
						.pci = "0000:01:00.0",
						.rdma = "mlx5_0",
						.compared = true,
						.in_sync = 5,
						.sample = &g->samples[i] };
	}
}

void write_page(const struct stage *g)
{
	assert_true(metrics_write(page, sizeof(page), &g->host, g->ports, g->count));
}

static bool name_char(char c)
{
	return islower(c) || isdigit(c) || c == '_';
}

/* Returns the text after NAME="VALUE", or NULL. */
static const char *after_label(const char *at)
{
	while (name_char(*at))
		at++;
	if (*at++ != '=' || *at++ != '"')
		return NULL;
	for (; *at && *at != '"' && *at != '\n'; at++)
		if (*at == '\\' && !strchr("\\\"n", *++at))
			return NULL;
	return *at == '"' ? at + 1 : NULL;
}

static const char *after_labels(const char *at)
{
	do
		at = after_label(at + 1);
	while (at && *at == ',');
	return at && *at == '}' ? at + 1 : NULL;
}

/* True for NAME{LABELS} NUMBER of the family that was announced last. */
static bool is_sample(const char *line, const char *family)
{
	const char *at = line;
	char *end;

	while (name_char(*at))
		at++;
	if ((size_t)(at - line) != strlen(family) || strncmp(line, family, strlen(family)) != 0)
		return false;
	if (*at == '{')
		at = after_labels(at);
	if (!at || *at++ != ' ' || !isdigit(*at))
		return false;
	strtod(at, &end);
	return *end == '\n';
}

void each_line_is_well_formed(void)
{
	char family[128] = "", seen[16384] = "", mark[160];

	for (const char *line = page; *line; line = strchr(line, '\n') + 1) {
		char name[128], help[128], type[16];

		assert_non_null(strchr(line, '\n'));
		if (sscanf(line, "# HELP %127s %127[^\n]", name, help) == 2) {
			snprintf(mark, sizeof(mark), " %s ", name);
			if (strstr(seen, mark))
				fail_msg("%s is told twice", name);
			strcat(seen, mark);
			snprintf(family, sizeof(family), "%s", name);
		} else if (sscanf(line, "# TYPE %127s %15s", name, type) == 2) {
			assert_string_equal(name, family);
			assert_true(!strcmp(type, "gauge") || !strcmp(type, "counter"));
			assert_int_equal(!strcmp(type, "counter"),
					 strlen(name) > 6 &&
						 !strcmp(name + strlen(name) - 6, "_total"));
		} else if (!is_sample(line, family)) {
			fail_msg("of %s: %.*s", family, (int)strcspn(line, "\n"), line);
		}
	}
}
