// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which of a destination's LIDs a host sends a packet to. */
#include "simfabric/model/state.h"

/* SL and first VL of what @from sends to @lid; VL 15: the tables do not let it. */
static unsigned lane_to(const struct host *from, uint16_t lid, uint8_t *sl)
{
	unsigned path_sl = from->path_sls[lid];

	*sl = path_sl == HD_NO_SL ? 0 : path_sl;
	return path_sl == HD_NO_SL ? HD_VL_DROP : hd_row_vl(from->row, path_sl);
}

unsigned hd_model_vls_to(const struct hd_model *model, uint32_t host, uint32_t to, uint8_t *vls)
{
	const struct destination *there = &model->destinations[to];
	unsigned n = model->options.host_policy == HD_HOST_FIRST ? 1 : 1u << there->lmc;
	uint8_t sl;

	for (unsigned i = 0; i < n; i++)
		vls[i] = lane_to(&model->hosts[host], there->lid + i, &sl);
	return n;
}

/* The one whose VL has least waiting, of those with room; of equals the next in turn. */
static unsigned least_occupied(const struct hd_model *model, uint32_t host, const uint8_t *vls,
			       unsigned n)
{
	uint32_t out = model->hosts[host].port;
	const uint32_t *waiting = &model->waiting[out * (size_t)model->n_vls];
	unsigned best = n, dropped = 0;

	for (unsigned k = 0; k < n; k++) {
		unsigned i = (model->hosts[host].turn + k) % n;

		if (vls[i] == HD_VL_DROP)
			dropped++;
		else if (hd_admittance_has_room(model, out, vls[i]) &&
			 (best == n || waiting[vls[i]] < waiting[vls[best]]))
			best = i;
	}
	return dropped == n ? 0 : best;
}

unsigned hd_model_choose_lid(const struct hd_model *model, uint32_t host, const uint8_t *vls,
			     unsigned n)
{
	unsigned i = 0;

	if (model->options.host_policy == HD_HOST_LEAST_OCCUPIED)
		return least_occupied(model, host, vls, n);
	if (model->options.host_policy == HD_HOST_ROUND_ROBIN)
		i = model->hosts[host].turn % n;
	return hd_admittance_has_room(model, model->hosts[host].port, vls[i]) ? i : n;
}

void hd_model_take_lid(struct hd_model *model, struct packet *packet, unsigned i)
{
	const struct destination *there = &model->destinations[packet->message.to];
	struct host *from = &model->hosts[packet->message.from];

	packet->dlid = there->lid + i;
	packet->out_vl = lane_to(from, packet->dlid, &packet->sl);
	if (there->lmc)
		from->turn = i + 1;
}
