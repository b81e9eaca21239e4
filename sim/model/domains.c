// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/domains.h"

#include <stdlib.h>
#include <string.h>

#include "sim/model/look_ahead.h"
#include "sim/model/transmission.h"
#include "sim/switches/adaptive.h"
#include "support/error.h"
#include "support/memory.h"

/*
 * Packet-hops of a domain in a window for which its own thread pays: some 10 microseconds of work,
 * beside the microsecond or two that threads take to meet.
 */
#define WORTH_A_THREAD 64

/* What a packet does, about: links that it crosses, and the share of the hosts' links in use. */
#define HOPS 4
#define LOAD 0.5

/*
 * A switch takes random numbers from its stream as it needs them. It matches its ports in their
 * order, so what it draws then does not depend on the order of a tick's events; but a via is drawn
 * when its packet arrives. Arrivals from other switches come in an order that depends on the number
 * of domains. Those from a switch's own hosts do not: their order follows from that of earlier
 * events at these hosts and their switch alone. But events of one kind must be on one delay line
 * for that, since a domain makes its lines in another order than a whole model.
 */
static const char *why_undivided_choice(const struct hd_model *model)
{
	const struct hd_model_options *options = &model->options;
	const struct hd_routing *routing = model->adaptive->routed->routing;

	if (routing->draws_on_way)
		return "packets draw vias as they arrive from other switches";
	if (!options->most_packet || options->least_packet != options->most_packet)
		return "packets choose their paths, and have several sizes";
	if (routing->detours && model->has_rates)
		return "packets draw vias, and links have several rates";
	if (routing->detours && options->answers && hd_switch_hooks(model))
		return "packets draw vias, and hosts answer what comes through output buffers";
	return NULL;
}

const char *hd_model_why_whole(const struct hd_model *model)
{
	const struct hd_model_options *options = &model->options;

	if (model->started)
		return "the run has begun";
	if (model->live)
		return "tables change during the run";
	if (model->observers || model->gauges || model->parts)
		return "the run is observed";
	if (model->voqnet || model->injection.admittances)
		return "switches have queues by destination";
	if (model->bubble.ring)
		return "rings have bubble flow control";
	if (model->has_own_matching || options->model->run)
		return "the switch model is not divided";
	if (model->injection.is_watched || options->host_policy->event || model->injection.replies)
		return "hosts look at the fate of packets";
	if (model->user.stale || model->user.entered)
		return "the traffic waits for deliveries";
	return model->adaptive ? why_undivided_choice(model) : NULL;
}

/* Domains that each have enough to do, about: at most @most, at least 1. */
static unsigned worth(const struct hd_model *model, unsigned most, uint64_t window)
{
	const struct hd_model_options *options = &model->options;
	double packet = (double)options->links[HD_LINK_TERMINAL].unit_ticks *
			(options->least_packet ? options->least_packet : 1);
	double hops = model->injection.n_hosts * LOAD * HOPS * (double)window / packet;

	if (hops >= (double)WORTH_A_THREAD * most)
		return most;
	return hops < 2 * WORTH_A_THREAD ? 1 : (unsigned)(hops / WORTH_A_THREAD);
}

static uint8_t domain_of_host(const struct hd_domains *domains, const struct hd_model *model,
			      uint32_t host)
{
	uint32_t peer = hd_sender(model, model->injection.hosts[host].port)->peer;

	/* two hosts back to back */
	return hd_is_switch_port(model, peer) ? domains->of_switch[hd_switch_of(model, peer)] : 0;
}

/* Marks both ends of links between domains. */
static void mark_cut(struct hd_model *model, const struct hd_domains *domains)
{
	for (uint32_t out = 0; out < model->network.first_host_port; out++) {
		struct sender *sender = hd_sender(model, out);

		if (!hd_is_port(model, out) || sender->to_host)
			continue;
		sender->is_cut = domains->of_switch[hd_switch_of(model, out)] !=
				 domains->of_switch[hd_switch_of(model, sender->peer)];
		if (!sender->is_cut)
			continue;
		hd_receiver(model, sender->peer)->is_cut = true;
		hd_receiver(model, sender->peer)->is_watched = true;
	}
}

/* What domain @model of @whole needs where packets choose their paths; false: no memory. */
static bool share_choice(const struct hd_model *whole, struct hd_model *model)
{
	model->adaptive = hd_adaptive_share(whole->adaptive);
	if (!model->adaptive)
		return false;
	hd_adaptive_begin_notices(model);
	/*
	 * a whole model has this line before others of packets, which hosts are the first to send
	 */
	hd_wire_line(model, HD_EVENT_DONE, HD_LINK_TERMINAL, model->options.most_packet,
		     hd_ticks_to_idle);
	return true;
}

/* A domain's model: what it shares with @whole, and what is its own. */
static int make_domain(struct hd_model *whole, struct hd_domains *domains, struct hd_domain *domain)
{
	struct hd_model *model = malloc(sizeof(*model));
	size_t n = whole->network.n_switches + whole->network.n_ports -
		   whole->network.first_host_port + (size_t)1;

	if (!model)
		return HD_ENOMEM;
	domain->model = model;
	*model = *whole;
	model->domains = domains;
	model->started = true;
	model->dirty = NULL;
	model->notes = NULL;
	model->buffers.packets = NULL;
	model->adaptive = NULL;
	hd_backlog_pool_init(&model->injection.backlogs);
	/* the whole looks for deadlocks */
	model->deadlock =
		(struct deadlock){ .interval = UINT64_MAX / 2, .patience = UINT64_MAX / 2 };
	if (!hd_events_copy_lines(&model->events, &whole->events))
		return HD_ENOMEM;
	if (whole->adaptive && !share_choice(whole, model))
		return HD_ENOMEM;
	model->dirty = malloc(hd_most_dirty(model, n) * sizeof(*model->dirty));
	if (!model->dirty || hd_model_look_ahead_new(model))
		return HD_ENOMEM;
	for (unsigned i = 0; i < 2; i++) {
		domain->mails[i] = calloc(domains->n, sizeof(*domain->mails[i]));
		if (!domain->mails[i])
			return HD_ENOMEM;
		for (uint32_t k = 0; k < domains->n; k++)
			hd_mails_empty(&domain->mails[i][k]);
	}
	return 0;
}

static void free_domain(struct hd_domains *domains, struct hd_domain *domain)
{
	struct hd_model *model = domain->model;

	for (unsigned i = 0; i < 2 && domain->mails[i]; i++) {
		for (uint32_t k = 0; k < domains->n; k++)
			hd_mails_free(&domain->mails[i][k]);
		free(domain->mails[i]);
	}
	if (!model)
		return;
	hd_events_free(&model->events);
	hd_backlog_pool_free(&model->injection.backlogs);
	hd_adaptive_unshare(model->adaptive);
	free(model->buffers.packets);
	free(model->dirty);
	free(model->notes);
	free(model);
}

void hd_domains_free(struct hd_domains *domains)
{
	if (!domains)
		return;
	for (uint32_t k = 0; k < domains->n && domains->of; k++)
		free_domain(domains, &domains->of[k]);
	free(domains->of);
	free(domains->of_switch);
	free(domains->of_host);
	free(domains);
}

/* How many domains there are to be, and which; 1: the model stays whole. */
static unsigned choose(const struct hd_model *model, struct hd_domains *domains, unsigned most,
		       bool only_if_faster)
{
	unsigned n = hd_domains_cut(model, most, domains->of_switch, &domains->window), fewer = n;

	if (only_if_faster && n > 1)
		fewer = worth(model, n, domains->window);
	if (fewer < n)
		n = hd_domains_cut(model, fewer, domains->of_switch, &domains->window);
	return n;
}

static int make_domains(struct hd_model *model, struct hd_domains *domains)
{
	size_t size = domains->n * sizeof(*domains->of);

	domains->of = hd_alloc_large(size);
	domains->of_host = malloc(model->injection.n_hosts + (size_t)1);
	if (!domains->of || !domains->of_host) {
		free(domains->of);
		domains->of = NULL;
		return HD_ENOMEM;
	}
	memset(domains->of, 0, size);
	for (uint32_t host = 0; host < model->injection.n_hosts; host++)
		domains->of_host[host] = domain_of_host(domains, model, host);
	for (uint32_t k = 0; k < domains->n; k++)
		if (make_domain(model, domains, &domains->of[k]))
			return HD_ENOMEM;
	return 0;
}

/* Divides @model among @ranks, or threads if that is NULL. */
static int divide(struct hd_model *model, unsigned most, bool only_if_faster,
		  struct hd_ranks *ranks, unsigned *n, struct hd_error *err)
{
	struct hd_domains *domains;

	*n = 1;
	if (most < 2 || hd_model_why_whole(model))
		return 0;
	domains = calloc(1, sizeof(*domains));
	if (domains)
		domains->of_switch = malloc(model->network.n_switches + (size_t)1);
	if (!domains || !domains->of_switch) {
		hd_domains_free(domains);
		return hd_error_nomem(err);
	}
	domains->whole = model;
	domains->ranks = ranks;
	domains->n = choose(model, domains, most, only_if_faster);
	if (domains->n == 1 || (ranks && domains->n != ranks->n)) {
		hd_domains_free(domains);
		return 0;
	}
	if (model->adaptive) /* domains do not learn from one another what packets there are */
		hd_adaptive_grow_packet(model, model->options.most_packet);
	if (make_domains(model, domains)) {
		hd_domains_free(domains);
		return hd_error_nomem(err);
	}
	mark_cut(model, domains);
	model->domains = domains;
	model->run = hd_domains_run;
	*n = domains->n;
	return 0;
}

int hd_model_divide(struct hd_model *model, unsigned most, bool only_if_faster, unsigned *n,
		    struct hd_error *err)
{
	return divide(model, most, only_if_faster, NULL, n, err);
}

int hd_model_spread(struct hd_model *model, struct hd_ranks *ranks, unsigned *n,
		    struct hd_error *err)
{
	return divide(model, ranks->n, false, ranks, n, err);
}

struct hd_model *hd_model_domain(struct hd_model *model, unsigned domain, void *context)
{
	struct hd_model *own = model->domains->of[domain].model;

	own->user.context = context;
	return own;
}

bool hd_model_is_late(const struct hd_model *model)
{
	const struct hd_domains *domains = model->domains;

	if (domains && domains->is_late)
		return true;
	for (uint32_t k = 0; domains && k < domains->n; k++)
		for (uint32_t to = 0; to < domains->n; to++)
			if (domains->of[k].mails[0][to].is_late ||
			    domains->of[k].mails[1][to].is_late)
				return true;
	return false;
}
