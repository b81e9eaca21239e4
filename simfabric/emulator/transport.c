/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "simfabric/emulator/transport.h"

#include "fabric/link_rate.h"
#include "simfabric/emulator/agents.h"
#include "simfabric/emulator/mad_faults.h"
#include "simfabric/emulator/link_state.h"

#include <limits.h>
#include <stdlib.h>

#define VL_MANAGEMENT 15
#define PERMISSIVE    0xFFFF
#define MULTICAST     0xC000

/*
 * Where a packet is: it came into @node through its port number @in (0: the packet starts here);
 * @self is the end port there, whose agents and clients it meets.
 */
struct place {
	uint32_t node;
	uint32_t self;
	uint8_t in;
};

enum outcome {
	ARRIVED,
	LOST,
};

static bool is_directed(const struct hd_packet *packet)
{
	return packet->mad[HD_MAD_CLASS] == HD_CLASS_SMI_DIRECT;
}

static bool is_smp(const struct hd_packet *packet)
{
	return packet->mad[HD_MAD_CLASS] == HD_CLASS_SMI || is_directed(packet);
}

/* Crosses the link at port @out of @place's node on @vl. */
static enum outcome cross(struct hd_emulator *emulator, struct place *place, unsigned out,
			  unsigned vl)
{
	const struct hd_fabric *fabric = emulator->fabric;
	uint32_t port, peer;
	struct hd_emulator_port *state;
	struct hd_vl_counters *counters;

	if (!out || out > fabric->nodes[place->node].n_ports)
		return LOST;
	port = hd_port_index(fabric, place->node, out);
	state = &emulator->ports[port];
	peer = state->peer;
	if (!hd_link_is_up(emulator, port))
		return LOST;
	if (vl == VL_MANAGEMENT ? state->state < HD_PORT_INIT
				: state->state != HD_PORT_ACTIVE ||
					  emulator->ports[peer].state < HD_PORT_ARMED) {
		hd_count16(&emulator->errors[port].xmit_discards, vl != VL_MANAGEMENT);
		return LOST;
	}
	counters = &emulator->counters[port * (size_t)HD_EMULATOR_VLS + vl];
	counters->xmit_packets++;
	counters->xmit_data += HD_PACKET_WORDS;
	if (hd_fault_loses(emulator, port))
		return LOST;
	counters = &emulator->counters[peer * (size_t)HD_EMULATOR_VLS + vl];
	counters->rcv_packets++;
	counters->rcv_data += HD_PACKET_WORDS;
	place->node = fabric->ports[peer].node;
	place->in = fabric->ports[peer].number;
	place->self =
		hd_is_switch(fabric, place->node) ? fabric->nodes[place->node].first_port : peer;
	return ARRIVED;
}

static bool has_lid(const struct hd_emulator *emulator, uint32_t port, uint16_t lid)
{
	const struct hd_emulator_port *state = &emulator->ports[port];

	return state->lid && lid >> state->lmc == state->lid >> state->lmc;
}

/*
 * The VL at out-port @out of a packet of @sl that came through @in; VL 15 when the tables give
 * none.
 */
static unsigned data_vl(const struct hd_emulator *emulator, uint32_t node, unsigned in,
			unsigned out, unsigned sl)
{
	const struct hd_fabric *fabric = emulator->fabric;
	size_t row = emulator->sl2vl_first[node];
	unsigned vl;

	if (hd_is_switch(fabric, node))
		row += out * (fabric->nodes[node].n_ports + (size_t)1) + in;
	else
		row += out;
	vl = hd_row_vl(emulator->sl2vl[row], sl);
	return vl < hd_vlcap_vls(emulator->ports[hd_port_index(fabric, node, out)].operational_vls)
		       ? vl
		       : VL_MANAGEMENT;
}

static unsigned lft_port(const struct hd_emulator *emulator, uint32_t node, uint16_t lid)
{
	const struct hd_emulator_switch *state = &emulator->switches[node];

	return lid < state->lft_size && lid <= state->linear_fdb_top ? state->lft[lid] : HD_NO_PATH;
}

/*
 * Carries @packet, which starts at @place, by its destination LID to the end port that has it. A
 * path depends on the LID alone, so a path that is longer than there are switches goes round for
 * ever; hardware throws such packets away when their lifetime in a switch ends.
 */
static enum outcome carry_by_lid(struct hd_emulator *emulator, struct place *place,
				 const struct hd_packet *packet)
{
	const struct hd_fabric *fabric = emulator->fabric;
	uint16_t dlid = packet->dlid;
	bool smp = is_smp(packet);
	uint32_t hops = fabric->n_switches + 1;
	unsigned out = fabric->ports[place->self].number, vl = VL_MANAGEMENT;

	place->in = 0;
	if (!dlid || (dlid >= MULTICAST && dlid != PERMISSIVE))
		return LOST;
	if (has_lid(emulator, place->self, dlid))
		return ARRIVED;
	if (!hd_is_switch(fabric, place->node)) {
		if (!smp) {
			vl = data_vl(emulator, place->node, 0, out, packet->sl);
			if (vl == VL_MANAGEMENT)
				goto discard;
		}
		if (cross(emulator, place, out, vl) == LOST)
			return LOST;
		if (dlid == PERMISSIVE)
			return ARRIVED;
	}
	for (; hd_is_switch(fabric, place->node); hops--) {
		uint32_t in_port = hd_port_index(fabric, place->node, place->in);

		out = lft_port(emulator, place->node, dlid);
		if (!out && has_lid(emulator, place->self, dlid))
			return ARRIVED;
		if (!out || out > fabric->nodes[place->node].n_ports || out == place->in) {
			hd_count16(&emulator->errors[in_port].rcv_switch_relay, 1);
			return LOST;
		}
		if (!hops)
			goto discard;
		if (!smp) {
			vl = data_vl(emulator, place->node, place->in, out, packet->sl);
			if (vl == VL_MANAGEMENT)
				goto discard;
		}
		if (cross(emulator, place, out, vl) == LOST)
			return LOST;
	}
	return has_lid(emulator, place->self, dlid) ? ARRIVED : LOST;

discard:
	hd_count16(&emulator->errors[hd_port_index(fabric, place->node, out)].xmit_discards, 1);
	return LOST;
}

/*
 * The directed part of an SMP's way out (14.2.2.1, 14.2.2.2): from @place, the requester or the
 * switch where the LID-routed part ended, along the initial path.
 */
static enum outcome carry_outward(struct hd_emulator *emulator, struct place *place,
				  struct hd_packet *packet)
{
	uint8_t *mad = packet->mad;
	unsigned count = mad[HD_SMP_HOP_COUNT];

	if (count >= HD_SMP_MAX_HOPS || mad[HD_SMP_HOP_POINTER])
		return LOST;
	while (mad[HD_SMP_HOP_POINTER] < count) {
		unsigned pointer = mad[HD_SMP_HOP_POINTER];

		if (pointer) {
			if (!hd_is_switch(emulator->fabric, place->node))
				return LOST; /* only switches pass SMPs on */
			mad[HD_SMP_RETURN_PATH + pointer] = place->in;
		}
		mad[HD_SMP_HOP_POINTER] = (uint8_t)++pointer;
		if (cross(emulator, place, mad[HD_SMP_INITIAL_PATH + pointer], VL_MANAGEMENT) ==
		    LOST)
			return LOST;
	}
	if (count)
		mad[HD_SMP_RETURN_PATH + count] = place->in;
	mad[HD_SMP_HOP_POINTER] = (uint8_t)(count + 1);
	return ARRIVED;
}

/* The directed part of the way back (14.2.2.3, 14.2.2.4). */
static enum outcome carry_back(struct hd_emulator *emulator, struct place *place,
			       struct hd_packet *packet)
{
	uint8_t *mad = packet->mad;
	unsigned count = mad[HD_SMP_HOP_COUNT];

	if (count >= HD_SMP_MAX_HOPS || mad[HD_SMP_HOP_POINTER] != count + 1)
		return LOST;
	mad[HD_SMP_HOP_POINTER] = (uint8_t)count;
	while (mad[HD_SMP_HOP_POINTER]) {
		unsigned pointer = mad[HD_SMP_HOP_POINTER];

		if (pointer < count && !hd_is_switch(emulator->fabric, place->node))
			return LOST;
		if (cross(emulator, place, mad[HD_SMP_RETURN_PATH + pointer], VL_MANAGEMENT) ==
		    LOST)
			return LOST;
		mad[HD_SMP_HOP_POINTER] = (uint8_t)(pointer - 1);
	}
	return ARRIVED;
}

/*
 * Carries an SMP of class 0x81 from @place: a LID-routed part, a directed part, a LID-routed part.
 */
static enum outcome carry_directed(struct hd_emulator *emulator, struct place *place,
				   struct hd_packet *packet)
{
	const uint8_t *mad = packet->mad;
	bool back = hd_get16(mad + HD_MAD_STATUS) & HD_SMP_DIRECTION;
	uint16_t first = hd_get16(mad + (back ? HD_SMP_DR_DLID : HD_SMP_DR_SLID));
	uint16_t last = hd_get16(mad + (back ? HD_SMP_DR_SLID : HD_SMP_DR_DLID));

	if (first != PERMISSIVE && carry_by_lid(emulator, place, packet) == LOST)
		return LOST;
	if ((back ? carry_back : carry_outward)(emulator, place, packet) == LOST)
		return LOST;
	if (last == PERMISSIVE)
		return ARRIVED;
	packet->slid = emulator->ports[place->self].lid;
	packet->dlid = last;
	return carry_by_lid(emulator, place, packet);
}

static enum outcome carry(struct hd_emulator *emulator, struct place *place,
			  struct hd_packet *packet)
{
	return is_directed(packet) ? carry_directed(emulator, place, packet)
				   : carry_by_lid(emulator, place, packet);
}

/* Turns a packet round: it goes back where it came from. */
static void turn_round(struct hd_packet *packet)
{
	uint16_t lid = packet->slid;
	uint32_t qp = packet->sqp;

	packet->slid = packet->dlid;
	packet->dlid = lid;
	packet->sqp = packet->dqp;
	packet->dqp = qp;
	packet->length = 0;
	if (is_directed(packet)) {
		uint8_t *status = packet->mad + HD_MAD_STATUS;

		hd_put16(status, hd_get16(status) | HD_SMP_DIRECTION);
		if (hd_get16(packet->mad + HD_SMP_DR_DLID) == PERMISSIVE)
			packet->dlid = hd_get16(packet->mad + HD_SMP_DR_SLID);
	}
}

/* What happens to a packet that arrived. */
enum fate {
	DELIVERED, /* to a client */
	ANSWERED,  /* the packet is now the answer, still at the same place */
	REFUSED,   /* an agent was silent, or nobody is there */
};

static enum fate arrive(struct hd_emulator *emulator, const struct place *place,
			struct hd_packet *packet)
{
	bool response = packet->mad[HD_MAD_METHOD] & HD_METHOD_RESPONSE ||
			packet->mad[HD_MAD_METHOD] == HD_METHOD_TRAP_REPRESS;
	/* a packet that starts and ends at one port of an adapter is for that port */
	uint8_t in = place->in ? place->in : emulator->fabric->ports[place->self].number;
	enum hd_verdict verdict = is_smp(packet) ? hd_sma_handle(emulator, place->node, in, packet)
						 : hd_gsi_handle(emulator, place->self, packet);

	switch (verdict) {
	case HD_ANSWERED:
		emulator->mads_answered++;
		return ANSWERED;
	case HD_CONSUMED:
		return response ? DELIVERED : REFUSED;
	default:
		break;
	}
	if (emulator->host.deliver(emulator->host.context, place->self, packet)) {
		emulator->mads_delivered++;
		return DELIVERED;
	}
	/* of a trap that is over already */
	if (is_smp(packet) && packet->mad[HD_MAD_METHOD] == HD_METHOD_TRAP_REPRESS)
		return DELIVERED;
	if (response || !hd_gsi_refuse(packet))
		return REFUSED;
	emulator->mads_answered++;
	return ANSWERED;
}

static void lose(struct hd_emulator *emulator, const struct hd_packet *sent)
{
	emulator->mads_lost++;
	if (sent->origin != HD_NONE)
		emulator->host.lost(emulator->host.context, sent);
}

/*
 * @packet, which was @sent, has come to @place: agents act there and, where one answers, the answer
 * is carried back. Answers are never answered: they are responses, which only clients take.
 */
static void act_and_return(struct hd_emulator *emulator, struct place *place,
			   struct hd_packet *packet, const struct hd_packet *sent)
{
	switch (arrive(emulator, place, packet)) {
	case DELIVERED:
		return;
	case REFUSED:
		break;
	case ANSWERED:
		turn_round(packet);
		place->in = 0;
		if (carry(emulator, place, packet) == ARRIVED &&
		    arrive(emulator, place, packet) == DELIVERED)
			return;
		break;
	}
	lose(emulator, sent);
}

static bool hold(struct hd_emulator *emulator, const struct place *place,
		 const struct hd_packet *packet, const struct hd_packet *sent);

/* Carries a packet there and, where an agent answers, back. */
static void round_trip(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *sent)
{
	struct place place = { .node = emulator->fabric->ports[port].node, .self = port };
	struct hd_packet packet = *sent;

	if (carry(emulator, &place, &packet) == LOST)
		lose(emulator, sent);
	else if (!hold(emulator, &place, &packet, sent))
		act_and_return(emulator, &place, &packet, sent);
}

/* A MAD that waits: at its sender or, where it has a place, there. */
struct delayed {
	struct hd_emulator *emulator;
	uint32_t port;
	struct place place;
	struct hd_packet packet, sent;
};

static void expire(void *context, uint64_t argument)
{
	struct delayed *delayed = context;

	(void)argument;
	delayed->emulator->outbox.held = true;
	round_trip(delayed->emulator, delayed->port, &delayed->packet);
	hd_transport_flush(delayed->emulator);
	free(delayed);
}

/* Agents act on what has waited for them. */
static void wake(void *context, uint64_t argument)
{
	struct delayed *delayed = context;

	(void)argument;
	delayed->emulator->outbox.held = true;
	act_and_return(delayed->emulator, &delayed->place, &delayed->packet, &delayed->sent);
	hd_transport_flush(delayed->emulator);
	free(delayed);
}

static void forget(void *context, uint64_t argument)
{
	(void)argument;
	free(context);
}

/* False: out of memory. */
static bool delay(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet)
{
	struct delayed *delayed = malloc(sizeof(*delayed));
	struct hd_timer timer = {
		.time = emulator->now + hd_fault_delay_ns(emulator),
		.expire = expire,
		.drop = forget,
		.context = delayed,
	};

	if (!delayed)
		return false;
	*delayed = (struct delayed){ .emulator = emulator, .port = port, .packet = *packet };
	if (hd_timers_add(&emulator->timers, &timer))
		return true;
	free(delayed);
	return false;
}

/*
 * Whether @packet, a request of subnet management that a client sent, waits at @place before agents
 * act on it. Where there is no memory for that, it does not.
 */
static bool hold(struct hd_emulator *emulator, const struct place *place,
		 const struct hd_packet *packet, const struct hd_packet *sent)
{
	struct delayed *delayed;
	struct hd_timer timer = { .expire = wake, .drop = forget };
	uint64_t wait;

	if (sent->origin == HD_NONE || !is_smp(packet) ||
	    packet->mad[HD_MAD_METHOD] & HD_METHOD_RESPONSE)
		return false;
	wait = hd_fault_wait_ns(emulator, place->node);
	delayed = wait ? malloc(sizeof(*delayed)) : NULL;
	if (!delayed)
		return false;
	*delayed = (struct delayed){
		.emulator = emulator, .place = *place, .packet = *packet, .sent = *sent
	};
	timer.time = emulator->now + wait;
	timer.context = delayed;
	if (hd_timers_add(&emulator->timers, &timer))
		return true;
	free(delayed);
	return false;
}

static void send(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet)
{
	const struct hd_emulator_port *source = &emulator->ports[port];
	struct hd_packet sent = *packet;

	emulator->mads_sent++;
	/* the base LID is the port's own, the path bits are chosen by the sender */
	if (sent.slid != PERMISSIVE)
		sent.slid = (uint16_t)(source->lid | (sent.slid & ((1u << source->lmc) - 1)));
	sent.sl &= 15;
	if (sent.origin != HD_NONE && hd_fault_delay_ns(emulator) && delay(emulator, port, &sent))
		return;
	round_trip(emulator, port, &sent);
}

void hd_transport_flush(struct hd_emulator *emulator)
{
	struct hd_outbox_entry entry;

	emulator->outbox.held = true;
	while (hd_outbox_take(&emulator->outbox, &entry))
		send(emulator, entry.port, &entry.packet);
	emulator->outbox.held = false;
}

void hd_emulator_send(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet)
{
	/* a client that sends from within host.deliver is part of the MAD that is being carried */
	bool outermost = !emulator->outbox.held;

	emulator->outbox.held = true;
	send(emulator, port, packet);
	if (outermost)
		hd_transport_flush(emulator);
}

void hd_emulator_advance(struct hd_emulator *emulator, uint64_t now)
{
	while (emulator->now < now || hd_timers_next(&emulator->timers) <= now)
		hd_emulator_advance_some(emulator, now, UINT_MAX);
}

void hd_emulator_advance_some(struct hd_emulator *emulator, uint64_t now, unsigned n)
{
	emulator->until = now;
	for (; hd_timers_next(&emulator->timers) <= now; n--) {
		if (!n)
			return;
		/* timers that are armed for the past run now */
		if (hd_timers_next(&emulator->timers) > emulator->now)
			emulator->now = hd_timers_next(&emulator->timers);
		hd_timers_run_first(&emulator->timers, emulator->now);
	}
	if (now > emulator->now)
		emulator->now = now;
}

uint64_t hd_emulator_next(const struct hd_emulator *emulator)
{
	return hd_timers_next(&emulator->timers);
}
