/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fabric: an immutable graph of nodes, ports and links in flat arrays, with its LIDs.
 *
 * Order is canonical: switches first, then channel adapters and routers, each part ascending by
 * node GUID. So results do not depend on the order in which nodes were read, and a fabric from a
 * file has the same indices as the same fabric from a subnet manager.
 */
#ifndef HD_FABRIC_FABRIC_H
#define HD_FABRIC_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;

#define HD_NONE      UINT32_MAX /* no node, port, switch */
#define HD_MAX_PORTS 254        /* highest port number: 255 in an LFT means no path */
#define HD_MAX_LID   0xBFFFu    /* highest unicast LID */

/* Switches and linked end ports need a LID each; adapters without a link may be there as well. */
#define HD_MAX_NODES (2 * HD_MAX_LID)

#define HD_MAX_NAME 255 /* bytes of a name; InfiniBand's node descriptions have 64 */
#define HD_MAX_LMC  7
#define HD_MAX_VLS  15 /* data VLs 0-14 */
#define HD_DEFAULT_VLS \
	8 /* data VLs of a port that does not tell, as of ibsim and common hardware */

enum hd_node_type {
	HD_SWITCH,
	HD_CA, /* host channel adapter */
	HD_ROUTER,
};

/* Signalling rate per lane, ascending. */
enum hd_speed {
	HD_SPEED_UNKNOWN,
	HD_SDR,
	HD_DDR,
	HD_QDR,
	HD_FDR10,
	HD_FDR,
	HD_EDR,
	HD_HDR,
	HD_NDR,
	HD_XDR,
};

struct hd_node {
	uint64_t guid;
	uint64_t sysimg_guid; /* 0: not known */
	uint32_t first_port;  /* index in ports[] of port number 0 */
	uint32_t name;        /* offset in names; read it with hd_node_name() */
	uint32_t vendor_id;
	uint32_t device_id;
	uint8_t n_ports;     /* highest port number */
	uint8_t type;        /* enum hd_node_type */
	bool enhanced_port0; /* switches */
	bool shares_name;    /* another node has the same one: labels tell them apart */
};

/*
 * Every node has n_ports + 1 entries, so that ports[first_port + number] is port `number`. Port 0
 * of a switch is its management port: it is never linked, and owns the switch's LID. Entry 0 of a
 * channel adapter is unused.
 */
struct hd_port {
	uint64_t guid; /* 0 on physical switch ports; port 0 of a switch usually has its node's
			  GUID */
	uint32_t peer; /* index in ports[] of the other end, or HD_NONE */
	uint32_t node; /* index in nodes[] */
	uint16_t lid;  /* base LID, 0: none */
	uint8_t lmc;
	uint8_t number;
	uint8_t width; /* lanes: 1, 2, 4, 8, 12; 0: not known */
	uint8_t speed; /* enum hd_speed */
	uint8_t vls;   /* data VLs this port has (VLCap): 1 .. HD_MAX_VLS */
};

/* The port that has a LID. */
struct hd_lid {
	uint32_t port;       /* owner in ports[]; HD_NONE: nobody has this LID */
	uint32_t via_switch; /* the last switch of every path to the LID: its owner, or the switch
				that the owner is linked to; HD_NONE: no switch leads to it */
	uint8_t via_port;    /* the out-port of that switch; 0 when the switch itself is the
			        owner */
};

/* live/apart.c lists all arrays of this struct. */
struct hd_fabric {
	uint32_t n_nodes;
	uint32_t n_switches; /* nodes[0 .. n_switches - 1] */
	uint32_t n_ports;    /* entries of ports[], unused ones included */
	uint32_t n_links;
	uint32_t top_lid; /* highest LID in use; 0: none assigned */
	uint32_t n_endports;
	struct hd_node *nodes;
	struct hd_port *ports;
	struct hd_lid *lids; /* [top_lid + 1] */
	uint32_t *endports;  /* ports with a GUID (port 0 of switches, ports of adapters), ascending
				   by GUID */
	char *names;
};

void hd_fabric_free(struct hd_fabric *fabric);

/* The index of the node with @guid, or HD_NONE. Logarithmic. */
uint32_t hd_fabric_find_node(const struct hd_fabric *fabric, uint64_t guid);

/* The index in ports[] of the port with @guid, or HD_NONE. Logarithmic. */
uint32_t hd_fabric_find_port(const struct hd_fabric *fabric, uint64_t guid);

/*
 * The node that a user means by @what: its name, ibnetdiscover's id (S-, H- or R- and 16 digits of
 * its GUID), a node or port GUID (0x...), a LID (decimal or 0x..., at most HD_MAX_LID), or the
 * first words of its name ("lassen30" for "lassen30 HCA-1"). HD_ENOTFOUND: no node, or several;
 * @err lists them. HD_ERANGE: a number too large for a GUID.
 */
int hd_fabric_find(const struct hd_fabric *fabric, const char *what, uint32_t *node,
		   struct hd_error *err);

/* The bytes of the name, which may be unprintable. To show a name, use hd_node_label(). */
static inline const char *hd_node_name(const struct hd_fabric *fabric, uint32_t node)
{
	return fabric->names + fabric->nodes[node].name;
}

static inline uint32_t hd_port_index(const struct hd_fabric *fabric, uint32_t node, unsigned number)
{
	return fabric->nodes[node].first_port + number;
}

/* The node at the other end of port @number of @node, or HD_NONE. */
static inline uint32_t hd_peer_node(const struct hd_fabric *fabric, uint32_t node, unsigned number)
{
	uint32_t peer = fabric->ports[hd_port_index(fabric, node, number)].peer;

	return peer == HD_NONE ? HD_NONE : fabric->ports[peer].node;
}

/*
 * Loops, ascending. Each declares the variable that is its first argument. @fabric and @node are
 * evaluated again at every step.
 */

/* @s: the index in nodes[] of every switch. */
#define hd_for_each_switch(s, fabric) for (uint32_t s = 0; s < (fabric)->n_switches; s++)

/* @n: the index in nodes[] of every node. */
#define hd_for_each_node(n, fabric) for (uint32_t n = 0; n < (fabric)->n_nodes; n++)

/* @n: the index in nodes[] of every channel adapter and router. */
#define hd_for_each_end_node(n, fabric) \
	for (uint32_t n = (fabric)->n_switches; n < (fabric)->n_nodes; n++)

/* @p: the index in ports[] of every port, also port 0 of every node. */
#define hd_for_each_port(p, fabric) for (uint32_t p = 0; p < (fabric)->n_ports; p++)

/* @number: every port number of @node from 1, linked or not. */
#define hd_for_each_number(number, fabric, node) \
	for (unsigned number = 1; number <= (fabric)->nodes[node].n_ports; number++)

/* @lid: every LID from 1 to the highest in use, also those that no port has. */
#define hd_for_each_lid(lid, fabric) for (uint32_t lid = 1; lid <= (fabric)->top_lid; lid++)

/* Data VLs that a link operates: the smaller number of its two ends. 0 on a port without a link. */
static inline unsigned hd_link_vls(const struct hd_fabric *fabric, uint32_t port)
{
	uint32_t peer = fabric->ports[port].peer;

	if (peer == HD_NONE)
		return 0;
	return fabric->ports[port].vls < fabric->ports[peer].vls ? fabric->ports[port].vls
								 : fabric->ports[peer].vls;
}

static inline bool hd_is_switch(const struct hd_fabric *fabric, uint32_t node)
{
	return node < fabric->n_switches;
}

/* Whether @port is an end of a link between two switches. */
static inline bool hd_is_switch_link(const struct hd_fabric *fabric, uint32_t port)
{
	uint32_t peer = fabric->ports[port].peer;

	return peer != HD_NONE && hd_is_switch(fabric, fabric->ports[port].node) &&
	       hd_is_switch(fabric, fabric->ports[peer].node);
}

/*
 * Whether packets start and end at @port: a management port 0 or a linked adapter port, with a LID.
 */
static inline bool hd_is_end_port(const struct hd_fabric *fabric, uint32_t port)
{
	const struct hd_port *p = &fabric->ports[port];

	if (!p->lid)
		return false;
	return hd_is_switch(fabric, p->node) ? p->number == 0 : p->peer != HD_NONE;
}

/* Bytes that every label of this page fits into. */
#define HD_LABEL_SIZE 320

/*
 * The name of a node for people, printable (support/printable.h). If another node has that name,
 * its GUID and LID follow: "NAME (0xGUID, LID 12)". A node without a name shows its GUID. Returns
 * @buffer.
 */
const char *hd_node_label(const struct hd_fabric *fabric, uint32_t node, char *buffer, size_t size);

/* "NAME[PORT]" of a port, likewise: "NAME[PORT] (0xGUID, LID 12)". */
const char *hd_port_label(const struct hd_fabric *fabric, uint32_t port, char *buffer, size_t size);

/* The same for @ports of @node, as "[3 or 5]" has them. */
const char *hd_ports_label(const struct hd_fabric *fabric, uint32_t node, const char *ports,
			   char *buffer, size_t size);

#endif
