/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * With tables that change (sim/model/table_changes.h), packets may choose among the ports that a
 * routing offers. A packet chooses once, when its head comes to the switch, and then waits for that
 * port as it does without a choice: so links that fail, VL arbitration, queues by output and waits
 * mean the same. Switches whose heads choose when they can go are those of adaptive.h.
 *
 * What counts as occupied is the buffer behind the link, with what is on its way there, and the
 * packets of this switch that chose the port and have not begun to leave. Without these, all
 * packets of a burst would choose the same port.
 */
#ifndef HD_SWITCHES_ARRIVAL_CHOICE_H
#define HD_SWITCHES_ARRIVAL_CHOICE_H

#include "sim/adaptive/flows.h"
#include "sim/adaptive/routing.h"
#include "sim/model/state.h"

struct hd_arrival_choice {
	const struct hd_routed *routed; /* NULL: packets go by the tables */
	uint32_t *waiting; /* [out-lane of a switch] units that wait in the switch to leave there */
	uint32_t *occupied; /* [local port * n_vls + VL], of the ports that one packet may choose */
	uint64_t *random;   /* [switch] */
	uint64_t room[HD_MAX_VCS];
	struct hd_flows flows; /* at switches */
};

/* HD_ENOMEM. */
int hd_arrival_choice_new(const struct hd_model *model, struct hd_arrival_choice **choice);
void hd_arrival_choice_free(struct hd_arrival_choice *choice);

/*
 * The out-port of packet @packet, which came in by @port of a switch; @vl gets the VL of the next
 * buffer. HD_NONE: it has none, or none with an active link.
 */
uint32_t hd_arrival_choose(struct hd_model *model, uint32_t port, const struct packet *packet,
			   unsigned *vl);

#endif
