/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parses one line of a netfile. The reader (netfile_read.c) knows what lines mean together. */
#ifndef HD_FABRIC_NETFILE_LINE_H
#define HD_FABRIC_NETFILE_LINE_H

#include "fabric/fabric.h"
#include "support/text.h"

struct hd_error;

/* Switch 36 "S-0002c90200412ab0" # "leaf 1" enhanced port 0 lid 3 lmc 0 */
struct hd_netfile_node {
	enum hd_node_type type;
	unsigned n_ports;
	struct hd_span id;
	struct hd_span name; /* empty: none */
	uint64_t id_guid;    /* the GUID in the id if the id looks like ibnetdiscover's; else 0 */
	uint16_t lid;
	uint8_t lmc;
	bool enhanced_port0;
};

/* [1](2c90300001235) "S-0002c90200412ab0"[7] # lid 5 lmc 0 "leaf 1" lid 3 4xQDR */
struct hd_netfile_port {
	struct hd_span peer_id;
	uint64_t guid; /* 0: not given, as for all members that follow */
	uint64_t peer_guid;
	uint16_t lid;
	uint16_t peer_lid;
	uint8_t number;
	uint8_t peer_number;
	uint8_t lmc;
	uint8_t width;
	uint8_t speed;
	uint8_t vls;
};

enum hd_netfile_key {
	HD_FIELD_VENDOR,
	HD_FIELD_DEVICE,
	HD_FIELD_SYSIMG,
	HD_FIELD_GUID,
	HD_FIELD_WIDTH,
	HD_FIELD_SPEED,
	HD_FIELD_MODULE,
};

/* switchguid=0x2c90200412ab0(2c90200412ab0) */
struct hd_netfile_field {
	enum hd_netfile_key key;
	enum hd_node_type type; /* of HD_FIELD_GUID */
	bool is_relative;       /* "switchguid+8": counted from the last absolute GUID */
	uint64_t value;
	uint64_t port_guid;
	struct hd_span text; /* of HD_FIELD_MODULE */
};

enum hd_netfile_kind {
	HD_LINE_OTHER,   /* blank, comment, information */
	HD_LINE_FOREIGN, /* looks like no line of a netfile */
	HD_LINE_NODE,
	HD_LINE_PORT,
	HD_LINE_FIELD,
};

struct hd_netfile_line {
	enum hd_netfile_kind kind;
	const char *odd; /* what is wrong with a LID, which then counts as none; NULL: nothing */
	struct hd_netfile_node node;
	struct hd_netfile_port port;
	struct hd_netfile_field field;
};

/* Parses the current line of @lines. HD_EPARSE with file and line, also for HD_LINE_FOREIGN. */
int hd_netfile_parse_line(const struct hd_lines *lines, struct hd_netfile_line *line,
			  struct hd_error *err);

#endif
