// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/clients_case.h"

#include "tests/unit/unit.h"
#include "topologies/topology.h"

static bool deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	struct clients_case *c = context;

	return hd_clients_deliver(c->clients, port, packet);
}

static void lost(void *context, const struct hd_packet *packet)
{
	struct clients_case *c = context;

	hd_clients_lost(c->clients, packet);
}

void clients_case_new(struct clients_case *c, const char *spec)
{
	struct hd_emulator_host host = { .deliver = deliver, .lost = lost, .context = c };
	struct hd_emulator_options options;
	struct hd_error err;

	hd_emulator_options_init(&options);
	assert_hd_ok(hd_topology_build(spec, &c->fabric, &err), err);
	assert_hd_ok(hd_emulator_new(c->fabric, &options, &host, &c->emulator, &err), err);
	assert_hd_ok(hd_clients_new(c->emulator, &c->clients, &err), err);
}

void clients_case_free(struct clients_case *c)
{
	hd_clients_free(c->clients);
	hd_emulator_free(c->emulator);
	hd_fabric_free(c->fabric);
}

static bool take(void *context, const struct hd_packet *packet)
{
	struct inbox *inbox = context;

	if (inbox->full)
		return false;
	inbox->delivered = *packet;
	inbox->n_delivered++;
	return true;
}

static void take_lost(void *context, const struct hd_packet *packet)
{
	struct inbox *inbox = context;

	inbox->lost = *packet;
	inbox->n_lost++;
}

static void expel(void *context)
{
	struct inbox *inbox = context;

	inbox->expelled = true;
	hd_clients_detach(inbox->of->clients, inbox->id);
}

const struct hd_carrier inbox_carrier = { .deliver = take, .lost = take_lost, .expel = expel };

const struct hd_carrier inbox_timed_carrier = {
	.deliver = take, .lost = take_lost, .expel = expel, .timeout_ns = INBOX_TIMEOUT_NS
};

static void attach(struct clients_case *c, struct inbox *inbox, uint32_t port,
		   const struct hd_carrier *carrier)
{
	struct hd_error err;

	*inbox = (struct inbox){ .of = c };
	assert_hd_ok(hd_clients_attach(c->clients, port, carrier, inbox, 0, &inbox->id, &err), err);
}

void inbox_attach(struct clients_case *c, struct inbox *inbox, uint32_t port)
{
	attach(c, inbox, port, &inbox_carrier);
}

void inbox_attach_timed(struct clients_case *c, struct inbox *inbox, uint32_t port)
{
	attach(c, inbox, port, &inbox_timed_carrier);
}

uint32_t host_port(const struct clients_case *c, uint32_t index)
{
	return hd_port_index(c->fabric, c->fabric->n_switches + index, 1);
}

struct hd_packet own_smp(unsigned method, unsigned attribute, uint64_t id)
{
	struct hd_packet packet = { .slid = 0xFFFF, .dlid = 0xFFFF, .origin = HD_NONE };

	packet.mad[HD_MAD_BASE_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI_DIRECT;
	packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_METHOD] = (uint8_t)method;
	hd_put64(packet.mad + HD_MAD_TID, id);
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, (uint16_t)attribute);
	hd_put16(packet.mad + HD_SMP_DR_SLID, 0xFFFF);
	hd_put16(packet.mad + HD_SMP_DR_DLID, 0xFFFF);
	return packet;
}
