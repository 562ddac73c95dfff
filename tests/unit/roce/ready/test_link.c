/* Counters of the link. */
#include <string.h>

#include "tests/support/ready_host.h"
#include "tests/support/unit.h"

static void counters_are_read_from_the_sample(void **s)
{
	static struct sample sample;
	struct ready_scene scene = { .sample = &sample };
	struct ready_reading r = { .status = READY_UNKNOWN };

	(void)s;
	ready_fec_errors.read(&scene, &ready_port, &r);
	assert_int_equal(r.status, READY_NOT_APPLICABLE);
	sample.has[counter_slot(COUNT_FEC_UNCORRECTABLE_BLOCKS, 0)] = true;
	sample.value[counter_slot(COUNT_FEC_UNCORRECTABLE_BLOCKS, 0)] = 7;
	ready_fec_errors.read(&scene, &ready_port, &r);
	assert_int_equal(r.status, READY_MET);
	assert_int_equal(r.value, 7);
	sample.has[counter_slot(COUNT_RX_PCS_SYMBOL_ERRORS, 0)] = true;
	ready_symbol_errors.read(&scene, &ready_port, &r);
	assert_int_equal(r.status, READY_NOT_APPLICABLE);
	sample.has[counter_slot(COUNT_RX_SYMBOL_ERRORS, 0)] = true;
	sample.value[counter_slot(COUNT_RX_SYMBOL_ERRORS, 0)] = 5;
	ready_symbol_errors.read(&scene, &ready_port, &r);
	assert_int_equal(r.status, READY_MET);
	assert_int_equal(r.value, 5);
	sample.has[counter_slot(COUNT_CARRIER_DOWNS, 0)] = true;
	sample.value[counter_slot(COUNT_CARRIER_DOWNS, 0)] = 3;
	ready_link_downs.read(&scene, &ready_port, &r);
	assert_int_equal(r.value, 3);
	scene.sample = NULL;
	ready_link_downs.read(&scene, &ready_port, &r);
	assert_int_equal(r.status, READY_UNKNOWN);
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, counters_are_read_from_the_sample);
	return suite_run(&s, "link");
}
