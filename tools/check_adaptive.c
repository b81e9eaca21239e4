// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/check_adaptive.h"

#include <inttypes.h>
#include <stdlib.h>

#include "engines/engine.h"
#include "sim/adaptive/proof_longer.h"
#include "sim/adaptive/routing.h"
#include "sim/scenario/run_network.h"
#include "support/error.h"
#include "tables/open.h"
#include "tools/open_input.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/route_options.h"

/* Where @what comes from: a snapshot has its tables, a fabric gets them by the engine. */
static int open_network(const struct hd_check_adaptive *adaptive, const char *what,
			struct hd_network **network, struct hd_error *err)
{
	bool is_snapshot = hd_snapshot_is_directory(what) && !adaptive->engine;
	bool is_spec = hd_fabric_is_spec(what);
	struct hd_routing_arguments routing = { 0 };
	struct hd_network_setup setup = {
		.topology = is_spec ? what : "",
		.file = is_snapshot || is_spec ? "" : what,
		.snapshot = is_snapshot ? what : "",
		.strict = adaptive->strict,
		.name_map = adaptive->name_map,
		.engine = "",
		.options = "",
		.layers = adaptive->layers ? adaptive->layers : "",
		.queues = adaptive->queues ? adaptive->queues : "single:1",
		.classes = "",
		.adaptive = adaptive->routing,
		.trigger = adaptive->trigger ? adaptive->trigger : "",
		.vcs = adaptive->vcs ? adaptive->vcs : "",
		.bubble = adaptive->bubble,
	};
	enum hd_key culprit;
	char *options = NULL;
	int ret = 0;

	if (!is_snapshot && !adaptive->engine)
		return hd_error_set(err, HD_EINVAL, "%s is no snapshot: which engine (-e)?", what);
	if (adaptive->engine) {
		ret = hd_routing_take_engine(adaptive->engine, &routing, err);
		options = hd_routing_join_pairs(&routing);
		if (!ret && !options)
			ret = hd_error_nomem(err);
		setup.engine = routing.spec;
		setup.options = options;
	}
	if (!ret)
		ret = hd_network_make(&setup, network, &culprit, err);
	free(options);
	hd_routing_clear(&routing);
	return ret;
}

static json_t *json_channel(const struct hd_shape *shape, const struct hd_proof_channel *channel)
{
	uint32_t port = shape->fabric_port[hd_shape_port(shape, channel->at, channel->port)];

	return json_pack("{s:o, s:i, s:i}", "switch", hd_json_node(shape->fabric, channel->at),
			 "port", (int)shape->fabric->ports[port].number, "vc", (int)channel->vc);
}

/* @longer: a rule that suffices, or empty. */
static void print_json(const struct hd_routed *routed, const struct hd_proof *proof,
		       const char *says, const char *longer)
{
	json_t *root = hd_json_begin(), *cycle = json_array();

	json_object_set_new(root, "sound", json_boolean(proof->is_sound));
	json_object_set_new(root, "adaptive", json_string(routed->text));
	json_object_set_new(root, "states", json_integer((json_int_t)proof->states));
	json_object_set_new(root, "dependencies", json_integer((json_int_t)proof->edges));
	json_object_set_new(root, "max_hops", json_integer(proof->max_hops));
	if (hd_vcs_has_replies(&routed->vcs))
		json_object_set_new(root, "hosts_may_wait", json_boolean(proof->hosts_may_wait));
	json_object_set_new(root, "verdict", hd_json_text(says));
	json_object_set_new(root, "suffices", *longer ? hd_json_text(longer) : json_null());
	for (size_t i = 0; i < proof->n_cycle; i++)
		json_array_append_new(cycle, json_channel(routed->shape, &proof->cycle[i]));
	json_object_set_new(root, "witness", cycle);
	hd_json_print(root);
}

static void print_text(const struct hd_routed *routed, const struct hd_proof *proof,
		       const char *says, const char *longer)
{
	char label[HD_LABEL_SIZE];

	hd_report_field("adaptive", "%s", routed->text);
	hd_report_field("verdict", "%s", proof->is_sound ? "sound" : "unsound");
	hd_report_field("states", "%" PRIu64, proof->states);
	hd_report_field("dependencies", "%" PRIu64, proof->edges);
	hd_report_field("max hops", "%u links between switches", proof->max_hops);
	if (proof->is_sound && hd_vcs_has_replies(&routed->vcs))
		hd_report_field("requests", "%s",
				proof->hosts_may_wait
					? "hosts may hold them until replies to them have left"
					: "hosts have to take them in whatever replies wait");
	if (!proof->is_sound)
		hd_report_field("why", "%s", says);
	if (*longer)
		hd_report_field("suffices", "%s", longer);
	for (size_t i = 0; i < proof->n_cycle; i++) {
		const struct hd_proof_channel *channel = &proof->cycle[i];
		const struct hd_shape *shape = routed->shape;
		size_t port = hd_shape_port(shape, channel->at, channel->port);

		hd_report_field("cycle", "%s VC %u",
				hd_port_label(shape->fabric, shape->fabric_port[port], label,
					      sizeof(label)),
				channel->vc);
	}
}

static int prove(const struct hd_check_adaptive *adaptive, const struct hd_network *network,
		 const struct hd_common *common, bool json, bool *is_sound, struct hd_error *err)
{
	const struct hd_routed_spec spec = { adaptive->routing, adaptive->trigger, NULL, false };
	char longer[2 * HD_MAX_PLACES + 8] = "";
	struct hd_progress progress;
	struct hd_proof proof;
	char says[1024];
	int ret;

	hd_progress_begin(&progress, common, "proving");
	ret = hd_proof_make(network->routed, &proof, err);
	if (!ret && !proof.is_sound)
		ret = hd_proof_find_longer(&spec, network->routed, &proof, longer, sizeof(longer),
					   err);
	hd_note_verbose(common, "proved in %.3f s", hd_progress_end(&progress));
	if (!ret) {
		*is_sound = proof.is_sound;
		hd_proof_describe(network->routed, &proof, says, sizeof(says));
		if (json)
			print_json(network->routed, &proof, says, longer);
		else
			print_text(network->routed, &proof, says, longer);
	}
	hd_proof_clear(&proof);
	return ret;
}

void hd_check_adaptive_complete(struct hd_check_adaptive *adaptive)
{
	adaptive->routing = hd_routed_adaptive(adaptive->routing, adaptive->vcs);
}

int hd_check_adaptive_is_other(const struct hd_check_adaptive *adaptive, bool *is_other,
			       struct hd_error *err)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	int ret;

	*is_other = false;
	if (!adaptive->routing)
		return 0;
	ret = hd_policy_parse(&hd_routings, adaptive->routing, &policy, &params, err);
	if (ret)
		return ret;
	hd_params_free(params);
	*is_other = !hd_routing_is_by_tables((const struct hd_routing *)policy);
	if (!*is_other && (adaptive->vcs || adaptive->trigger))
		return hd_error_set(err, HD_EINVAL,
				    "%s goes on the tables' VLs and asks no trigger", policy->name);
	if (!*is_other && adaptive->bubble)
		return hd_error_set(err, HD_EINVAL,
				    "%s goes by sets of ports, which bubbles are not proved for",
				    policy->name);
	return 0;
}

int hd_check_adaptive_run(const struct hd_check_adaptive *adaptive, const char *what,
			  const struct hd_common *common, bool json)
{
	struct hd_network *network = NULL;
	struct hd_error err;
	bool is_sound = false;
	int ret = open_network(adaptive, what, &network, &err);

	if (!ret && network->notes)
		hd_input_notes(common, network->notes);
	if (!ret)
		ret = prove(adaptive, network, common, json, &is_sound, &err);
	hd_network_free(network);
	if (ret)
		return hd_command_fail(&err);
	return is_sound ? HD_EXIT_YES : HD_EXIT_NO;
}
