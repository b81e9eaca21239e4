// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Commands that set what a port holds: counters, LIDs. */
#include <inttypes.h>
#include <stddef.h>

#include "simfabric/console_command.h"
#include "simfabric/emulator/watch.h"
#include "support/error.h"
#include "support/text.h"

/*
 * Counters by the names of infiniband-diags. Those with a VL are set on VL 0, and become 0 on other
 * VLs.
 */
struct counter {
	const char *name;
	size_t offset;
	uint8_t size; /* bytes */
	bool per_vl;
};

#define ERRORS(name, field)                                                   \
	{                                                                     \
		name, offsetof(struct hd_error_counters, field),              \
			sizeof(((struct hd_error_counters *)0)->field), false \
	}
#define PER_VL(name, field)                                           \
	{                                                             \
		name, offsetof(struct hd_vl_counters, field), 8, true \
	}

static const struct counter counters[] = {
	ERRORS("SymbolErrorCounter", symbol_errors),
	ERRORS("LinkErrorRecoveryCounter", link_recoveries),
	ERRORS("LinkDownedCounter", link_downed),
	ERRORS("PortRcvErrors", rcv_errors),
	ERRORS("PortRcvRemotePhysicalErrors", rcv_remote_physical),
	ERRORS("PortRcvSwitchRelayErrors", rcv_switch_relay),
	ERRORS("PortXmitDiscards", xmit_discards),
	ERRORS("PortXmitConstraintErrors", xmit_constraint),
	ERRORS("PortRcvConstraintErrors", rcv_constraint),
	ERRORS("LocalLinkIntegrityErrors", local_integrity),
	ERRORS("ExcessiveBufferOverrunErrors", buffer_overrun),
	ERRORS("VL15Dropped", vl15_dropped),
	ERRORS("QP1Dropped", qp1_drops),
	PER_VL("PortXmitData", xmit_data),
	PER_VL("PortRcvData", rcv_data),
	PER_VL("PortXmitPkts", xmit_packets),
	PER_VL("PortRcvPkts", rcv_packets),
	PER_VL("PortXmitWait", xmit_wait),
};

static const struct counter *find_counter(const char *name)
{
	for (size_t i = 0; i < sizeof(counters) / sizeof(*counters); i++)
		if (strcmp(counters[i].name, name) == 0)
			return &counters[i];
	return NULL;
}

static void set_counter(struct hd_emulator *emulator, uint32_t port, const struct counter *counter,
			uint64_t value)
{
	struct hd_vl_counters *of_vls = &emulator->counters[port * (size_t)HD_EMULATOR_VLS];
	uint8_t *at = (uint8_t *)&emulator->errors[port] + counter->offset;
	const uint8_t value8 = (uint8_t)value;
	const uint16_t value16 = (uint16_t)value;

	for (unsigned vl = 0; counter->per_vl && vl < HD_EMULATOR_VLS; vl++) {
		uint64_t share = vl ? 0 : value;

		memcpy((uint8_t *)&of_vls[vl] + counter->offset, &share, sizeof(share));
	}
	if (counter->per_vl && counter->offset == offsetof(struct hd_vl_counters, xmit_wait))
		emulator->xmit_waits[port] = value;
	if (!counter->per_vl)
		memcpy(at, counter->size == 1 ? (const void *)&value8 : &value16, counter->size);
}

/* "ATTRIBUTE.FIELD=VALUE"; the attribute may be left out, since no two have a field of one name. */
static int performance_set(struct hd_console *console, const struct hd_order *order, FILE *out,
			   struct hd_error *err)
{
	char word[HD_CONSOLE_WORD], label[HD_LABEL_SIZE], *value, *field;
	const struct counter *counter;
	uint64_t number, max;
	int ret;

	memcpy(word, order->word, sizeof(word));
	value = strchr(word, '=');
	if (!value)
		return hd_error_set(err, HD_EINVAL,
				    "'%s' is not FIELD=VALUE, as in PortCounters.PortXmitWait=12",
				    word);
	*value++ = '\0';
	field = strrchr(word, '.');
	counter = find_counter(field ? field + 1 : word);
	if (!counter)
		return hd_error_set(err, HD_ENOTFOUND, "there is no counter '%s'",
				    field ? field + 1 : word);
	max = counter->size == 8 ? UINT64_MAX : counter->size == 2 ? UINT16_MAX : UINT8_MAX;
	ret = hd_parse_number(value, counter->name, 0, max, &number, err);
	if (ret)
		return ret;
	set_counter(console->emulator, order->place.port, counter, number);
	fprintf(out, "%s: %s is %" PRIu64 "\n",
		hd_console_label(console, &order->place, label, sizeof(label)), counter->name,
		number);
	return 0;
}

static int base_lid(struct hd_console *console, const struct hd_order *order, FILE *out,
		    struct hd_error *err)
{
	const struct hd_fabric *fabric = console->emulator->fabric;
	struct hd_emulator_port *state = &console->emulator->ports[order->place.port];
	uint64_t lmc = order->number2 == HD_CONSOLE_ABSENT ? state->lmc : order->number2;
	char label[HD_LABEL_SIZE];

	hd_console_label(console, &order->place, label, sizeof(label));
	if (hd_is_switch(fabric, order->place.node) && fabric->ports[order->place.port].number)
		return hd_error_set(err, HD_EINVAL, "%s has no LID: a switch's is port 0's", label);
	if (order->number > HD_MAX_LID)
		return hd_error_set(err, HD_ERANGE, "a LID is at most %u", HD_MAX_LID);
	if (lmc > HD_MAX_LMC)
		return hd_error_set(err, HD_ERANGE, "an LMC is at most %u", HD_MAX_LMC);
	hd_watch_begin(console->emulator);
	state->lid = (uint16_t)order->number;
	state->lmc = (uint8_t)lmc;
	hd_watch_touch(console->emulator, order->place.node);
	hd_watch_end(console->emulator, &(struct hd_occurrence){ .kind = HD_OCCURRED_CONSOLE,
								 .node = order->place.node,
								 .port = order->place.port });
	fprintf(out, "%s: lid %u lmc %u\n", label, state->lid, state->lmc);
	return 0;
}

static int guid(struct hd_console *console, const struct hd_order *order, FILE *out,
		struct hd_error *err)
{
	const struct hd_fabric *fabric = console->emulator->fabric;
	const struct hd_console_place *place = &order->place;
	uint64_t value = fabric->nodes[place->node].guid;
	char label[HD_LABEL_SIZE];

	if (*order->word)
		return hd_error_set(
			err, HD_EINVAL,
			"GUIDs do not change while the fabric runs: change the netfile");
	if (place->port != HD_NONE && fabric->ports[place->port].guid)
		value = fabric->ports[place->port].guid;
	fprintf(out, "%s: 0x%016" PRIx64 "\n",
		hd_console_label(console, place, label, sizeof(label)), value);
	return 0;
}

const struct hd_console_command hd_console_set_commands[] = {
	{ "PerformanceSet", "pw", "\"node\"[port] PortCounters.FIELD=VALUE",
	  "set a counter, by its name in perfquery", performance_set },
	{ "Baselid", "puU", "\"node\"[port] LID [LMC]", "change a port's LID", base_lid },
	{ "Guid", "nW", "\"node\"[port] | \"node\"", "show the GUID", guid },
	{ 0 }
};
