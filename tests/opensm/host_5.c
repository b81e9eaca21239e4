// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A host for the plug-in of OpenSM 5.x: it makes OpenSM's objects from a fabric, defines the
 * functions that the plug-in needs of the daemon, and runs sweeps. It is written from public
 * headers and is no subnet manager: it sends nothing, and each Set counts as answered. In which
 * order a daemon of NVIDIA calls, it does not tell; the order here is that of OpenSM 3.3, and that
 * of the members of struct osm_routing_engine.
 *
 *	host_5 PLUGIN ENGINE OPTIONS FABRIC...
 *
 * Each FABRIC is a sweep, with objects of its own. Prints what the last one made, sorted by
 * nothing: "lft GUID LID PORT", "mask GUID GUID PLFT SUBGROUP PORT..." from switch to switch, "row
 * GUID OUT IN ROW", "sl SLID DLID SL". Exits 1 if the engine refuses, 2 if the plug-in does not
 * load.
 */
#include "opensm/osm.h"

#include <dlfcn.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_plugin.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "fabric/reading.h"
#include "support/error.h"
#include "tables/open.h"

#define MAX_ENGINES 64
#define MAX_PLFTS   4
#define PLANE       1

/* What a plug-in exports (opensm/module_5.c). */
struct module {
	void *(*load)(struct osm_opensm *osm, void *context);
	void (*unload)(struct osm_opensm *osm, void *context);
	void (*report)(void *context, osm_epi_event_id_t event, void *data);
	void *context;
};

static struct {
	const char *name;
	f_re_setup_t setup;
} engines[MAX_ENGINES];
static unsigned n_engines;
static unsigned n_gets, n_sets; /* that the plug-in has sent */

static void die(const char *what)
{
	fprintf(stderr, "host_5: %s\n", what);
	exit(2);
}

/* --- what the plug-in needs of the daemon --- */

volatile unsigned int osm_exit_flag;

int osm_routing_engine_create(osm_opensm_t *osm, const char *name, f_re_setup_t setup)
{
	(void)osm;
	for (unsigned i = 0; i < n_engines; i++)
		if (strcmp(engines[i].name, name) == 0)
			return 1;
	if (n_engines == MAX_ENGINES)
		return 1;
	engines[n_engines].name = name;
	engines[n_engines++].setup = setup;
	return 0;
}

const char *osm_routing_engine_type_str(osm_routing_engine_type_t type)
{
	return type == OSM_ROUTING_ENGINE_TYPE_MINHOP ? "minhop"
	       : type == OSM_ROUTING_ENGINE_TYPE_UPDN ? "updn"
						      : NULL;
}

const char *osm_routing_engine_name(struct osm_routing_engine *re)
{
	return re->get_name ? re->get_name(re) : re->name;
}

void osm_log(osm_log_t *log, osm_log_level_t level, const char *format, ...)
{
	va_list arguments;

	(void)log;
	if (!(level & (OSM_LOG_ERROR | OSM_LOG_INFO)))
		return;
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
}

static cl_map_item_t *find(const cl_qmap_t *map, uint64_t key)
{
	cl_map_item_t *item = cl_qmap_head(map);

	while (item != cl_qmap_end(map) && cl_qmap_key(item) != key)
		item = cl_qmap_next(item);
	return item == cl_qmap_end(map) ? NULL : item;
}

osm_node_t *osm_get_node_by_guid(osm_subn_t const *subn, ib_net64_t guid)
{
	return (osm_node_t *)find(&subn->node_guid_tbl, guid);
}

osm_port_t *osm_get_port_by_guid(osm_subn_t const *subn, ib_net64_t guid)
{
	return (osm_port_t *)find(&subn->port_guid_tbl, guid);
}

boolean_t osm_link_is_healthy(const osm_physp_t *physp)
{
	return physp->healthy;
}

boolean_t osm_link_is_throttled(osm_physp_t *physp, const boolean_t has_fdr10)
{
	(void)physp;
	(void)has_fdr10;
	return FALSE;
}

boolean_t osm_mcast_tbl_get_block(osm_mcast_tbl_t *table, int16_t block, uint8_t position,
				  osm_mcast_tbl_block_modifier_enum modifier, ib_net16_t *masks)
{
	(void)table;
	(void)block;
	(void)position;
	(void)modifier;
	(void)masks;
	return FALSE;
}

uint8_t osm_physp_calc_link_op_vls(osm_log_t *log, const osm_subn_t *subn, const osm_physp_t *physp,
				   uint8_t current)
{
	const osm_physp_t *remote = physp->p_remote_physp;
	const uint8_t own = physp->port_info.vl_cap >> 4;
	const uint8_t other = remote ? remote->port_info.vl_cap >> 4 : own;

	(void)log;
	(void)subn;
	(void)current;
	return own < other ? own : other;
}

void osm_port_get_lid_range_ho(const osm_port_t *port, uint16_t *low, uint16_t *high)
{
	const ib_port_info_t *info = &port->p_physp->port_info;

	*low = cl_ntoh16(info->base_lid);
	*high = (uint16_t)(*low + (1 << ib_port_info_get_lmc(info)) - 1);
}

osm_dr_path_t *osm_physp_get_dr_path_ptr(struct osm_sm *sm, const osm_physp_t *physp)
{
	(void)sm;
	return (osm_dr_path_t *)&physp->dr_path[0];
}

ib_api_status_t osm_req_get(osm_sm_t *sm, const osm_dr_path_t *path,
#ifdef OSM_REQ_GET_HAS_PHYSP
			    const osm_physp_t *physp,
#endif
			    ib_net16_t attribute, ib_net32_t modifier, boolean_t find_mkey,
			    ib_net64_t key, uint32_t timeout, cl_disp_msgid_t message,
			    const osm_madw_context_t *context)
{
	(void)sm, (void)path, (void)attribute, (void)modifier, (void)find_mkey, (void)key;
	(void)timeout, (void)message, (void)context;
#ifdef OSM_REQ_GET_HAS_PHYSP
	(void)physp;
#endif
	n_gets++;
	return IB_SUCCESS;
}

ib_api_status_t osm_req_set(osm_sm_t *sm, const osm_dr_path_t *path, const osm_physp_t *physp,
			    const uint8_t *payload, size_t size, ib_net16_t attribute,
			    ib_net32_t modifier, boolean_t find_mkey, ib_net64_t key,
			    uint32_t timeout, cl_disp_msgid_t message,
			    const osm_madw_context_t *context)
{
	(void)sm, (void)path, (void)physp, (void)payload, (void)size, (void)attribute;
	(void)modifier, (void)find_mkey, (void)key, (void)timeout, (void)message, (void)context;
	n_sets++;
	return IB_SUCCESS;
}

void osm_sm_signal(osm_sm_t *sm, osm_signal_t signal)
{
	(void)sm;
	(void)signal;
}

cl_status_t osm_switch_set_hops(osm_switch_t *sw, uint16_t lid, uint8_t port, uint8_t hops)
{
	return lid <= sw->max_lid_ho && port < sw->num_ports && hops < 64 ? CL_SUCCESS : CL_ERROR;
}

void cl_timer_construct(cl_timer_t *timer)
{
	memset(timer, 0, sizeof(*timer));
}

cl_status_t cl_timer_init(cl_timer_t *timer, cl_pfn_timer_callback_t callback, const void *context)
{
	timer->pfn_callback = callback;
	timer->context = context;
	return CL_SUCCESS;
}

void cl_timer_destroy(cl_timer_t *timer)
{
	(void)timer;
}

cl_status_t cl_timer_start(cl_timer_t *timer, const uint32_t ms)
{
	(void)timer;
	(void)ms;
	return CL_SUCCESS;
}

void cl_timer_stop(cl_timer_t *timer)
{
	(void)timer;
}

void osm_log_assert(const char *format, ...);
void osm_log_assert(const char *format, ...)
{
	die(format);
}

/* --- OpenSM's objects --- */

static void *need(void *memory)
{
	if (!memory)
		die("out of memory");
	return memory;
}

static void begin_map(cl_qmap_t *map)
{
	memset(map, 0, sizeof(*map));
	map->state = CL_INITIALIZED;
	map->nil.pool_item.list_item.p_next = &map->nil.pool_item.list_item;
	map->nil.pool_item.list_item.p_prev = &map->nil.pool_item.list_item;
}

/* Links @item in the order of keys; nothing here searches the tree. */
static void insert(cl_qmap_t *map, uint64_t key, cl_map_item_t *item)
{
	cl_list_item_t *after = &map->nil.pool_item.list_item, *own = &item->pool_item.list_item;

	item->key = key;
	while (after->p_next != &map->nil.pool_item.list_item &&
	       ((cl_map_item_t *)after->p_next)->key < key)
		after = after->p_next;
	own->p_next = after->p_next;
	own->p_prev = after;
	after->p_next->p_prev = own;
	after->p_next = own;
	map->count++;
}

static uint8_t vl_cap_of(unsigned vls)
{
	uint8_t code = 1;

	while (hd_vlcap_vls(code) < vls && code < 5)
		code++;
	return code;
}

static void fill_port(const struct hd_fabric *fabric, uint32_t n, unsigned number, osm_node_t *node,
		      osm_physp_t *physp)
{
	const struct hd_port *port = &fabric->ports[hd_port_index(fabric, n, number)];
	const struct hd_port *own =
		hd_is_switch(fabric, n) ? &fabric->ports[hd_port_index(fabric, n, 0)] : port;
	const uint8_t code = vl_cap_of(port->vls ? port->vls : 8);
	const unsigned n_rows = hd_is_switch(fabric, n) ? fabric->nodes[n].n_ports + 1u : 1;
	const void **rows = need(calloc(n_rows, sizeof(*rows)));
	ib_port_info_t *info = &physp->port_info;

	physp->port_guid = cl_hton64(own->guid ? own->guid : fabric->nodes[n].guid);
	physp->port_num = (uint8_t)number;
	physp->p_node = node;
	physp->healthy = TRUE;
	info->base_lid = cl_hton16(port->lid);
	info->mkey_lmc = port->lmc;
	info->capability_mask = IB_PORT_CAP_HAS_SL_MAP;
	info->link_width_active = 2;
	info->vl_cap = (uint8_t)(code << 4);
	info->vl_enforce = (uint8_t)(code << 4);
	info->vl_arb_low_cap = 32;
	info->vl_arb_high_cap = 32;
	info->mtu_cap = 5;
	ib_port_info_set_port_state(info, !number || port->peer != HD_NONE ? IB_LINK_ACTIVE
									   : IB_LINK_DOWN);
	for (unsigned in = 0; in < n_rows; in++)
		rows[in] = need(calloc(1, sizeof(ib_slvl_table_t)));
	physp->slvl_by_port.state = CL_INITIALIZED;
	physp->slvl_by_port.size = physp->slvl_by_port.capacity = n_rows;
	physp->slvl_by_port.p_ptr_array = rows;
}

static osm_node_t *make_node(const struct hd_fabric *fabric, uint32_t n)
{
	const struct hd_node *own = &fabric->nodes[n];
	osm_node_t *node =
		need(calloc(1, sizeof(*node) + own->n_ports * sizeof(node->physp_table[0])));

	node->node_info.node_type = hd_is_switch(fabric, n)  ? IB_NODE_TYPE_SWITCH
				    : own->type == HD_ROUTER ? IB_NODE_TYPE_ROUTER
							     : IB_NODE_TYPE_CA;
	node->node_info.num_ports = own->n_ports;
	node->node_info.node_guid = cl_hton64(own->guid);
	node->node_info.sys_guid = cl_hton64(own->sysimg_guid);
	node->discovery_count = 1;
	node->physp_tbl_size = own->n_ports + 1u;
	node->print_desc = need(strdup(hd_node_name(fabric, n)));
	for (unsigned number = hd_is_switch(fabric, n) ? 0 : 1; number <= own->n_ports; number++)
		fill_port(fabric, n, number, node, &node->physp_table[number]);
	return node;
}

static void make_switch(struct osm_opensm *osm, const struct hd_fabric *fabric, osm_node_t *node)
{
	osm_switch_t *sw = need(calloc(1, sizeof(*sw)));

	sw->p_node = node;
	sw->num_ports = (uint8_t)node->physp_tbl_size;
	sw->max_lid_ho = (uint16_t)fabric->top_lid;
	sw->lft_size = (uint16_t)((fabric->top_lid + 64) / 64 * 64);
	sw->lft = need(calloc(1, sw->lft_size));
	sw->new_lft = need(malloc(sw->lft_size));
	sw->mcast_tbl.max_block_in_use = -1;
	sw->switch_info.lin_cap = cl_hton16(0xbfff);
	node->sw = sw;
	insert(&osm->subn.sw_guid_tbl, node->node_info.node_guid, &sw->map_item);
}

static void make_port(struct osm_opensm *osm, osm_physp_t *physp)
{
	osm_port_t *port = need(calloc(1, sizeof(*port)));

	port->p_node = physp->p_node;
	port->p_physp = physp;
	port->guid = physp->port_guid;
	port->lid = physp->port_info.base_lid;
	port->discovery_count = 1;
	insert(&osm->subn.port_guid_tbl, port->guid, &port->map_item);
}

static void discover(struct osm_opensm *osm, const struct hd_fabric *fabric)
{
	osm_node_t **nodes = need(calloc(fabric->n_nodes + 1, sizeof(osm_node_t *)));

	begin_map(&osm->subn.node_guid_tbl);
	begin_map(&osm->subn.sw_guid_tbl);
	begin_map(&osm->subn.port_guid_tbl);
	begin_map(&osm->subn.prtn_pkey_tbl);
	hd_for_each_node(n, fabric) {
		nodes[n] = make_node(fabric, n);
		insert(&osm->subn.node_guid_tbl, nodes[n]->node_info.node_guid,
		       &nodes[n]->map_item);
		if (hd_is_switch(fabric, n))
			make_switch(osm, fabric, nodes[n]);
	}
	hd_for_each_node(n, fabric) {
		for (unsigned number = 0; number <= fabric->nodes[n].n_ports; number++) {
			osm_physp_t *physp = &nodes[n]->physp_table[number];
			const struct hd_port *port =
				&fabric->ports[hd_port_index(fabric, n, number)];

			if (port->peer != HD_NONE) {
				const struct hd_port *peer = &fabric->ports[port->peer];

				physp->p_remote_physp =
					&nodes[peer->node]->physp_table[peer->number];
			}
			if (port->lid)
				make_port(osm, physp);
		}
	}
	free(nodes);
}

/* The objects go, as far as the plug-in could hold on to them. */
static void forget(struct osm_opensm *osm)
{
	for (cl_map_item_t *item = cl_qmap_head(&osm->subn.port_guid_tbl), *next;
	     item != cl_qmap_end(&osm->subn.port_guid_tbl); item = next) {
		next = cl_qmap_next(item);
		free(item);
	}
	for (cl_map_item_t *item = cl_qmap_head(&osm->subn.node_guid_tbl), *next;
	     item != cl_qmap_end(&osm->subn.node_guid_tbl); item = next) {
		osm_node_t *node = (osm_node_t *)item;

		next = cl_qmap_next(item);
		for (unsigned number = 0; number < node->physp_tbl_size; number++) {
			cl_ptr_vector_t *rows = &node->physp_table[number].slvl_by_port;

			for (size_t in = 0; in < rows->size; in++)
				free((void *)rows->p_ptr_array[in]);
			free(rows->p_ptr_array);
		}
		if (node->sw) {
			free(node->sw->lft);
			free(node->sw->new_lft);
			free(node->sw);
		}
		free(node->print_desc);
		free(node);
	}
}

/* --- sweeps --- */

/* Routes by the callbacks of releases that have planes (@re is v2), or by those of 3.3. */
static int route(struct osm_routing_engine *re)
{
#ifdef HAVE_STRUCT_OSM_ROUTING_ENGINE_GET_AR_MASK
	if (re->is_v2)
		return re->global_preprocess(re) || re->plane_preprocess(re, PLANE) ||
		       re->route(re, PLANE) || re->plane_postprocess(re, PLANE) ||
		       re->global_postprocess(re);
#endif
	return re->build_lid_matrices(re->context) || re->ucast_build_fwd_tables(re->context);
}

/* Asks for a row as the daemon does, and takes it as if the port had answered. */
static void set_row(struct osm_routing_engine *re, osm_physp_t *physp, uint8_t in)
{
	ib_slvl_table_t row = { { 0 } };
	const uint8_t out = physp->p_node->sw ? physp->port_num : 0;

	re->update_sl2vl(re->context, physp, in, out, &row);
	*osm_physp_get_slvl_tbl(physp, in) = row;
}

static void set_up_lanes(struct osm_opensm *osm, struct osm_routing_engine *re)
{
	hd_osm_for_each_node(node, osm) {
		hd_osm_for_each_physp(physp, node)
		{
			if (!physp->p_remote_physp)
				continue;
			for (unsigned in = 0; in < physp->slvl_by_port.size; in++)
				set_row(re, physp, (uint8_t)in);
			for (unsigned block = 0; block < 4; block++)
				re->update_vlarb(re->context, physp, physp->port_num,
						 &physp->vl_arb[block], 32, block);
		}
	}
}

static int sweep(struct osm_opensm *osm, struct osm_routing_engine *re, const struct module *module,
		 const struct hd_fabric *fabric)
{
	int ret;

	module->report(module->context, OSM_EVENT_ID_HEAVY_SWEEP_START, NULL);
	discover(osm, fabric);
	module->report(module->context, OSM_EVENT_ID_HEAVY_SWEEP_DONE, NULL);
	cl_plock_excl_acquire(&osm->lock);
	osm->subn.routing_engine_used = NULL;
	hd_osm_for_each_switch(sw, osm)
		memset(sw->new_lft, OSM_NO_PATH, sw->lft_size);
	ret = route(re);
	osm->subn.routing_engine_used = ret ? NULL : re;
	hd_osm_for_each_switch(sw, osm)
		memcpy(sw->lft, sw->new_lft, sw->lft_size);
	cl_plock_release(&osm->lock);
	if (!ret)
		set_up_lanes(osm, re);
	module->report(module->context, OSM_EVENT_ID_UCAST_ROUTING_DONE,
		       (void *)(uintptr_t)UCAST_ROUTING_HEAVY_SWEEP);
	module->report(module->context, OSM_EVENT_ID_SUBNET_UP, NULL);
	return ret;
}

static uint64_t guid_of(const osm_switch_t *sw)
{
	return cl_ntoh64(sw->p_node->node_info.node_guid);
}

static void print_masks(struct osm_opensm *osm, struct osm_routing_engine *re)
{
#ifdef HAVE_STRUCT_OSM_ROUTING_ENGINE_GET_AR_MASK
	if (!re->is_v2)
		return;
	printf("required %d %d\n", re->get_required_plfts(re), re->get_required_subgroups(re));
	hd_osm_for_each_switch(from, osm)
		hd_osm_for_each_switch(to, osm)
			for (int plft = 0; plft < MAX_PLFTS; plft++) {
				uint64_t ports[4] = { 0 };

				if (re->get_ar_mask(re, from, to, PLANE, plft, 0, ports))
					continue;
				printf("mask 0x%016lx 0x%016lx %d 0", guid_of(from), guid_of(to),
				       plft);
				for (unsigned port = 0; port < 256; port++)
					if (ports[port / 64] >> port % 64 & 1)
						printf(" %u", port);
				printf("\n");
			}
#else
	(void)osm;
	(void)re;
#endif
}

static void print_all(struct osm_opensm *osm, struct osm_routing_engine *re,
		      const struct hd_fabric *fabric)
{
	hd_osm_for_each_switch(sw, osm)
		for (unsigned lid = 0; lid <= fabric->top_lid; lid++)
			if (sw->lft[lid] != OSM_NO_PATH)
				printf("lft 0x%016lx 0x%04x %u\n", guid_of(sw), lid, sw->lft[lid]);
	print_masks(osm, re);
	hd_osm_for_each_port(from, osm)
		hd_osm_for_each_port(to, osm)
			if (!from->p_node->sw && from != to)
				printf("sl 0x%04x 0x%04x %u\n", cl_ntoh16(from->lid),
				       cl_ntoh16(to->lid),
				       re->path_sl(re->context, 0, from->lid, to->lid));
}

static void load(const char *path, struct osm_opensm *osm, struct module *module)
{
	void *library = dlopen(path, RTLD_NOW);
	const char *const *version = library ? dlsym(library, "osmheddle_version") : NULL;

	if (!library)
		die(dlerror());
	if (!version || strcmp(*version, OSM_PLUGIN_VERSION) != 0)
		die("no osmheddle_version, or another");
	*(void **)&module->load = dlsym(library, "osmheddle_load");
	*(void **)&module->unload = dlsym(library, "osmheddle_unload");
	*(void **)&module->report = dlsym(library, "osmheddle_report");
	if (!module->load || !module->unload || !module->report)
		die("an entry of the plug-in is missing");
	module->context = module->load(osm, NULL);
	if (!module->context)
		die("the plug-in does not load");
}

int main(int argc, char **argv)
{
	struct osm_opensm *osm = need(calloc(1, sizeof(*osm)));
	struct osm_routing_engine re = { .type = OSM_ROUTING_ENGINE_TYPE_NONE };
	struct module module;
	unsigned own = 0;
	int ret = 0;

	if (argc < 5)
		die("usage: host_5 PLUGIN ENGINE OPTIONS FABRIC...");
	if (cl_plock_init(&osm->lock))
		die("no lock");
	for (unsigned i = 0; i < OSM_MAX_BINDING_PORTS; i++) {
		pthread_mutex_init(&osm->stats[i].mutex, NULL);
		pthread_cond_init(&osm->stats[i].cond, NULL);
	}
	osm->subn.opt.qos = TRUE;
	osm->subn.opt.event_plugin_name = (char[]){ "osmheddle" };
	osm->subn.opt.event_plugin_options = argv[3];
	osm->subn.opt.routing_engine_names = argv[2];
	load(argv[1], osm, &module);
	while (own < n_engines && strcmp(engines[own].name, argv[2]) != 0)
		own++;
	if (own == n_engines)
		die("the plug-in has no such engine");
	re.name = argv[2];
	if (engines[own].setup(&re, osm))
		die("the engine is not set up");
	for (int i = 4; i < argc; i++) {
		static const struct hd_reading how;
		struct hd_fabric *fabric;
		struct hd_error err;

		if (hd_fabric_open(argv[i], &how, &fabric, &err))
			die(err.text);
		ret = sweep(osm, &re, &module, fabric);
		if (i + 1 == argc && !ret)
			print_all(osm, &re, fabric);
		forget(osm);
		hd_fabric_free(fabric);
	}
	re.destroy(re.context);
	module.unload(osm, module.context);
	free(osm);
	return ret ? 1 : 0;
}
