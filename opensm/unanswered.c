// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/unanswered.h"

#include "manager/patience.h"
#include "opensm/logging.h"
#include "opensm/smps.h"
#include "opensm/waiting.h"

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
		hd_osm_send_port(osm, physp, osm_physp_get_port_num(physp), NULL);
	else if (node->sw)
		hd_osm_send_port(osm, osm_node_get_physp_ptr(node, 0), 0, NULL);
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

/* What has not answered. */
struct search {
	struct osm_opensm *osm;
	bool new_too, asks; /* what was never found before, too; asks for it in this look */
	struct hd_patience patience;
	size_t n_before; /* when the search began */

	/* In the last look. */
	size_t n, n_active; /* without an answer; those of them that carry packets */
	size_t n_found;     /* with one */
	ib_net64_t guid;    /* of the node of the first without */
	unsigned number;    /* of its port */
};

static void note(struct search *search, const osm_node_t *node, uint32_t number,
		 const osm_physp_t *physp)
{
	if (!search->n++) {
		search->guid = osm_node_get_node_guid(node);
		search->number = number;
	}
	search->n_active += physp && osm_physp_get_port_state(physp) == IB_LINK_ACTIVE;
}

/* Looks at port @number of @node, and behind it if MADs get there; its node was found. */
static void look_at(struct search *search, osm_node_t *node, uint32_t number, bool leads_on)
{
	osm_physp_t *physp = osm_node_get_physp_ptr(node, number);

	search->n_found += node->physp_discovered[number] != 0;
	if (!node->physp_discovered[number]) {
		/* adapters tell of the port that was asked alone */
		if (!node->sw)
			return;
		note(search, node, number, physp);
		if (search->asks)
			hd_osm_send_port(search->osm, osm_node_get_physp_ptr(node, 0), number,
					 NULL);
	} else if (physp && physp->pkeys.rcv_blocks_cnt) {
		note(search, node, number, physp);
		if (search->asks)
			ask_pkeys(search->osm, node, physp);
	} else if (physp && number && leads_on && is_silent(search->osm, physp, search->new_too)) {
		note(search, node, number, physp);
		if (search->asks)
			ask(search->osm, physp);
	}
}

/* Looks at all nodes that were found; @asks: asks for what was not. */
static size_t look_around(void *context, struct osm_opensm *osm, bool asks)
{
	struct search *search = context;
	const size_t n_found = search->n_found;
	const osm_port_t *own = osm_get_port_by_guid(&osm->subn, osm->subn.sm_port_guid);

	search->asks = asks;
	search->n = search->n_active = search->n_found = 0;
	hd_osm_for_each_node(node, osm) {
		osm_physp_t *manager = node->sw ? osm_node_get_physp_ptr(node, 0) : NULL;

		if (!node->discovery_count || (node->sw && !(manager && was_found(osm, manager))))
			continue;
		for (uint32_t number = node->sw ? 0 : 1; number < osm_node_get_num_physp(node);
		     number++)
			look_at(search, node, number, node->sw || (own && own->p_node == node));
	}
	if (!search->patience.rounds)
		search->n_before = search->n;
	/* where more was found, there is more to be asked for */
	else if (search->n_found > n_found + n_found / 32)
		search->patience.is_renewed = true;
	return search->n;
}

bool hd_osm_unanswered_ask(struct hd_osm_plugin *plugin)
{
	struct search search = {
		.osm = plugin->osm,
		/* after errors, too: what OpenSM has dropped because it did not answer is new */
		.new_too = !plugin->transition.last || plugin->resweep.pace.tries,
	};

	if (!hd_osm_insist(plugin->osm, &search.patience, look_around, &search))
		return false;
	plugin->discovered.n_unknown = search.n_active;
	plugin->discovered.unknown_guid = cl_ntoh64(search.guid);
	plugin->discovered.unknown_port = search.number;
	if (search.n_before)
		hd_osm_log(plugin->osm, OSM_LOG_VERBOSE,
			   "%zu ports or their peers had not answered; asked again, %zu still do "
			   "not answer",
			   search.n_before, search.n);
	return true;
}
