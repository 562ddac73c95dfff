/*
 * Prints the RoCE packets of a pcap file, for tests: PRIORITY (of a tag, or -) TOS PORTS OPCODE PSN
 * BYTES (of the payload, without padding), and "bad ICRC". Packets of RoCE v1 have the ports "v1".
 *
 *   print_roce FILE
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
	ETHERNET = 14,
	TAG = 4,
	IPV4 = 20,
	IPV6 = 40,
	UDP = 8,
	BTH = 12,
	ICRC = 4,
	GRH_NEXT = 0x1b,
	ROCE_PORT = 4791
};

struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, digits, longest, link;
};

struct record_header {
	uint32_t seconds, us, bytes, original;
};

static unsigned be16(const uint8_t *at)
{
	return (unsigned)(at[0] << 8 | at[1]);
}

static uint32_t be24(const uint8_t *at)
{
	return (uint32_t)(at[0] << 16 | at[1] << 8 | at[2]);
}

static uint32_t crc32_add(uint32_t crc, const uint8_t *at, size_t bytes)
{
	for (; bytes; bytes--) {
		crc ^= *at++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

/* As in annex A17 of the specification of InfiniBand: what routers change counts as ones. */
static bool icrc_is_right(const uint8_t *network, size_t headers, bool udp, const uint8_t *end)
{
	uint8_t masked[8 + IPV6 + UDP + BTH], *ip = masked + 8;
	size_t bth = headers - BTH;
	uint32_t crc;

	memset(masked, 0xff, 8);
	memcpy(ip, network, headers);
	if (ip[0] >> 4 == 4) {
		ip[1] = ip[8] = ip[10] = ip[11] = 0xff;
	} else {
		ip[0] |= 0x0f;
		ip[1] = ip[2] = ip[3] = ip[7] = 0xff;
	}
	if (udp)
		ip[bth - 2] = ip[bth - 1] = 0xff;
	ip[bth + 4] = 0xff;
	crc = crc32_add(0xffffffff, masked, 8 + headers);
	crc = ~crc32_add(crc, network + headers, (size_t)(end - network) - headers);
	return end[0] == (crc & 0xff) && end[1] == (crc >> 8 & 0xff) &&
	       end[2] == (crc >> 16 & 0xff) && end[3] == crc >> 24;
}

/* Extended headers between the BTH and the payload, by the last five bits of the opcode. */
static size_t extension(uint8_t opcode)
{
	static const uint8_t bytes[32] = {
		[3] = 4,  [5] = 4,  [6] = 16, [9] = 4,	 [10] = 16, [11] = 20, [12] = 16, [13] = 4,
		[15] = 4, [16] = 4, [17] = 4, [18] = 12, [19] = 28, [20] = 28, [22] = 4,  [23] = 4,
	};

	if (opcode == 0x81)
		return 16;
	return bytes[opcode & 31] + (opcode >> 5 == 3 ? 8u : 0u);
}

static bool print_frame(const uint8_t *frame, size_t bytes)
{
	bool tagged = be16(frame + 12) == 0x8100;
	const uint8_t *network = frame + ETHERNET + (tagged ? TAG : 0), *bth,
		      *end = frame + bytes - ICRC;
	bool v4 = network[0] >> 4 == 4, v1 = be16(network - 2) == 0x8915;
	size_t headers = (v4 ? IPV4 : IPV6) + (v1 ? 0u : UDP) + BTH;

	if (bytes < ETHERNET + TAG + headers + ICRC)
		return false;
	bth = network + headers - BTH;
	if (v1 ? network[6] != GRH_NEXT || be16(network + 4) != (size_t)(end + ICRC - bth)
	       : be16(bth - UDP + 2) != ROCE_PORT)
		return false;
	if (tagged)
		printf("%u ", frame[ETHERNET] >> 5);
	else
		printf("- ");
	printf("0x%02x ", v4 ? network[1] : be16(network) >> 4 & 0xff);
	if (v1)
		printf("v1 ");
	else
		printf("%u-%u ", be16(bth - UDP), be16(bth - UDP + 2));
	printf("0x%02x %u %zu%s\n", bth[0], be24(bth + 9),
	       (size_t)(end - bth) - BTH - extension(bth[0]) - (bth[1] >> 4 & 3),
	       icrc_is_right(network, headers, !v1, end) ? "" : " bad ICRC");
	return true;
}

int main(int argc, char **argv)
{
	static uint8_t frame[65536];
	struct file_header header;
	struct record_header record;
	FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
	bool ok =
		file && fread(&header, sizeof(header), 1, file) == 1 && header.magic == 0xa1b2c3d4;

	while (ok && fread(&record, sizeof(record), 1, file) == 1)
		ok = record.bytes >= 60 && record.bytes <= sizeof(frame) &&
		     fread(frame, record.bytes, 1, file) == 1 && print_frame(frame, record.bytes);
	if (file)
		fclose(file);
	if (!ok)
		fprintf(stderr, "print_roce: no file of RoCE packets\n");
	return ok ? 0 : 1;
}
