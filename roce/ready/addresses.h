/*
 * Settings of ARP by which a port answers for its own addresses only, although another port is in
 * the same subnet.
 */
#ifndef LOSSLESSCTL_ROCE_READY_ADDRESSES_H
#define LOSSLESSCTL_ROCE_READY_ADDRESSES_H

#include "../../agent/engine/ready/ready_reader.h"

/* Settings that are not safe. Zeros: all are. */
struct arp_fixes {
	size_t count;
	char reason[READY_TEXT_MAX];	  /* the first of them */
	char sysctls[READY_FIX_MAX - 32]; /* " net.ipv4.conf.ens1f0np0.arp_ignore=1 ..." */
	bool is_cut;			  /* not all sysctls fit */
};

/*
 * Adds the unsafe settings of an interface. One with a route of its own may answer as arp_filter
 * has it, and the reverse path filter does it no harm. Fails if a setting cannot be read.
 */
bool arp_judge(struct host *h, const char *interface, bool has_route, struct arp_fixes *ret,
	       struct err *err) must_check;

#endif
