// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/ahead.h"

#include <stdbool.h>
#include <stdlib.h>

#include "manager/patience.h"
#include "opensm/sm.h"
#include "opensm/smps.h"
#include "opensm/waiting.h"
#include "support/clock.h"

/* SwitchInfo: the switch enforces partitions inbound, or outbound. PortInfo: it is told to. */
#define CAN_ENFORCE 0xc0
#define ENFORCES    0x0c
#define INBOUND     0x08
#define OUTBOUND    0x04

static size_t count_changed(struct osm_opensm *osm)
{
	size_t n = 0;

	cl_plock_acquire(&osm->lock);
	hd_osm_for_each_switch(sw, osm) {
		n += ib_switch_info_get_state_change(&sw->switch_info) ? 1 : 0;
	}
	cl_plock_release(&osm->lock);
	return n;
}

/* A switch is told again as long as its last answer has the bit. */
static void reset_changes(struct osm_opensm *osm)
{
	struct hd_patience patience = { .last = 0 };

	while (hd_patience_lasts(&patience, count_changed(osm), hd_seconds())) {
		if (!hd_sm_reset_changes(osm) || hd_sm_wait(osm))
			return;
	}
}

/*
 * A port that is told to enforce. The answer replaces OpenSM's copy of its PortInfo: until it
 * comes, the copy has another CapabilityMask, which only end ports have.
 */
struct told {
	osm_physp_t *physp;
	ib_net32_t mark, was;
};

static bool is_answered(const struct told *told)
{
	return told->physp->port_info.capability_mask != told->mark;
}

static const uint8_t enforced[] = {
	[OSM_PARTITION_ENFORCE_TYPE_BOTH] = ENFORCES,
	[OSM_PARTITION_ENFORCE_TYPE_IN] = INBOUND,
	[OSM_PARTITION_ENFORCE_TYPE_OUT] = OUTBOUND,
	[OSM_PARTITION_ENFORCE_TYPE_OFF] = 0,
};

/* Whether OpenSM tells the port in every sweep, and the switch takes no notice. */
static bool is_told_for_ever(const osm_physp_t *physp, uint8_t bits)
{
	const osm_node_t *node = osm_physp_get_node_ptr(physp);
	const osm_physp_t *peer = osm_physp_get_remote((osm_physp_t *)physp);

	return node->sw && node->sw->switch_info.enforce_cap &&
	       !(node->sw->switch_info.flags & CAN_ENFORCE) &&
	       osm_physp_get_port_state(physp) == IB_LINK_ACTIVE && peer &&
	       !osm_physp_get_node_ptr(peer)->sw &&
	       (physp->port_info.vl_enforce & ENFORCES) != bits;
}

/* Sends the Set(PortInfo) of osm_pkey_mgr.c. */
static void tell(struct osm_opensm *osm, osm_physp_t *physp, uint8_t bits)
{
	ib_port_info_t info = physp->port_info;

	if (!hd_osm_manager(physp))
		return;
	info.vl_enforce = (uint8_t)((info.vl_enforce & ~ENFORCES) | bits);
	info.state_info2 = 0;
	ib_port_info_set_port_state(&info, IB_LINK_NO_CHANGE);
	hd_osm_send_port(osm, physp, osm_physp_get_port_num(physp), &info);
}

/* The ports that are to be told, and what they are. */
struct telling {
	struct told *list;
	size_t n;
	uint8_t bits;
};

/* Marks the ports that are to be told, and lists them; none where there is no memory for that. */
static void choose(struct osm_opensm *osm, struct telling *telling)
{
	const size_t n_ports = cl_qmap_count(&osm->subn.port_guid_tbl);

	telling->list = malloc((n_ports + 1) * sizeof(*telling->list));
	if (!telling->list)
		return;
	hd_osm_for_each_port(port, osm) {
		osm_physp_t *peer = port->p_physp && port->discovery_count
					    ? osm_physp_get_remote(port->p_physp)
					    : NULL;

		if (!peer || !osm_physp_get_node_ptr(peer)->discovery_count ||
		    !is_told_for_ever(peer, telling->bits))
			continue;
		telling->list[telling->n++] = (struct told){
			.physp = peer,
			.was = peer->port_info.capability_mask,
			.mark = ~peer->port_info.capability_mask,
		};
		peer->port_info.capability_mask = ~peer->port_info.capability_mask;
	}
}

/* Counts those that have not answered, and tells them. */
static size_t look(void *context, struct osm_opensm *osm, bool sends)
{
	const struct telling *telling = context;
	size_t n_left = 0;

	for (size_t i = 0; i < telling->n; i++) {
		const struct told *told = &telling->list[i];

		if (is_answered(told))
			continue;
		n_left++;
		if (!sends)
			continue;
		told->physp->port_info.capability_mask = told->was;
		tell(osm, told->physp, telling->bits);
		told->physp->port_info.capability_mask = told->mark;
	}
	return n_left;
}

/* OpenSM's pass, which follows, leaves those out that have answered. */
static void note_answers(const struct telling *telling)
{
	for (size_t i = 0; i < telling->n; i++) {
		const struct told *told = &telling->list[i];
		ib_port_info_t *info = &told->physp->port_info;

		if (is_answered(told))
			info->vl_enforce =
				(uint8_t)((info->vl_enforce & ~ENFORCES) | telling->bits);
		else
			info->capability_mask = told->was;
	}
}

static void enforce(struct osm_opensm *osm)
{
	struct telling telling = { .bits = enforced[osm->subn.opt.part_enforce_enum] };
	struct hd_patience patience = { .last = 0 };

	cl_plock_excl_acquire(&osm->lock);
	choose(osm, &telling);
	cl_plock_release(&osm->lock);
	hd_osm_insist(osm, &patience, look, &telling);
	cl_plock_excl_acquire(&osm->lock);
	note_answers(&telling);
	cl_plock_release(&osm->lock);
	free(telling.list);
}

void hd_osm_ahead_send(struct osm_opensm *osm)
{
	const boolean_t is_error = osm->subn.subnet_initialization_error;

	if (!hd_sm_is_master(osm) || osm->subn.first_time_master_sweep)
		return;
	reset_changes(osm);
	enforce(osm);
	/* what was lost here is sent by OpenSM itself now, which judges that */
	osm->subn.subnet_initialization_error = is_error;
}
