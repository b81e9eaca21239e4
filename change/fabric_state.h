/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the nodes of an emulated fabric hold while its history goes on (tables/history.h), and what
 * of that decides packets' ways: tables in which an entry that leads to a link that is not active is
 * HD_NO_PATH, a VL that its link does not operate is VL 15, and so are all VLs of packets from or to
 * a link that is not active. Internal to check/.
 */
#ifndef HD_CHANGE_FABRIC_STATE_H
#define HD_CHANGE_FABRIC_STATE_H

#include "tables/history.h"
#include "tables/tables.h"

#define HD_STATE_ACTIVE 4 /* PortState */

struct hd_fabric_state_port {
	uint32_t link; /* where its link leads, in whatever state; HD_NONE: it is down */
	uint16_t lid;
	uint8_t lmc, vls, state;
};

/* A way that changes. */
struct hd_fabric_state_change {
	enum hd_fabric_state_kind {
		HD_STATE_ENTRY, /* [as lft] */
		HD_STATE_ROW,   /* [as sl2vl] */
		HD_STATE_LINK,  /* [port] whether its link is active, at one end of the two */
	} kind;
	size_t index;
	uint64_t old, new;
};

struct hd_fabric_state {
	/* As nodes hold it. */
	struct hd_fabric_state_port *ports;
	uint8_t *lfts; /* [switch * n_lids + LID] */
	size_t n_lids;
	uint16_t *tops;
	hd_sl2vl_row *rows; /* [as sl2vl] */
	size_t *rows_first; /* [node + 1] */

	/*
	 * As packets see it. LIDs are those of the last hd_fabric_state_see(), and every cable is a link;
	 * `active` says which links are.
	 */
	struct hd_fabric fabric;
	struct hd_tables *tables; /* NULL: there were no LIDs */
	bool *active;             /* [port] */
	uint32_t *cable;          /* [port] the port at the other end of the cable */
	uint32_t n_active;        /* ports */
	bool is_stale;            /* LIDs or cables are others than at hd_fabric_state_see() */
	bool has_moved; /* the last record changed LIDs: a port that has none keeps its own
				     until another has it, or it gets another */

	/* What the last record changed of that, unless is_stale. */
	struct hd_fabric_state_change *changes;
	size_t n_changes, capacity;
};

/* What nodes of @fabric hold before they hold anything. HD_ENOMEM. Clear in any case. */
int hd_fabric_state_init(struct hd_fabric_state *held, const struct hd_fabric *fabric,
			 struct hd_error *err);
void hd_fabric_state_clear(struct hd_fabric_state *held);

/*
 * Does what @record of the file @name says. HD_EPARSE: nodes hold something else than what it says
 * they held; HD_ENOMEM.
 */
int hd_fabric_state_apply(struct hd_fabric_state *held, const struct hd_history_record *record,
			  const char *name, struct hd_error *err);

/* Makes what packets see anew, for the LIDs and cables of now. HD_ENOMEM. */
int hd_fabric_state_see(struct hd_fabric_state *held, struct hd_error *err);

#endif
