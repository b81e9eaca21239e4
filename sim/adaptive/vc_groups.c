// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/vc_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/ways.h"
#include "support/error.h"

static int count_layered(struct hd_vcs *vcs, const struct hd_groups *groups, struct hd_error *err)
{
	unsigned n = groups->has_escape ? groups->n_vcs + groups->n_layers
					: groups->n_vcs * groups->n_layers;

	if (n > HD_MAX_VCS && groups->has_escape)
		return hd_error_set(err, HD_EINVAL,
				    "%u VCs of groups and %u of the escape make %u, and a port may "
				    "have %u",
				    groups->n_vcs, groups->n_layers, n, HD_MAX_VCS);
	if (n > HD_MAX_VCS)
		return hd_error_set(
			err, HD_EINVAL,
			"%u VCs of groups in each of the tables' %u layers make %u, and "
			"a port may have %u",
			groups->n_vcs, groups->n_layers, n, HD_MAX_VCS);
	vcs->n[HD_LINK_LOCAL] = vcs->n[HD_LINK_GLOBAL] = (uint8_t)n;
	vcs->n[HD_LINK_TERMINAL] = (uint8_t)groups->n_vcs;
	return 0;
}

static int count_vcs(struct hd_vcs *vcs, const struct hd_groups *groups, struct hd_error *err)
{
	unsigned most = 0;

	for (unsigned i = 0; i < HD_LINK_CLASSES && groups->by_hop; i++) {
		most = vcs->n[i] > most ? vcs->n[i] : most;
		vcs->n[i] = (uint8_t)(vcs->n[i] * groups->n_vcs);
	}
	if (groups->by_hop) {
		vcs->n[HD_LINK_TERMINAL] = (uint8_t)groups->n_vcs;
		if (most * groups->n_vcs <= HD_MAX_VCS)
			return 0;
		return hd_error_set(err, HD_EINVAL,
				    "%u VCs of groups at each of the %u VCs of a sequence make %u, "
				    "and a port may have %u",
				    groups->n_vcs, most, most * groups->n_vcs, HD_MAX_VCS);
	}
	return count_layered(vcs, groups, err);
}

/* Notes where each switch has a host, and the SLs of that. */
static int find_hosts(struct hd_groups *groups, const struct hd_shape *shape, struct hd_error *err)
{
	const struct hd_tables *tables = shape->tables;
	const struct hd_fabric *fabric = shape->fabric;

	groups->path_sls = calloc(shape->n_switches + (size_t)1, sizeof(*groups->path_sls));
	groups->host_port = calloc(shape->n_switches + (size_t)1, 1);
	if (!groups->path_sls || !groups->host_port)
		return hd_error_nomem(err);
	for (uint32_t at = 0; at < shape->n_switches; at++)
		for (unsigned port = shape->n_locals[at]; port--;) {
			const size_t index = hd_shape_port(shape, at, port);
			const uint32_t host = fabric->ports[shape->fabric_port[index]].peer;

			if (shape->neighbour[index] != HD_NONE || !fabric->ports[host].lid)
				continue;
			groups->path_sls[at] =
				tables->sl_rows + tables->sl_row_of_port[host] * tables->lft_stride;
			groups->host_port[at] = (uint8_t)port;
		}
	return 0;
}

/* The sequence that groups have each: the rule's, or the routing's own. */
static int find_sequence(struct hd_routed *routed, struct hd_error *err)
{
	const struct hd_routing *routing = routed->routing;
	struct hd_vcs *vcs = &routed->vcs;
	char text[sizeof(vcs->text)], sequence[sizeof(vcs->text)];

	if (!vcs->groups.by_hop && routing->takes_groups)
		return 0;
	if (routed->shape->ring)
		return hd_error_set(err, HD_EINVAL,
				    "with bubble flow control groups have no sequences");
	if (vcs->groups.has_escape)
		return hd_error_set(err, HD_EINVAL, "%s goes by a sequence, which needs no escape",
				    routing->policy.name);
	memcpy(text, vcs->text, sizeof(text));
	if (!vcs->groups.by_hop)
		hd_vcs_add_known(vcs, strchr(routing->vcs, ':') + 1);
	vcs->groups.by_hop = true;
	vcs->n_requests = vcs->n_places;
	hd_vcs_index(vcs);
	memcpy(sequence, vcs->text, sizeof(sequence));
	if ((size_t)snprintf(vcs->text, sizeof(vcs->text), "%s hop=%s", text, sequence) >=
	    sizeof(vcs->text))
		return hd_error_set(err, HD_EINVAL, "the sequence of groups is too long");
	return 0;
}

int hd_groups_new(struct hd_routed *routed, struct hd_error *err)
{
	const struct hd_vc_groups *rule = &routed->vcs.groups;
	const struct hd_shape *shape = routed->shape;
	struct hd_groups *groups = routed->groups = calloc(1, sizeof(*groups));
	int ret;

	if (!groups)
		return hd_error_nomem(err);
	ret = find_sequence(routed, err);
	if (ret)
		return ret;
	*groups = (struct hd_groups){ .n_vcs = rule->n_vcs,
				      .per_group = rule->n_vcs / rule->queues.n_queues,
				      .n_layers = hd_way_count_layers(shape),
				      .has_escape = rule->has_escape,
				      .by_hop = rule->by_hop,
				      .stays = rule->stays };
	ret = count_vcs(&routed->vcs, groups, err);
	if (!ret)
		ret = hd_queue_map_build(&rule->queues, shape->tables, shape->structure,
					 &groups->map, err);
	if (!ret && groups->by_hop && groups->map.row)
		ret = hd_error_set(err, HD_EINVAL,
				   "%s hangs on links: groups with sequences are the same all the "
				   "way",
				   rule->queues.rule->policy.name);
	return ret ? ret : find_hosts(groups, shape, err);
}

void hd_groups_free(struct hd_groups *groups)
{
	if (!groups)
		return;
	hd_queue_map_clear(&groups->map);
	free(groups->path_sls);
	free(groups->host_port);
	free(groups);
}

/* Whether the packet goes on as one on the tables' ways that came by its in-port. */
static bool goes_on(const struct hd_groups *groups, const struct hd_view *view)
{
	if (hd_view_is_injected(view))
		return false;
	return !groups->has_escape || view->in_vc >= groups->n_vcs || !groups->path_sls[view->at];
}

/* The tables' VL for a hop by @port; 0 where they drop the packet, which does not vanish here. */
static unsigned layer_of(const struct hd_groups *groups, const struct hd_view *view,
			 const struct hd_header *header, unsigned port)
{
	const struct hd_shape *shape = view->shape;
	const bool is_on_way = goes_on(groups, view);
	unsigned sl = is_on_way ? header->place : groups->path_sls[view->at][view->lid], vl;

	if (sl == HD_NO_SL)
		return 0;
	vl = hd_row_vl(hd_forwarding_row(&shape->forwarding, view->at, shape->n_locals[view->at],
					 is_on_way ? view->in_port : groups->host_port[view->at],
					 port),
		       sl);
	return vl == HD_VL_DROP ? 0 : vl;
}

uint8_t hd_groups_place(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header, unsigned vc)
{
	const struct hd_groups *groups = routed->groups;
	bool keeps = goes_on(groups, view);

	/* who leaves the escape forgets how it came there */
	if (groups->has_escape && vc < groups->n_vcs && groups->path_sls[view->at])
		keeps = false;
	return keeps ? header->place : groups->path_sls[view->at][view->lid];
}

/* Whether a hop by @port goes straight on in a ring, on a VC of @vcs that is the packet's. */
static bool goes_straight(const struct hd_view *view, unsigned port, uint32_t vcs)
{
	return !hd_view_is_injected(view) && vcs >> view->in_vc & 1 &&
	       hd_shape_ring(view->shape, view->at, port) ==
		       hd_shape_ring_into(view->shape, view->at, view->in_port);
}

/*
 * A hop by @port that the proof rests on, on any of @vcs. In a ring with bubble flow control it is
 * the one on the packet's own VC, if the packet goes straight on; what enters needs room for two.
 */
static unsigned escape_offers(const struct hd_view *view, unsigned port, uint32_t vcs,
			      unsigned rank, struct hd_offer *offers)
{
	const struct hd_offer hop = { .ports = hd_port_bit(port),
				      .vcs = vcs,
				      .via = HD_NONE,
				      .rank = (uint8_t)rank,
				      .step = HD_STEP_ON,
				      .room = 1,
				      .is_escape = true };
	unsigned n = 0;

	offers[0] = hop;
	if (!hd_shape_ring(view->shape, view->at, port))
		return 1;
	if (goes_straight(view, port, vcs)) {
		offers[n++].vcs = 1u << view->in_vc;
		vcs &= ~(1u << view->in_vc);
	}
	if (!vcs)
		return n;
	offers[n] = hop;
	offers[n].vcs = vcs;
	offers[n].room = 2;
	offers[n].is_escape = !n;
	return n + 1;
}

static unsigned group_at(const struct hd_groups *groups, const struct hd_view *view, unsigned port)
{
	if (!groups->map.row)
		return groups->map.queue[view->lid];
	return hd_groups_of(groups,
			    view->shape->fabric_port[hd_shape_port(view->shape, view->at, port)],
			    view->lid);
}

/* Without an escape: on the tables' layers. */
static unsigned layered(const struct hd_groups *groups, const struct hd_view *view,
			const struct hd_header *header, uint64_t ports, struct hd_offer *offers)
{
	unsigned n = 0;

	for (; ports && n + 2 <= HD_MAX_OFFERS; ports &= ports - 1) {
		unsigned port = (unsigned)__builtin_ctzll(ports);
		unsigned layer = layer_of(groups, view, header, port);

		n += escape_offers(view, port,
				   hd_groups_vcs(groups, group_at(groups, view, port))
					   << (layer * groups->n_vcs),
				   0, offers + n);
	}
	return n;
}

/* Of @ports, those that lead along the dimension by which the packet came, or a later one. */
static uint64_t not_before(const struct hd_view *view, uint64_t ports)
{
	const struct hd_shape *shape = view->shape;
	uint64_t later = 0;
	unsigned from;

	if (!shape->n_dimensions)
		return ports;
	from = hd_shape_dimension(shape, view->at, view->in_port);
	for (; ports; ports &= ports - 1)
		if (hd_shape_dimension(shape, view->at, (unsigned)__builtin_ctzll(ports)) >= from)
			later |= ports & -ports;
	return later;
}

/* Any VC of the packet's group at @ports: where groups hang on the link, port by port. */
static unsigned adaptive(const struct hd_groups *groups, const struct hd_view *view, uint64_t ports,
			 struct hd_offer *offers)
{
	unsigned n = 0;

	for (; ports && n < HD_MAX_OFFERS - 1; ports &= ports - 1) {
		unsigned port = (unsigned)__builtin_ctzll(ports);

		offers[n++] = (struct hd_offer){ .ports = groups->map.row ? ports & -ports : ports,
						 .vcs = hd_groups_vcs(groups,
								      group_at(groups, view, port)),
						 .via = HD_NONE,
						 .step = HD_STEP_ON,
						 .room = 1 };
		if (!groups->map.row)
			break;
	}
	return n;
}

unsigned hd_groups_offers(const struct hd_routed *routed, const struct hd_view *view,
			  const struct hd_header *header, uint64_t ports, struct hd_offer *offers)
{
	const struct hd_groups *groups = routed->groups;
	unsigned escape = hd_shape_next(view->shape, view->at, view->target), n;

	if (!groups->has_escape)
		return layered(groups, view, header, ports, offers);
	if (hd_groups_is_in_escape(groups, view))
		ports = groups->stays ? 0 : not_before(view, ports);
	n = adaptive(groups, view, ports, offers);
	if (escape >= view->shape->n_locals[view->at])
		return n;
	return n + escape_offers(view, escape,
				 1u << (groups->n_vcs + layer_of(groups, view, header, escape)), 1,
				 offers + n);
}
