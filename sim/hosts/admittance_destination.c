// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Admittance queues: one per destination of a host (VOQnet at the source). A flow is such a queue
 * while something is in it, so that memory goes with packets, not with pairs of hosts. Flows of a
 * host whose LIDs lie on the same VLs are a class: when one of them cannot go, none can. Where
 * switches have queues by destination (voqnet.h), each flow is a class, since it needs credits of
 * its own, which it takes when it is admitted. A class is in the order of turns; the
 * turn of all is the least of those classes that can go.
 */
#include "sim/hosts/admittance.h"
#include "sim/switches/adaptive.h"
#include "sim/hosts/host_policy.h"
#include "sim/hosts/injection.h"
#include "support/error.h"

#include <stdlib.h>
#include <string.h>

struct flow {
	uint32_t host, to;
	uint32_t head, tail; /* packets */
	uint32_t chain;      /* next of its bucket, or of the free ones */
	uint32_t next;       /* in its class */
	uint32_t class;
	uint64_t turn;
};

struct class
{
	uint32_t first, last; /* flows */
	uint32_t next;        /* of the host, or of the free ones */
	unsigned n;
	uint8_t vls[HD_MAX_LIDS]; /* as hd_model_vls_to() gives them */
	uint32_t to;              /* with queues by destination at switches: alone; else HD_NONE */
};

struct hd_admittances {
	uint32_t *classes_of; /* [host] the first of its classes */
	struct flow *flows;
	uint32_t n_flows, size_flows, free_flow;
	uint32_t *buckets; /* [size_flows] flows, by host and destination */
	struct class *classes;
	uint32_t n_classes, size_classes, free_class;
	uint64_t turns; /* given so far */
};

int hd_admittance_new(struct hd_model *model)
{
	struct hd_admittances *a = calloc(1, sizeof(*a));

	if (!a)
		return HD_ENOMEM;
	model->injection.admittances = a;
	a->free_flow = a->free_class = HD_NONE;
	model->injection.admitted = calloc((size_t)model->network.n_ports * model->n_vls + 1,
					   sizeof(*model->injection.admitted));
	a->classes_of = malloc((model->injection.n_hosts + (size_t)1) * sizeof(*a->classes_of));
	if (!model->injection.admitted || !a->classes_of)
		return HD_ENOMEM;
	for (uint32_t host = 0; host < model->injection.n_hosts; host++)
		a->classes_of[host] = HD_NONE;
	return 0;
}

void hd_admittance_free(struct hd_admittances *a)
{
	if (!a)
		return;
	free(a->classes_of);
	free(a->flows);
	free(a->buckets);
	free(a->classes);
	free(a);
}

/* Flows */

static uint32_t *bucket_of(const struct hd_admittances *a, uint32_t host, uint32_t to)
{
	uint64_t hash = ((uint64_t)host << 32 | to) * UINT64_C(0x9E3779B97F4A7C15);

	return &a->buckets[hash >> 32 & (a->size_flows - 1)];
}

static uint32_t find_flow(const struct hd_admittances *a, uint32_t host, uint32_t to)
{
	uint32_t i = a->n_flows ? *bucket_of(a, host, to) : HD_NONE;

	while (i != HD_NONE && (a->flows[i].host != host || a->flows[i].to != to))
		i = a->flows[i].chain;
	return i;
}

static bool grow_flows(struct hd_admittances *a)
{
	uint32_t size = a->size_flows ? 2 * a->size_flows : 1024;
	struct flow *flows = realloc(a->flows, size * sizeof(*flows));
	uint32_t *buckets;

	if (!flows)
		return false;
	a->flows = flows;
	buckets = realloc(a->buckets, size * sizeof(*buckets));
	if (!buckets)
		return false;
	a->buckets = buckets;
	a->size_flows = size;
	for (uint32_t i = 0; i < size; i++)
		buckets[i] = HD_NONE;
	/* no flow is free: all are in use */
	for (uint32_t i = 0; i < a->n_flows; i++) {
		uint32_t *bucket = bucket_of(a, flows[i].host, flows[i].to);

		flows[i].chain = *bucket;
		*bucket = i;
	}
	return true;
}

static uint32_t new_flow(struct hd_admittances *a, uint32_t host, uint32_t to)
{
	uint32_t i = a->free_flow, *bucket;

	if (i != HD_NONE)
		a->free_flow = a->flows[i].chain;
	else if (a->n_flows < a->size_flows || grow_flows(a))
		i = a->n_flows++;
	else
		return HD_NONE;
	bucket = bucket_of(a, host, to);
	a->flows[i] = (struct flow){ .host = host, .to = to, .chain = *bucket };
	*bucket = i;
	return i;
}

static void free_flow(struct hd_admittances *a, uint32_t i)
{
	uint32_t *link = bucket_of(a, a->flows[i].host, a->flows[i].to);

	while (*link != i)
		link = &a->flows[*link].chain;
	*link = a->flows[i].chain;
	a->flows[i].chain = a->free_flow;
	a->free_flow = i;
}

/* Classes */

static uint32_t new_class(struct hd_admittances *a, uint32_t host, uint32_t to, const uint8_t *vls,
			  unsigned n)
{
	uint32_t i = a->free_class;

	if (i != HD_NONE) {
		a->free_class = a->classes[i].next;
	} else {
		if (a->n_classes == a->size_classes) {
			uint32_t size = a->size_classes ? 2 * a->size_classes : 256;
			struct class *classes = realloc(a->classes, size * sizeof(*classes));

			if (!classes)
				return HD_NONE;
			a->classes = classes;
			a->size_classes = size;
		}
		i = a->n_classes++;
	}
	a->classes[i].first = HD_NONE;
	a->classes[i].next = a->classes_of[host];
	a->classes[i].n = n;
	a->classes[i].to = to;
	memcpy(a->classes[i].vls, vls, n);
	a->classes_of[host] = i;
	return i;
}

static uint32_t find_class(const struct hd_admittances *a, uint32_t host, uint32_t to,
			   const uint8_t *vls, unsigned n)
{
	uint32_t i = a->classes_of[host];

	while (i != HD_NONE && (a->classes[i].n != n || a->classes[i].to != to ||
				memcmp(a->classes[i].vls, vls, n) != 0))
		i = a->classes[i].next;
	return i;
}

static void free_class(struct hd_admittances *a, uint32_t host, uint32_t i)
{
	uint32_t *link = &a->classes_of[host];

	while (*link != i)
		link = &a->classes[*link].next;
	*link = a->classes[i].next;
	a->classes[i].next = a->free_class;
	a->free_class = i;
}

/* Flow @i is the last of its class, and of all, to have its turn. */
static void line_up(struct hd_admittances *a, uint32_t i)
{
	struct class *class = &a->classes[a->flows[i].class];

	a->flows[i].turn = a->turns++;
	a->flows[i].next = HD_NONE;
	if (class->first == HD_NONE)
		class->first = i;
	else
		a->flows[class->last].next = i;
	class->last = i;
}

/* From admittance to injection */

/* Whether hosts choose among the VCs of a packet's group; else packets are on their tables' VLs. */
static bool has_groups(const struct hd_model *model)
{
	return model->adaptive && model->adaptive->routed->groups;
}

/* What a packet of @host to @to may be on: the VLs of its LIDs, or the VCs of its group. */
static unsigned lanes_to(const struct hd_model *model, uint32_t host, uint32_t to, uint8_t *vls)
{
	unsigned first, n = hd_adaptive_injection_vcs(
				model, host, model->injection.destinations[to].lid, &first);

	for (unsigned i = 0; i < n; i++)
		vls[i] = (uint8_t)(first + i);
	return n ? n : hd_model_vls_to(model, host, to, 0, vls);
}

/* The same of the lanes for a packet of @message, where switches have queues by destination. */
static unsigned choose_lane_to(const struct hd_model *model, const struct hd_message *message,
			       const uint8_t *vls, unsigned n)
{
	const uint32_t out = model->injection.hosts[message->from].port;
	const unsigned by = hd_model_choose_lid(model, message, vls, n),
		       lid = model->injection.destinations[message->to].lid + by;

	if (by == n || vls[by] == HD_VL_DROP)
		return by;
	return *hd_voqnet_credits(model, out, vls[by], model->voqnet->of_lid[lid]) < message->size
		       ? n
		       : by;
}

/* Of the @n lanes in @vls, the one to take for a packet like @message; n: none has room. */
static unsigned choose_lane(const struct hd_model *model, const struct hd_message *message,
			    const uint8_t *vls, unsigned n)
{
	const uint32_t port = model->injection.hosts[message->from].port;
	const uint32_t *queued = &model->injection.admitted[port * (size_t)model->n_vls];
	unsigned best = n;

	if (hd_has_voqnet(model))
		return choose_lane_to(model, message, vls, n);
	if (!has_groups(model))
		return hd_model_choose_lid(model, message, vls, n);
	for (unsigned i = 0; i < n; i++)
		if (hd_admittance_has_room(model, port, vls[i]) &&
		    (best == n || queued[vls[i]] < queued[vls[best]]))
			best = i;
	return best;
}

static void inject(struct hd_model *model, uint32_t index, unsigned offset)
{
	struct packet *packet = &model->buffers.packets[index];
	unsigned first = 0;

	hd_model_take_lid(model, packet, has_groups(model) ? 0 : offset);
	if (has_groups(model) && packet->out_vl != HD_VL_DROP) {
		hd_adaptive_injection_vcs(model, packet->message.from, packet->dlid, &first);
		packet->out_vl = (uint8_t)(first + offset);
	}
	if (packet->out_vl != HD_VL_DROP)
		model->injection.admitted[model->injection.hosts[packet->message.from].port *
						  (size_t)model->n_vls +
					  packet->out_vl]++;
	if (hd_has_voqnet(model) && packet->out_vl != HD_VL_DROP)
		hd_voqnet_use(model, model->injection.hosts[packet->message.from].port,
			      packet->out_vl, hd_voqnet_destination(model, packet),
			      packet->message.size);
	hd_model_enqueue(model, index);
}

/*
 * The class of @host whose turn it is among those that can go, and the LID that it can use;
 * HD_NONE: none can go.
 */
static uint32_t next_class(const struct hd_model *model, uint32_t host, unsigned *offset)
{
	const struct hd_admittances *a = model->injection.admittances;
	uint32_t best = HD_NONE;

	for (uint32_t i = a->classes_of[host]; i != HD_NONE; i = a->classes[i].next) {
		const struct class *class = &a->classes[i];
		unsigned by;

		if (best != HD_NONE &&
		    a->flows[class->first].turn > a->flows[a->classes[best].first].turn)
			continue;
		by = choose_lane(model,
				 &model->buffers.packets[a->flows[class->first].head].message,
				 class->vls, class->n);
		if (by == class->n)
			continue;
		best = i;
		*offset = by;
	}
	return best;
}

static void transfer(struct hd_model *model, uint32_t host)
{
	struct hd_admittances *a = model->injection.admittances;
	unsigned offset;
	uint32_t c;

	while ((c = next_class(model, host, &offset)) != HD_NONE) {
		uint32_t i = a->classes[c].first, packet = a->flows[i].head;

		a->classes[c].first = a->flows[i].next;
		a->flows[i].head = model->buffers.packets[packet].next;
		if (a->flows[i].head != HD_NONE)
			line_up(a, i);
		else
			free_flow(a, i);
		if (a->classes[c].first == HD_NONE)
			free_class(a, host, c);
		/* may call the user, who may add packets */
		inject(model, packet, offset);
	}
}

void hd_admittance_sent(struct hd_model *model, uint32_t index)
{
	const struct packet *packet = &model->buffers.packets[index];
	uint32_t host = packet->message.from;

	model->injection.admitted[model->injection.hosts[host].port * (size_t)model->n_vls +
				  packet->out_vl]--;
	transfer(model, host);
}

void hd_admittance_retry(struct hd_model *model, uint32_t host)
{
	transfer(model, host);
}

/* A flow of its own for packet @index, which is queued in it. */
static void begin_flow(struct hd_model *model, uint32_t index, const uint8_t *vls, unsigned n)
{
	struct hd_admittances *a = model->injection.admittances;
	const struct hd_message *message = &model->buffers.packets[index].message;
	uint32_t to = hd_has_voqnet(model) ? message->to : HD_NONE;
	uint32_t class = find_class(a, message->from, to, vls, n);
	uint32_t i = new_flow(a, message->from, message->to);

	if (class == HD_NONE && i != HD_NONE)
		class = new_class(a, message->from, to, vls, n);
	if (i == HD_NONE || class == HD_NONE) {
		model->events.out_of_memory = true;
		return;
	}
	a->flows[i].head = a->flows[i].tail = index;
	a->flows[i].class = class;
	line_up(a, i);
}

/* What is queued cannot go: only a packet without a flow may go at once. */
void hd_admittance_add(struct hd_model *model, uint32_t index)
{
	struct hd_admittances *a = model->injection.admittances;
	const struct packet *packet = &model->buffers.packets[index];
	uint32_t host = packet->message.from, to = packet->message.to;
	uint32_t i = find_flow(a, host, to);
	uint8_t vls[HD_MAX_LIDS];
	unsigned n, offset;

	if (i != HD_NONE) {
		model->buffers.packets[a->flows[i].tail].next = index;
		a->flows[i].tail = index;
		return;
	}
	n = lanes_to(model, host, to, vls);
	offset = choose_lane(model, &packet->message, vls, n);
	if (offset == n) {
		begin_flow(model, index, vls, n);
		return;
	}
	inject(model, index, offset);
	/* the next LID in turn may be one that other destinations can use */
	transfer(model, host);
}

const struct hd_admittance hd_admittance_destination = {
	.policy.name = "destination",
	.policy.summary = "a queue per destination, and injection queues per VL",
	.by_destination = true,
};
