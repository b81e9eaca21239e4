// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Notices: what switches tell their groups, every period. Most switches have nothing new to tell in
 * a period of one cycle, so only those are asked whose counters have changed; and while all notices
 * that are kept say the same, there is no event.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/model/domains.h"
#include "sim/switches/adaptive_sight.h"
#include "support/error.h"

bool hd_notices_share(struct notices *notices, uint32_t n_switches)
{
	const size_t n = n_switches + (size_t)1;

	notices->n_active = 0;
	notices->is_awake = false;
	notices->active = NULL;
	notices->left = NULL;
	notices->changed = NULL;
	if (!notices->bytes)
		return true;
	notices->active = malloc(n * sizeof(*notices->active));
	notices->left = calloc(n, sizeof(*notices->left));
	notices->changed = calloc(n, sizeof(*notices->changed));
	return notices->active && notices->left && notices->changed;
}

void hd_notices_unshare(struct notices *notices)
{
	free(notices->active);
	free(notices->left);
	free(notices->changed);
}

void hd_notices_all_changed(struct hd_model *model)
{
	for (uint32_t at = 0; at < model->network.n_switches; at++)
		hd_notices_changed(model, at);
}

/*
 * Notices come at whole periods, but not at time 0. That of now is yet to come if its line is
 * behind that of the event that is being handled.
 */
void hd_notices_wake(struct hd_model *model)
{
	struct hd_events *events = &model->events;
	struct notices *notices = &model->adaptive->notices;
	const uint64_t period = events->lines[notices->line].delay;
	uint64_t time = events->now - events->now % period;

	if (!time || time < events->now || events->line >= notices->line)
		time += period;
	notices->is_awake = true;
	hd_events_post_at(events, notices->line, time, 0, 0);
}

int hd_notices_new(struct hd_model *model, struct hd_adaptive *a)
{
	const struct hd_routed *routed = a->routed;
	struct notices *notices = &a->notices;
	uint64_t period = routed->notice_period * model->options.cycle, delay;
	size_t switches = model->network.n_switches;

	notices->bytes = routed->notice_bytes;
	if (!notices->bytes)
		return 0;
	delay = routed->notice_delay == HD_BY_LINK ? model->options.links[HD_LINK_LOCAL].propagation
						   : routed->notice_delay * model->options.cycle;
	notices->late = (unsigned)((delay + period - 1) / period);
	notices->n_slots = notices->late + 1;
	notices->told = calloc(notices->n_slots * switches + 1, notices->bytes);
	if (!notices->told || !hd_notices_share(notices, (uint32_t)switches))
		return HD_ENOMEM;
	if (!routed->trigger || !routed->trigger->needs_sums)
		return 0;
	notices->sums = calloc((size_t)notices->n_slots * a->shape->n_groups * notices->bytes + 1,
			       sizeof(*notices->sums));
	return notices->sums ? 0 : HD_ENOMEM;
}

void hd_adaptive_make_lines(struct hd_model *model)
{
	struct notices *notices = &model->adaptive->notices;

	if (!notices->bytes)
		return;
	notices->line =
		hd_events_line(&model->events, HD_EVENT_NOTICE,
			       model->adaptive->routed->notice_period * model->options.cycle);
	hd_adaptive_begin_notices(model);
}

void hd_adaptive_begin_notices(struct hd_model *model)
{
	if (model->adaptive->notices.bytes)
		hd_notices_all_changed(model);
}

/* Whether switch @at is one of @model, which may be a domain's. */
static bool is_own(const struct hd_model *model, uint32_t at)
{
	return hd_model_at(model, hd_first_port(model, at)) == model;
}

/* The same of a group, which is in one domain; what an empty one tells does not matter. */
static bool is_own_group(const struct hd_model *model, uint32_t group)
{
	const struct hd_shape *shape = model->adaptive->shape;
	uint32_t first = shape->group_first[group];

	return first < shape->group_first[group + 1] && is_own(model, shape->members[first]);
}

static void sum_group(const struct hd_adaptive *a, uint32_t group, const uint8_t *told,
		      uint32_t *sums)
{
	unsigned bytes = a->notices.bytes;

	memset(sums, 0, bytes * sizeof(*sums));
	for (uint32_t i = a->shape->group_first[group]; i < a->shape->group_first[group + 1]; i++) {
		const uint8_t *of = told + a->shape->members[i] * (size_t)bytes;

		for (unsigned k = 0; k < bytes; k++)
			sums[k] += of[k];
	}
}

/*
 * Writes into @told what this model's switches tell now, where that may differ from what they told
 * in @before, one slot ago.
 */
static void tell(struct hd_model *model, struct hd_adaptive *a, uint8_t *told,
		 const uint8_t *before)
{
	struct notices *notices = &a->notices;
	uint32_t n = 0;

	for (uint32_t i = 0; i < notices->n_active; i++) {
		const uint32_t at = notices->active[i];
		const size_t begin = at * (size_t)notices->bytes;

		if (!is_own(model, at)) {
			notices->left[at] = 0;
			continue;
		}
		if (notices->changed[at]) {
			struct hd_sight sight = hd_adaptive_sight(model, at);
			const struct hd_view view = { .shape = a->shape,
						      .at = at,
						      .sight = &sight };

			notices->changed[at] = false;
			a->routed->notice(a->routed, &view, told + begin);
		} else {
			memcpy(told + begin, before + begin, notices->bytes);
		}
		if (--notices->left[at])
			notices->active[n++] = at;
	}
	notices->n_active = n;
}

void hd_adaptive_notice(struct hd_model *model)
{
	struct hd_adaptive *a = model->adaptive;
	struct notices *notices = &a->notices;
	size_t switches = model->network.n_switches;
	const bool any = notices->n_active;
	const unsigned before = notices->slot;
	uint8_t *told;

	notices->slot = notices->slot + 1 == notices->n_slots ? 0 : notices->slot + 1;
	told = notices->told + notices->slot * switches * notices->bytes;
	if (notices->n_active)
		tell(model, a, told, notices->told + before * switches * notices->bytes);
	for (uint32_t group = 0; any && notices->sums && group < a->shape->n_groups; group++)
		if (is_own_group(model, group))
			sum_group(a, group, told,
				  notices->sums +
					  ((size_t)notices->slot * a->shape->n_groups + group) *
						  notices->bytes);
	/* how many there are depends on how a run is divided */
	model->census.signals++;
	notices->is_awake = notices->n_active > 0;
	if (notices->is_awake)
		hd_events_post(&model->events, notices->line, 0, 0);
}
