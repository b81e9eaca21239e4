/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reads histories of emulated fabrics (docs/formats.md, "Histories"), record by record: what
 * happened to links, LIDs and tables, with old and new values. `simfabric --history` writes them.
 */
#ifndef HD_TABLES_HISTORY_H
#define HD_TABLES_HISTORY_H

#include <stdio.h>

#include "fabric/fabric.h"

struct hd_error;
struct hd_history_reader;

enum hd_history_kind {
	HD_HISTORY_BEGIN, /* what nodes held when the history began; the first record */
	HD_HISTORY_SET,   /* a Set of subnet management */
	HD_HISTORY_PLUG,
	HD_HISTORY_UNPLUG,
	HD_HISTORY_ON,
	HD_HISTORY_OFF,
	HD_HISTORY_CONSOLE,
	HD_HISTORY_KINDS,
};

enum hd_change_kind {
	HD_CHANGE_LFT,   /* `lid`: out-ports */
	HD_CHANGE_TOP,   /* LinearFDBTop */
	HD_CHANGE_SL2VL, /* `out`, `in`: rows (hd_sl2vl_row) */
	HD_CHANGE_LINK,  /* `port`: the other end of its link, an index in ports[]; HD_NONE: the
			    link is down */
	HD_CHANGE_LID,
	HD_CHANGE_LMC,
	HD_CHANGE_VLS,   /* OperationalVLs, as a number of data VLs */
	HD_CHANGE_STATE, /* 1: down .. 4: active */
};

#define HD_CHANGE_ALL 0xFFFFu /* `out`, `in`: all ports of the node */

struct hd_change {
	enum hd_change_kind kind;
	uint32_t node;
	uint32_t port; /* index in ports[] */
	uint16_t lid, out, in;
	uint64_t old, new;
	unsigned line; /* of the file */
};

struct hd_history_record {
	enum hd_history_kind kind;
	uint64_t time;   /* ns */
	uint32_t node;   /* HD_NONE: of BEGIN */
	char what[96];   /* for users: attribute and modifier of a Set, a port */
	unsigned status; /* of the answer to a Set; 0: the agent did it */
	unsigned line;
	bool changes_sets; /* a switch's adaptive routing, which is not told */
	/* where the first switch of it begins to choose ports, or to go by VL2VL; 0: none does */
	unsigned chooses_line;
	uint32_t chooses_node;
	size_t n_changes; /* multicast forwarding and VL arbitration are left out */
	struct hd_change *changes;
};

/*
 * Begins with @stream, which the reader then owns, and reads the fabric of the history; messages
 * call the file @name. HD_EPARSE with file and line; HD_EIO; HD_ENOMEM, and then *@reader is NULL.
 * In all other cases the caller closes the reader.
 */
int hd_history_open(FILE *stream, const char *name, struct hd_history_reader **reader,
		    struct hd_error *err);
void hd_history_close(struct hd_history_reader *reader);

/* The fabric, which belongs to the reader: all ports are wired as when the history began. */
const struct hd_fabric *hd_history_fabric(const struct hd_history_reader *reader);

/*
 * Reads the next record; *@record is NULL at the end, and is the reader's until the next call.
 * HD_EPARSE with file and line; HD_EIO; HD_ENOMEM.
 */
int hd_history_next(struct hd_history_reader *reader, const struct hd_history_record **record,
		    struct hd_error *err);

/*
 * The line of a record that is cut short, because the emulator was killed; 0: all records are
 * whole.
 */
unsigned hd_history_cut(const struct hd_history_reader *reader);

/* "set", "unplug", ... */
const char *hd_history_kind_name(enum hd_history_kind kind);

#endif
