// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SASHA on InfiniBand, section 4 of its paper: a host reads and clears PortVLXmitWait of its port
 * at the end of each interval, and takes the lane that waited less for credits in it until the
 * next. The counters have 16 bits and count words' times; at their end they stay.
 *
 * A lane waits while its head lacks credits, unless a packet of the lane itself is on the link:
 * such a time is no one in which the lane sends nothing. Between two changes at a port it is known
 * what lanes do, so intervals are closed when somebody looks, not by events: only a host whose
 * packets wait for room in a queue is looked at when its interval ends, since its choice may be
 * another one then.
 *
 * Hosts' intervals do not begin together: hosts are no part of a common clock.
 */
#include <stdlib.h>

#include "sim/hosts/admittance.h"
#include "sim/hosts/injection.h"
#include "support/error.h"

#define COUNTER_BITS 16 /* of PortVLXmitWait */

/*
 * A lane of a host. While it waits, what is before `since` is in `ticks`; `since` may be later than
 * now.
 */
struct waiting {
	uint64_t ticks; /* of this interval */
	uint64_t since;
	uint32_t counter; /* of the last interval, words' times */
};

/* A host, by its port. */
struct watch {
	uint64_t end;     /* of this interval */
	uint64_t idle;    /* when the packet on the link, of... */
	unsigned vl;      /* ...this VL, has left */
	uint32_t waiting; /* a bit for each lane */
	bool is_awaited;  /* an event comes at the end of an interval */
};

struct xmitwait {
	struct hd_model *model;
	uint64_t interval;
	uint32_t most;         /* that a counter counts to */
	struct watch *watches; /* [host port] */
	struct waiting *lanes; /* [host port * n_vls + VL] */
};

static uint32_t place_of(const struct hd_model *model, uint32_t port)
{
	return port - model->network.first_host_port;
}

static int make(struct hd_model *model, struct hd_error *err)
{
	const uint32_t n = model->network.n_ports - model->network.first_host_port;
	struct xmitwait *own = calloc(1, sizeof(*own));

	model->injection.choosing = own;
	if (!own)
		return hd_error_nomem(err);
	own->model = model;
	own->interval = model->options.host.interval;
	if (!own->interval || !model->options.host.unit_words)
		return hd_error_set(err, HD_EINVAL, "hosts' intervals take no time");
	if (model->options.host.counter_bits > 32)
		return hd_error_set(err, HD_ERANGE, "hosts' counters have up to 32 bits");
	own->most = UINT32_MAX >>
		    (32 - (model->options.host.counter_bits ? model->options.host.counter_bits
							    : COUNTER_BITS));
	own->watches = calloc(n + (size_t)1, sizeof(*own->watches));
	own->lanes = calloc((size_t)n * model->n_vls + 1, sizeof(*own->lanes));
	if (!own->watches || !own->lanes)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < n; i++) {
		/* a low-discrepancy sequence: any hosts that follow one another are spread out */
		const double share = (i * UINT32_C(0x9E3779B9)) * 0x1p-32;

		own->watches[i].end = 1 + (uint64_t)(share * (double)own->interval);
	}
	return 0;
}

static void release(struct hd_model *model)
{
	struct xmitwait *own = model->injection.choosing;

	free(own->watches);
	free(own->lanes);
}

/* @lane waits, and that is counted until @time. */
static void count_until(struct waiting *lane, uint64_t time)
{
	if (time <= lane->since)
		return;
	lane->ticks += time - lane->since;
	lane->since = time;
}

/* Closes the interval of @watch, at @port, and begins the next. */
static void close_interval(const struct xmitwait *own, uint32_t port, struct watch *watch,
			   struct waiting *lanes)
{
	const struct hd_model *model = own->model;

	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		struct waiting *lane = &lanes[vl];
		uint64_t words;

		if (watch->waiting >> vl & 1)
			count_until(lane, watch->end);
		words = lane->ticks * model->options.host.unit_words / unit_ticks(model, port);
		lane->counter = words < own->most ? (uint32_t)words : own->most;
		lane->ticks = 0;
	}
	watch->end += own->interval;
}

/*
 * Passes intervals at the beginning of which nothing is counted yet, up to the last one that is
 * over: as long as lanes do what they do now, each is as the next.
 */
static void pass_over(const struct xmitwait *own, struct watch *watch, struct waiting *lanes)
{
	const uint64_t begin = watch->end - own->interval;
	uint64_t until = own->model->events.now, n;

	for (uint32_t vls = watch->waiting; vls; vls &= vls - 1) {
		const uint64_t since = lanes[__builtin_ctz(vls)].since;

		if (since > begin && since < until)
			until = since;
	}
	n = until > begin ? (until - begin) / own->interval : 0;
	if (n < 2)
		return;
	watch->end += (n - 1) * own->interval;
	for (uint32_t vls = watch->waiting; vls; vls &= vls - 1) {
		struct waiting *lane = &lanes[__builtin_ctz(vls)];

		if (lane->since < watch->end - own->interval)
			lane->since = watch->end - own->interval;
	}
}

/* Closes all intervals of @port that are over. */
static void settle(const struct xmitwait *own, uint32_t port, struct watch *watch,
		   struct waiting *lanes)
{
	while (own->model->events.now >= watch->end) {
		close_interval(own, port, watch, lanes);
		pass_over(own, watch, lanes);
	}
}

/* The lanes of host port @port whose heads lack credits. */
static uint32_t find_waiting(struct hd_model *model, uint32_t port)
{
	const struct host_queue *queues = hd_host_queues(model, port);
	uint64_t heads = *hd_requests(model, hd_sender(model, port));
	uint32_t waiting = 0;

	for (; heads; heads &= heads - 1) {
		const struct host_queue *queue = &queues[__builtin_ctzll(heads)];

		if (hd_model_room(model, port, queue->out_vl) < queue->size ||
		    (hd_has_voqnet(model) && !hd_injection_has_room(model, port, queue)))
			waiting |= 1u << queue->out_vl;
	}
	return waiting;
}

static void changed(struct hd_model *model, uint32_t port, const struct packet *sent)
{
	const struct xmitwait *own = model->injection.choosing;
	const uint64_t now = model->events.now;
	struct watch *watch = &own->watches[place_of(model, port)];
	struct waiting *lanes = own->lanes + (size_t)place_of(model, port) * model->n_vls;
	const uint32_t waiting = find_waiting(model, port);
	uint32_t changes;

	settle(own, port, watch, lanes);
	if (sent) {
		watch->idle = now + hd_ticks_to_send(model, hd_sender(model, port)->rate,
						     sent->message.size);
		watch->vl = sent->out_vl;
	}
	for (changes = waiting ^ watch->waiting; changes; changes &= changes - 1) {
		const unsigned vl = (unsigned)__builtin_ctz(changes);

		if (watch->waiting >> vl & 1)
			count_until(&lanes[vl], now);
		else
			lanes[vl].since = vl == watch->vl && watch->idle > now ? watch->idle : now;
	}
	watch->waiting = waiting;
}

/* The LID whose lane waited least; of equals the next in turn. */
static unsigned choose(const struct hd_model *model, const struct hd_message *message,
		       const uint8_t *vls, unsigned n)
{
	const struct xmitwait *own = model->injection.choosing;
	const uint32_t host = message->from;
	const struct host *from = &model->injection.hosts[host];
	const uint32_t place = place_of(model, from->port);
	struct waiting *lanes = own->lanes + (size_t)place * model->n_vls;
	struct watch *watch = &own->watches[place];
	unsigned best = n;

	settle(own, from->port, watch, lanes);
	for (unsigned k = 0; k < n; k++) {
		unsigned i = (from->turn + k) % n;

		if (vls[i] != HD_VL_DROP &&
		    (best == n || lanes[vls[i]].counter < lanes[vls[best]].counter))
			best = i;
	}
	if (best == n)
		return 0;
	if (hd_admittance_has_room(model, from->port, vls[best]))
		return best;
	if (!watch->is_awaited)
		hd_events_post_any(&own->model->events, HD_EVENT_POLICY,
				   watch->end - model->events.now, host, 0);
	watch->is_awaited = true;
	return n;
}

/* An interval of @host is over, and packets wait there for a lane. */
static void event(struct hd_model *model, uint32_t host, uint32_t unused)
{
	const struct xmitwait *own = model->injection.choosing;

	(void)unused;
	own->watches[place_of(model, model->injection.hosts[host].port)].is_awaited = false;
	hd_admittance_retry(model, host);
}

static const struct hd_option options[] = {
	{ "interval", NULL, "time",
	  "after which a host compares its lanes; 10us unless given, with cycles 1000" },
	{ "bits", "16", "",
	  "of a counter, which stays at its end: 16 in PortVLXmitWait, up to 32" },
	{ 0 },
};

const struct hd_host_policy hd_host_xmitwait = {
	.policy.name = "xmitwait",
	.policy.summary = "the one whose VL waited least for credits in the last interval (SASHA "
			  "on InfiniBand)",
	.policy.reference = "Yebenes et al., ACM TACO 16(2), 2019, section 4",
	.policy.options = options,
	.make = make,
	.free = release,
	.choose = choose,
	.changed = changed,
	.event = event,
	.asks_credits = true,
};
