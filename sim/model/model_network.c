// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/model_network.h"

#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/routing.h"
#include "sim/switches/crossbar.h"
#include "support/error.h"
#include "support/memory.h"
#include "topologies/topology.h"

/*
 * Numbers the model's ports: first those of switches, with their local numbers in @locals, then
 * hosts' ports.
 */
static int number_ports(struct hd_model *model, uint8_t *locals, uint8_t *n_locals,
			struct hd_error *err)
{
	const struct hd_fabric *fabric = model->network.fabric;
	uint64_t n;

	for (uint32_t at = 0; at < fabric->n_switches; at++) {
		const struct hd_node *node = &fabric->nodes[at];

		n_locals[at] = 0;
		for (unsigned i = 0; i <= node->n_ports; i++)
			if (fabric->ports[node->first_port + i].peer != HD_NONE)
				locals[node->first_port + i] = n_locals[at]++;
		if (n_locals[at] > model->network.most_locals)
			model->network.most_locals = n_locals[at];
	}
	while (1u << model->network.port_bits < model->network.most_locals)
		model->network.port_bits++;
	model->network.local_mask = (1u << model->network.port_bits) - 1;
	n = (uint64_t)fabric->n_switches << model->network.port_bits;
	if (n + fabric->n_ports >= 1u << (32 - HD_VC_BITS))
		return hd_error_set(err, HD_ERANGE, "too many ports");
	model->network.first_host_port = (uint32_t)n;
	for (uint32_t port = 0; port < fabric->n_ports; port++) {
		uint32_t node = fabric->ports[port].node;

		model->network.port_of[port] = HD_NONE;
		if (fabric->ports[port].peer == HD_NONE)
			continue;
		model->network.port_of[port] = hd_is_switch(fabric, node)
						       ? hd_first_port(model, node) + locals[port]
						       : (uint32_t)n++;
	}
	model->network.n_ports = (uint32_t)n;
	return 0;
}

static int make_hosts(struct hd_model *model, struct hd_error *err)
{
	const struct hd_fabric *fabric = model->network.fabric;
	const struct hd_tables *tables = model->network.tables;
	size_t most = model->network.n_ports - model->network.first_host_port + (size_t)1;

	model->injection.hosts = hd_alloc_large(most * sizeof(*model->injection.hosts));
	model->injection.destinations =
		hd_alloc_large(most * sizeof(*model->injection.destinations));
	if (!model->injection.hosts || !model->injection.destinations)
		return hd_error_nomem(err);
	for (uint32_t i = model->network.first_host_port; i < model->network.n_ports; i++) {
		uint32_t port = model->network.fabric_port[i];
		const struct hd_port *at = &fabric->ports[port];

		if (!at->lid)
			continue;
		model->injection.destinations[model->injection.n_hosts] =
			(struct destination){ at->lid, at->lmc };
		model->injection.hosts[model->injection.n_hosts++] = (struct host){
			.row = tables->sl2vl[hd_sl2vl_host_index(tables, at->node, at->number)],
			.preferred = HD_NO_PREFERENCE,
			.path_sls =
				tables->sl_rows + tables->sl_row_of_port[port] * tables->lft_stride,
			.port = i,
		};
	}
	return 0;
}

int hd_model_make_network(struct hd_model *model, struct hd_error *err)
{
	const struct hd_fabric *fabric = model->network.fabric;
	uint8_t *locals = malloc(fabric->n_ports + (size_t)1);
	uint8_t *n_locals = model->network.n_locals = malloc(fabric->n_switches + (size_t)1);
	int ret = HD_ENOMEM;

	model->network.port_of =
		malloc((fabric->n_ports + (size_t)1) * sizeof(*model->network.port_of));
	if (locals && n_locals && model->network.port_of) {
		memset(locals, HD_HOP_NONE, fabric->n_ports);
		ret = number_ports(model, locals, n_locals, err);
	} else {
		hd_error_nomem(err);
	}
	if (!ret)
		ret = hd_forwarding_new(&model->network.forwarding, model->network.tables, locals,
					n_locals, err);
	free(locals);
	if (ret)
		return ret;
	model->network.fabric_port =
		malloc((model->network.n_ports + (size_t)1) * sizeof(*model->network.fabric_port));
	if (!model->network.fabric_port)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < model->network.n_ports; i++)
		model->network.fabric_port[i] = HD_NONE;
	for (uint32_t port = 0; port < fabric->n_ports; port++)
		if (model->network.port_of[port] != HD_NONE)
			model->network.fabric_port[model->network.port_of[port]] = port;
	return make_hosts(model, err);
}

/* The highest VL of packets that leave switch @at by local port @out; VLs below @n_vls are used. */
static unsigned top_vl_at(const struct network *network, uint32_t at, unsigned out, unsigned sls,
			  unsigned n_vls)
{
	const struct hd_forwarding *forwarding = &network->forwarding;
	const bool by_vl = forwarding->by_vl && forwarding->by_vl[at];
	const unsigned columns = by_vl ? (1u << n_vls) - 1 : sls, n = network->n_locals[at];
	unsigned top = 0;

	for (unsigned in = 0; in < n; in++) {
		const unsigned vl =
			hd_row_top_vl(hd_forwarding_row(forwarding, at, n, in, out), columns);

		top = vl > top ? vl : top;
	}
	return top;
}

/* The same as vls_used(), where the VL at one switch follows from that at the switch before. */
static unsigned vls_used_by_vl(const struct hd_model *model, unsigned sls)
{
	const struct network *network = &model->network;
	unsigned n_vls = 1, before;

	for (uint32_t host = 0; host < model->injection.n_hosts; host++) {
		const unsigned vl = hd_row_top_vl(model->injection.hosts[host].row, sls);

		n_vls = vl >= n_vls ? vl + 1 : n_vls;
	}
	do {
		before = n_vls;
		for (uint32_t at = 0; at < network->n_switches; at++)
			for (unsigned out = 0; out < network->n_locals[at]; out++) {
				const unsigned vl = top_vl_at(network, at, out, sls, n_vls);

				n_vls = vl >= n_vls ? vl + 1 : n_vls;
			}
	} while (n_vls > before);
	return n_vls;
}

/* How many VLs packets with the SLs in use can get. */
static unsigned vls_used(const struct hd_model *model)
{
	unsigned sls = hd_tables_sls_used(model->network.tables), top = 0;

	if (model->network.forwarding.by_vl)
		return vls_used_by_vl(model, sls);

	for (size_t i = 0; i < model->network.forwarding.n_rows + model->injection.n_hosts; i++) {
		hd_sl2vl_row row =
			i < model->network.forwarding.n_rows
				? model->network.forwarding.rows[i]
				: model->injection.hosts[i - model->network.forwarding.n_rows].row;
		unsigned vl = hd_row_top_vl(row, sls);

		top = vl > top ? vl : top;
	}
	return top + 1;
}

unsigned hd_model_link_class(const struct hd_model *model, uint32_t port)
{
	const struct hd_fabric *fabric = model->network.fabric;

	if (!hd_is_switch_link(fabric, port))
		return HD_LINK_TERMINAL;
	if (model->options.port_class && model->options.port_class[port] == HD_PORT_GLOBAL)
		return HD_LINK_GLOBAL;
	return HD_LINK_LOCAL;
}

static const char *const link_names[HD_LINK_CLASSES] = { "to hosts", "within groups",
							 "between groups" };

/* Refuses an out-port @out that puts packets on VLs up to @top, where its link has fewer VCs. */
static int check_vcs(const struct hd_model *model, uint32_t out, unsigned top, struct hd_error *err)
{
	uint32_t port = model->network.fabric_port[out];
	unsigned class = hd_model_link_class(model, port);
	unsigned vcs = model->options.links[class].vcs;
	char label[320];

	if (!vcs || top < vcs)
		return 0;
	hd_port_label(model->network.fabric, port, label, sizeof(label));
	return hd_error_set(err, HD_EINVAL, "the tables use VL %u at %s, and links %s have %u VCs",
			    top, label, link_names[class], vcs);
}

/* The same where packets choose their ways: links have what the VC rule says, or more. */
static int count_rule_vcs(struct hd_model *model, struct hd_error *err)
{
	const struct hd_vcs *vcs = &model->options.routed->vcs;

	model->n_vls = 1;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		struct hd_link_options *link = &model->options.links[i];
		unsigned n = vcs->n[i];

		if (link->vcs && link->vcs < n)
			return hd_error_set(err, HD_EINVAL,
					    "the VC rule takes %u VCs %s, and links have %u", n,
					    link_names[i], link->vcs);
		if (!link->vcs)
			link->vcs = vcs->n[i == HD_LINK_GLOBAL ? HD_LINK_GLOBAL : HD_LINK_LOCAL];
		if (link->vcs > model->n_vls)
			model->n_vls = link->vcs;
	}
	model->used_vls = model->n_vls;
	return model->n_vls > HD_MAX_VCS ? hd_error_set(err, HD_ERANGE, "%u VCs: there may be %u",
							model->n_vls, HD_MAX_VCS)
					 : 0;
}

int hd_model_count_vcs(struct hd_model *model, struct hd_error *err)
{
	const struct network *network = &model->network;
	unsigned sls = hd_tables_sls_used(network->tables), most = 0;
	int ret = 0;

	if (model->options.routed &&
	    (!model->options.routed->vcs.by_tables || model->options.routed->vcs.n_range))
		return count_rule_vcs(model, err);
	model->n_vls = vls_used(model);
	/* tables to come may use whatever links have */
	if (model->options.live)
		hd_for_each_port(p, network->fabric)
			if (hd_link_vls(network->fabric, p) > model->n_vls)
				model->n_vls = hd_link_vls(network->fabric, p);
	if (!model->options.live && !model->options.routed)
		ret = hd_model_host_vls(model, &model->n_vls, err);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (model->options.links[i].vcs > most)
			most = model->options.links[i].vcs;
	if (!ret && most > HD_MAX_VCS)
		return hd_error_set(err, HD_ERANGE, "%u VCs: there may be %u", most, HD_MAX_VCS);
	for (uint32_t host = 0; host < model->injection.n_hosts && most && !ret; host++)
		ret = check_vcs(model, model->injection.hosts[host].port,
				hd_row_top_vl(model->injection.hosts[host].row, sls), err);
	for (uint32_t out = 0; out < network->first_host_port && most && !ret; out++) {
		if (hd_is_port(model, out))
			ret = check_vcs(model, out,
					top_vl_at(network, hd_switch_of(model, out),
						  hd_local(model, out), sls, model->n_vls),
					err);
	}
	model->used_vls = model->n_vls;
	if (!ret && model->options.model->count_vcs)
		ret = model->options.model->count_vcs(model, model->used_vls, &model->n_vls, err);
	if (most > model->n_vls)
		model->n_vls = most;
	/* what packets that choose their ways, and tables to come, will be on is not known */
	if (model->options.live || model->options.routed)
		model->used_vls = model->n_vls;
	return ret;
}
