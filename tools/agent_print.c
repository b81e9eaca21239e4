// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/cmd_agent.h"
#include "tools/report.h"

static const char *reason_of(const struct hd_agent *agent)
{
	static const char *const reasons[] = {
		[HD_WAITED_LESS] = "waited less",
		[HD_NOTHING_WAITED] = "all counters are zero: networks alternate",
		[HD_WAITED_ALIKE] = "all waited alike: networks alternate",
	};

	return agent->trouble == HD_AGENT_WELL ? reasons[agent->estimate.reason] : agent->why;
}

static json_t *json_network(const struct hd_agent *agent, unsigned i)
{
	const struct hd_estimate *estimate = &agent->estimate;
	json_t *network = json_object();

	json_object_set_new(network, "sls", hd_json_bits(agent->lanes.sls[i]));
	json_object_set_new(network, "vls", hd_json_bits(agent->lanes.vls[i]));
	json_object_set_new(network, "waited", json_integer(estimate->waited[i]));
	json_object_set_new(network, "estimate",
			    json_real((double)estimate->wait[i] / HD_WAIT_SCALE));
	return network;
}

static void print_json(const struct hd_agent *agent)
{
	const struct hd_mads_port none = { .number = 0 };
	const struct hd_mads_port port = agent->mads ? hd_mads_port(agent->mads) : none;
	json_t *root = hd_json_begin(), *networks = json_array();
	char *text;

	json_object_set_new(root, "adapter", hd_json_text(port.adapter));
	json_object_set_new(root, "port", json_integer(port.number));
	json_object_set_new(root, "lid", json_integer(agent->port.lid));
	json_object_set_new(root, "lmc", json_integer(agent->port.lmc));
	json_object_set_new(root, "interval_ns",
			    json_integer((json_int_t)agent->options->interval));
	for (unsigned i = 0; i < agent->lanes.n; i++)
		json_array_append_new(networks, json_network(agent, i));
	json_object_set_new(root, "networks", networks);
	json_object_set_new(root, "saturated", json_boolean(agent->estimate.saturated));
	json_object_set_new(root, "preferred",
			    agent->chosen == HD_NETWORKS_ANY ? json_null()
							     : json_integer(agent->chosen));
	json_object_set_new(root, "reason", hd_json_text(reason_of(agent)));
	/* a line each, for who reads as they come */
	text = json_dumps(root, JSON_COMPACT);
	json_decref(root);
	if (!text)
		return;
	puts(text);
	free(text);
	fflush(stdout);
}

static void print_text(const struct hd_agent *agent)
{
	const struct hd_mads_port port = hd_mads_port(agent->mads);
	char vls[64];

	hd_report_field("port", "%s %u, LID %u, LMC %u", port.adapter, port.number, agent->port.lid,
			agent->port.lmc);
	for (unsigned i = 0; i < agent->lanes.n; i++) {
		char label[32];

		snprintf(label, sizeof(label), "network %u", i);
		hd_report_field(label, "VLs %s waited %" PRIu32,
				hd_report_bits(agent->lanes.vls[i], vls, sizeof(vls)),
				agent->estimate.waited[i]);
	}
	if (agent->chosen == HD_NETWORKS_ANY)
		hd_report_field("preferred", "none: %s", reason_of(agent));
	else
		hd_report_field("preferred", "%u: %s", agent->chosen, reason_of(agent));
}

void hd_agent_print(const struct hd_agent *agent)
{
	if (agent->options->json)
		print_json(agent);
	else if (agent->mads)
		print_text(agent);
}
