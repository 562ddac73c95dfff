/* Tests of the checks of the policy's ports, their links and counters. */
#include <string.h>

#include "agent/engine/target/unmet_rules.h"
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

static struct ready_reading link_of(const struct port *port)
{
	struct ready_host h = ready_host(NULL);

	return ready_reading_of(&ready_link, &h, port, 1);
}

static void a_port_without_a_link_is_down(void **s)
{
	struct port port = ready_port;
	struct ready_reading r = link_of(&port);

	(void)s;
	assert_int_equal(r.value, 1);
	port.carrier = false;
	r = link_of(&port);
	assert_int_equal(r.status, READY_MET);
	assert_int_equal(r.value, 0);
	assert_string_equal(r.fix, "");
	port.up = false;
	r = link_of(&port);
	assert_int_equal(r.value, 0);
	assert_string_equal(r.fix, "run `ip link set dev PORT up`");
}

static void a_link_that_nobody_needs_does_not_apply(void **s)
{
	struct port port = ready_port;

	(void)s;
	port.is_vf = true;
	port.carrier = false;
	assert_int_equal(link_of(&port).value, 0);
	port.up = false;
	assert_int_equal(link_of(&port).status, READY_NOT_APPLICABLE);
	port.is_vf = false;
	port.no_interface = true;
	assert_int_equal(link_of(&port).status, READY_NOT_APPLICABLE);
}

static struct ready_reading ports_of(const struct unmet *unmet, size_t count)
{
	struct ready_scene scene = { .ports = &ready_port, .count = count, .unmet = unmet };
	struct ready_reading r = { .status = READY_UNKNOWN };

	ready_ports.read(&scene, NULL, &r);
	return r;
}

static void ports_that_a_rule_requires_are_missing(void **s)
{
	static const struct unmet met, needed = { 1, 1, { .text = "8 ports", .fix = "show" } },
				       matched = { 1, 0, { .text = "no port", .fix = "show" } };
	struct ready_reading r = ports_of(&needed, 1);

	(void)s;
	assert_int_equal(r.status, READY_MET);
	assert_int_equal(r.value, 0);
	assert_string_equal(r.reason, "8 ports");
	assert_string_equal(r.fix, "show");
	r = ports_of(&matched, 0);
	assert_int_equal(r.status, READY_UNKNOWN);
	assert_string_equal(r.reason, "no port");
	assert_int_equal(ports_of(&met, 0).status, READY_NOT_APPLICABLE);
	assert_int_equal(ports_of(NULL, 0).status, READY_UNKNOWN);
	r = ports_of(&met, 1);
	assert_int_equal(r.value, 1);
	assert_string_equal(r.actual, "1 port");
}

int main(void)
{
	static struct suite s;

	SUITE_ADD(&s, counters_are_read_from_the_sample);
	SUITE_ADD(&s, a_port_without_a_link_is_down);
	SUITE_ADD(&s, a_link_that_nobody_needs_does_not_apply);
	SUITE_ADD(&s, ports_that_a_rule_requires_are_missing);
	return suite_run(&s, "link");
}
