// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/complexity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/engine.h"
#include "fabric/lids.h"
#include "sim/adaptive/vc_groups.h"
#include "support/error.h"

const char *const hd_crossbar_names[HD_CROSSBARS] = {
	[HD_CROSSBAR_ADAPTIVE] = "fully adaptive",
	[HD_CROSSBAR_OODET] = "OODET",
	[HD_CROSSBAR_IODET] = "IODET",
	[HD_CROSSBAR_XORADAP] = "XORADAP",
	[HD_CROSSBAR_XORDET] = "XORDET, DBBM, BBQ",
};

static bool has_escape(enum hd_crossbar_kind kind)
{
	return kind == HD_CROSSBAR_ADAPTIVE || kind == HD_CROSSBAR_XORADAP;
}

unsigned hd_crossbar_vcs(enum hd_crossbar_kind kind, const struct hd_crossbar_case *c)
{
	return c->n_vcs + has_escape(kind);
}

/* Inputs of the multiplexer of a VC, not the escape, in dimension @i, from 1. */
static uint64_t inputs(enum hd_crossbar_kind kind, const struct hd_crossbar_case *c, uint64_t i)
{
	const uint64_t others = 2 * c->n_dimensions - 1, v = c->n_vcs;

	switch (kind) {
	case HD_CROSSBAR_ADAPTIVE:
		return others * v + 2 * i;
	case HD_CROSSBAR_XORADAP:
		return others * v / c->n_groups + 2 * i;
	case HD_CROSSBAR_OODET:
		return 2 * v * (i - 1) + v + 1;
	case HD_CROSSBAR_IODET:
		return 2 * v * (i - 1) + 2;
	default:
		return 2 * i;
	}
}

uint64_t hd_crossbar_formula(enum hd_crossbar_kind kind, const struct hd_crossbar_case *c)
{
	uint64_t n = 2 * (uint64_t)hd_crossbar_vcs(kind, c) * c->n_dimensions;

	for (unsigned i = 1; i <= c->n_dimensions; i++) {
		n += 2 * c->n_vcs * inputs(kind, c, i);
		if (has_escape(kind))
			n += 2 * inputs(HD_CROSSBAR_ADAPTIVE, c, i);
	}
	return n;
}

/* A mesh of three switches a side: the one in the middle is looked at. */
struct mesh {
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_structure structure;
	struct hd_shape *shape;
	struct hd_routed *routed;
	uint32_t middle;
};

static void clear(struct mesh *mesh)
{
	hd_routed_free(mesh->routed);
	hd_shape_free(mesh->shape);
	hd_structure_clear(&mesh->structure);
	hd_tables_free(mesh->tables);
	hd_fabric_free(mesh->fabric);
}

static int build(unsigned n_dimensions, const char *vcs, struct mesh *mesh, struct hd_error *err)
{
	const struct hd_routed_spec rule = { .adaptive = "minimal", .vcs = vcs };
	const struct hd_route_request request = { 0 };
	enum hd_routed_part culprit;
	struct hd_fabric *bare;
	char spec[32] = "mesh:3";
	int ret;

	for (unsigned i = 1; i < n_dimensions; i++)
		strcat(spec, "x3");
	ret = hd_topology_build(spec, &bare, err);
	if (ret)
		return ret;
	ret = hd_fabric_assign_lids(bare, HD_NONE, 0, &mesh->fabric, err);
	hd_fabric_free(bare);
	if (!ret)
		ret = hd_route_structure(hd_engine_find("hdor"), mesh->fabric, &request,
					 &mesh->tables, &mesh->structure, err);
	if (!ret)
		ret = hd_shape_new(mesh->tables, &mesh->structure, &mesh->shape, err);
	if (!ret)
		ret = hd_routed_new(&rule, mesh->shape, &mesh->routed, &culprit, err);
	if (!ret)
		mesh->middle = mesh->structure.grid->switch_at[mesh->structure.grid->n_points / 2];
	return ret;
}

/* The crossbar: which VCs of in-ports lead to which of out-ports, a bit each. */
struct crossbar {
	const struct mesh *mesh;
	unsigned n_vcs;
	uint32_t *from_vc;   /* [((in-port * n_vcs) + VC) * ports + out-port] VCs */
	uint32_t *from_host; /* [out-port] VCs */
	uint32_t *to_host;   /* [in-port] VCs */
};

/*
 * All destinations are in the group @group on links of other dimensions than @dimension, and there
 * in the group @along: in a grid that is large enough there are such ones wherever some are here.
 */
static void set_groups(const struct mesh *mesh, unsigned dimension, unsigned along, unsigned group)
{
	struct hd_queue_map *map = &mesh->routed->groups->map;

	for (uint32_t row = 0; row < map->n_rows; row++)
		memset(map->queue + row * map->stride,
		       (int)(map->row && row == dimension ? along : group), map->stride);
}

static unsigned offers_at(const struct crossbar *crossbar, const struct hd_view *view,
			  struct hd_offer *offers)
{
	const struct hd_routed *routed = crossbar->mesh->routed;
	const struct hd_header header = hd_routed_begin(routed, false);

	return routed->routing->may(routed, view, &header, offers);
}

static struct hd_view view_at(const struct mesh *mesh, uint32_t at, uint32_t lid)
{
	const struct hd_shape *shape = mesh->shape;
	const uint32_t target = shape->forwarding.class_of[lid];

	return (struct hd_view){ .shape = shape,
				 .at = at,
				 .target = target,
				 .to = shape->target_switch[target],
				 .in_class = HD_LINK_TERMINAL,
				 .in_port = HD_NO_PORT,
				 .lid = (uint16_t)lid };
}

/* Adds the VCs of @view's ways to @vcs, which has a word for each out-port. */
static void add_ways(const struct crossbar *crossbar, const struct hd_view *view, uint32_t *vcs)
{
	struct hd_offer offers[HD_MAX_OFFERS];
	unsigned n = offers_at(crossbar, view, offers);

	for (unsigned i = 0; i < n; i++)
		for (uint64_t ports = offers[i].ports; ports; ports &= ports - 1)
			vcs[__builtin_ctzll(ports)] |= offers[i].vcs;
}

/* VCs on which packets for @lid may come in by local port @in. */
static uint32_t vcs_into(const struct crossbar *crossbar, unsigned in, uint32_t lid)
{
	const struct hd_shape *shape = crossbar->mesh->shape;
	const size_t index = hd_shape_port(shape, crossbar->mesh->middle, in);
	const struct hd_view view = view_at(crossbar->mesh, shape->neighbour[index], lid);
	struct hd_offer offers[HD_MAX_OFFERS];
	uint32_t vcs = 0;
	unsigned n;

	if (view.to == view.at)
		return 0;
	n = offers_at(crossbar, &view, offers);
	for (unsigned i = 0; i < n; i++)
		if (offers[i].ports >> shape->far_port[index] & 1)
			vcs |= offers[i].vcs;
	return vcs;
}

static bool is_host(const struct hd_fabric *fabric, uint32_t lid)
{
	const uint32_t port = fabric->lids[lid].port;

	return port != HD_NONE && !hd_is_switch(fabric, fabric->ports[port].node);
}

/* What comes in by @in, or from the host, with groups as they are set. */
static void look_at(const struct crossbar *crossbar, unsigned in)
{
	const struct mesh *mesh = crossbar->mesh;
	const struct hd_shape *shape = mesh->shape;
	const bool from_host = shape->neighbour[hd_shape_port(shape, mesh->middle, in)] == HD_NONE;

	hd_for_each_lid(lid, mesh->fabric) {
		struct hd_view view = view_at(mesh, mesh->middle, lid);
		uint32_t vcs;

		if (!is_host(mesh->fabric, lid))
			continue;
		if (from_host) {
			if (view.to != view.at)
				add_ways(crossbar, &view, crossbar->from_host);
			continue;
		}
		view.in_class = HD_LINK_LOCAL;
		view.in_port = (uint8_t)in;
		vcs = vcs_into(crossbar, in, lid);
		if (view.to == view.at) {
			crossbar->to_host[in] |= vcs;
			continue;
		}
		for (; vcs; vcs &= vcs - 1) {
			view.in_vc = (uint8_t)__builtin_ctz(vcs);
			add_ways(crossbar, &view,
				 crossbar->from_vc + (in * (size_t)crossbar->n_vcs + view.in_vc) *
							     shape->n_ports);
		}
	}
}

static uint64_t sum(const struct crossbar *crossbar)
{
	const size_t ports = crossbar->mesh->shape->n_ports;
	uint64_t n = 0;

	for (size_t i = 0; i < ports * crossbar->n_vcs * ports; i++)
		n += (unsigned)__builtin_popcount(crossbar->from_vc[i]);
	for (size_t i = 0; i < ports; i++)
		n += (unsigned)__builtin_popcount(crossbar->from_host[i]) +
		     (unsigned)__builtin_popcount(crossbar->to_host[i]);
	return n;
}

static int count(const struct mesh *mesh, uint64_t *result, struct hd_error *err)
{
	const struct hd_shape *shape = mesh->shape;
	const struct hd_groups *groups = mesh->routed->groups;
	const unsigned n_groups = groups->n_vcs / groups->per_group;
	struct crossbar crossbar = { .mesh = mesh, .n_vcs = mesh->routed->vcs.n[HD_LINK_LOCAL] };
	const size_t ports = shape->n_ports;

	crossbar.from_vc =
		calloc(ports * crossbar.n_vcs * ports + 2 * ports, sizeof(*crossbar.from_vc));
	if (!crossbar.from_vc)
		return hd_error_nomem(err);
	crossbar.from_host = crossbar.from_vc + ports * crossbar.n_vcs * ports;
	crossbar.to_host = crossbar.from_host + ports;
	for (unsigned in = 0; in < ports; in++)
		for (unsigned along = 0; along < (groups->map.row ? n_groups : 1); along++)
			for (unsigned group = 0; group < n_groups; group++) {
				set_groups(mesh, hd_shape_dimension(shape, mesh->middle, in), along,
					   group);
				look_at(&crossbar, in);
			}
	*result = sum(&crossbar);
	free(crossbar.from_vc);
	return 0;
}

static int check(const struct hd_crossbar_case *c, struct hd_error *err)
{
	if (!c->n_dimensions || c->n_dimensions > HD_CROSSBAR_DIMENSIONS)
		return hd_error_set(err, HD_EINVAL, "n=%u: dimensions are 1 to %d", c->n_dimensions,
				    HD_CROSSBAR_DIMENSIONS);
	if (!c->n_vcs || c->n_vcs > HD_CROSSBAR_VCS)
		return hd_error_set(err, HD_EINVAL, "v=%u: VCs are 1 to %d", c->n_vcs,
				    HD_CROSSBAR_VCS);
	if (!c->n_groups || c->n_vcs % c->n_groups)
		return hd_error_set(err, HD_EINVAL, "g=%u: groups divide the %u VCs", c->n_groups,
				    c->n_vcs);
	return 0;
}

int hd_crossbar_count(enum hd_crossbar_kind kind, const struct hd_crossbar_case *c,
		      uint64_t *result, struct hd_error *err)
{
	static const char *const functions[HD_CROSSBARS] = {
		[HD_CROSSBAR_ADAPTIVE] = "single", [HD_CROSSBAR_OODET] = "single",
		[HD_CROSSBAR_IODET] = "iodet",     [HD_CROSSBAR_XORADAP] = "dbbm",
		[HD_CROSSBAR_XORDET] = "dbbm",
	};
	unsigned n_groups = c->n_vcs;
	struct mesh mesh = { 0 };
	char vcs[64];
	int ret = check(c, err);

	if (ret)
		return ret;
	if (kind == HD_CROSSBAR_XORADAP)
		n_groups = c->n_groups;
	else if (strcmp(functions[kind], "single") == 0)
		n_groups = 1;
	snprintf(vcs, sizeof(vcs), "groups:%s,%u vcs=%u%s", functions[kind], n_groups, c->n_vcs,
		 has_escape(kind) ? " escape" : "");
	ret = build(c->n_dimensions, vcs, &mesh, err);
	if (!ret)
		ret = count(&mesh, result, err);
	clear(&mesh);
	return ret;
}
