// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* OpenSM 3.3. */
#include "opensm/sm.h"

/* Of osm_qos.c. */
int osm_qos_setup(struct osm_opensm *osm);

/* Of osm_link_mgr.c. */
int osm_link_mgr_process(osm_sm_t *sm, uint8_t state);

/* Of osm_dump.c. */
void osm_dump_all(struct osm_opensm *osm);

/* Of osm_state_mgr.c. */
void osm_reset_switch_state_change_bit(struct osm_opensm *osm);
int wait_for_pending_transactions(osm_stats_t *stats);

bool hd_sm_has_engine(const char *name)
{
	return osm_routing_engine_type(name) != OSM_ROUTING_ENGINE_TYPE_UNKNOWN;
}

bool hd_sm_register(struct osm_opensm *osm, const char *name, hd_sm_setup_fn setup, void *context)
{
	const external_routing_engine_module_t module = { .name = name, .setup = setup };

	return osm_register_external_routing_engine(osm, &module, context) == CL_SUCCESS;
}

/* OpenSM keeps it. */
void hd_sm_unregister(void)
{
}

const struct osm_routing_engine *hd_sm_used(const struct osm_opensm *osm)
{
	return osm->routing_engine_used;
}

const char *hd_sm_name(const struct osm_routing_engine *re)
{
	return osm_routing_engine_type_str(re->type);
}

boolean_t *hd_sm_no_fallback(struct osm_opensm *osm)
{
	return &osm->no_fallback_routing_engine;
}

bool hd_sm_is_master(const struct osm_opensm *osm)
{
	return osm->subn.sm_state == IB_SMINFO_STATE_MASTER;
}

uint32_t hd_sm_count_lost(const struct osm_opensm *osm)
{
	const osm_stats_t *stats = &osm->stats;

	return (uint32_t)(stats->qp0_mads_sent - stats->qp0_unicasts_sent - stats->qp0_mads_rcvd);
}

const osm_dr_path_t *hd_sm_path(struct osm_opensm *osm, osm_physp_t *physp)
{
	(void)osm;
	return osm_physp_get_dr_path_ptr(physp);
}

void hd_sm_send(struct osm_opensm *osm, const osm_dr_path_t *path, osm_physp_t *physp,
		const struct hd_sm_mad *mad, const osm_madw_context_t *context)
{
	(void)physp;
	if (mad->data)
		osm_req_set(&osm->sm, path, mad->data, mad->size, mad->attribute,
			    cl_hton32(mad->modifier), FALSE, mad->key, 0, CL_DISP_MSGID_NONE,
			    context);
	else
		osm_req_get(&osm->sm, path, mad->attribute, cl_hton32(mad->modifier), FALSE,
			    mad->key, 0, CL_DISP_MSGID_NONE, context);
}

bool hd_sm_wait(struct osm_opensm *osm)
{
	return wait_for_pending_transactions(&osm->stats);
}

bool hd_sm_sends_rounds(void)
{
	return true;
}

void hd_sm_send_lfts(struct osm_opensm *osm)
{
	osm_ucast_mgr_set_fwd_tables(&osm->sm.ucast_mgr);
}

void hd_sm_send_lanes(struct osm_opensm *osm)
{
	osm_qos_setup(osm);
}

void hd_sm_set_links(struct osm_opensm *osm, uint8_t state)
{
	osm_link_mgr_process(&osm->sm, state);
}

void hd_sm_dump(struct osm_opensm *osm)
{
	osm_dump_all(osm);
}

bool hd_sm_reset_changes(struct osm_opensm *osm)
{
	osm_reset_switch_state_change_bit(osm);
	return true;
}
