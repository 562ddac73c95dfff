/* The peer of a port, as text and as JSON. */
#ifndef LOSSLESSCTL_CLI_OUTPUT_PEER_TEXT_H
#define LOSSLESSCTL_CLI_OUTPUT_PEER_TEXT_H

#include "../../dcb/peer.h"
#include "../../policy/model/setting.h"
#include "../cli.h"

/* Returns {chassis_id, port_id, system_name, …}, or null if no peer was heard. The caller owns it.
 */
json_t *peer_info_to_json(const struct peer_info *s);

/* Prints the system description, and the TLVs that are not decoded. */
void print_peer_details(const struct cli *c, const struct peer_info *s);

/* Prints "leaf-7, port Ethernet12, heard on the wire"; nothing if no peer was heard. */
void print_peer_info(const struct cli *c, const struct peer_info *s);

#define SHORT_TEXT_MAX 24

/*
 * Writes "3, 4", "0,0,0,3,0,0,6,0", "ets, 6:strict" or "64 DSCPs"; "-" if unknown. Truncated text
 * ends in "...". Returns buf.
 */
const char *short_text(unsigned setting, const struct config *c, char buf[SHORT_TEXT_MAX]);

#endif
