/* LLDPDUs from hexadecimal digits. */
#ifndef LOSSLESSCTL_TESTS_SUPPORT_LLDPDU_H
#define LOSSLESSCTL_TESTS_SUPPORT_LLDPDU_H

#include "dcb/lldp/lldp.h"

#define PDU_MAX 2048

struct bytes {
	uint8_t at[PDU_MAX];
	size_t len;
};

/* Appends these bytes. */
void add_hex(struct bytes *b, const char *hex);

/* Appends a TLV. */
void add_tlv(struct bytes *b, unsigned type, const void *value, size_t len);

#define CHASSIS "02 07 04 0c42a1b2c3d4 "
#define PORT	"04 0d 05 45746865726e6574312f3337 " /* Ethernet1/37 */
#define TTL	"06 02 0078 "
#define IDS	CHASSIS PORT TTL
#define END	"0000 "

#define ETS  "fe19 0080c209 c3 00010203 0a0a0a46 00000000 02020200 00000000 "
#define RECO "fe19 0080c20a 00 00010203 05050555 00000000 02020202 ffffffff "
#define PFC  "fe06 0080c20b 08 18 "
#define APP  "fe0b 0080c20c 00 65001a 618914 "

/* Decodes a copy that ends where its memory ends. */
bool decode(const struct bytes *b, struct lldp *ret, struct err *err);

/* The result of decoding, which must succeed. */
struct lldp decoded(const char *hex);

#endif
