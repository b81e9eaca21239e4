// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/hosts/host_policy.h"

#include "sim/hosts/admittance.h"
#include "tables/classes.h"

/*
 * SL and first VL of packets of @from to @lid, of messages with @tag; VL 15: the tables drop them.
 */
static uint8_t lane_to(const struct hd_model *model, const struct host *from, uint16_t lid,
		       uint32_t tag, uint8_t *sl)
{
	unsigned path_sl = from->path_sls[lid];

	if (model->options.class_of_tag)
		path_sl = hd_class_sl(model->network.tables->classes,
				      model->options.class_of_tag[tag], path_sl);
	*sl = path_sl == HD_NO_SL ? 0 : (uint8_t)path_sl;
	return path_sl == HD_NO_SL ? HD_VL_DROP : (uint8_t)hd_row_vl(from->row, path_sl);
}

unsigned hd_model_vls_to(const struct hd_model *model, uint32_t host, uint32_t to, uint32_t tag,
			 uint8_t *vls)
{
	const struct destination *there = &model->injection.destinations[to];
	unsigned n = model->options.host_policy->choose ? 1u << there->lmc : 1;
	uint8_t sl;

	for (unsigned i = 0; i < n; i++)
		vls[i] = lane_to(model, &model->injection.hosts[host], (uint16_t)(there->lid + i),
				 tag, &sl);
	return n;
}

unsigned hd_model_choose_lid(const struct hd_model *model, const struct hd_message *message,
			     const uint8_t *vls, unsigned n)
{
	const struct hd_host_policy *policy = model->options.host_policy;

	if (policy->choose)
		return policy->choose(model, message, vls, n);
	return hd_admittance_has_room(model, model->injection.hosts[message->from].port, vls[0])
		       ? 0
		       : n;
}

void hd_model_take_lid(struct hd_model *model, struct packet *packet, unsigned i)
{
	const struct destination *there = &model->injection.destinations[packet->message.to];
	struct host *from = &model->injection.hosts[packet->message.from];

	packet->dlid = (uint16_t)(there->lid + i);
	packet->out_vl = lane_to(model, from, packet->dlid, packet->message.tag, &packet->sl);
	if (!there->lmc)
		return;
	model->census.lid_changes += i != from->last;
	from->last = (uint8_t)i;
	from->turn = (uint8_t)(i + 1);
	if (model->options.host_policy->taken)
		model->options.host_policy->taken(model, packet);
}

void hd_host_changed(struct hd_model *model, uint32_t port, const struct packet *sent)
{
	if (model->options.host_policy->changed)
		model->options.host_policy->changed(model, port, sent);
}

void hd_host_ended(struct hd_model *model, const struct packet *packet)
{
	if (model->options.host_policy->ended &&
	    model->injection.destinations[packet->message.to].lmc)
		model->options.host_policy->ended(model, packet);
}
