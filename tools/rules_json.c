// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/check_rules.h"
#include "tools/report.h"

static json_t *json_port(const struct hd_fabric *fabric, uint32_t port)
{
	json_t *object = hd_json_node(fabric, fabric->ports[port].node);

	json_object_set_new(object, "port", json_integer(fabric->ports[port].number));
	return object;
}

static json_t *json_path(const struct hd_judged_rules *judged, const struct hd_violation *violation)
{
	const struct hd_fabric *fabric = judged->tables->fabric;
	json_t *list = json_array();
	const size_t n = hd_rules_path(judged, violation);
	const struct hd_hop *hops = judged->hops;

	for (size_t i = 0; i < n; i++) {
		json_t *hop = hd_json_node(fabric, hops[i].node);

		json_object_set_new(hop, "in", i ? json_integer(hops[i].in) : json_null());
		json_object_set_new(hop, "out",
				    i + 1 < n ? json_integer(hops[i].out) : json_null());
		json_array_append_new(list, hop);
	}
	return list;
}

static json_t *json_example(const struct hd_judged_rules *judged, uint32_t d,
			    const struct hd_violation *violation)
{
	const struct hd_fabric *fabric = judged->tables->fabric;
	json_t *object = json_object();
	char text[HD_SENTENCE_SIZE * 2];

	json_object_set_new(
		object, "text",
		hd_json_text(hd_rules_example(judged, d, violation, text, sizeof(text))));
	json_object_set_new(object, "source",
			    violation->source == HD_NONE ? json_null()
							 : json_port(fabric, violation->source));
	json_object_set_new(object, "destination",
			    violation->lid ? json_port(fabric, fabric->lids[violation->lid].port)
					   : json_null());
	json_object_set_new(object, "lid",
			    violation->lid ? json_integer(violation->lid) : json_null());
	json_object_set_new(object, "part",
			    violation->port == HD_NONE ? json_null()
						       : json_port(fabric, violation->port));
	json_object_set_new(object, "number", json_integer(violation->number));
	json_object_set_new(object, "path", json_path(judged, violation));
	return object;
}

static json_t *json_demand(const struct hd_judged_rules *judged, uint32_t d)
{
	static const char *const judged_words[] = {
		[HD_JUDGED_PATHS] = "paths",
		[HD_JUDGED_PAIRS] = "pairs",
		[HD_JUDGED_SOURCES] = "ports",
		[HD_JUDGED_LINKS] = "links",
	};
	const struct hd_demand *demand = &judged->rules->demands[d];
	const struct hd_demand_verdict *verdict = &judged->verdict->demands[d];
	json_t *object = json_object(), *examples = json_array();
	char text[HD_SENTENCE_SIZE];

	json_object_set_new(object, "rule", json_string(judged->rules->rules[demand->rule].name));
	json_object_set_new(object, "demand", json_string(hd_demand_word(demand)));
	json_object_set_new(object, "line", json_integer(demand->line));
	json_object_set_new(object, "judged", json_string(judged_words[verdict->judged]));
	json_object_set_new(object, "number", json_integer((json_int_t)verdict->n));
	json_object_set_new(object, "violations", json_integer((json_int_t)verdict->n_bad));
	if (verdict->judged == HD_JUDGED_LINKS)
		json_object_set_new(object, "mean", json_real(verdict->mean));
	json_object_set_new(object, "text",
			    hd_json_text(hd_rules_sentence(judged, d, text, sizeof(text))));
	for (unsigned i = 0; i < verdict->n_examples; i++)
		json_array_append_new(examples, json_example(judged, d, &verdict->examples[i]));
	json_object_set_new(object, "examples", examples);
	return object;
}

static json_t *json_set(const struct hd_judged_rules *judged, uint32_t s)
{
	const struct hd_rule_set *set = &judged->rules->sets[s];
	json_t *object = json_object();

	json_object_set_new(object, "name", json_string(set->name));
	json_object_set_new(object, "line", set->line ? json_integer(set->line) : json_null());
	json_object_set_new(object, "nodes", json_integer(judged->verdict->nodes[s]));
	json_object_set_new(object, "at_least", json_integer(set->at_least));
	return object;
}

json_t *hd_rules_json(const struct hd_judged_rules *judged)
{
	const struct hd_rules *rules = judged->rules;
	const struct hd_rules_verdict *verdict = judged->verdict;
	json_t *root = json_object(), *sets = json_array(), *demands = json_array();

	for (uint32_t s = 0; s < rules->n_sets; s++)
		json_array_append_new(sets, json_set(judged, s));
	for (uint32_t d = 0; d < rules->n_demands; d++)
		json_array_append_new(demands, json_demand(judged, d));
	json_object_set_new(root, "file", hd_json_text(rules->file));
	json_object_set_new(root, "kept", json_boolean(!verdict->n_bad && !verdict->n_small));
	json_object_set_new(root, "rules", json_integer(rules->n_rules));
	json_object_set_new(root, "violated", json_integer(verdict->n_bad));
	json_object_set_new(root, "small_sets", json_integer(verdict->n_small));
	json_object_set_new(root, "uncovered", json_integer((json_int_t)verdict->n_uncovered));
	json_object_set_new(root, "adaptive", json_boolean(judged->tables->ar != NULL));
	json_object_set_new(root, "sets", sets);
	json_object_set_new(root, "demands", demands);
	return root;
}
