// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model.h"

#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim/hosts/host.h"
#include "sim/model/domains.h"
#include "sim/model/machine.h"
#include "sim/model/observers.h"
#include "sim/model/verify.h"

uint32_t hd_model_hosts(const struct hd_model *model)
{
	return model->injection.n_hosts;
}

unsigned hd_model_vls(const struct hd_model *model)
{
	return model->n_vls;
}

uint32_t hd_model_host_port(const struct hd_model *model, uint32_t host)
{
	return model->network.fabric_port[model->injection.hosts[host].port];
}

const struct hd_header *hd_model_delivered_header(const struct hd_model *model)
{
	return model->adaptive ? &model->adaptive->delivered : NULL;
}

static void add_census(struct hd_model_census *sum, const struct hd_model *model)
{
	const struct hd_model_census *own = &model->census;

	sum->generated += own->generated;
	sum->queued += own->queued;
	sum->under_way += own->under_way;
	sum->delivered += own->delivered;
	sum->dropped += own->dropped;
	sum->packet_hops += own->packet_hops;
	sum->lid_changes += own->lid_changes;
	sum->events += model->events.taken;
	sum->signals += own->signals;
}

struct hd_model_census hd_model_census(const struct hd_model *model)
{
	const struct hd_domains *domains = model->domains;
	struct hd_model_census census = { 0 };

	if (!domains)
		add_census(&census, model);
	for (uint32_t k = 0; domains && k < domains->n; k++)
		add_census(&census, domains->of[k].model);
	census.packet_hops -= hd_model_hops_counted_early(model);
	return census;
}

const struct hd_channel *hd_model_deadlock(const struct hd_model *model, size_t *n)
{
	*n = model->deadlock.n_cycle;
	return model->deadlock.cycle;
}

void hd_model_inject(struct hd_model *model, const struct hd_message *message)
{
	uint32_t index = hd_model_new_packet(model);

	if (index == HD_NONE)
		return;
	model->buffers.packets[index].message = *message;
	if (message->time > model->events.now)
		hd_events_post_any(&model->events, HD_EVENT_INJECT,
				   message->time - model->events.now, 0, index);
	else
		hd_model_admit(model, index);
}

void hd_model_wake(struct hd_model *model, uint32_t host, uint64_t time)
{
	hd_events_post_any(&model->events, HD_EVENT_WAKE,
			   time > model->events.now ? time - model->events.now : 0, host, 0);
}

void hd_model_fail(struct hd_model *model)
{
	model->events.out_of_memory = true;
	model->pause = 0;
}

void hd_model_restart(struct hd_model *model)
{
	for (uint32_t host = 0; host < model->injection.n_hosts; host++)
		hd_model_schedule(model, host);
}

int hd_model_run(struct hd_model *model, uint64_t until, struct hd_error *err)
{
	struct hd_error cause;
	int ret = model->run(model, until, &cause);

	/* what is dead stays dead, also when there is nothing left to do until @until */
	if (ret == HD_EREFUSED)
		model->deadlock.told = cause;
	else if (!ret && model->deadlock.told.code)
		ret = (cause = model->deadlock.told).code;
	if (ret && err)
		*err = cause;

#ifdef HD_DEBUG
	char what[512];

	if ((!ret && !hd_model_verify(model, what, sizeof(what))) ||
	    (ret == HD_EREFUSED && !hd_model_verify_rings(model, what, sizeof(what)))) {
		fprintf(stderr, "the performance model is in no possible state: %s\n", what);
		abort();
	}
#endif
	return ret;
}

void hd_model_observe(struct hd_model *model, struct hd_model_observer *observer)
{
	observer->next = model->observers;
	model->observers = observer;
	/* observers hear of room when a packet's tail has left, not before */
	if (observer->buffer)
		model->early_credits = false;
	hd_machine_choose(model);
}
