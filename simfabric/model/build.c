// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Makes a model of tables: ports, lanes and queues in flat arrays, all buffers empty. */
#include "simfabric/model/state.h"

#include "support/error.h"
#include "support/memory.h"
#include "topologies/topology.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of queues, ports and LFTs from which on it pays to fetch ahead: about a core's cache. */
#define LARGE (1 << 20)

/* VLs that packets of the SLs in use can get. */
static unsigned vls_used(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	unsigned sls = hd_tables_sls_used(tables), top = 0;

	for (uint32_t node = 0; node < fabric->n_nodes; node++) {
		unsigned n = fabric->nodes[node].n_ports;

		for (unsigned out = 1; out <= n; out++) {
			bool is_switch = hd_is_switch(fabric, node);

			if (hd_peer_node(fabric, node, out) == HD_NONE)
				continue;
			for (unsigned in = 1; in <= (is_switch ? n : 1); in++) {
				hd_sl2vl_row row =
					tables->sl2vl[is_switch ? hd_sl2vl_index(tables, node, in,
										 out)
								: hd_sl2vl_host_index(tables, node,
										      out)];

				for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
					unsigned vl = hd_row_vl(row, sl);

					if (sls >> sl & 1 && vl != HD_VL_DROP && vl > top)
						top = vl;
				}
			}
		}
	}
	return top + 1;
}

static unsigned link_class(const struct hd_model *model, uint32_t fabric_port)
{
	const struct hd_fabric *fabric = model->fabric;
	uint32_t peer = fabric->ports[fabric_port].peer;

	if (!hd_is_switch(fabric, fabric->ports[fabric_port].node) ||
	    !hd_is_switch(fabric, fabric->ports[peer].node))
		return HD_LINK_TERMINAL;
	if (model->options.port_class && model->options.port_class[fabric_port] == HD_PORT_GLOBAL)
		return HD_LINK_GLOBAL;
	return HD_LINK_LOCAL;
}

static int check_options(const struct hd_model_options *options, struct hd_error *err)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		if (!options->links[i].unit_ticks)
			return hd_error_set(err, HD_EINVAL, "a link takes no time to send");
		if (!options->links[i].buffer)
			return hd_error_set(err, HD_EINVAL, "a buffer has no room");
		if (options->model == &hd_switch_cioq && !options->links[i].output)
			return hd_error_set(err, HD_EINVAL, "an output buffer has no room");
	}
	if (options->admittance == HD_ADMITTANCE_DESTINATION && !options->injection)
		return hd_error_set(err, HD_EINVAL, "an injection queue has no room");
	if (!(options->consumption >= 0 && options->consumption <= 1))
		return hd_error_set(err, HD_EINVAL, "hosts take in a share of 0 to 1");
	if (!(options->damq_reserved >= 0 && options->damq_reserved <= 1))
		return hd_error_set(err, HD_EINVAL,
				    "the share of a buffer that is reserved is 0 to 1");
	return 0;
}

/* Switches and adapters, which send nothing, and their first ports. */
static int make_nodes(struct hd_model *model, struct hd_error *err)
{
	const struct hd_fabric *fabric = model->fabric;
	unsigned most = 1;
	size_t words;

	for (uint32_t node = 0; node < fabric->n_nodes; node++)
		if (fabric->nodes[node].n_ports + 1u > most)
			most = fabric->nodes[node].n_ports + 1u;
	model->words = words = (most + 63) / 64;
	model->node_words = (sizeof(struct node) / 8 + 3 * words + 7) / 8 * 8;
	model->nodes = hd_alloc_large((fabric->n_nodes + (size_t)1) * model->node_words *
				      sizeof(*model->nodes));
	if (!model->nodes)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < fabric->n_nodes; i++) {
		struct node *node = hd_node(model, i);

		*node = (struct node){
			.rows = model->tables->sl2vl_first[i],
			.locals = fabric->nodes[i].first_port,
			.top = fabric->nodes[i].n_ports,
		};
		memset(hd_in_free(model, i), 0xFF, 2 * words * sizeof(*node->masks));
		memset(hd_dirty(model, i), 0, words * sizeof(*node->masks));
	}
	return 0;
}

static void add_host(struct hd_model *model, const struct hd_port *port, uint32_t index)
{
	model->destinations[model->n_hosts] = (struct destination){ port->lid, port->lmc };
	model->host_ports[model->n_hosts++] = index;
}

/* Ports with links, and the switches' and hosts' share of them. */
static int make_ports(struct hd_model *model, struct hd_error *err)
{
	const struct hd_fabric *fabric = model->fabric;
	size_t most = fabric->n_ports + (size_t)1;
	uint32_t n = 0;

	model->ports = hd_alloc_large(((size_t)fabric->n_links * 2 + 1) * sizeof(*model->ports));
	model->port_of = malloc(most * sizeof(*model->port_of));
	model->locals = malloc(most);
	model->destinations = malloc(most * sizeof(*model->destinations));
	model->host_ports = malloc(most * sizeof(*model->host_ports));
	if (!model->ports || !model->port_of || !model->locals || !model->destinations ||
	    !model->host_ports)
		return hd_error_nomem(err);
	for (uint32_t node = 0; node < fabric->n_nodes; node++) {
		struct node *state = hd_node(model, node);

		state->first_port = n;
		for (unsigned i = 0; i <= state->top; i++) {
			uint32_t port = hd_port_index(fabric, node, i);

			model->port_of[port] = HD_NONE;
			model->locals[port] = HD_NO_LOCAL;
			if (fabric->ports[port].peer == HD_NONE)
				continue;
			model->port_of[port] = n;
			model->locals[port] = state->n_ports;
			model->ports[n] = (struct port){
				.node = node,
				.fabric_port = port,
				.first_port = state->first_port,
				.local = state->n_ports++,
				.link_class = link_class(model, port),
			};
			if (!hd_is_switch(fabric, node) && fabric->ports[port].lid)
				add_host(model, &fabric->ports[port], n);
			n++;
		}
	}
	model->n_ports = n;
	for (uint32_t i = 0; i < n; i++) {
		struct port *port = &model->ports[i];

		port->n_ports = hd_node(model, port->node)->n_ports;
		port->peer = model->port_of[fabric->ports[port->fabric_port].peer];
		port->to_host = !hd_is_switch(fabric, model->ports[port->peer].node);
	}
	return 0;
}

static void make_lines(struct hd_model *model)
{
	struct hd_events *events = &model->events;

	for (uint32_t i = 0; i < model->n_ports; i++) {
		struct port *port = &model->ports[i];
		uint64_t propagation = model->options.links[port->link_class].propagation;

		port->arrive_line = hd_events_line(events, HD_EVENT_ARRIVE,
						   propagation + model->options.latency);
		if (model->options.model == &hd_switch_cioq)
			port->ready_line = hd_events_line(events, HD_EVENT_READY,
							  model->options.crossbar_latency);
		hd_block(model, i)->credit_line =
			hd_events_line(events, HD_EVENT_CREDIT, propagation);
	}
	if (model->options.iterations)
		model->retry_line = hd_events_line(events, HD_EVENT_RETRY, model->options.cycle);
}

/* All buffers are empty: all credits are at hand. */
static void fill_buffers(struct hd_model *model)
{
	const struct hd_model_options *options = &model->options;

	model->smallest_buffer = UINT32_MAX;
	for (uint32_t i = 0; i < model->n_ports; i++) {
		const struct port *port = &model->ports[i];
		const struct hd_link_options *link = &options->links[port->link_class];
		uint32_t own = link->buffer, room = link->buffer;

		if (model->shared) {
			own = model->reserved[port->link_class];
			model->shared[i] = (link->buffer - own) * model->n_vls;
			room = own + model->shared[i];
		}
		for (unsigned vl = 0; vl < model->n_vls; vl++)
			hd_credits(model, i)[vl] = own;
		if (model->outputs && hd_is_switch_port(model, i)) {
			model->outputs[i] =
				(struct output){ HD_NONE, link->output, HD_NONE, HD_NONE };
			room = room < link->output ? room : link->output;
		}
		if (room < model->smallest_buffer)
			model->smallest_buffer = room;
	}
}

static int make_state(struct hd_model *model, struct hd_error *err)
{
	const struct hd_fabric *fabric = model->fabric;
	size_t lanes = (size_t)model->n_ports * model->n_vls, words = model->words, n_queues = 0;

	for (uint32_t i = 0; i < model->n_ports; i++) {

		model->ports[i].queues = n_queues;
		n_queues += (size_t)model->n_vls *
			    (model->options.voq && hd_is_switch(fabric, model->ports[i].node)
				     ? model->ports[i].n_ports
				     : 1);
		if (n_queues > UINT32_MAX)
			return hd_error_set(err, HD_ERANGE, "too many queues");
	}
	if (model->options.damq) {
		model->shared = calloc(model->n_ports + (size_t)1, sizeof(*model->shared));
		model->occupied = calloc(lanes + 1, sizeof(*model->occupied));
		if (!model->shared || !model->occupied)
			return hd_error_nomem(err);
		for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
			model->reserved[i] = (uint32_t)(model->options.links[i].buffer *
							model->options.damq_reserved);
	}
	if (model->options.host_policy == HD_HOST_LEAST_OCCUPIED) {
		model->waiting = calloc(lanes + 1, sizeof(*model->waiting));
		if (!model->waiting)
			return hd_error_nomem(err);
	}
	model->host_turns = calloc(model->n_hosts + (size_t)1, sizeof(*model->host_turns));
	if (model->options.admittance == HD_ADMITTANCE_DESTINATION && hd_admittance_new(model))
		return hd_error_nomem(err);
	if (!model->host_turns ||
	    (model->options.arbiter == HD_ARBITER_VL && hd_model_vl_arbitration_new(model)))
		return hd_error_nomem(err);
	if (model->options.consumption > 0 && model->options.consumption < 1) {
		int ret = hd_consumers_new(model, err);

		if (ret)
			return ret;
	}
	if (model->options.model == &hd_switch_cioq) {
		model->outputs = calloc(model->n_ports + (size_t)1, sizeof(*model->outputs));
		if (!model->outputs)
			return hd_error_nomem(err);
	}
	model->heads = calloc(lanes + 1, sizeof(*model->heads));
	model->queues = hd_alloc_large((n_queues + 1) * sizeof(*model->queues));
	model->sent = hd_alloc_large((lanes + 1) * sizeof(*model->sent));
	model->waits = calloc(lanes + model->n_ports + 1, sizeof(*model->waits));
	model->requests_at =
		(sizeof(struct block) + model->n_vls * (sizeof(uint32_t) + sizeof(uint16_t)) + 7) /
		8;
	model->block = model->requests_at + 2 * model->n_vls * words;
	model->block = (model->block + 7) / 8 * 8;
	model->blocks =
		hd_alloc_large((model->n_ports * model->block + 1) * sizeof(*model->blocks));
	model->is_large = n_queues * sizeof(*model->queues) +
				  (model->n_ports * model->block +
				   model->tables->lft_stride / 8 * fabric->n_switches) *
					  8 >
			  LARGE;
	model->dirty_nodes = malloc((fabric->n_nodes + (size_t)1) * sizeof(*model->dirty_nodes));
	if (!model->heads || !model->queues || !model->sent || !model->waits || !model->blocks ||
	    !model->dirty_nodes)
		return hd_error_nomem(err);
	memset(model->sent, 0, lanes * sizeof(*model->sent));
	memset(model->blocks, 0, model->n_ports * model->block * sizeof(*model->blocks));
	model->n_queues = n_queues;
	for (size_t i = 0; i < n_queues; i++)
		model->queues[i] = (struct queue){ HD_NONE, HD_NONE, 0, 0 };
	for (uint32_t i = 0; i < model->n_ports; i++) {
		struct block *block = hd_block(model, i);

		block->node = model->ports[i].node;
		block->peer = model->ports[i].peer;
		block->local = model->ports[i].local;
		block->number = fabric->ports[model->ports[i].fabric_port].number;
	}
	fill_buffers(model);
	return model->options.gauge ? hd_gauges_new(model, err) : 0;
}

int hd_model_new(const struct hd_tables *tables, const struct hd_model_options *options,
		 const struct hd_model_user *user, struct hd_model **result, struct hd_error *err)
{
	struct hd_model *model;
	int ret = check_options(options, err);

	*result = NULL;
	if (ret)
		return ret;
	model = calloc(1, sizeof(*model));
	if (!model)
		return hd_error_nomem(err);
	model->fabric = tables->fabric;
	model->tables = tables;
	model->n_switches = tables->fabric->n_switches;
	model->options = *options;
	if (!options->model)
		model->options.model = &hd_switch_iq;
	if (!options->speedup)
		model->options.speedup = 1;
	for (unsigned i = 1; i < HD_LINK_CLASSES; i++)
		if (options->links[i].unit_ticks != options->links[0].unit_ticks)
			model->has_rates = true;
	model->user = *user;
	model->free_packet = HD_NONE;
	/* a VL's share of what is free, or a matching that is tried again, depend on when they come */
	model->eager_credits = options->damq || options->iterations;
	model->n_vls = vls_used(tables);
	hd_events_init(&model->events);
	ret = make_nodes(model, err);
	if (!ret)
		ret = make_ports(model, err);
	if (!ret)
		ret = make_state(model, err);
	if (ret) {
		hd_model_free(model);
		return ret;
	}
	make_lines(model);
	hd_model_deadlock_init(model);
	*result = model;
	return 0;
}

struct hd_model_memory hd_model_memory(const struct hd_model *model)
{
	size_t lanes = model->n_ports * (size_t)model->n_vls;
	size_t bytes =
		model->n_ports * (sizeof(*model->ports) + model->block * sizeof(uint64_t)) +
		model->n_queues * sizeof(*model->queues) +
		lanes * (sizeof(*model->sent) + sizeof(*model->waits) + sizeof(*model->heads)) +
		model->fabric->n_nodes * model->node_words * sizeof(*model->nodes);

	return (struct hd_model_memory){
		.packet = sizeof(struct packet),
		.port = bytes / (model->n_ports ? model->n_ports : 1),
	};
}

void hd_model_free(struct hd_model *model)
{
	if (!model)
		return;
	hd_events_free(&model->events);
	free(model->ports);
	free(model->port_of);
	free(model->locals);
	free(model->destinations);
	free(model->nodes);
	free(model->host_ports);
	free(model->shared);
	free(model->occupied);
	hd_admittance_free(model->admittance);
	free(model->consumers);
	free(model->gauges);
	free(model->waiting);
	free(model->host_turns);
	free(model->vl_arbitration);
	free(model->heads);
	free(model->queues);
	free(model->outputs);
	free(model->sent);
	free(model->waits);
	free(model->blocks);
	free(model->dirty_nodes);
	free(model->packets);
	free(model->cycle);
	free(model);
}
