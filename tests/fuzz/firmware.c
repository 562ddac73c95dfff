/* Fuzz target: the output of a vendor's firmware tool, any bytes without a NUL. */
#include <string.h>

#include "../../agent/host/host.h"
#include "../../policy/model/firmware_parameter.h"
#include "../../policy/model/setting.h"
#include "../../roce/firmware/firmware.h"
#include "../../roce/ready/rdma_topo.h"
#include "fuzz.h"

static struct tool_output output;

/* Every value of the adapter is in the range that a policy accepts. */
static void check(const struct setting *k, const struct config *c)
{
	char text[SETTING_TEXT_MAX];

	for (size_t i = 0; i < k->count; i++) {
		struct parameter p = parameter_get(k, c, i);

		MUST(p.state <= PARAMETER_UNREADABLE && p.port <= 9);
		MUST(p.state != PARAMETER_SET || p.current <= k->rows[i].max);
		MUST(p.state != PARAMETER_SET || p.next_boot <= k->rows[i].max);
		MUST(!p.port || k->rows[i].of_port);
	}
	MUST(strlen(setting_text(k, c, text)) > 0);
}

/* The output of a failed tool makes no parameter absent. */
static void check_doubt(const struct setting *k, const struct config *c)
{
	for (size_t i = 0; output.failed && i < k->count; i++)
		MUST(parameter_get(k, c, i).state != PARAMETER_ABSENT);
}

static void check_result(const struct setting *k, bool ok, const struct config *c,
			 const struct err *err)
{
	static const struct config untouched;

	if (!ok) {
		MUST(err->kind != ERR_NONE && err->text[0]);
		MUST(memcmp(c, &untouched, sizeof(*c)) == 0);
		return;
	}
	check(k, c);
	check_doubt(k, c);
}

/* The text has no control characters, and the check passes only if the tool succeeded. */
static void check_topo(void)
{
	struct rdma_topo t = rdma_topo_from_text(&output);

	MUST(t.status == READY_MET || t.status == READY_UNKNOWN ||
	     t.status == READY_NOT_APPLICABLE);
	MUST(!t.passed || (t.status == READY_MET && !output.failed));
	MUST(t.passed || t.text[0]);
	for (const char *c = t.text; *c; c++)
		MUST(*c >= ' ' && *c <= '~');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= sizeof(output.text))
		return 0;
	memcpy(output.text, data, size);
	output.text[size] = '\0';
	for (unsigned port = 1; port <= 2; port++) {
		struct config nvconfig = { 0 }, roce_accl = { 0 };
		struct err why = { 0 }, reason = { 0 };
		bool ok;

		output.failed = port == 2;
		ok = nvconfig_from_text(&output, port, &nvconfig, &why);
		check_result(&settings[SETTING_FIRMWARE_NVCONFIG], ok, &nvconfig, &why);
		ok = roce_accl_from_text(&output, &roce_accl, &reason);
		check_result(&settings[SETTING_FIRMWARE_ROCE_ACCL], ok, &roce_accl, &reason);
		check_topo();
	}
	return 0;
}
