// SPDX-License-Identifier: GPL-2.0
/*
 * RoCE packets that wait. A slow port keeps what arrives in the receive buffer of its priority. Above
 * xoff it asks its peer for pause of the buffer's priorities, below xon it ends that; a buffer that is
 * full loses packets. A paused port holds packets back.
 */
#include "connectx.h"

#include <linux/list.h>
#include <linux/slab.h>

#define MOST_HELD	SZ_16M	/* bytes of a port */
#define STALLED_PERCENT	30	/* a second with more of it counts */

struct waiting {
	struct list_head list;
	struct fw_packet packet;
	u32 bytes;
	u8 place;		/* a buffer, or a priority */
	u8 payload[];
};

void fw_queue_init(struct fw_function *fn)
{
	INIT_LIST_HEAD(&fn->queue.arrived);
	INIT_LIST_HEAD(&fn->queue.held);
}

static bool keep(struct list_head *list, const struct fw_packet *p, u8 place)
{
	struct waiting *w = kmalloc(struct_size(w, payload, p->bytes), GFP_KERNEL);

	if (!w)
		return false;
	w->packet = *p;
	w->packet.payload = w->payload;
	w->bytes = fw_packet_bytes(p);
	w->place = place;
	if (p->bytes)
		memcpy(w->payload, p->payload, p->bytes);
	list_add_tail(&w->list, list);
	return true;
}

static void lose_all(struct list_head *list)
{
	struct waiting *w, *next;

	list_for_each_entry_safe(w, next, list, list)
		kfree(w);
	INIT_LIST_HEAD(list);
}

void fw_queue_free(struct fw_function *fn)
{
	struct fw_queue *q = &fn->queue;

	lose_all(&q->arrived);
	lose_all(&q->held);
	memset(q->bytes, 0, sizeof(q->bytes));
	memset(q->held_packets, 0, sizeof(q->held_packets));
	q->held_bytes = 0;
}

/* Other ports hand packets over at once. */
static bool has_queue(const struct fw_queue *q)
{
	return q->slow || !list_empty(&q->arrived);
}

static u8 buffer_of(const struct fw_port *port, u8 prio)
{
	return port->prio_buffer >> 4 * prio & 7;
}

/* Half of the headroom that the driver computes: invented. */
static u32 bytes_on_the_way(const struct fw_port *port)
{
	return fw_buffer_headroom(port, port->speed_mbps, FW_CABLE_M) / 2;
}

/* The priorities of this set that the port pauses from now on, others no more. */
static void heed(struct fw_function *fn, u8 prios, bool global)
{
	struct fw_queue *q = &fn->queue;
	u8 paused = !global ? prios & fn->port.pfcrx : fn->port.pprx ? prios : 0;
	u8 changed = paused ^ q->paused;
	int prio;

	if (!changed)
		return;
	q->paused = paused;
	for (prio = 0; prio < FW_PRIOS; prio++) {
		if (!(changed & BIT(prio)))
			continue;
		q->on_its_way[prio] = bytes_on_the_way(&fn->port);
		if (!global || !prio)
			fw_pause_set(&fn->port, false, prio, paused & BIT(prio));
	}
}

static bool has_lasted(ktime_t since, u16 ms)
{
	return ms && ktime_ms_delta(ktime_get(), since) >= ms;
}

/*
 * The watchdog of pause: of the priorities for which the port wants pause, those that get none any more,
 * as it was wanted too long. A priority has pause again once its buffer was below xon. Global pause counts
 * as that of priority 0.
 */
static u8 watch_pause(struct fw_function *fn, u8 wanted, bool global)
{
	struct fw_port *port = &fn->port;
	struct fw_queue *q = &fn->queue;
	u8 watched = global ? wanted & 1 : wanted, prio;

	q->warned &= watched;
	q->ended &= watched;
	for (prio = 0; prio < FW_PRIOS; prio++) {
		u8 bit = watched & BIT(prio);

		if (bit & ~q->watched)
			q->watched_since[prio] = ktime_get();
		if (bit & ~q->warned && has_lasted(q->watched_since[prio], port->stall_minor)) {
			q->warned |= bit;
			port->count.prio[prio].stall_minor++;
		}
		if (bit & ~q->ended && has_lasted(q->watched_since[prio], port->stall_critical)) {
			q->ended |= bit;
			port->count.prio[prio].stall_critical++;
		}
	}
	q->watched = watched;
	return global && q->ended ? wanted : q->ended;
}

/* By PFC for the priorities of full buffers, or, if there is none, by pause for all of them. */
static void ask(struct fw_function *fn, u8 prios)
{
	struct fw_port *port = &fn->port;
	bool global = !port->pfctx && port->pptx;
	u8 wanted = global ? (prios ? 0xff : 0) : prios & port->pfctx;
	u8 asked = wanted & ~watch_pause(fn, wanted, global);
	u8 changed = asked ^ fn->queue.asked;
	int prio;

	fn->queue.asked = asked;
	for (prio = 0; changed && prio < FW_PRIOS; prio++) {
		if (changed & BIT(prio) && (!global || !prio))
			fw_pause_set(port, true, prio, asked & BIT(prio));
	}
	if (fn->peer)
		heed(fn->peer, asked, global);
}

static void look_at_buffers(struct fw_function *fn)
{
	struct fw_port *port = &fn->port;
	struct fw_queue *q = &fn->queue;
	u8 prios = 0;
	int i;

	for (i = 0; i < FW_PRIOS; i++) {
		if (port->buffer[i].lossy || q->bytes[i] <= port->buffer[i].xon * FW_CELL)
			q->full &= ~BIT(i);
		else if (q->bytes[i] > port->buffer[i].xoff * FW_CELL)
			q->full |= BIT(i);
	}
	for (i = 0; i < FW_PRIOS; i++) {
		if (q->full & BIT(buffer_of(port, i)))
			prios |= BIT(i);
	}
	ask(fn, prios);
}

u32 fw_queue_depth(const struct fw_packet *p)
{
	struct fw_function *fn = fw_packet_arrives_at(p);

	return fn->queue.bytes[buffer_of(&fn->port, fw_packet_prio_at(&fn->port, p))];
}

bool fw_queue_has_room(const struct fw_packet *p)
{
	struct fw_function *fn = fw_packet_arrives_at(p);
	struct fw_port *port = &fn->port;
	u8 prio, i;

	if (likely(!has_queue(&fn->queue)))
		return true;
	prio = fw_packet_prio_at(port, p);
	i = buffer_of(port, prio);
	if (fn->queue.bytes[i] + fw_packet_bytes(p) <= port->buffer[i].size * FW_CELL)
		return true;
	port->count.rx_discards++;
	port->count.prio[prio].rx_discards++;
	port->count.tc_discards[port->prio_tc[prio] % FW_PRIOS]++;
	return false;
}

void fw_queue_slow(struct fw_function *fn, bool slow, u32 rate, bool memory)
{
	fw_queue_settle(fn);
	fn->queue.slow = slow;
	fn->queue.rate = rate;
	fn->queue.memory = memory;
	fn->queue.free_at = ktime_get();
}

/* Writes stalled until then, or did not, since they were last looked at. */
static void settle_until(struct fw_queue *q, ktime_t then, bool stalled)
{
	if (stalled)
		q->stalled_us += ktime_us_delta(then, q->settled_at);
	q->settled_at = then;
}

void fw_queue_settle(struct fw_function *fn)
{
	struct fw_counters *count = &fn->port.count;
	struct fw_queue *q = &fn->queue;
	bool stalled = q->memory && !list_empty(&q->arrived);
	ktime_t now = ktime_get(), end;

	while (end = ktime_add_ns(q->second, NSEC_PER_SEC), !ktime_after(end, now)) {
		settle_until(q, end, stalled);
		count->stalled_percent = div_s64(100 * q->stalled_us, USEC_PER_SEC);
		count->stalled_seconds += count->stalled_percent > STALLED_PERCENT;
		q->stalled_us = 0;
		q->second = end;
	}
	settle_until(q, now, stalled);
}

static bool is_due(const struct fw_queue *q, ktime_t now)
{
	return !q->slow || (q->rate && !ktime_after(q->free_at, now));
}

static void take_first(struct fw_function *fn)
{
	struct fw_queue *q = &fn->queue;
	struct waiting *w = list_first_entry(&q->arrived, struct waiting, list);

	list_del(&w->list);
	q->bytes[w->place] -= w->bytes;
	if (q->rate)
		q->free_at = ktime_add_ns(q->free_at, w->bytes * 1000 / q->rate);
	look_at_buffers(fn);
	fw_roce_take(&w->packet);
	kfree(w);
}

bool fw_queue_add(const struct fw_packet *p)
{
	struct fw_function *fn = fw_packet_arrives_at(p);
	struct fw_queue *q = &fn->queue;
	bool first = list_empty(&q->arrived);
	ktime_t now;
	u8 i;

	if (likely(!has_queue(q)) || p->to == p->from)
		return false;
	i = buffer_of(&fn->port, fw_packet_prio_at(&fn->port, p));
	fw_queue_settle(fn);
	if (!keep(&q->arrived, p, i))
		return true;
	now = ktime_get();
	if (first && ktime_before(q->free_at, now))
		q->free_at = now;
	q->bytes[i] += fw_packet_bytes(p);
	look_at_buffers(fn);
	return true;
}

bool fw_queue_is_paused(const struct fw_function *fn, u8 prio)
{
	return fn->queue.paused & BIT(prio) && fn->queue.on_its_way[prio] <= 0;
}

bool fw_queue_holds(const struct fw_packet *p)
{
	struct fw_queue *q = &p->from->queue;
	u32 bytes;
	u8 prio;

	if (likely(!q->paused && list_empty(&q->held)) || p->to == p->from)
		return false;
	prio = fw_packet_prio(p);
	if (!fw_queue_is_paused(p->from, prio) && !q->held_packets[prio])
		return false;
	bytes = fw_packet_bytes(p);
	if (q->held_bytes + bytes <= MOST_HELD && keep(&q->held, p, prio)) {
		q->held_bytes += bytes;
		q->held_packets[prio]++;
	}
	return true;
}

void fw_queue_leaves(const struct fw_packet *p)
{
	if (unlikely(p->from->queue.paused))
		p->from->queue.on_its_way[fw_packet_prio(p)] -= fw_packet_bytes(p);
}

static bool send_held(struct fw_function *fn)
{
	struct fw_queue *q = &fn->queue;
	struct waiting *w, *next;
	bool busy = false;

	list_for_each_entry_safe(w, next, &q->held, list) {
		if (fw_queue_is_paused(fn, w->place))
			continue;
		list_del(&w->list);
		q->held_bytes -= w->bytes;
		q->held_packets[w->place]--;
		fw_roce_transmit(&w->packet);
		kfree(w);
		busy = true;
	}
	return busy;
}

bool fw_queue_take_due(struct fw_function *fn)
{
	struct fw_queue *q = &fn->queue;
	ktime_t now = ktime_get();
	bool busy = false;

	while (!list_empty(&q->arrived) && is_due(q, now)) {
		take_first(fn);
		busy = true;
	}
	return busy;
}

bool fw_queue_poll(struct fw_function *fn, bool *watch)
{
	struct fw_queue *q = &fn->queue;
	bool busy;

	if (likely(list_empty(&q->arrived) && list_empty(&q->held) && !q->full))
		return false;
	fw_queue_settle(fn);
	if (!fn->port.oper_up)
		fw_queue_free(fn);
	busy = send_held(fn) | fw_queue_take_due(fn);
	look_at_buffers(fn);
	*watch = true;
	return busy;
}
