/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The emulated fabric: the data of its nodes, which change while it runs. A struct hd_fabric has
 * the nodes and their wiring, and never changes; the emulator knows which links are up and what a
 * subnet manager programmed.
 *
 * Nothing here reads a clock or a socket: hd_emulator_send() brings MADs in, the callbacks of
 * struct hd_emulator_host bring them out, and hd_emulator_advance() lets time pass, so that a test
 * runs a day in a second. One thread at a time.
 */
#ifndef HD_EMULATOR_EMULATOR_H
#define HD_EMULATOR_EMULATOR_H

#include "fabric/fabric.h"
#include "mad/mad.h"
#include "simfabric/emulator/outbox.h"
#include "simfabric/emulator/timers.h"
#include "support/random.h"
#include "tables/tables.h"

struct hd_error;
struct hd_watcher;

enum hd_port_state {
	HD_PORT_DOWN = 1,
	HD_PORT_INIT,
	HD_PORT_ARMED,
	HD_PORT_ACTIVE,
};

enum hd_physical_state {
	HD_PHYSICAL_SLEEP = 1,
	HD_PHYSICAL_POLLING,
	HD_PHYSICAL_DISABLED,
	HD_PHYSICAL_LINK_UP = 5,
};

/* Capabilities of switches or of adapters; 0: as in the fabric for each port, or the default. */
struct hd_emulator_class {
	unsigned vls;        /* data VLs: VLCap; default: the fabric's */
	unsigned mtu;        /* 256 .. 4096 bytes; default 2048 */
	unsigned vlarb_high; /* entries of the tables; default 8 */
	unsigned vlarb_low;
	unsigned pkeys; /* entries of the P_Key table; default 64, switches 8 */
	unsigned guids; /* entries of GUIDInfo; default 32 */
};

struct hd_emulator_options {
	struct hd_emulator_class switches, adapters;
	bool no_optional_counters; /* nodes lack the optional performance attributes (16.1.4) */
	bool ar;                   /* switches have adaptive routing (sma_ar.h); default: no */
	bool optimized_sl2vl;      /* switches take the wildcard form of SL2VL Sets; default true */
	unsigned linear_fdb_cap;   /* LIDs; default 49152 */
	unsigned multicast_fdb_cap; /* default 1024 */
	uint64_t trap_repeat_ns;    /* between repetitions; default 1 s; 0: traps are sent once */
	uint64_t seed;              /* of random MAD drops and flaps */
};

/* The defaults above. */
void hd_emulator_options_init(struct hd_emulator_options *options);

/*
 * Counters of one port and VL (0 .. 14, and 15 for subnet management). Traffic of the performance
 * model is added to the same counters. Data counts 32-bit words, as InfiniBand's counters do.
 */
struct hd_vl_counters {
	uint64_t xmit_data, rcv_data;
	uint64_t xmit_packets, rcv_packets;
	uint64_t xmit_wait; /* ticks in which data waited; a tick is the time that a word takes on
			      the link */
};

/* Counters of one port without a VL, in the order of PortCounters (16.1.3.5). */
struct hd_error_counters {
	uint16_t symbol_errors;
	uint8_t link_recoveries, link_downed;
	uint16_t rcv_errors, rcv_remote_physical, rcv_switch_relay, xmit_discards;
	uint8_t xmit_constraint, rcv_constraint, local_integrity, buffer_overrun;
	uint16_t vl15_dropped;
	uint16_t qp1_drops;
};

/* One entry for each of the fabric's ports[], with the same index. */
struct hd_emulator_port {
	uint64_t mkey;
	uint64_t gid_prefix;
	uint32_t peer;         /* the port at the other end while it is plugged, or HD_NONE */
	uint32_t capabilities; /* CapabilityMask */
	uint16_t lid, sm_lid;
	uint16_t diag_code;
	uint16_t mkey_lease; /* seconds; 0: for ever */
	uint16_t mkey_violations, pkey_violations, qkey_violations;
	uint8_t lmc, sm_sl;
	uint8_t state;    /* enum hd_port_state */
	uint8_t physical; /* enum hd_physical_state */
	uint8_t down_default;
	uint8_t width_enabled, width_active, width_supported;
	uint8_t speed_enabled, speed_active, speed_supported;                /* SDR .. QDR */
	uint8_t speed_ext_enabled, speed_ext_active, speed_ext_supported;    /* FDR and beyond */
	uint8_t speed_ext2_enabled, speed_ext2_active, speed_ext2_supported; /* 1: XDR */
	uint8_t mkey_protect;
	uint8_t neighbor_mtu, mtu_cap;   /* 1: 256 .. 5: 4096 bytes */
	uint8_t vl_cap, operational_vls; /* 1: VL0, 2: VL0-1, 3: VL0-3, 4: VL0-7, 5: VL0-14 */
	uint8_t init_type, init_type_reply;
	uint8_t vl_high_limit;
	uint8_t stall, hoq_life, subnet_timeout, response_time;
	uint8_t enforce; /* partition enforcement and raw filters, as in PortInfo */
	uint8_t error_thresholds;
	bool client_reregister;
	bool broken; /* unplugged by a fault, although wired: see link_state.h; in entry 0 of an
		        adapter: the adapter is off */
};

/* What only switches have; one entry for each of the fabric's switches. */
struct hd_emulator_switch {
	uint8_t *lft; /* [lft_size], whole blocks of 64, grown when written; beyond: no path */
	uint32_t lft_size;
	uint16_t *mft; /* [positions][mft_size]: 16 ports' bits of an MLID; NULL until written */
	uint32_t mft_size;       /* MLIDs that fit */
	struct hd_switch_ar *ar; /* sma_ar.h; NULL until it is asked for */
	uint16_t linear_fdb_top;
	uint16_t multicast_fdb_top;
	uint8_t default_port, default_multicast_port, default_multicast_not_primary;
	uint8_t life_time;
	bool port_state_change;
	bool down; /* the whole switch is off: see link_state.h */
};

struct hd_emulator;

/* The user of the emulated fabric: the program that carries MADs to and from clients, or a test. */
struct hd_emulator_host {
	/*
	 * A MAD for the clients at @port (an end port), which its agents do not answer. False:
	 * nobody takes it.
	 */
	bool (*deliver)(void *context, uint32_t port, const struct hd_packet *packet);

	/* A client's packet was lost; @packet as it was sent. */
	void (*lost)(void *context, const struct hd_packet *packet);
	void *context;
};

struct hd_emulator {
	const struct hd_fabric *fabric;
	struct hd_emulator_options options;
	struct hd_emulator_host host;

	struct hd_emulator_port *ports;      /* [fabric->n_ports] */
	struct hd_emulator_switch *switches; /* [fabric->n_switches] */
	struct hd_error_counters *errors;    /* [fabric->n_ports] */
	struct hd_vl_counters *counters;     /* counters[port * HD_EMULATOR_VLS + VL] */
	uint64_t *xmit_waits;     /* [fabric->n_ports] ticks in which any VL's data waited */
	hd_sl2vl_row *sl2vl;      /* indexed as in struct hd_tables */
	size_t *sl2vl_first;      /* [n_nodes + 1] */
	char (*descriptions)[64]; /* [n_nodes] NodeDescription */

	/* Private to the file named: */
	struct hd_vlarb_state *vlarb;  /* sma_vlarb.c */
	struct hd_pkey_state *pkeys;   /* sma_pkeys.c */
	struct hd_guid_state *guids;   /* sma_guids.c */
	struct hd_mkey_state *mkeys;   /* mkey.c: leases under way */
	struct hd_trap_state *traps;   /* traps.c: traps that are being repeated */
	struct hd_pma_state *pma;      /* pma_base.c: where counters were cleared */
	struct hd_fault_state *faults; /* mad_faults.c: drops, delays, flaps */

	struct hd_watcher *watchers; /* watch.h */
	unsigned watched_depth;      /* of occurrences within occurrences */

	struct hd_outbox outbox; /* what nodes send on their own */
	struct hd_timers timers;
	uint64_t now;     /* ns */
	uint64_t until;   /* ns: how far hd_emulator_advance() lets time pass at present */
	uint64_t changes; /* changes of links, LIDs and tables, which may change packets' paths */
	struct hd_random random;

	uint64_t mads_sent, mads_answered, mads_delivered, mads_lost;
};

#define HD_EMULATOR_VLS 16

/*
 * A fabric that has just been switched on: every wired link is in state Init, LIDs are 0, tables
 * are as in hardware after power-up. @fabric must exist longer. HD_EINVAL: an option out of range;
 * HD_ENOMEM.
 */
int hd_emulator_new(const struct hd_fabric *fabric, const struct hd_emulator_options *options,
		    const struct hd_emulator_host *host, struct hd_emulator **emulator,
		    struct hd_error *err);
void hd_emulator_free(struct hd_emulator *emulator);

/*
 * Sends @packet, whose source is the end port @port. The packet travels at once; agents on its path
 * act on it, and their answers come back through host.deliver, unless a fault delays them. Any
 * bytes are allowed in the MAD. The caller may reuse @packet when this returns.
 */
void hd_emulator_send(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet);

/* Lets time pass until @now: traps repeat, delayed MADs arrive, leases end, flaps happen. */
void hd_emulator_advance(struct hd_emulator *emulator, uint64_t now);

/*
 * The same, but at most @n of these events, so that the caller can do other work in between. If
 * more events are left, emulator->now is before @now.
 */
void hd_emulator_advance_some(struct hd_emulator *emulator, uint64_t now, unsigned n);

/* The VL arbitration of @port as it is programmed. */
void hd_emulator_vlarb(const struct hd_emulator *emulator, uint32_t port, struct hd_vlarb *vlarb);

/* The flag that @node is off; an adapter's is at its unused entry 0. */
static inline bool *hd_off_flag(const struct hd_emulator *emulator, uint32_t node)
{
	return hd_is_switch(emulator->fabric, node)
		       ? &emulator->switches[node].down
		       : &emulator->ports[emulator->fabric->nodes[node].first_port].broken;
}

/* Whether @node is off; power.h switches it. */
static inline bool hd_node_is_off(const struct hd_emulator *emulator, uint32_t node)
{
	return *hd_off_flag(emulator, node);
}

/* Adds @n to a counter of 16 bits, which stays at its highest value. */
static inline void hd_count16(uint16_t *counter, uint64_t n)
{
	*counter = n < (uint64_t)(UINT16_MAX - *counter) ? (uint16_t)(*counter + n) : UINT16_MAX;
}

/* When hd_emulator_advance() next has something to do; UINT64_MAX: never. */
uint64_t hd_emulator_next(const struct hd_emulator *emulator);

#endif
