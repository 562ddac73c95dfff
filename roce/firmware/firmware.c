/*
 * Settings of the adapter's firmware, NVConfig and ROCE_ACCL. They are verified and never written:
 * NVConfig takes effect at a reset, and both belong to the adapter, not to a port's link.
 */
#include "firmware.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../agent/host/cleanup.h"
#include "../../agent/host/host.h"
#include "../../agent/host/host_facts.h"
#include "../../policy/model/firmware_parameter.h"
#include "../../policy/model/setting.h"
#include "../../policy/util/oom.h"
#include "../registry.h"

/* ---- what the tools print ---- */

#define COLUMNS_MAX 3 /* default, current, next boot */
#define WORDS_MAX   8 /* words of a line, with the marks before the name */

/* A word of a line; not NUL-terminated. */
struct token {
	const char *at;
	size_t length;
};

static const struct setting *nvconfig(void)
{
	return &settings[SETTING_FIRMWARE_NVCONFIG];
}

static const struct setting *roce_accl(void)
{
	return &settings[SETTING_FIRMWARE_ROCE_ACCL];
}

/* Returns the line after this one, or NULL. */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end && end[1] ? end + 1 : NULL;
}

static size_t words_of(const char *line, struct token ret[WORDS_MAX])
{
	size_t n = 0;

	while (n < WORDS_MAX) {
		line += strspn(line, " \t\r");
		if (!*line || *line == '\n')
			break;
		ret[n] = (struct token){ line, strcspn(line, " \t\r\n") };
		line += ret[n++].length;
	}
	return n;
}

static bool is_word(const struct token *w, const char *text)
{
	return w->length == strlen(text) && memcmp(w->at, text, w->length) == 0;
}

/* Both tools begin the line of an error with "-E-". */
static bool report_error(const struct tool_output *text, const char *tool, struct err *err)
{
	for (const char *line = text->text; line && *line; line = next_line(line))
		if (strncmp(line, "-E-", 3) == 0) {
			line += 3 + strspn(line + 3, " ");
			return err_set(err, ERR_UNKNOWN, EIO, "%s: %.*s", tool,
				       (int)(strcspn(line, "\n") > 120 ? 120 : strcspn(line, "\n")),
				       line);
		}
	return err_set(err, ERR_UNKNOWN, EBADMSG, "%s printed no table", tool);
}

/* ---- mstconfig ---- */

/* The columns of values: the last one is "Next Boot". */
struct columns {
	size_t count;
	bool has_current; /* the one before */
};

static bool find_header(const char *text, const char **ret_rows, struct columns *ret)
{
	for (const char *line = text; line && *line; line = next_line(line)) {
		struct token w[WORDS_MAX];
		size_t n = words_of(line, w);

		if (n < 3 || !is_word(&w[0], "Configurations:") || !is_word(&w[n - 2], "Next") ||
		    !is_word(&w[n - 1], "Boot") || n - 2 > COLUMNS_MAX)
			continue;
		*ret = (struct columns){ n - 2, is_word(&w[n - 3], "Current") };
		*ret_rows = next_line(line);
		return true;
	}
	return false;
}

/* A row of the table: the name, and the values in the order of the columns. */
struct table_row {
	struct token name, values[COLUMNS_MAX];
	size_t count;
};

/* Drops the marks "*" (next boot differs) and "RO" (read only), which newer tools join. */
static struct table_row row_of(const char *line)
{
	struct token w[WORDS_MAX];
	size_t n = words_of(line, w), i = 0;
	struct table_row row = { .count = 0 };

	while (i < n && (is_word(&w[i], "*") || is_word(&w[i], "RO") || is_word(&w[i], "*RO")))
		i++;
	if (i < n)
		row.name = w[i++];
	while (i < n && row.count < COLUMNS_MAX)
		row.values[row.count++] = w[i++];
	row.count += n - i; /* too many words: no row of this table */
	return row;
}

/* Compares the name; *ret_port is the number of its suffix "_P1", or 0. */
static bool has_name(const struct token *w, const char *name, unsigned *ret_port)
{
	size_t n = strlen(name);

	*ret_port = 0;
	if (!w->at || w->length < n || memcmp(w->at, name, n) != 0)
		return false;
	if (w->length == n)
		return true;
	if (w->length != n + 3 || memcmp(w->at + n, "_P", 2) != 0 || w->at[n + 2] < '1' ||
	    w->at[n + 2] > '9')
		return false;
	*ret_port = (unsigned)(w->at[n + 2] - '0');
	return true;
}

/* True if any name in the table ends in _P2: the adapter has two ports. */
static bool has_two_ports(const char *rows)
{
	for (const char *line = rows; line && *line; line = next_line(line)) {
		struct table_row row = row_of(line);

		if (row.name.length > 3 && memcmp(row.name.at + row.name.length - 3, "_P2", 3) == 0)
			return true;
	}
	return false;
}

static bool number_of(const struct token *w, size_t digits_at, size_t end, uint8_t max,
		      uint8_t *ret)
{
	unsigned value = 0;

	if (digits_at >= end || end - digits_at > 3)
		return false;
	for (size_t i = digits_at; i < end; i++) {
		if (!isdigit((unsigned char)w->at[i]))
			return false;
		value = value * 10 + (unsigned)(w->at[i] - '0');
	}
	*ret = (uint8_t)value;
	return value <= max;
}

/* Reads "48" and "TRUST_DSCP(6)". "N/A" and arrays have no value. */
static bool value_of(const struct token *w, uint8_t max, uint8_t *ret)
{
	const char *open;

	if (!w->at)
		return false;
	open = memchr(w->at, '(', w->length);
	if (!open)
		return number_of(w, 0, w->length, max, ret);
	return w->at[w->length - 1] == ')' &&
	       number_of(w, (size_t)(open - w->at) + 1, w->length - 1, max, ret);
}

static struct parameter parameter_of(const struct table_row *row, const struct columns *columns,
				     uint8_t max, unsigned port)
{
	struct parameter p = { .state = PARAMETER_UNREADABLE, .port = (uint8_t)port };

	if (row->count == columns->count && columns->has_current &&
	    value_of(&row->values[row->count - 2], max, &p.current) &&
	    value_of(&row->values[row->count - 1], max, &p.next_boot))
		p.state = PARAMETER_SET;
	return p;
}

static void read_row(const char *line, const struct columns *columns, unsigned port,
		     struct config *out)
{
	struct table_row row = row_of(line);
	unsigned suffix;

	for (size_t i = 0; i < nvconfig()->count; i++) {
		const struct parameter_row *known = &nvconfig_rows[i];
		struct parameter p;

		if (!has_name(&row.name, known->name, &suffix) ||
		    (suffix && (!known->of_port || suffix != port)))
			continue;
		p = parameter_of(&row, columns, known->max, suffix);
		parameter_put(nvconfig(), out, i, &p);
	}
}

/* If the tool failed, a parameter that it did not print may exist. */
static void doubt_absent(const struct setting *k, struct config *out)
{
	const struct parameter doubtful = { .state = PARAMETER_UNREADABLE };

	for (size_t i = 0; i < k->count; i++)
		if (parameter_get(k, out, i).state == PARAMETER_ABSENT)
			parameter_put(k, out, i, &doubtful);
}

bool nvconfig_from_text(const struct tool_output *text, unsigned port, struct config *out,
			struct err *err)
{
	struct columns columns;
	const char *rows;

	if (!find_header(text->text, &rows, &columns) || !rows)
		return report_error(text, "mstconfig", err);
	if (!columns.has_current)
		return err_set(err, ERR_UNKNOWN, EOPNOTSUPP,
			       "the firmware does not report current values, only the next boot's");
	memset(out->firmware.nvconfig, 0, sizeof(out->firmware.nvconfig));
	port = has_two_ports(rows) ? port : 1;
	for (const char *line = rows; line && *line; line = next_line(line))
		read_row(line, &columns, port, out);
	if (text->failed)
		doubt_absent(nvconfig(), out);
	return true;
}

/* ---- mstreg ---- */

/* Finds the field "NAME | 0x00000001". */
static bool find_field(const char *text, const char *name, unsigned long *ret)
{
	for (const char *line = text; line && *line; line = next_line(line)) {
		struct token w[WORDS_MAX];
		char *end;

		if (words_of(line, w) != 3 || !is_word(&w[0], name) || !is_word(&w[1], "|") ||
		    w[2].length < 3 || memcmp(w[2].at, "0x", 2) != 0)
			continue;
		*ret = strtoul(w[2].at, &end, 16);
		return end == w[2].at + w[2].length;
	}
	return false;
}

static struct parameter field_of(const char *text, const struct parameter_row *row)
{
	unsigned long selected = 0, value = 0;

	if (!find_field(text, row->field_select, &selected) || selected != 1)
		return (struct parameter){ .state = PARAMETER_ABSENT };
	if (!find_field(text, row->name, &value) || value > row->max)
		return (struct parameter){ .state = PARAMETER_UNREADABLE };
	return (struct parameter){ .state = PARAMETER_SET,
				   .current = (uint8_t)value,
				   .next_boot = (uint8_t)value };
}

static bool has_fields(const char *text)
{
	for (const char *line = text; line && *line; line = next_line(line)) {
		struct token w[WORDS_MAX];

		if (words_of(line, w) == 4 && is_word(&w[0], "Field") && is_word(&w[1], "Name") &&
		    is_word(&w[2], "|") && is_word(&w[3], "Data"))
			return true;
	}
	return false;
}

bool roce_accl_from_text(const struct tool_output *text, struct config *out, struct err *err)
{
	if (!has_fields(text->text))
		return report_error(text, "mstreg", err);
	for (size_t i = 0; i < roce_accl()->count; i++) {
		struct parameter p = field_of(text->text, &roce_accl_rows[i]);

		parameter_put(roce_accl(), out, i, &p);
	}
	if (text->failed)
		doubt_absent(roce_accl(), out);
	return true;
}

/* ---- features ---- */

/* mlx5 numbers the ports of an adapter by PCI function (mlx5_get_dev_index()). */
static unsigned port_number(const struct port *port)
{
	const char *dot = strrchr(port->id.pci, '.');

	return dot ? (unsigned)strtoul(dot + 1, NULL, 10) + 1 : 1;
}

/* Kernel lockdown denies writing PCI configuration space (pci_write_config()), even to root. */
static bool explain(struct host *h, struct err *err)
{
	struct err why = *err;

	if (why.kind != ERR_UNKNOWN || !host_is_locked_down(h))
		return false;
	*err = (struct err){ 0 };
	return err_set(err, ERR_UNSUPPORTED, EPERM, "kernel lockdown denies access to PCI (%.150s)",
		       why.text);
}

/* The caller frees *ret. */
static bool query(struct host *h, const struct port *port, enum helper_task what,
		  struct tool_output **ret, struct err *err)
{
	*ret = NULL;
	if (port->is_vf || strcmp(port->id.driver, "mlx5_core") != 0)
		return err_set(err, ERR_UNSUPPORTED, EOPNOTSUPP, "%s",
			       port->is_vf ? "it belongs to the PF"
					   : "the port is not that of a ConnectX or BlueField");
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return err_no_memory(err);
	host_report(h, PROGRESS_STEP, port->id.name, "querying the firmware");
	return host_run_tool(h, what, port->id.pci, *ret, err) || explain(h, err);
}

static bool nvconfig_read(struct host *h, const struct port *port, struct config *out,
			  struct err *err)
{
	_free_ struct tool_output *text = NULL;

	if (!query(h, port, TASK_NVCONFIG, &text, err))
		return false;
	if (!nvconfig_from_text(text, port_number(port), out, err))
		return explain(h, err);
	out->has |= feature_nvconfig.owns;
	return true;
}

static bool nvconfig_reports(const struct config *desired, const struct config *actual,
			     struct err *err)
{
	return parameters_are_reported(&settings[SETTING_FIRMWARE_NVCONFIG], desired, actual, err);
}

static const char *nvconfig_hint(const struct config *desired, const struct config *actual)
{
	if (!parameters_await_reset(&settings[SETTING_FIRMWARE_NVCONFIG], desired, actual))
		return NULL;
	return "the next boot has the desired values: reset the firmware of device ADDRESS with "
	       "mstfwreset, which takes down all its ports, or reboot";
}

const struct feature feature_nvconfig = {
	.name = "nvconfig",
	.owns = SETTING(SETTING_FIRMWARE_NVCONFIG),
	.source = "mstconfig",
	.read = nvconfig_read,
	.on_request = true,
	.reports = nvconfig_reports,
	.hint = nvconfig_hint,
	.readonly_hint =
		"set VALUE in the firmware of device ADDRESS with mstconfig; then reset it with "
		"mstfwreset, which takes down all its ports, or reboot",
};

static bool roce_accl_read(struct host *h, const struct port *port, struct config *out,
			   struct err *err)
{
	_free_ struct tool_output *text = NULL;

	if (!query(h, port, TASK_ROCE_ACCL, &text, err))
		return false;
	if (!roce_accl_from_text(text, out, err))
		return explain(h, err);
	out->has |= feature_roce_accl.owns;
	return true;
}

static bool roce_accl_reports(const struct config *desired, const struct config *actual,
			      struct err *err)
{
	return parameters_are_reported(&settings[SETTING_FIRMWARE_ROCE_ACCL], desired, actual, err);
}

/* The register has all fields of a write but those that are named (CMD_SET in mlxreg_ui.cpp). */
const struct feature feature_roce_accl = {
	.name = "roce-accl",
	.owns = SETTING(SETTING_FIRMWARE_ROCE_ACCL),
	.source = "mstreg ROCE_ACCL",
	.read = roce_accl_read,
	.on_request = true,
	.reports = roce_accl_reports,
	.readonly_hint =
		"set VALUE in register ROCE_ACCL of device ADDRESS with mstreg; a reset of "
		"the firmware or a reboot undoes it",
};
