// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * OpenSM 5.24 asks its engines for the ports by which a switch leads to another one, for each plane
 * and each private LFT. 5.18 has no such callback.
 */
#include "opensm/port_sets.h"

#include <string.h>

#include "manager/switch_sets.h"
#include "opensm/subnet.h"

static const char *get_name(struct osm_routing_engine *re)
{
	const struct hd_osm_engine *engine = re->context;

	return engine->name;
}

static struct osm_routing_engine_attributes get_attributes(struct osm_routing_engine *re)
{
	const struct hd_osm_engine *engine = re->context;
	struct osm_routing_engine_attributes attributes = re->attributes;

	if (engine->handout.tables && engine->handout.tables->ar)
		attributes.ar_mode_auto = OSM_ADV_ROUTING_MODE_ENABLED;
	return attributes;
}

#ifdef HAVE_STRUCT_OSM_ROUTING_ENGINE_GET_AR_MASK
/* The planes of a fabric are numbered from 1; 0 is a fabric without planes. Ours is the first. */
#define LAST_PLANE 1

static int get_required_plfts(struct osm_routing_engine *re)
{
	(void)re;
	return 1; /* private LFTs are never programmed (manager/wanted.c) */
}

static int get_required_subgroups(struct osm_routing_engine *re)
{
	const struct hd_osm_engine *engine = re->context;

	return engine->handout.tables ? (int)hd_switch_sets_subgroups(engine->handout.tables) : 1;
}

static int get_ar_mask(struct osm_routing_engine *re, osm_switch_t *from, osm_switch_t *to,
		       uint8_t plane, int plft, int subgroup, uint64_t *ports)
{
	const struct hd_osm_engine *engine = re->context;
	const struct hd_tables *tables = engine->handout.tables;
	struct hd_port_set set;
	uint32_t s, d;

	if (!tables || plane > LAST_PLANE || plft < 0 || subgroup < 0)
		return -1;
	s = hd_osm_find_index(tables->fabric, from->p_node);
	d = hd_osm_find_index(tables->fabric, to->p_node);
	if (s == HD_NONE || d == HD_NONE ||
	    !hd_switch_sets_find(tables, s, d, (unsigned)plft, (unsigned)subgroup, &set))
		return -1;
	memcpy(ports, set.words, sizeof(set.words));
	return 0;
}

/* All planes are routed at once, with the first. */
static int route(struct osm_routing_engine *re, uint8_t plane)
{
	return plane > LAST_PLANE ? -1 : re->build_lid_matrices(re->context);
}

static int global_postprocess(struct osm_routing_engine *re)
{
	return re->ucast_build_fwd_tables(re->context);
}

static int do_nothing(struct osm_routing_engine *re)
{
	(void)re;
	return 0;
}

static int do_nothing_of_plane(struct osm_routing_engine *re, uint8_t plane)
{
	(void)re;
	return plane > LAST_PLANE ? -1 : 0;
}

bool hd_osm_takes_sets(void)
{
	return true;
}

static void setup_planes(struct osm_routing_engine *re)
{
	re->is_v2 = TRUE;
	re->get_required_plfts = get_required_plfts;
	re->get_required_subgroups = get_required_subgroups;
	re->get_ar_mask = get_ar_mask;
	re->plane_preprocess = do_nothing_of_plane;
	re->global_preprocess = do_nothing;
	re->route = route;
	re->plane_postprocess = do_nothing_of_plane;
	re->global_postprocess = global_postprocess;
}
#else
bool hd_osm_takes_sets(void)
{
	return false;
}

static void setup_planes(struct osm_routing_engine *re)
{
	(void)re;
}
#endif

void hd_osm_sets_setup(struct osm_routing_engine *re)
{
	const struct hd_osm_engine *engine = re->context;

	re->get_name = get_name;
	re->get_attributes = get_attributes;
	if (hd_switch_sets_are_wanted(engine->engine, engine->settings))
		setup_planes(re);
}
