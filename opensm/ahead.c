// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/ahead.h"

#include <stdbool.h>
#include <stdlib.h>

#include "manager/patience.h"
#include "opensm/confirm.h"
#include "opensm/smps.h"
#include "opensm/waiting.h"
#include "support/clock.h"

/* SwitchInfo: the switch enforces partitions inbound, or outbound. PortInfo: it is told to. */
#define CAN_ENFORCE 0xc0
#define ENFORCES    0x0c
#define INBOUND     0x08
#define OUTBOUND    0x04

/* Of osm_state_mgr.c. */
void osm_reset_switch_state_change_bit(struct osm_opensm *osm);

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
		osm_reset_switch_state_change_bit(osm);
		if (hd_osm_wait(osm))
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

static uint8_t wanted_bits(const struct osm_opensm *osm)
{
	switch (osm->subn.opt.part_enforce_enum) {
	case OSM_PARTITION_ENFORCE_TYPE_BOTH:
		return ENFORCES;
	case OSM_PARTITION_ENFORCE_TYPE_IN:
		return INBOUND;
	case OSM_PARTITION_ENFORCE_TYPE_OUT:
		return OUTBOUND;
	default:
		return 0;
	}
}

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
	hd_osm_set_port(osm, physp, &info);
}

/*
 * Marks the ports that are to be told, and lists them; NULL: there is no memory for that, and none
 * is marked.
 */
static struct told *choose(struct osm_opensm *osm, uint8_t bits, size_t *n)
{
	const size_t n_ports = cl_qmap_count(&osm->subn.port_guid_tbl);
	struct told *told = malloc((n_ports + 1) * sizeof(*told));

	*n = 0;
	if (!told)
		return NULL;
	hd_osm_for_each_port(port, osm) {
		osm_physp_t *peer = port->p_physp && port->discovery_count
					    ? osm_physp_get_remote(port->p_physp)
					    : NULL;

		if (!peer || !osm_physp_get_node_ptr(peer)->discovery_count ||
		    !is_told_for_ever(peer, bits))
			continue;
		told[(*n)++] = (struct told){
			.physp = peer,
			.was = peer->port_info.capability_mask,
			.mark = ~peer->port_info.capability_mask,
		};
		peer->port_info.capability_mask = ~peer->port_info.capability_mask;
	}
	return told;
}

/* Tells those that have not answered. */
static void tell_all(struct osm_opensm *osm, const struct told *told, size_t n, uint8_t bits)
{
	cl_plock_excl_acquire(&osm->lock);
	for (size_t i = 0; i < n; i++) {
		osm_physp_t *physp = told[i].physp;

		if (is_answered(&told[i]))
			continue;
		physp->port_info.capability_mask = told[i].was;
		tell(osm, physp, bits);
		physp->port_info.capability_mask = told[i].mark;
	}
	cl_plock_release(&osm->lock);
}

/* OpenSM's pass, which follows, leaves those out that have answered. */
static void note_answers(struct osm_opensm *osm, const struct told *told, size_t n, uint8_t bits)
{
	cl_plock_excl_acquire(&osm->lock);
	for (size_t i = 0; i < n; i++) {
		ib_port_info_t *info = &told[i].physp->port_info;

		if (is_answered(&told[i]))
			info->vl_enforce = (uint8_t)((info->vl_enforce & ~ENFORCES) | bits);
		else
			info->capability_mask = told[i].was;
	}
	cl_plock_release(&osm->lock);
}

static size_t count_left(struct osm_opensm *osm, const struct told *told, size_t n)
{
	size_t n_left = 0;

	cl_plock_acquire(&osm->lock);
	for (size_t i = 0; i < n; i++)
		n_left += !is_answered(&told[i]);
	cl_plock_release(&osm->lock);
	return n_left;
}

static void enforce(struct osm_opensm *osm)
{
	struct hd_patience patience = { .last = 0 };
	const uint8_t bits = wanted_bits(osm);
	struct told *told;
	size_t n, n_left;

	cl_plock_excl_acquire(&osm->lock);
	told = choose(osm, bits, &n);
	cl_plock_release(&osm->lock);
	n_left = n;
	while (hd_patience_lasts(&patience, n_left, hd_seconds())) {
		tell_all(osm, told, n, bits);
		if (hd_osm_wait(osm))
			break;
		n_left = count_left(osm, told, n);
	}
	note_answers(osm, told, n, bits);
	free(told);
}

void hd_osm_ahead_send(struct osm_opensm *osm)
{
	const boolean_t is_error = osm->subn.subnet_initialization_error;

	if (osm->subn.sm_state != IB_SMINFO_STATE_MASTER || osm->subn.first_time_master_sweep)
		return;
	reset_changes(osm);
	enforce(osm);
	/* what was lost here is sent by OpenSM itself now, which judges that */
	osm->subn.subnet_initialization_error = is_error;
}
