/* Tests of the lints of buffers and their headroom. */
#include "tests/support/lint_rows.h"
#include "tests/support/unit.h"
#include "tests/unit/policy/lint/rows_buffer.h"

/* Messages for particular configs. */
static const struct lint_text_row texts[] = {
	{ "a short buffer is said with what it needs",
	  "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [0,40000,0,0,0,0,0,0]}}",
	  "lossless-headroom-too-small",
	  "buffer 1 of lossless priority 3 has 40000 bytes and needs 140672 at 400 Gb/s",
	  { .speed_mbps = 400000, .max_mtu = 9978 } },
	{ "and with the cell that it has",
	  "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [0,140608,0,0,0,0,0,0]}}",
	  "lossless-headroom-too-small",
	  "buffer 1 of lossless priority 3 has 140608 bytes and needs 140688 at 400 Gb/s "
	  "(headroom --cell 144)",
	  { .speed_mbps = 400000, .max_mtu = 9978, .cell_bytes = 144 } },
	{ "MLNX_OFED's driver has another formula",
	  "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [0,40000,0,0,0,0,0,0]}}",
	  "lossless-headroom-too-small",
	  NULL,
	  { .speed_mbps = 400000, .max_mtu = 9978, .maker = MAKER_NVIDIA } },
	{ "without a speed it is said for 40 Gb/s",
	  "{'mtu': 1500, 'pfc': {'priorities': [3], 'cable_m': 7}, 'buffer': {" OWN_BUFFERS ","
	  " 'size_bytes': [0,4000,0,0,0,0,0,0]}}",
	  "lossless-headroom-too-small",
	  "buffer 1 of lossless priority 3 has 4000 bytes and needs 26112 even at 40 Gb/s",
	  { 0 } },
};

int main(void)
{
	static struct suite s;

	SUITE_ADD_ROWS(&s, buffer_rows, lint_breaks_exactly);
	for (size_t i = 0; i < COUNT(buffer_ports); i++)
		suite_add(&s, buffer_ports[i].row.sentence, lint_port_breaks_exactly,
			  &buffer_ports[i]);
	SUITE_ADD_ROWS(&s, texts, lint_says);
	return suite_run(&s, "lint_buffer");
}
