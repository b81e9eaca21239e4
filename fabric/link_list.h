/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Fabrics as lists of links: the output of ibnetdiscover -p, and opensm-subnet.lst. Each line tells
 * about both ends of a link. docs/netfile.md says what these lists do not tell.
 */
#ifndef HD_FABRIC_LINK_LIST_H
#define HD_FABRIC_LINK_LIST_H

#include "fabric/fabric.h"
#include "support/text.h"

struct hd_error;
struct hd_reading;

/* What a line tells about one end; members that it does not tell are 0. */
struct hd_link_end {
	uint64_t node_guid; /* 0: not told, as of adapters in ibnetdiscover's list */
	uint64_t port_guid; /* of an adapter's port, or of a switch */
	uint64_t sysimg_guid;
	uint32_t vendor_id, device_id;
	struct hd_span name;
	uint16_t lid;
	uint8_t type; /* enum hd_node_type */
	uint8_t number;
	uint8_t n_ports; /* of the node */
};

struct hd_listed_link {
	struct hd_link_end ends[2];
	bool has_peer; /* otherwise the port of ends[0] has no link */
	uint8_t width, speed;
};

struct hd_link_list_format {
	const char *what; /* "the output of ibnetdiscover -p" */
	/* Whether a line is of this list. */
	bool (*is_line)(const struct hd_lines *lines);
	/* Parses the current line. HD_EPARSE with file and line. */
	int (*parse)(const struct hd_lines *lines, struct hd_listed_link *link,
		     struct hd_error *err);
};

extern const struct hd_link_list_format hd_link_list_ports;
extern const struct hd_link_list_format hd_link_list_subnet;

/* The format of the list in @data; NULL: no list. */
const struct hd_link_list_format *hd_link_list_find(const char *data, size_t size);

/* As hd_netfile_parse(). */
int hd_link_list_parse(const struct hd_link_list_format *format, const char *name, const char *data,
		       size_t size, const struct hd_reading *how, struct hd_fabric **fabric,
		       struct hd_error *err);

#endif
