// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/unanswered.h"

#include <inttypes.h>

#include "manager/patience.h"
#include "opensm/smps.h"
#include "opensm/waiting.h"
#include "support/clock.h"

/* Whether the node of @physp has told in this sweep what it is and what its port is. */
static bool was_found(struct osm_opensm *osm, osm_physp_t *physp)
{
	osm_node_t *node = osm_physp_get_node_ptr(physp);
	const bool is_switch = osm_node_get_type(node) == IB_NODE_TYPE_SWITCH;
	const osm_physp_t *own = is_switch ? osm_node_get_physp_ptr(node, 0) : physp;
	const osm_port_t *port =
		own ? osm_get_port_by_guid(&osm->subn, osm_physp_get_port_guid(own)) : NULL;

	return node->discovery_count && (!is_switch || node->sw) && port && port->discovery_count;
}

/* Whether the link at @physp is up and nobody was found behind it. */
static bool is_silent(struct osm_opensm *osm, const osm_physp_t *physp, bool new_too)
{
	osm_physp_t *remote = osm_physp_get_remote(physp);

	if (osm_physp_get_port_state(physp) <= IB_LINK_DOWN)
		return false;
	return remote ? !was_found(osm, remote) : new_too;
}

/*
 * Asks for what is next of a node that has told in this sweep what it is, and no more: from its
 * NodeInfo again, all of its answers in a row would have to come through.
 */
static void ask_rest(struct osm_opensm *osm, osm_node_t *node, osm_physp_t *physp)
{
	if (osm_node_get_type(node) != IB_NODE_TYPE_SWITCH)
		hd_osm_get_port(osm, physp, osm_physp_get_port_num(physp));
	else if (node->sw)
		hd_osm_get_port(osm, osm_node_get_physp_ptr(node, 0), 0);
	else
		hd_osm_get_switch(osm, node);
}

/* Asks for all P_Keys of @physp: nobody knows which block is missing. */
static void ask_pkeys(struct osm_opensm *osm, osm_node_t *node, osm_physp_t *physp)
{
	const unsigned number = osm_physp_get_port_num(physp);
	const bool is_external = node->sw && number;
	const unsigned n_keys = cl_ntoh16(is_external ? node->sw->switch_info.enforce_cap
						      : node->node_info.partition_cap);
	const unsigned n_blocks =
		(n_keys + IB_NUM_PKEY_ELEMENTS_IN_BLOCK - 1) / IB_NUM_PKEY_ELEMENTS_IN_BLOCK;

	physp->pkeys.rcv_blocks_cnt = (uint16_t)n_blocks;
	for (unsigned block = 0; block < n_blocks; block++)
		hd_osm_get_pkeys(osm, physp, is_external, block);
}

/*
 * Whether @node has told in this sweep what it is, by the way that leads to it now. An adapter of
 * several ports may have by another.
 */
static bool is_begun(const osm_node_t *node)
{
	return node->discovery_count && (osm_node_get_type(node) == IB_NODE_TYPE_SWITCH ||
					 osm_node_get_num_physp(node) == 2);
}

/* Asks for what is not known behind @physp. */
static void ask(struct osm_opensm *osm, osm_physp_t *physp)
{
	osm_physp_t *remote = osm_physp_get_remote(physp);

	if (remote && is_begun(osm_physp_get_node_ptr(remote)))
		ask_rest(osm, osm_physp_get_node_ptr(remote), remote);
	else
		hd_osm_get_behind(osm, physp);
}

/* What is silent, and how much of that carries packets; and how many ports have answered. */
struct silence {
	size_t n, n_active, n_found;
	ib_net64_t guid; /* of the node of the first */
	unsigned number; /* of its port */
};

struct look {
	struct osm_opensm *osm;
	bool new_too; /* what was never found before, too */
	bool asks;
	struct silence silence;
};

static void note(struct look *look, const osm_node_t *node, uint32_t number,
		 const osm_physp_t *physp)
{
	if (!look->silence.n++) {
		look->silence.guid = osm_node_get_node_guid(node);
		look->silence.number = number;
	}
	look->silence.n_active += physp && osm_physp_get_port_state(physp) == IB_LINK_ACTIVE;
}

/* Looks at port @number of @node, and behind it if MADs get there; its node was found. */
static void look_at(struct look *look, osm_node_t *node, uint32_t number, bool leads_on)
{
	osm_physp_t *physp = osm_node_get_physp_ptr(node, number);

	look->silence.n_found += node->physp_discovered[number] != 0;
	if (!node->physp_discovered[number]) {
		/* adapters tell of the port that was asked alone */
		if (!node->sw)
			return;
		note(look, node, number, physp);
		if (look->asks)
			hd_osm_get_port(look->osm, osm_node_get_physp_ptr(node, 0), number);
	} else if (physp && physp->pkeys.rcv_blocks_cnt) {
		note(look, node, number, physp);
		if (look->asks)
			ask_pkeys(look->osm, node, physp);
	} else if (physp && number && leads_on && is_silent(look->osm, physp, look->new_too)) {
		note(look, node, number, physp);
		if (look->asks)
			ask(look->osm, physp);
	}
}

/* Looks at all nodes that were found; @asks: asks for what was not. */
static struct silence look_around(struct osm_opensm *osm, bool new_too, bool asks)
{
	struct look look = { .osm = osm, .new_too = new_too, .asks = asks };
	const osm_port_t *own;

	cl_plock_excl_acquire(&osm->lock);
	own = osm_get_port_by_guid(&osm->subn, osm->subn.sm_port_guid);
	hd_osm_for_each_node(node, osm) {
		osm_physp_t *manager = node->sw ? osm_node_get_physp_ptr(node, 0) : NULL;

		if (!node->discovery_count || (node->sw && !(manager && was_found(osm, manager))))
			continue;
		for (uint32_t number = node->sw ? 0 : 1; number < osm_node_get_num_physp(node);
		     number++)
			look_at(&look, node, number, node->sw || (own && own->p_node == node));
	}
	cl_plock_release(&osm->lock);
	return look.silence;
}

bool hd_osm_unanswered_ask(struct hd_osm_plugin *plugin, size_t *n_silent)
{
	struct osm_opensm *osm = plugin->osm;
	/* after errors, too: what OpenSM has dropped because it did not answer is new */
	const bool new_too = !plugin->transition.last || plugin->resweep.pace.tries;
	struct silence silence = look_around(osm, new_too, false);
	struct hd_patience patience = { .last = 0 };
	const size_t n_before = silence.n;

	while (hd_patience_lasts(&patience, silence.n, hd_seconds())) {
		const size_t n_found = silence.n_found;

		look_around(osm, new_too, true);
		if (hd_osm_wait(osm))
			return false;
		silence = look_around(osm, new_too, false);
		/* where more was found, there is more to be asked for */
		if (silence.n_found > n_found + n_found / 32)
			patience.is_renewed = true;
	}
	*n_silent = silence.n_active;
	if (n_before)
		osm_log(&osm->log, OSM_LOG_VERBOSE,
			"heddle: %zu ports or their peers had not answered; asked again, %zu still "
			"do not answer\n",
			n_before, silence.n);
	if (silence.n_active)
		osm_log(&osm->log, OSM_LOG_ERROR,
			"heddle: %zu active ports or their peers do not answer (first: node "
			"0x%016" PRIx64 " port %u); they keep their old tables, which the proof of "
			"this change does not know\n",
			silence.n_active, cl_ntoh64(silence.guid), silence.number);
	return true;
}
