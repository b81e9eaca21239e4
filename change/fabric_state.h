/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the nodes of an emulated fabric hold at a moment of its history (tables/history.h), and what
 * packets see of that: tables in which an entry to a link that is not active is HD_NO_PATH, a VL
 * that its link does not operate is VL 15, and all VLs of packets from or to a link that is not
 * active are VL 15. Internal to change/.
 */
#ifndef HD_CHANGE_FABRIC_STATE_H
#define HD_CHANGE_FABRIC_STATE_H

#include "tables/history.h"
#include "tables/tables.h"

#define HD_STATE_ACTIVE 4 /* PortState */

struct hd_fabric_state_port {
	uint32_t link; /* the other end of its link, active or not; HD_NONE: the link is down */
	uint16_t lid;
	uint8_t lmc, vls, state;
};

/* An entry, a row or a link that changes. */
struct hd_fabric_state_change {
	enum hd_fabric_state_kind {
		HD_STATE_ENTRY, /* [as lft] */
		HD_STATE_ROW,   /* [as sl2vl] */
		HD_STATE_LINK,  /* [port] whether its link is active; the port is one of the two
				   ends */
	} kind;
	size_t index;
	uint64_t old, new;
};

struct hd_fabric_state {
	/* What nodes hold. */
	struct hd_fabric_state_port *ports;
	uint8_t *lfts; /* [switch * n_lids + LID] */
	size_t n_lids;
	uint16_t *tops;
	hd_sl2vl_row *rows; /* [as sl2vl] */
	size_t *rows_first; /* [node + 1] */

	/*
	 * What packets see. LIDs are those of the last hd_fabric_state_see(), and every cable is a
	 * link; `active` says which links are active.
	 */
	struct hd_fabric fabric;
	struct hd_tables *tables; /* NULL: there were no LIDs */
	bool *active;             /* [port] */
	uint32_t *cable;          /* [port] the port at the other end of the cable */
	uint32_t n_active;        /* ports */
	bool is_stale;            /* LIDs or cables have changed since hd_fabric_state_see() */
	bool has_moved; /* the last record changed LIDs: a port without a LID keeps its last one
			   until it gets another, or another port gets that LID */

	/* What the last record changed for packets, unless is_stale. */
	struct hd_fabric_state_change *changes;
	size_t n_changes, capacity;
};

/* Nodes of @fabric that hold nothing yet. HD_ENOMEM. Clear also after an error. */
int hd_fabric_state_init(struct hd_fabric_state *held, const struct hd_fabric *fabric,
			 struct hd_error *err);
void hd_fabric_state_clear(struct hd_fabric_state *held);

/*
 * Applies @record of the file @name. HD_EPARSE: the record's old values are not those that nodes
 * hold; HD_ENOMEM.
 */
int hd_fabric_state_apply(struct hd_fabric_state *held, const struct hd_history_record *record,
			  const char *name, struct hd_error *err);

/* Makes anew what packets see, for the LIDs and cables of now. HD_ENOMEM. */
int hd_fabric_state_see(struct hd_fabric_state *held, struct hd_error *err);

#endif
