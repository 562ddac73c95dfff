/*
 * The marks of a packet, DSCP and PCP, and the priority that they give it. The kind of the sender
 * decides which PCP is in the VLAN tag.
 */
#ifndef LOSSLESSCTL_POLICY_MODEL_MARKING_H
#define LOSSLESSCTL_POLICY_MODEL_MARKING_H

#include "config.h"

enum sender {
	SENDER_RDMA_CM, /* connections of rdma_cm */
	SENDER_VERBS,	/* queue pairs that a program makes itself, as NCCL and UCX */
	SENDER_SOCKET,	/* IPv4 sockets of the kernel, with IP_TOS */
};

/* The traffic classes that the queueing discipline mqprio gives a port. */
struct mqprio {
	bool there;
	uint8_t class[PRIOS]; /* one for each priority of the kernel */
};

/* A virtual function, and the VLAN that its PF puts all its packets into; 0: none. */
struct vf_vlan {
	uint16_t vf, vlan;
};

struct packet {
	enum sender sender;
	uint8_t tos;			/* DSCP << 2 | ECN */
	uint8_t service_level;		/* SENDER_VERBS: 0 unless the program sets it */
	const struct vlan_egress *vlan; /* the device that tags it; NULL: it has no tag */
	const struct mqprio *mqprio;	/* the port's; NULL: it has none */
};

#define PCP_NONE    (-1) /* the packet has no tag */
#define PCP_UNKNOWN (-2)

/* The priority that the kernel gives a ToS: 0, 2, 4 or 6. */
uint8_t tos_kernel_priority(uint8_t tos);

/* The PCP in the packet's tag, or PCP_NONE. */
int packet_pcp(const struct packet *p);

/*
 * The priority that a port with these settings gives a packet with these marks, sent or received;
 * -1: unknown.
 */
int marks_priority(const struct config *c, uint8_t tos, int pcp);

/*
 * The tag of packets that programs send through the port: that of its first VLAN device, also where
 * its VLAN devices are unknown; NULL: it has none.
 */
const struct vlan_egress *config_vlan(const struct config *c);

#endif
