// SPDX-License-Identifier: GPL-2.0
/* The driver's memory by its keys, and lists of pieces of it. */
#include "connectx.h"

#define RESERVED_LKEY	0x300	/* as answered to QUERY_SPECIAL_CONTEXTS */

u8 *fw_translate(struct fw_function *fn, u32 key, u64 addr, u8 right, u32 *len)
{
	struct fw_object *mkey;
	u64 start, size, offset;
	u32 page;
	u8 *memory;
	void *mkc;

	if (key == RESERVED_LKEY)
		return fw_memory(fn, addr);
	mkey = fw_object_get(fn, FW_MKEY, key >> 8);
	if (!mkey)
		return NULL;
	mkc = mkey->context;
	if (MLX5_GET(mkc, mkc, mkey_7_0) != (key & 0xff) || MLX5_GET(mkc, mkc, free) ||
	    (right & FW_REMOTE_READ && !MLX5_GET(mkc, mkc, rr)) ||
	    (right & FW_REMOTE_WRITE && !MLX5_GET(mkc, mkc, rw)) ||
	    (right & FW_REMOTE_ATOMIC && !MLX5_GET(mkc, mkc, a)) ||
	    (right & FW_LOCAL_WRITE && !MLX5_GET(mkc, mkc, lw)))
		return NULL;
	start = MLX5_GET64(mkc, mkc, start_addr);
	size = MLX5_GET64(mkc, mkc, len);
	if (!MLX5_GET(mkc, mkc, length64) &&
	    (addr < start || addr - start > size || *len > size - (addr - start)))
		return NULL;
	switch (MLX5_GET(mkc, mkc, access_mode_1_0)) {
	case MLX5_MKC_ACCESS_MODE_PA:
		return fw_memory(fn, addr);
	case MLX5_MKC_ACCESS_MODE_MTT:
		break;
	default:
		fw_say(fn, "key 0x%x has mode %u\n", key, MLX5_GET(mkc, mkc, access_mode_1_0));
		return NULL;
	}
	/* Addresses and pages agree in their low bits. */
	offset = addr - start + (start & (BIT_ULL(mkey->ring.page_shift) - 1));
	page = offset >> mkey->ring.page_shift;
	if (page >= mkey->ring.pages)
		return NULL;
	offset &= BIT_ULL(mkey->ring.page_shift) - 1;
	*len = min_t(u64, *len, BIT_ULL(mkey->ring.page_shift) - offset);
	memory = fw_at(mkey->ring.page[page]);
	return memory ? memory + offset : NULL;
}

void fw_spans_start(struct fw_spans *list, struct fw_function *fn, u8 right)
{
	list->fn = fn;
	list->right = right;
	list->n = 0;
	list->len = 0;
}

bool fw_span_add(struct fw_spans *list, u32 key, u64 addr, u32 len, u8 *direct)
{
	if (list->n == FW_SPANS)
		return false;
	list->span[list->n++] = (struct fw_span){ key, addr, len, direct };
	list->len += len;
	return true;
}

u8 *fw_piece(struct fw_spans *list, u64 offset, u32 *len)
{
	struct fw_span *span = list->span;
	unsigned int i;

	for (i = 0; i < list->n; i++, span++) {
		if (offset >= span->len) {
			offset -= span->len;
			continue;
		}
		*len = min_t(u64, *len, span->len - offset);
		if (span->direct)
			return span->direct + offset;
		return fw_translate(list->fn, span->key, span->addr + offset, list->right, len);
	}
	return NULL;
}

bool fw_scatter(struct fw_spans *to, u64 offset, const u8 *from, u32 len)
{
	u32 done = 0, part;
	u8 *out;

	for (; done < len; done += part) {
		part = len - done;
		out = fw_piece(to, offset + done, &part);
		if (!out)
			return false;
		memcpy(out, from + done, part);
	}
	return true;
}

const u8 *fw_gather(struct fw_spans *from, u64 offset, u32 len, u8 *buffer)
{
	u32 done = 0, part;
	u8 *in;

	for (; done < len; done += part) {
		part = len - done;
		in = fw_piece(from, offset + done, &part);
		if (!in)
			return NULL;
		if (part == len)
			return in;
		memcpy(buffer + done, in, part);
	}
	return buffer;
}
