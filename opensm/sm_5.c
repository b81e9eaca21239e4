// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * NVIDIA's OpenSM 5.x, by its public headers alone: what they do not declare is not called. Changed
 * against 3.3 are: where the engine in use, the fall-back and the subnet manager's state stand;
 * statistics and directed paths for each port of the manager; registration without a context.
 */
#include "opensm/sm.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The longest wait in one piece, in nanoseconds: OpenSM may exit meanwhile. */
#define NAP_NS 50000000

/*
 * What was registered. OpenSM hands setup() neither a context nor the plug-in, only the engine and
 * its name, so this list cannot belong to anything else.
 */
struct registered {
	struct registered *next;
	const char *name;
	hd_sm_setup_fn setup;
	void *context;
};

static struct registered *list;

bool hd_sm_has_engine(const char *name)
{
	for (int type = OSM_ROUTING_ENGINE_TYPE_NONE + 1; type < OSM_ROUTING_ENGINE_TYPE_END;
	     type++) {
		const char *own = osm_routing_engine_type_str((osm_routing_engine_type_t)type);

		if (own && strcmp(own, name) == 0)
			return true;
	}
	return false;
}

static int setup(struct osm_routing_engine *re, struct osm_opensm *osm)
{
	for (const struct registered *engine = list; engine; engine = engine->next) {
		if (!re->name || strcmp(engine->name, re->name) != 0)
			continue;
		re->context = engine->context;
		return engine->setup(re, osm);
	}
	return -1;
}

bool hd_sm_register(struct osm_opensm *osm, const char *name, hd_sm_setup_fn setup_engine,
		    void *context)
{
	struct registered *engine = malloc(sizeof(*engine));

	if (!engine)
		return false;
	*engine = (struct registered){ list, name, setup_engine, context };
	list = engine;
	if (!osm_routing_engine_create(osm, name, setup))
		return true;
	list = engine->next;
	free(engine);
	return false;
}

void hd_sm_unregister(void)
{
	while (list) {
		struct registered *engine = list;

		list = engine->next;
		free(engine);
	}
}

const struct osm_routing_engine *hd_sm_used(const struct osm_opensm *osm)
{
	return osm->subn.routing_engine_used;
}

const char *hd_sm_name(const struct osm_routing_engine *re)
{
	return osm_routing_engine_name((struct osm_routing_engine *)re);
}

boolean_t *hd_sm_no_fallback(struct osm_opensm *osm)
{
	return &osm->subn.no_fallback_routing_engine;
}

bool hd_sm_is_master(const struct osm_opensm *osm)
{
#ifdef HAVE_STRUCT_OSM_SUBN_SM_STATE
	return osm->subn.sm_state == IB_SMINFO_STATE_MASTER;
#else
	return osm->subn.sm_state_info.sm_state == IB_SMINFO_STATE_MASTER;
#endif
}

uint32_t hd_sm_count_lost(const struct osm_opensm *osm)
{
	uint32_t n = 0;

	for (unsigned i = 0; i < OSM_MAX_BINDING_PORTS; i++) {
		const osm_stats_t *stats = &osm->stats[i];

		n += (uint32_t)(stats->qp0_mads_sent - stats->qp0_unicasts_sent -
				stats->qp0_mads_rcvd);
	}
	return n;
}

const osm_dr_path_t *hd_sm_path(struct osm_opensm *osm, osm_physp_t *physp)
{
	return osm_physp_get_dr_path_ptr(&osm->sm, physp);
}

void hd_sm_send(struct osm_opensm *osm, const osm_dr_path_t *path, osm_physp_t *physp,
		const struct hd_sm_mad *mad, const osm_madw_context_t *context)
{
	const ib_net32_t modifier = cl_hton32(mad->modifier);

	if (mad->data)
		osm_req_set(&osm->sm, path, physp, mad->data, mad->size, mad->attribute, modifier,
			    FALSE, mad->key, 0, CL_DISP_MSGID_NONE, context);
	else
		osm_req_get(&osm->sm, path,
#ifdef OSM_REQ_GET_HAS_PHYSP
			    physp,
#endif
			    mad->attribute, modifier, FALSE, mad->key, 0, CL_DISP_MSGID_NONE,
			    context);
}

/* Waits for the answers to what went out by one port of the manager. True: OpenSM exits. */
static bool wait_for_port(osm_stats_t *stats)
{
	pthread_mutex_lock(&stats->mutex);
	while (stats->qp0_mads_outstanding > 0 && !osm_exit_flag) {
		struct timespec end;

		clock_gettime(CLOCK_REALTIME, &end);
		end.tv_nsec += NAP_NS;
		end.tv_sec += end.tv_nsec / 1000000000;
		end.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&stats->cond, &stats->mutex, &end);
	}
	pthread_mutex_unlock(&stats->mutex);
	return osm_exit_flag;
}

bool hd_sm_wait(struct osm_opensm *osm)
{
	for (unsigned i = 0; i < OSM_MAX_BINDING_PORTS; i++)
		if (wait_for_port(&osm->stats[i]))
			return true;
	return false;
}

/* No public header declares a call that sends SL2VL tables, or sets up ports. */
bool hd_sm_sends_rounds(void)
{
	return false;
}

void hd_sm_send_lfts(struct osm_opensm *osm)
{
	(void)osm;
}

void hd_sm_send_lanes(struct osm_opensm *osm)
{
	(void)osm;
}

void hd_sm_set_links(struct osm_opensm *osm, uint8_t state)
{
	(void)osm;
	(void)state;
}

void hd_sm_dump(struct osm_opensm *osm)
{
	(void)osm;
}

bool hd_sm_reset_changes(struct osm_opensm *osm)
{
	(void)osm;
	return false;
}
