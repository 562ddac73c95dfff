/* Values of a port as other programs read them, in the words of a policy; null: unknown. */
#ifndef LOSSLESSCTL_TESTS_TOOLS_ORACLE_H
#define LOSSLESSCTL_TESTS_TOOLS_ORACLE_H

#include <jansson.h>
#include <stdbool.h>

#define PRIOS 8
#define DSCPS 64
#define TEXT  4096

struct port {
	const char *name, *folder;
	bool ofed;
	char pci[64], rdma[64];
};

/* The number in a file. The upper half of 32 bits may read as negative. */
json_t *oracle_number_in(const char *path);

/* One function for each word; some need the desired value. The caller owns the result. */
json_t *oracle_mtu(const struct port *p, json_t *desired);
json_t *oracle_dcbx(const struct port *p, json_t *desired);
json_t *oracle_pause_rx(const struct port *p, json_t *desired);
json_t *oracle_pause_tx(const struct port *p, json_t *desired);
json_t *oracle_storm(const struct port *p, json_t *desired);
json_t *oracle_storm_becomes(json_t *desired);
json_t *oracle_pfc(const struct port *p, json_t *desired);
json_t *oracle_cable(const struct port *p, json_t *desired);
json_t *oracle_sizes(const struct port *p, json_t *desired);
json_t *oracle_sizes_become(json_t *desired);
json_t *oracle_buffers(const struct port *p, json_t *desired);
json_t *oracle_classes(const struct port *p, json_t *desired);
json_t *oracle_algorithms(const struct port *p, json_t *desired);
json_t *oracle_shares(const struct port *p, json_t *desired);
json_t *oracle_rates(const struct port *p, json_t *desired);
json_t *oracle_rates_become(json_t *desired);
json_t *oracle_trust(const struct port *p, json_t *desired);
json_t *oracle_dscps(const struct port *p, json_t *desired);
json_t *oracle_dscps_become(json_t *desired);
json_t *oracle_egress(const struct port *p, json_t *desired);
json_t *oracle_egress_becomes(json_t *desired);
json_t *oracle_notifies(const struct port *p, json_t *desired);
json_t *oracle_reacts(const struct port *p, json_t *desired);
json_t *oracle_rtt_resp_dscp(const struct port *p, json_t *desired);
json_t *oracle_roce_mode(const struct port *p, json_t *desired);
json_t *oracle_tos(const struct port *p, json_t *desired);
json_t *oracle_traffic_class(const struct port *p, json_t *desired);

#endif
