// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "live/own_port.h"

#include "mad/mad.h"
#include "support/error.h"

/* Attributes of performance management (16.1.3, 16.1.4), and where their components are. */
#define ATTRIBUTE_COUNTERS     0x12
#define ATTRIBUTE_VL_XMIT_WAIT 0x1C
#define COUNTERS_XMIT_WAIT     40
#define LANES_FIRST            4
#define ALL_LANES              0xFFFF

#define NODE_INFO_NODE_GUID 12
#define NODE_INFO_PORT_GUID 20

#define PORT_INFO_LID   16
#define PORT_INFO_STATE 32
#define PORT_INFO_LMC   34
#define STATE_ACTIVE    4

static int get_own(struct hd_mads *mads, unsigned attribute, const char *what, uint8_t *data,
		   size_t size, struct hd_error *err)
{
	const struct hd_mads_question question = { .class = HD_MADS_OWN,
						   .attribute = (uint16_t)attribute,
						   .what = what };
	uint16_t status;
	int ret = hd_mads_ask_one(mads, &question, &status, data, size, err);

	if (!ret && status)
		ret = hd_error_set(err, HD_EIO, "%s: the port's agent answers with status 0x%x",
				   what, status);
	return ret;
}

int hd_own_port_guids(struct hd_mads *mads, uint64_t *node_guid, uint64_t *port_guid,
		      struct hd_error *err)
{
	uint8_t info[HD_SMP_DATA_SIZE];
	int ret = get_own(mads, HD_ATTRIBUTE_NODE_INFO, "NodeInfo", info, sizeof(info), err);

	if (ret)
		return ret;
	*node_guid = hd_get64(info + NODE_INFO_NODE_GUID);
	*port_guid = hd_get64(info + NODE_INFO_PORT_GUID);
	return 0;
}

int hd_own_port_look(struct hd_mads *mads, struct hd_own_port *port, struct hd_error *err)
{
	uint8_t info[HD_SMP_DATA_SIZE], table[8];
	int ret = get_own(mads, HD_ATTRIBUTE_PORT_INFO, "PortInfo", info, sizeof(info), err);

	*port = (struct hd_own_port){ 0 };
	if (!ret)
		ret = get_own(mads, HD_ATTRIBUTE_SL2VL_TABLE, "SLtoVLMappingTable", table,
			      sizeof(table), err);
	if (ret)
		return ret;
	port->lid = hd_get16(info + PORT_INFO_LID);
	port->lmc = info[PORT_INFO_LMC] & 7;
	port->is_active = (info[PORT_INFO_STATE] & 15) == STATE_ACTIVE;
	for (unsigned i = 0; i < sizeof(table); i++) {
		port->sl2vl |= (uint64_t)(table[i] >> 4) << (8 * i);
		port->sl2vl |= (uint64_t)(table[i] & 15) << (8 * i + 4);
	}
	return 0;
}

/* Asks the port's performance management agent; not *@supported: it has no such attribute. */
static int ask_pm(struct hd_mads *mads, struct hd_mads_question *question, bool *supported,
		  uint8_t *data, size_t size, struct hd_error *err)
{
	uint16_t status;
	int ret;

	question->class = HD_MADS_PM;
	question->data[1] = (uint8_t)hd_mads_port(mads).number;
	ret = hd_mads_ask_one(mads, question, &status, data, size, err);
	if (ret)
		return ret;
	*supported = !HD_MADS_UNSUPPORTED(status);
	if (*supported && status)
		return hd_error_set(err, HD_EIO, "%s: the port's agent answers with status 0x%x",
				    question->what, status);
	return 0;
}

static int take_total(struct hd_mads *mads, uint16_t lid, struct hd_own_waits *waits,
		      struct hd_error *err)
{
	struct hd_mads_question question = { .lid = lid,
					     .attribute = ATTRIBUTE_COUNTERS,
					     .what = "PortCounters" };
	uint8_t data[64];
	int ret = ask_pm(mads, &question, &waits->has_total, data, sizeof(data), err);

	waits->total = ret ? 0 : hd_get32(data + COUNTERS_XMIT_WAIT);
	return ret;
}

int hd_own_port_take_waits(struct hd_mads *mads, uint16_t lid, struct hd_own_waits *waits,
			   struct hd_error *err)
{
	struct hd_mads_question question = { .lid = lid,
					     .attribute = ATTRIBUTE_VL_XMIT_WAIT,
					     .what = "PortVLXmitWaitCounters" };
	uint8_t data[64];
	int ret;

	*waits = (struct hd_own_waits){ 0 };
	ret = take_total(mads, lid, waits, err);
	if (!ret)
		ret = ask_pm(mads, &question, &waits->supported, data, sizeof(data), err);
	if (ret || !waits->supported)
		return ret;
	for (unsigned vl = 0; vl < HD_LANES; vl++)
		waits->vl[vl] = hd_get16(data + LANES_FIRST + 2 * vl);
	question.set = true;
	hd_put16(question.data + 2, ALL_LANES);
	return ask_pm(mads, &question, &waits->supported, data, sizeof(data), err);
}
