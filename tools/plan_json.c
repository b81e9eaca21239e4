// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/link_rate.h"
#include "tools/cmd_plan.h"
#include "tools/gaps_print.h"
#include "tools/report.h"

/* @ports as hd_place_json() has them. */
static json_t *json_place(const struct hd_comparison *comparison, const struct hd_place pair[2],
			  unsigned end, const struct hd_free_ports *ports)
{
	return hd_place_json(comparison->plan, comparison->now, pair, end, ports);
}

static json_t *json_pairs(const struct hd_comparison *comparison, const struct hd_place_pair *pairs,
			  uint32_t n, const struct hd_free_ports *ports)
{
	json_t *list = json_array();
	char rate[16];

	for (uint32_t i = 0; i < n; i++) {
		json_t *cable = json_object();

		json_object_set_new(cable, "from", json_place(comparison, pairs[i].ends, 0, ports));
		json_object_set_new(cable, "to", json_place(comparison, pairs[i].ends, 1, ports));
		json_object_set_new(
			cable, "rate",
			pairs[i].width || pairs[i].speed
				? json_string(hd_rate_text(pairs[i].width, pairs[i].speed, rate,
							   sizeof(rate)))
				: json_null());
		json_array_append_new(list, cable);
	}
	return list;
}

static json_t *json_finding(const struct hd_comparison *comparison,
			    const struct hd_finding *finding)
{
	const struct hd_differences *differences = &comparison->differences;
	json_t *object = json_object(), *moves = json_array();
	char text[HD_LABEL_SIZE];

	json_object_set_new(object, "kind", json_string(hd_finding_names[finding->kind]));
	if (finding->node != HD_NONE)
		json_object_set_new(object, "node",
				    hd_json_text(hd_finding_node(comparison, finding, text)));
	if (finding->kind == HD_SLOW || finding->kind == HD_NARROW)
		json_object_set_new(object, "wanted",
				    json_string(hd_rate_text(finding->width, finding->speed, text,
							     sizeof(text))));
	json_object_set_new(object, "planned",
			    json_pairs(comparison, &differences->planned[finding->first_planned],
				       finding->n_planned,
				       finding->kind == HD_MISSING ? &comparison->ports : NULL));
	json_object_set_new(object, "now",
			    json_pairs(comparison, &differences->present[finding->first_present],
				       finding->n_present, NULL));
	for (uint32_t i = 0; i < finding->n_moves; i++)
		json_array_append_new(moves, json_integer(finding->first_move + i));
	json_object_set_new(object, "moves", moves);
	return object;
}

static json_t *json_moves(const struct hd_comparison *comparison)
{
	static const char *const names[] = {
		[HD_CONNECT] = "connect",
		[HD_REMOVE] = "remove",
		[HD_EXCHANGE] = "exchange",
		[HD_MOVE] = "move",
	};
	json_t *list = json_array();

	for (uint32_t i = 0; i < comparison->differences.n_moves; i++) {
		const struct hd_move *move = &comparison->differences.moves[i];
		const struct hd_free_ports *ports =
			move->kind == HD_CONNECT ? &comparison->ports : NULL;
		json_t *object = json_object();

		json_object_set_new(object, "move", json_string(names[move->kind]));
		json_object_set_new(object, "from", json_place(comparison, move->places, 0, ports));
		json_object_set_new(object, "to", json_place(comparison, move->places, 1, ports));
		json_array_append_new(list, object);
	}
	return list;
}

static json_t *json_load(const struct hd_routed_load *load)
{
	json_t *object = json_object();

	json_object_set_new(object, "engine",
			    load->engine ? json_string(load->engine) : json_null());
	json_object_set_new(object, "busiest",
			    load->engine ? json_integer((json_int_t)load->busiest) : json_null());
	return object;
}

static json_t *json_mends(const struct hd_loads_after_moves *loads)
{
	json_t *object = json_object(), *mends = json_array();

	json_object_set_new(object, "now", json_load(&loads->now));
	json_object_set_new(object, "all", json_load(&loads->all));
	for (unsigned i = 0; i < loads->n; i++) {
		json_t *mend = json_load(&loads->mends[i]);

		json_object_set_new(mend, "finding", json_integer(loads->mends[i].finding));
		json_array_append_new(mends, mend);
	}
	json_object_set_new(object, "mends", mends);
	return object;
}

static json_t *json_counts(const struct hd_differences *differences)
{
	json_t *counts = json_object();

	for (unsigned kind = 0; kind < HD_N_FINDINGS; kind++)
		json_object_set_new(counts, hd_finding_names[kind],
				    json_integer(differences->n_of[kind]));
	return counts;
}

static json_t *json_matched(const struct hd_plan_match *match)
{
	json_t *object = json_object();

	json_object_set_new(object, "name", json_integer(match->n_by[HD_BY_NAME]));
	json_object_set_new(object, "guid", json_integer(match->n_by[HD_BY_GUID]));
	json_object_set_new(object, "structure", json_integer(match->n_by[HD_BY_STRUCTURE]));
	return object;
}

void hd_plan_json(const struct hd_comparison *comparison)
{
	const struct hd_differences *differences = &comparison->differences;
	json_t *root = hd_json_begin(), *findings = json_array();

	json_object_set_new(
		root, "plan",
		hd_json_text(comparison->plan_name ? comparison->plan_name : comparison->shape));
	json_object_set_new(root, "inferred", json_boolean(!comparison->plan_name));
	json_object_set_new(root, "same",
			    json_boolean(!differences->n_findings && !comparison->plan->n_absent));
	json_object_set_new(root, "absent_switches", json_integer(comparison->plan->n_absent));
	json_object_set_new(root, "planned_cables", json_integer(differences->n_planned_cables));
	json_object_set_new(root, "as_planned", json_integer(differences->n_as_planned));
	json_object_set_new(root, "matched_by", json_matched(&comparison->match));
	json_object_set_new(root, "by_ports", json_boolean(differences->by_ports));
	json_object_set_new(root, "end_nodes_compared", json_boolean(!differences->no_ends));
	json_object_set_new(root, "switches_compared", json_boolean(!differences->no_trunks));
	json_object_set_new(root, "counts", json_counts(differences));
	for (uint32_t i = 0; i < differences->n_findings; i++)
		json_array_append_new(findings,
				      json_finding(comparison, &differences->findings[i]));
	json_object_set_new(root, "findings", findings);
	json_object_set_new(root, "moves", json_moves(comparison));
	if (comparison->loads.is_known)
		json_object_set_new(root, "load", json_mends(&comparison->loads));
	hd_json_print(root);
}
