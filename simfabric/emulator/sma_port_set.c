// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Set(PortInfo) (14.2.5.6): everything is checked before anything is written. A component whose
 * value means "no change" stays as it is.
 */
#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"
#include "simfabric/emulator/traps.h"

#define WIDTH_ALL     0xFF /* as supported */
#define SPEED_ALL     0x0F
#define EXTENDED_ALL  0x1F
#define EXTENDED_OFF  0x1E
#define EXTENDED2_ALL 0x07
#define ENFORCED      0x03 /* raw filters: SwitchInfo says that partitions are not enforced */

static bool is_unicast(unsigned lid)
{
	return lid && lid <= HD_MAX_LID;
}

/*
 * Sets *@enabled to the bits @wanted, where @all stands for all supported ones and 0 for no change.
 * False: some are not supported.
 */
static bool choose(uint8_t *enabled, uint8_t wanted, uint8_t all, uint8_t supported)
{
	if (wanted == all)
		wanted = supported;
	else if (wanted & ~supported)
		return false;
	if (wanted)
		*enabled = wanted;
	return true;
}

static bool take_link(struct hd_emulator_port *port, const uint8_t *data)
{
	uint8_t extended = data[63] & 0x1F;

	if (!choose(&port->width_enabled, data[29], WIDTH_ALL, port->width_supported) ||
	    !choose(&port->speed_enabled, data[35] & 15, SPEED_ALL, port->speed_supported) ||
	    !choose(&port->speed_ext2_enabled, data[56] & 7, EXTENDED2_ALL,
		    port->speed_ext2_supported))
		return false;
	if (extended == EXTENDED_OFF) {
		if (port->speed_ext_supported)
			port->speed_ext_enabled = EXTENDED_OFF;
		return true;
	}
	return choose(&port->speed_ext_enabled, extended, EXTENDED_ALL, port->speed_ext_supported);
}

/*
 * Takes the components of ports that send data over a link; @relays: also those that only ports of
 * switches and routers have.
 */
static bool take_transmission(struct hd_emulator_port *port, const uint8_t *data, bool is_external,
			      bool relays)
{
	uint8_t mtu = data[36] >> 4, vls = data[43] >> 4;

	if (mtu > port->mtu_cap || vls > port->vl_cap)
		return false;
	if (mtu)
		port->neighbor_mtu = mtu;
	if (vls)
		port->operational_vls = vls;
	port->init_type = data[37] & 15;
	port->vl_high_limit = data[38];
	port->error_thresholds = data[53];
	if (relays)
		port->hoq_life = data[42] & 0x1F;
	if (is_external) {
		port->stall = data[42] >> 5;
		port->enforce = data[43] & ENFORCED;
	}
	return true;
}

/* Counters of violations can be set to 0 and to nothing else. */
static void take_counter(uint16_t *counter, const uint8_t *data)
{
	if (!hd_get16(data))
		*counter = 0;
}

static bool take_end_port(struct hd_emulator_port *port, const uint8_t *data)
{
	uint16_t lid = hd_get16(data + 16), sm_lid = hd_get16(data + 18);

	/* a port without a LID may get LID 0 once more */
	if ((lid != port->lid && !is_unicast(lid)) || sm_lid > HD_MAX_LID)
		return false;
	port->mkey = hd_get64(data);
	port->gid_prefix = hd_get64(data + 8);
	port->lid = lid;
	port->sm_lid = sm_lid;
	port->mkey_lease = hd_get16(data + 26);
	port->mkey_protect = data[34] >> 6;
	port->lmc = data[34] & 7;
	port->sm_sl = data[36] & 15;
	take_counter(&port->mkey_violations, data + 44);
	take_counter(&port->pkey_violations, data + 46);
	take_counter(&port->qkey_violations, data + 48);
	port->subnet_timeout = data[51] & 0x1F;
	if (data[51] & 0x80)
		port->client_reregister = true;
	return true;
}

/* Whether a Set may bring the link from state @now to @wanted. */
static bool is_transition(unsigned now, unsigned wanted)
{
	switch (wanted) {
	case 0: /* no change */
	case HD_PORT_DOWN:
		return true;
	case HD_PORT_ARMED:
		return now == HD_PORT_INIT || now == HD_PORT_ARMED;
	case HD_PORT_ACTIVE:
		return now == HD_PORT_ARMED || now == HD_PORT_ACTIVE;
	default:
		return false;
	}
}

/*
 * Takes the states that are asked for, beside the values; with HD_STATUS_BAD_FIELD nothing was
 * changed.
 */
struct wanted {
	uint8_t state, physical, down_default;
};

static bool are_states(const struct hd_emulator_port *port, const struct wanted *wanted)
{
	return is_transition(port->state, wanted->state) &&
	       wanted->physical <= HD_PHYSICAL_DISABLED &&
	       wanted->down_default <= HD_PHYSICAL_POLLING &&
	       /* a physical state is for a link that is down, or that is taken down */
	       (!wanted->physical || wanted->state == HD_PORT_DOWN || !wanted->state);
}

static void change_states(struct hd_emulator *emulator, uint32_t index, const struct wanted *wanted)
{
	struct hd_emulator_port *port = &emulator->ports[index];

	if (wanted->down_default)
		port->down_default = wanted->down_default;
	if (wanted->state > HD_PORT_DOWN) {
		port->state = wanted->state;
		return;
	}
	if (wanted->state != HD_PORT_DOWN && !wanted->physical)
		return;
	/* a link that is down already stays in its physical state, unless that is to change */
	if (!wanted->physical && port->physical != HD_PHYSICAL_LINK_UP)
		return;
	port->state = HD_PORT_DOWN;
	port->physical = wanted->physical ? wanted->physical : port->down_default;
	hd_link_update(emulator, index);
}

unsigned hd_sma_write_port(struct hd_smp *smp, uint32_t index)
{
	struct hd_emulator *emulator = smp->emulator;
	struct hd_emulator_port *port = &emulator->ports[index], written = *port;
	const uint8_t *data = smp->data;
	bool is_external = hd_is_external_port(emulator, index);
	bool is_management = !is_external && hd_is_switch(emulator->fabric, smp->node);
	bool enhanced = emulator->fabric->nodes[smp->node].enhanced_port0;
	bool relays = is_external || emulator->fabric->nodes[smp->node].type == HD_ROUTER;
	const struct wanted wanted = { data[32] & 15, data[33] >> 4, data[33] & 15 };

	if (is_management) {
		/* a port 0 has no link: it is always active, and a base port 0 has one LID */
		if (wanted.state && wanted.state < HD_PORT_ARMED)
			return HD_STATUS_BAD_FIELD;
	} else if (!take_link(&written, data) || !are_states(port, &wanted) ||
		   !take_transmission(&written, data, is_external, relays)) {
		return HD_STATUS_BAD_FIELD;
	}
	if (!is_external && !take_end_port(&written, data))
		return HD_STATUS_BAD_FIELD;
	if (is_management && !enhanced && written.lmc)
		return HD_STATUS_BAD_FIELD;

	*port = written;
	if (!is_external)
		hd_mkey_written(emulator, index);
	if (!is_management)
		change_states(emulator, index, &wanted);
	return HD_STATUS_OK;
}
