// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The switch with VC allocation as a policy: what it takes, and making it. vc.h has the rest. */
#include <stdlib.h>

#include "sim/model/model_network.h"
#include "sim/switches/vc.h"
#include "support/error.h"
#include "support/memory.h"
#include "support/options.h"

#define MOST_CYCLES 64         /* of a stage */
#define MOST_DELAY  (1u << 20) /* of a link or a switch, cycles: each has a slot for arrivals */

static const struct hd_option options[] = {
	{ "vcs", "0", "", "VCs of each link, the same number for each VL; 0: one for each VL" },
	{ "speculative", "no", "",
	  "whether a head asks for its VC and for the crossbar in the same cycle" },
	{ "routing", "1", "cycles", "until a head at the front of its FIFO asks for a VC" },
	{ "vc", "1", "cycles", "of VC allocation" },
	{ "cross", "1", "cycles", "of the allocation of the crossbar" },
	{ "crossbar", "1", "cycles", "through the crossbar" },
	{ "credit", "0", "cycles", "from a credit's arrival at a switch until the credit counts" },
	{ "whole", "no", "",
	  "whether a packet keeps the crossbar while its flits and credits come" },
	{ "hosts", "any", "", "VCs on hosts' links: any, or those of the packet's VL (class)" },
	{ "up", "tables", "",
	  "ports up a tree: the tables', a random one (random), or of two random ones the one "
	  "behind "
	  "which fewer flits are (two)" },
	{ "tail", "no", "", "whether a VC takes the next packet only when its buffer is empty" },
	{ 0 },
};

static const char *const host_words[] = { "any", "class", NULL };
static const char *const up_words[] = { "tables", "random", "two", NULL };

static int refuse(struct hd_error *err, const char *what)
{
	return hd_error_set(err, HD_EINVAL, "switch model vc %s", what);
}

/* What only other switch models have. */
static int check(const struct hd_model_options *o, struct hd_error *err)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		if (o->links[i].port_buffer)
			return refuse(err, "has a buffer for each VC, and none for a port");
		if (o->links[i].vcs)
			return refuse(err, "has as many VCs as vc:vcs= says");
	}
	if (o->routed)
		return refuse(err, "sends packets as the tables say: none choose their paths");
	if (o->live)
		return refuse(err, "takes tables and links that do not change");
	if (o->buffering->by_output)
		return refuse(err, "has a FIFO for each VC at its in-ports");
	if (o->damq)
		return refuse(err, "has a buffer for each VC, which others do not share");
	if (o->bubble)
		return refuse(err, "knows no rings with bubble flow control");
	if (o->speedup != 1)
		return refuse(err, "has a crossbar as fast as the links: switch.speedup = 1");
	if (o->reads > 1)
		return refuse(err, "sends a flit of an in-port at a time: switch.reads = 1");
	if (o->crossbar_latency)
		return refuse(err, "says the time through the crossbar by vc:crossbar=");
	if (o->arbiter->before || o->arbiter->served || o->transit)
		return refuse(err, "serves ports and VCs in turn");
	if (o->scheduler->next)
		return refuse(err, "serves VCs in turn: switch.scheduler = rr");
	if (o->header || o->gap)
		return refuse(err, "sends flits only, neither headers nor gaps");
	if (o->admittance->by_destination)
		return refuse(err, "has hosts with a queue, or one for each VL");
	if (o->host_policy->changed || o->host_policy->ended || o->host_policy->event)
		return refuse(err, "has hosts that do not watch the fate of packets");
	if (o->host_replies || (o->consumption > 0 && o->consumption < 1))
		return refuse(err, "has hosts that take in everything at once");
	if (o->count_waits || o->parts)
		return refuse(err, "counts no waits of ports, and no parts of latencies");
	return 0;
}

static int read_cycles(const struct hd_params *params, const char *key, unsigned least,
		       unsigned *cycles, struct hd_error *err)
{
	uint64_t value = 0;
	int ret = hd_params_number(params, key, least, MOST_CYCLES, &value, err);

	*cycles = (unsigned)value;
	return ret;
}

static int read_words(const struct hd_params *params, struct hd_vc_options *o, struct hd_error *err)
{
	unsigned word = 0, up = 0;

	if (hd_params_bool(params, "speculative", &o->is_speculative, err) ||
	    hd_params_bool(params, "whole", &o->is_whole, err) ||
	    hd_params_bool(params, "tail", &o->waits_for_tail, err) ||
	    hd_params_word(params, "hosts", host_words, &word, err) ||
	    hd_params_word(params, "up", up_words, &up, err))
		return err->code;
	o->up = (enum hd_vc_up_choice)up;
	o->has_any_vc = !word;
	return 0;
}

static int read_options(const struct hd_params *given, struct hd_vc_options *o,
			struct hd_error *err)
{
	struct hd_params *defaults = given ? NULL : hd_params_new(options);
	const struct hd_params *params = given ? given : defaults;
	uint64_t vcs = 0;
	int ret;

	if (!params)
		return hd_error_nomem(err);
	ret = hd_params_number(params, "vcs", 0, HD_MAX_VCS, &vcs, err);
	if (!ret)
		ret = read_cycles(params, "routing", 0, &o->routing, err);
	if (!ret)
		ret = read_cycles(params, "vc", 1, &o->vc, err);
	if (!ret)
		ret = read_cycles(params, "cross", 1, &o->cross, err);
	if (!ret)
		ret = read_cycles(params, "crossbar", 1, &o->crossbar, err);
	if (!ret)
		ret = read_cycles(params, "credit", 0, &o->credit, err);
	if (!ret)
		ret = read_words(params, o, err);
	o->vcs = (unsigned)vcs;
	hd_params_free(defaults);
	if (!ret && o->is_speculative && (o->vc > 1 || o->cross > 1))
		ret = refuse(err, "guesses only where both allocations take one cycle");
	if (!ret && o->is_whole && o->cross > 1)
		ret = refuse(err, "keeps the crossbar only where its allocation takes one cycle");
	return ret;
}

static int count_vcs(const struct hd_model *model, unsigned vls, unsigned *vcs,
		     struct hd_error *err)
{
	struct hd_vc_options o;

	if (read_options(model->options.switch_params, &o, err))
		return err->code;
	*vcs = o.vcs ? o.vcs : vls;
	return *vcs % vls
		       ? hd_error_set(err, HD_EINVAL,
				      "vc:vcs=%u: the tables use %u VLs, which have equally many",
				      *vcs, vls)
		       : 0;
}

/* Links of one rate, whose flits take a cycle. */
static int check_rates(const struct hd_model *model, uint64_t ticks, struct hd_error *err)
{
	const struct hd_model_options *o = &model->options;
	bool is_one = true;

	for (uint32_t port = 0; port < model->network.n_ports; port++) {
		const uint32_t p = model->network.fabric_port[port];

		if (p == HD_NONE)
			continue;
		is_one = is_one && o->links[hd_model_link_class(model, p)].unit_ticks == ticks &&
			 (!o->port_ticks || !o->port_ticks[p] || o->port_ticks[p] == ticks);
	}
	return is_one ? 0 : refuse(err, "works in cycles of one length: all links have one rate");
}

/* The stages of the pipeline, and what switch.latency has beyond them. */
static int make_pipeline(const struct hd_model *model, struct hd_vc *own, struct hd_error *err)
{
	const struct hd_vc_options *o = &own->options;
	const unsigned stages =
		o->routing + (o->is_speculative ? 1 : o->vc + o->cross) + o->crossbar;
	const uint64_t latency = (model->options.latency + own->ticks - 1) / own->ticks;
	uint64_t most = latency;

	if (latency < stages)
		return hd_error_set(err, HD_EINVAL,
				    "switch model vc has stages of %u cycles in all, and "
				    "switch.latency is only %llu",
				    stages, (unsigned long long)latency);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		const uint64_t delay =
			(model->options.links[i].propagation + own->ticks - 1) / own->ticks;

		if (delay > MOST_DELAY || latency > MOST_DELAY)
			return refuse(err, "has no room for links and switches of so many cycles");
		own->delays[i] = (unsigned)delay;
		own->buffers[i] = model->options.links[i].buffer;
		most = delay + latency > most ? delay + latency : most;
	}
	own->input = (unsigned)(latency - stages);
	own->n_slots = 2;
	while (own->n_slots < most + o->credit + 4)
		own->n_slots *= 2;
	return 0;
}

static void *array(size_t n, size_t size, bool *failed)
{
	void *data = calloc(n + 1, size);

	*failed = *failed || !data;
	return data;
}

static int make_arrays(struct hd_model *model, struct hd_vc *own, struct hd_error *err)
{
	const size_t n_ports = model->network.n_ports, lanes = n_ports * own->n_vcs,
		     hosts = n_ports - model->network.first_host_port,
		     n = model->network.most_locals, most = n * own->n_vcs;
	struct hd_vc_matching *m = &own->matching;
	bool failed = false;

	own->ins = array(lanes, sizeof(*own->ins), &failed);
	own->outs = array(lanes, sizeof(*own->outs), &failed);
	own->ports = array(n_ports, sizeof(*own->ports), &failed);
	own->hosts = array(hosts, sizeof(*own->hosts), &failed);
	own->vc_accept = array(lanes, sizeof(*own->vc_accept), &failed);
	own->vc_grant = array(lanes, sizeof(*own->vc_grant), &failed);
	own->cross_accept = array(n_ports, sizeof(*own->cross_accept), &failed);
	own->cross_grant = array(n_ports, sizeof(*own->cross_grant), &failed);
	own->busy = array(lanes, sizeof(*own->busy), &failed);
	own->n_busy = array(model->network.n_switches, sizeof(*own->n_busy), &failed);
	own->is_at_work = array(model->network.n_switches, sizeof(*own->is_at_work), &failed);
	own->at_work = array(model->network.n_switches, sizeof(*own->at_work), &failed);
	own->sends = array(hosts, sizeof(*own->sends), &failed);
	own->slots = array(own->n_slots, sizeof(*own->slots), &failed);
	/* each in-VC asks for all VCs of one out-port at most */
	m->requests = array(most * own->n_vcs, sizeof(*m->requests), &failed);
	m->in_match = array(most, sizeof(*m->in_match), &failed);
	m->out_match = array(most, sizeof(*m->out_match), &failed);
	m->in_best = array(most, sizeof(*m->in_best), &failed);
	m->out_best = array(most, sizeof(*m->out_best), &failed);
	m->of_pair = array(n * n, sizeof(*m->of_pair), &failed);
	return failed ? hd_error_nomem(err) : 0;
}

static void make_ports(const struct hd_model *model, struct hd_vc *own)
{
	for (uint32_t port = 0; port < model->network.n_ports; port++) {
		const uint32_t p = model->network.fabric_port[port];

		own->ports[port].held_by = HD_NONE;
		for (unsigned vc = 0; vc < own->n_vcs && p != HD_NONE; vc++) {
			const uint32_t lane = hd_vc_lane(own, port, vc);

			own->ins[lane].first = own->ins[lane].last = HD_NONE;
			own->outs[lane] = (struct hd_out_vc){
				.credits = own->buffers[hd_model_link_class(model, p)],
				.owner = HD_NONE,
			};
		}
	}
	for (uint32_t i = 0; i < model->network.n_ports - model->network.first_host_port; i++)
		own->hosts[i].packet = HD_NONE;
}

static int make(struct hd_model *model, struct hd_error *err)
{
	struct hd_vc *own = calloc(1, sizeof(*own));
	int ret;

	model->own = own;
	if (!own)
		return hd_error_nomem(err);
	own->n_vcs = model->n_vls;
	own->per_class = model->n_vls / model->used_vls;
	own->free_run = HD_NONE;
	own->ticks = model->options.links[HD_LINK_TERMINAL].unit_ticks;
	if (model->network.forwarding.by_vl)
		return refuse(err, "takes VLs by SLs, and no tables from VL to VL");
	ret = read_options(model->options.switch_params, &own->options, err);
	if (!ret)
		ret = check_rates(model, own->ticks, err);
	if (!ret)
		ret = make_pipeline(model, own, err);
	if (!ret)
		ret = make_arrays(model, own, err);
	if (ret)
		return ret;
	make_ports(model, own);
	return own->options.up ? hd_vc_up_new(model, &own->up, err) : 0;
}

static void free_all(struct hd_model *model)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_vc_matching *m = &own->matching;

	for (uint32_t i = 0; own->slots && i < own->n_slots; i++)
		free(own->slots[i].arrivals);
	hd_vc_up_free(own->up);
	free(own->ins);
	free(own->outs);
	free(own->ports);
	free(own->hosts);
	free(own->vc_accept);
	free(own->vc_grant);
	free(own->cross_accept);
	free(own->cross_grant);
	free(own->busy);
	free(own->n_busy);
	free(own->is_at_work);
	free(own->at_work);
	free(own->sends);
	free(own->runs);
	free(own->slots);
	free(m->requests);
	free(m->in_match);
	free(m->out_match);
	free(m->in_best);
	free(m->out_best);
	free(m->of_pair);
	free(own);
}

const struct hd_switch_model hd_switch_vc = {
	.policy.name = "vc",
	.policy.summary = "flits cross one by one; a packet has a VC of its out-port from head to "
			  "tail, chosen in the switch: the router of BookSim2",
	.policy.reference = "Dally and Towles, Principles and practices of interconnection "
			    "networks, 2004, chapters 16 to 19",
	.policy.options = options,
	.check = check,
	.make = make,
	.free = free_all,
	.moves_flits = true,
	.count_vcs = count_vcs,
	.run = hd_vc_run,
	.verify = hd_vc_verify,
};
