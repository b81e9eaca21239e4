// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/agents_case.h"

#include <stdlib.h>

#include "fabric/netfile.h"

static const char netfile[] =
	"vendid=0x2c9\ndevid=0xbd36\nsysimgguid=0x1003\nswitchguid=0x1000(1000)\n"
	"Switch 8 \"S-0000000000001000\" # \"spine\" enhanced port 0 lid 0 lmc 0\n"
	"[1] \"H-0000000000002000\"[1](2001) # \"host\" lid 0 4xSDR\n"
	"[2] \"H-0000000000002000\"[2](2002) # \"host\" lid 0 1xDDR\n"
	"[3] \"S-0000000000001001\"[1] # \"leaf\" lid 0 4xQDR\n"
	"[4] \"S-0000000000001001\"[2] # \"leaf\" lid 0 4xFDR\n"
	"[5] \"S-0000000000001001\"[3] # \"leaf\" lid 0 12xEDR\n"
	"[6] \"S-0000000000001001\"[4] # \"leaf\" lid 0 2xHDR\n"
	"[7] \"S-0000000000001001\"[5] # \"leaf\" lid 0 4xNDR\n\n"
	"switchguid=0x1001(1001)\n"
	"Switch 8 \"S-0000000000001001\" # \"leaf\" base port 0 lid 0 lmc 0\n"
	"[1] \"S-0000000000001000\"[3] # \"spine\" lid 0\n" /* as the other end says */
	"[2] \"S-0000000000001000\"[4] # \"spine\" lid 0 4xFDR\n"
	"[3] \"S-0000000000001000\"[5] # \"spine\" lid 0 12xEDR\n"
	"[4] \"S-0000000000001000\"[6] # \"spine\" lid 0 2xHDR\n"
	"[5] \"S-0000000000001000\"[7] # \"spine\" lid 0 4xNDR\n"
	"[8] \"H-0000000000002010\"[1](2011) # \"other\" lid 0 4xHDR\n\n"
	"vendid=0x2c9\ndevid=0x673c\nsysimgguid=0x2003\ncaguid=0x2000\n"
	"Ca 2 \"H-0000000000002000\" # \"host\"\n"
	"[1](2001) \"S-0000000000001000\"[1] # lid 0 lmc 0 \"spine\" lid 0 4xSDR\n"
	"[2](2002) \"S-0000000000001000\"[2] # lid 0 lmc 0 \"spine\" lid 0 1xDDR\n\n"
	"caguid=0x2010\n"
	"Ca 1 \"H-0000000000002010\" # \"other\"\n"
	"[1](2011) \"S-0000000000001001\"[8] # lid 0 lmc 0 \"leaf\" lid 0 4xHDR v=3\n";

static bool deliver(void *context, uint32_t port, const struct hd_packet *packet)
{
	struct agents_case *c = context;

	c->delivered = *packet;
	c->delivered_port = port;
	c->n_delivered++;
	return true;
}

static void lost(void *context, const struct hd_packet *packet)
{
	(void)context;
	(void)packet;
}

bool agents_case_new(struct agents_case *c, const struct hd_emulator_options *options)
{
	struct hd_emulator_options defaults;
	struct hd_emulator_host host = { deliver, lost, c };

	memset(c, 0, sizeof(*c));
	hd_emulator_options_init(&defaults);
	if (hd_netfile_parse("case", netfile, sizeof(netfile) - 1, NULL, &c->fabric, NULL))
		return false;
	if (!hd_emulator_new(c->fabric, options ? options : &defaults, &host, &c->emulator, NULL))
		return true;
	hd_fabric_free(c->fabric);
	c->fabric = NULL;
	return false;
}

bool agents_case_new_ar(struct agents_case *c)
{
	struct hd_emulator_options options;

	hd_emulator_options_init(&options);
	options.ar = true;
	return agents_case_new(c, &options);
}

void agents_case_free(struct agents_case *c)
{
	hd_emulator_free(c->emulator);
	hd_fabric_free(c->fabric);
}

uint32_t agents_case_port(const struct agents_case *c, uint32_t node, unsigned number)
{
	return hd_port_index(c->fabric, node, number);
}

struct hd_emulator_port *agents_case_state(const struct agents_case *c, uint32_t node,
					   unsigned number)
{
	return &c->emulator->ports[agents_case_port(c, node, number)];
}

uint8_t *agents_case_data(struct agents_case *c)
{
	return c->packet.mad + HD_SMP_DATA;
}

static void write_header(struct agents_case *c, unsigned class, unsigned method, unsigned attribute,
			 uint32_t modifier)
{
	uint8_t *mad = c->packet.mad;

	mad[HD_MAD_BASE_VERSION] = 1;
	mad[HD_MAD_CLASS] = (uint8_t) class;
	mad[HD_MAD_CLASS_VERSION] = 1;
	mad[HD_MAD_METHOD] = (uint8_t)method;
	hd_put16(mad + HD_MAD_STATUS, 0);
	hd_put16(mad + HD_MAD_ATTRIBUTE, (uint16_t)attribute);
	hd_put32(mad + HD_MAD_MODIFIER, modifier);
}

int agents_case_smp(struct agents_case *c, uint32_t node, unsigned in, unsigned method,
		    unsigned attribute, uint32_t modifier)
{
	enum hd_verdict verdict;

	write_header(c, HD_CLASS_SMI, method, attribute, modifier);
	verdict = hd_sma_handle(c->emulator, node, (uint8_t)in, &c->packet);
	return verdict == HD_ANSWERED ? hd_get16(c->packet.mad + HD_MAD_STATUS)
				      : NO_ANSWER(verdict);
}

int agents_case_get(struct agents_case *c, uint32_t node, unsigned in, unsigned attribute,
		    uint32_t modifier)
{
	return agents_case_smp(c, node, in, HD_METHOD_GET, attribute, modifier);
}

int agents_case_set(struct agents_case *c, uint32_t node, unsigned in, unsigned attribute,
		    uint32_t modifier)
{
	return agents_case_smp(c, node, in, HD_METHOD_SET, attribute, modifier);
}

int agents_case_pm(struct agents_case *c, uint32_t port, unsigned method, unsigned attribute)
{
	enum hd_verdict verdict;

	write_header(c, HD_CLASS_PM, method, attribute, 0);
	verdict = hd_gsi_handle(c->emulator, port, &c->packet);
	return verdict == HD_ANSWERED ? hd_get16(c->packet.mad + HD_MAD_STATUS)
				      : NO_ANSWER(verdict);
}

void agents_case_bring_up(struct agents_case *c)
{
	/* by LID: spine, leaf, host[1], host[2], other */
	static const uint8_t tables[2][6] = { { 255, 0, 3, 1, 2, 3 }, { 255, 1, 0, 1, 1, 8 } };
	static const struct {
		uint32_t node;
		unsigned number;
	} end_ports[] = { { SPINE, 0 }, { LEAF, 0 }, { HOST, 1 }, { HOST, 2 }, { OTHER, 1 } };

	for (unsigned i = 0; i < 5; i++) {
		struct hd_emulator_port *port =
			agents_case_state(c, end_ports[i].node, end_ports[i].number);

		port->lid = (uint16_t)(i + 1);
		port->sm_lid = 3;
	}
	hd_for_each_port(p, c->fabric)
		if (c->emulator->ports[p].state == HD_PORT_INIT)
			c->emulator->ports[p].state = HD_PORT_ACTIVE;
	for (uint32_t s = 0; s < 2; s++) {
		uint8_t *data = agents_case_data(c);

		memset(data, 0xFF, HD_SMP_DATA_SIZE);
		memcpy(data, tables[s], sizeof(tables[s]));
		agents_case_set(c, s, 1, 0x19, 0);
		c->emulator->switches[s].linear_fdb_top = 5;
		c->emulator->switches[s].port_state_change = false;
	}
}
