// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "simfabric/emulator/faults.h"
#include "simfabric/emulator/links.h"
#include "simfabric/emulator/private.h"
#include "support/error.h"

#define DEFAULT_LINEAR_FDB    49152
#define DEFAULT_MULTICAST_FDB 1024
#define MAX_MULTICAST_FDB     16384
#define DEFAULT_VLARB         8
#define DEFAULT_GUIDS         32
#define SECOND                UINT64_C(1000000000)

/* What ports say before a subnet manager wrote to them: ibsim's values, where it has a choice. */
#define DEFAULT_MKEY_LEASE     4089
#define DEFAULT_SUBNET_TIMEOUT 31
#define DEFAULT_STALL          7
#define MTU_2048               4
#define MTU_1024               3
#define MTU_256                1
#define SWITCH_CAPABILITIES    0x0000C048 /* traps, SL mapping, extended speeds, CapabilityMask2 */
#define ADAPTER_CAPABILITIES   0x0050C048 /* and vendor class, capability mask notices */
#define WIDTH_1X               1
#define WIDTH_4X               2
#define WIDTH_8X               4
#define WIDTH_12X              8
#define WIDTH_2X               16
#define WIDTHS_SUPPORTED       0x1F
#define SPEEDS_SUPPORTED       7 /* SDR, DDR, QDR */
#define EXTENDED_SPEEDS_TO_HDR 7
#define EXTENDED_SPEEDS_TO_NDR 15

void hd_emulator_options_init(struct hd_emulator_options *options)
{
	*options = (struct hd_emulator_options){
		.optimized_sl2vl = true,
		.linear_fdb_cap = DEFAULT_LINEAR_FDB,
		.multicast_fdb_cap = DEFAULT_MULTICAST_FDB,
		.trap_repeat_ns = SECOND,
	};
}

/* PortInfo's code of an MTU in bytes; 0: it has none. */
static unsigned mtu_code(unsigned mtu)
{
	for (unsigned code = 1; code <= 5; code++)
		if (mtu == 128u << code)
			return code;
	return 0;
}

/* PortInfo's code of @vls data VLs; 0: it has none. */
static unsigned vl_code(unsigned vls)
{
	for (unsigned code = 1; code < HD_VLCAP_CODES; code++)
		if (vls == hd_vlcap_vls[code])
			return code;
	return 0;
}

static int check_class(struct hd_emulator_class *class, const char *which, struct hd_error *err)
{
	if (class->vls && !vl_code(class->vls))
		return hd_error_set(err, HD_EINVAL, "%s cannot have %u data VLs: 1, 2, 4, 8 or 15",
				    which, class->vls);
	if (class->mtu && !mtu_code(class->mtu))
		return hd_error_set(err, HD_EINVAL,
				    "%s cannot have an MTU of %u: 256, 512, 1024, 2048 or 4096",
				    which, class->mtu);
	if (class->vlarb_high > HD_VLARB_MAX || class->vlarb_low > HD_VLARB_MAX)
		return hd_error_set(err, HD_EINVAL,
				    "%s cannot have more than %u VL arbitration entries", which,
				    HD_VLARB_MAX);
	if (class->pkeys > UINT16_MAX)
		return hd_error_set(err, HD_EINVAL, "%s cannot have %u P_Keys: at most %u", which,
				    class->pkeys, UINT16_MAX);
	if (class->guids > UINT8_MAX)
		return hd_error_set(err, HD_EINVAL, "%s cannot have %u GUIDs: at most %u", which,
				    class->guids, UINT8_MAX);
	if (!class->vlarb_high)
		class->vlarb_high = DEFAULT_VLARB;
	if (!class->vlarb_low)
		class->vlarb_low = DEFAULT_VLARB;
	return 0;
}

static int check_options(struct hd_emulator_options *options, struct hd_error *err)
{
	int ret = check_class(&options->switches, "switches", err);

	if (!ret)
		ret = check_class(&options->adapters, "adapters", err);
	if (ret)
		return ret;
	if (!options->linear_fdb_cap || options->linear_fdb_cap > HD_MAX_LID + 1)
		return hd_error_set(err, HD_EINVAL, "a linear table cannot have %u LIDs: 1 to %u",
				    options->linear_fdb_cap, HD_MAX_LID + 1);
	if (options->multicast_fdb_cap > MAX_MULTICAST_FDB)
		return hd_error_set(err, HD_EINVAL,
				    "a multicast table cannot have %u LIDs: at most %u",
				    options->multicast_fdb_cap, MAX_MULTICAST_FDB);
	if (!options->adapters.guids)
		options->adapters.guids = DEFAULT_GUIDS;
	return 0;
}

/* Widths that a port of @lanes enables: those that ibsim does. */
static void set_width(struct hd_emulator_port *port, unsigned lanes)
{
	static const struct {
		uint8_t lanes, enabled, active;
	} widths[] = {
		{ 1, WIDTH_1X, WIDTH_1X },
		{ 2, WIDTH_2X, WIDTH_2X },
		{ 4, WIDTH_1X | WIDTH_4X, WIDTH_4X },
		{ 8, WIDTH_1X | WIDTH_4X | WIDTH_8X, WIDTH_8X },
		{ 12, WIDTH_1X | WIDTH_4X | WIDTH_12X, WIDTH_12X },
	};

	port->width_supported = WIDTHS_SUPPORTED;
	port->width_enabled = WIDTH_4X;
	port->width_active = WIDTH_4X;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (widths[i].lanes != lanes)
			continue;
		port->width_enabled = widths[i].enabled;
		port->width_active = widths[i].active;
	}
}

static void set_speed(struct hd_emulator_port *port, enum hd_speed speed)
{
	/* as PortInfo has them: a bit per speed, each with all that are slower */
	static const uint8_t enabled[HD_XDR + 1] = { 1, 1, 3, 7, 7, 7, 7, 7, 7, 7 };
	static const uint8_t extended[HD_XDR + 1] = { 0, 0, 0, 0, 0, 1, 3, 7, 15, 15 };

	port->speed_supported = SPEEDS_SUPPORTED;
	port->speed_enabled = enabled[speed];
	port->speed_active = (enabled[speed] + 1) / 2;
	port->speed_ext_enabled = extended[speed];
	port->speed_ext_active = (extended[speed] + 1) / 2;
	port->speed_ext_supported = extended[speed] > EXTENDED_SPEEDS_TO_HDR
					    ? EXTENDED_SPEEDS_TO_NDR
				    : extended[speed] ? EXTENDED_SPEEDS_TO_HDR
						      : 0;
}

/* The management port of a switch is not wired: its width, speed and MTU mean nothing. */
static void reset_management_port(struct hd_emulator_port *port, bool mtu_given)
{
	port->stall = 0;
	port->state = HD_PORT_ACTIVE;
	port->physical = HD_PHYSICAL_LINK_UP;
	set_width(port, 0);
	set_speed(port, HD_SPEED_UNKNOWN);
	if (!mtu_given) {
		port->mtu_cap = MTU_1024;
		port->neighbor_mtu = MTU_256;
	}
}

static void reset_port(struct hd_emulator *emulator, uint32_t p)
{
	const struct hd_port *wired = &emulator->fabric->ports[p];
	const struct hd_emulator_class *class = hd_class_of(emulator, wired->node);
	struct hd_emulator_port *port = &emulator->ports[p];
	bool is_switch = hd_is_switch(emulator->fabric, wired->node);

	*port = (struct hd_emulator_port){
		.peer = port->peer,
		.broken = port->broken,
		.state = HD_PORT_DOWN,
		.physical = HD_PHYSICAL_POLLING,
		.down_default = HD_PHYSICAL_POLLING,
		.mtu_cap = class->mtu ? mtu_code(class->mtu) : MTU_2048,
		.vl_cap = vl_code(class->vls ? class->vls : wired->vls),
		.stall = DEFAULT_STALL,
	};
	if (!port->vl_cap)
		port->vl_cap = vl_code(HD_DEFAULT_VLS);
	port->neighbor_mtu = port->mtu_cap;
	port->operational_vls = port->vl_cap;
	set_width(port, wired->width);
	set_speed(port, wired->speed);
	if (!hd_is_external_port(emulator, p)) {
		port->mkey_lease = DEFAULT_MKEY_LEASE;
		port->subnet_timeout = DEFAULT_SUBNET_TIMEOUT;
		port->capabilities = is_switch ? SWITCH_CAPABILITIES : ADAPTER_CAPABILITIES;
	}
	if (is_switch && !wired->number)
		reset_management_port(port, class->mtu != 0);

	memset(&emulator->errors[p], 0, sizeof(emulator->errors[p]));
	memset(&emulator->counters[(size_t)p * HD_EMULATOR_VLS], 0,
	       sizeof(*emulator->counters) * HD_EMULATOR_VLS);
	hd_vlarb_reset(emulator, p);
	hd_pkeys_reset(emulator, p);
	hd_guids_reset(emulator, p);
	hd_mkeys_reset(emulator, p);
	hd_traps_reset(emulator, p);
	hd_pma_reset(emulator, p);
}

/* OpenSM's default mapping, which ibsim has as well: SL s on VL s, SL 15 on the highest VL. */
static hd_sl2vl_row first_row(unsigned vls)
{
	return hd_row_set(UINT64_C(0xFEDCBA9876543210), 15, vls - 1);
}

static void reset_sl2vl(struct hd_emulator *emulator, uint32_t n)
{
	const struct hd_node *node = &emulator->fabric->nodes[n];
	unsigned ins = hd_is_switch(emulator->fabric, n) ? node->n_ports + 1u : 1;
	hd_sl2vl_row *row = emulator->sl2vl + emulator->sl2vl_first[n];

	for (unsigned out = 0; out <= node->n_ports; out++) {
		unsigned code = emulator->ports[node->first_port + out].vl_cap;

		for (unsigned in = 0; in < ins; in++)
			*row++ = first_row(hd_vls_of(code));
	}
}

void hd_node_reset(struct hd_emulator *emulator, uint32_t n)
{
	const struct hd_node *node = &emulator->fabric->nodes[n];

	for (unsigned number = 0; number <= node->n_ports; number++)
		reset_port(emulator, node->first_port + number);
	reset_sl2vl(emulator, n);
	if (hd_is_switch(emulator->fabric, n)) {
		struct hd_emulator_switch *sw = &emulator->switches[n];

		free(sw->lft);
		free(sw->mft);
		*sw = (struct hd_emulator_switch){ .down = sw->down, .port_state_change = true };
	}
}

/* Counts the rows of every node; the total ends up in sl2vl_first[n_nodes]. */
static void place_sl2vl(struct hd_emulator *emulator)
{
	const struct hd_fabric *fabric = emulator->fabric;
	size_t first = 0;

	for (uint32_t n = 0; n < fabric->n_nodes; n++) {
		size_t ports = fabric->nodes[n].n_ports + (size_t)1;

		emulator->sl2vl_first[n] = first;
		first += hd_is_switch(fabric, n) ? ports * ports : ports;
	}
	emulator->sl2vl_first[fabric->n_nodes] = first;
}

static bool allocate(struct hd_emulator *emulator)
{
	const struct hd_fabric *fabric = emulator->fabric;
	size_t n_ports = fabric->n_ports;

	emulator->ports = calloc(n_ports + 1, sizeof(*emulator->ports));
	emulator->switches = calloc(fabric->n_switches + (size_t)1, sizeof(*emulator->switches));
	emulator->errors = calloc(n_ports + 1, sizeof(*emulator->errors));
	emulator->counters = calloc(n_ports * HD_EMULATOR_VLS + 1, sizeof(*emulator->counters));
	emulator->sl2vl_first = calloc(fabric->n_nodes + (size_t)1, sizeof(*emulator->sl2vl_first));
	emulator->descriptions =
		calloc(fabric->n_nodes + (size_t)1, sizeof(*emulator->descriptions));
	if (!emulator->ports || !emulator->switches || !emulator->errors || !emulator->counters ||
	    !emulator->sl2vl_first || !emulator->descriptions)
		return false;
	place_sl2vl(emulator);
	emulator->sl2vl =
		calloc(emulator->sl2vl_first[fabric->n_nodes] + 1, sizeof(*emulator->sl2vl));
	return emulator->sl2vl && hd_vlarb_new(emulator) && hd_pkeys_new(emulator) &&
	       hd_guids_new(emulator) && hd_mkeys_new(emulator) && hd_traps_new(emulator) &&
	       hd_pma_new(emulator);
}

static void power_up(struct hd_emulator *emulator)
{
	const struct hd_fabric *fabric = emulator->fabric;

	for (uint32_t p = 0; p < fabric->n_ports; p++)
		emulator->ports[p].peer = fabric->ports[p].peer;
	for (uint32_t n = 0; n < fabric->n_nodes; n++) {
		const char *name = hd_node_name(fabric, n);

		hd_node_reset(emulator, n);
		/* 64 bytes without an end are a whole NodeDescription */
		memcpy(emulator->descriptions[n], name,
		       strnlen(name, sizeof(emulator->descriptions[n])));
	}
	for (uint32_t p = 0; p < fabric->n_ports; p++)
		if (fabric->ports[p].peer != HD_NONE)
			hd_link_update(emulator, p);
}

int hd_emulator_new(const struct hd_fabric *fabric, const struct hd_emulator_options *options,
		    const struct hd_emulator_host *host, struct hd_emulator **result,
		    struct hd_error *err)
{
	struct hd_emulator *emulator = calloc(1, sizeof(*emulator));
	int ret;

	*result = NULL;
	if (!emulator)
		return hd_error_nomem(err);
	emulator->fabric = fabric;
	emulator->options = *options;
	emulator->host = *host;
	ret = check_options(&emulator->options, err);
	if (!ret && !allocate(emulator))
		ret = hd_error_nomem(err);
	if (ret) {
		hd_emulator_free(emulator);
		return ret;
	}
	hd_random_init(&emulator->random, options->seed, 0);
	power_up(emulator);
	*result = emulator;
	return 0;
}

void hd_emulator_free(struct hd_emulator *emulator)
{
	if (!emulator)
		return;
	hd_timers_free(&emulator->timers);
	hd_faults_free(emulator);
	hd_pma_free(emulator);
	hd_traps_free(emulator);
	hd_mkeys_free(emulator);
	hd_guids_free(emulator);
	hd_pkeys_free(emulator);
	hd_vlarb_free(emulator);
	for (uint32_t s = 0; emulator->switches && s < emulator->fabric->n_switches; s++) {
		free(emulator->switches[s].lft);
		free(emulator->switches[s].mft);
	}
	free(emulator->descriptions);
	free(emulator->sl2vl_first);
	free(emulator->sl2vl);
	free(emulator->counters);
	free(emulator->errors);
	free(emulator->switches);
	free(emulator->ports);
	free(emulator);
}
