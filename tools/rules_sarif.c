// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SARIF 2.1.0 (OASIS): a result for each demand that is violated and for each set with too few
 * nodes. Its place is the line of the rule file; its logical locations are the ports of the first
 * example's path. Examples are related locations.
 */
#include "config.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "tools/check_rules.h"
#include "tools/report.h"

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

static json_t *json_message(const char *text)
{
	json_t *message = json_object();

	json_object_set_new(message, "text", hd_json_text(text));
	return message;
}

/* The name of a file as a relative reference, or with a scheme where it begins with '/'. */
static json_t *json_uri(const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-._~/";
	char uri[3 * PATH_MAX + 16];
	size_t length = 0;

	length += (size_t)sprintf(uri, "%s", path[0] == '/' ? "file://" : "");
	for (const char *c = path; *c && length + 4 < sizeof(uri); c++)
		if (strchr(plain, *c))
			uri[length++] = *c;
		else
			length += (size_t)sprintf(uri + length, "%%%02X", (unsigned char)*c);
	uri[length] = '\0';
	return json_string(uri);
}

static json_t *json_physical(const char *path, unsigned line)
{
	json_t *physical = json_object(), *artifact = json_object(), *region = json_object();

	json_object_set_new(artifact, "uri", json_uri(path));
	json_object_set_new(region, "startLine", json_integer(line));
	json_object_set_new(physical, "artifactLocation", artifact);
	json_object_set_new(physical, "region", region);
	return physical;
}

static void add_port(json_t *list, const struct hd_fabric *fabric, uint32_t port)
{
	json_t *object = json_object();
	char label[HD_LABEL_SIZE];

	if (fabric->ports[port].number)
		hd_port_label(fabric, port, label, sizeof(label));
	else
		hd_node_label(fabric, fabric->ports[port].node, label, sizeof(label));
	json_object_set_new(object, "name", hd_json_text(label));
	json_object_set_new(object, "kind", json_string("resource"));
	/* the standard wants each once */
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_equal(json_array_get(list, i), object)) {
			json_decref(object);
			return;
		}
	json_array_append_new(list, object);
}

/* The ports that packets leave by, the destination, and what the demand is about. */
static json_t *json_ports(const struct hd_judged_rules *judged,
			  const struct hd_violation *violation)
{
	const struct hd_fabric *fabric = judged->tables->fabric;
	json_t *list = json_array();
	const size_t n = hd_rules_path(judged, violation);
	const struct hd_hop *hops = judged->hops;

	for (size_t i = 0; i + 1 < n; i++)
		add_port(list, fabric, hd_port_index(fabric, hops[i].node, hops[i].out));
	if (!n && violation->source != HD_NONE)
		add_port(list, fabric, violation->source);
	if (violation->lid)
		add_port(list, fabric, fabric->lids[violation->lid].port);
	if (violation->port != HD_NONE)
		add_port(list, fabric, violation->port);
	return list;
}

static json_t *json_location(const struct hd_judged_rules *judged, unsigned line,
			     const struct hd_violation *violation)
{
	json_t *location = json_object();

	json_object_set_new(location, "physicalLocation", json_physical(judged->rules->file, line));
	if (violation)
		json_object_set_new(location, "logicalLocations", json_ports(judged, violation));
	return location;
}

static json_t *json_result(const char *rule, unsigned index, const char *text, json_t *location)
{
	json_t *result = json_object(), *locations = json_array();

	json_array_append_new(locations, location);
	json_object_set_new(result, "ruleId", json_string(rule));
	json_object_set_new(result, "ruleIndex", json_integer(index));
	json_object_set_new(result, "level", json_string("error"));
	json_object_set_new(result, "message", json_message(text));
	json_object_set_new(result, "locations", locations);
	return result;
}

/* The name of a demand among all of the file: "storage/max_hops", then "storage/avoid-2". */
static const char *rule_id(const struct hd_judged_rules *judged, uint32_t d, char *buffer,
			   size_t size)
{
	const struct hd_rules *rules = judged->rules;
	const struct hd_demand *demand = &rules->demands[d];
	const struct hd_rule *rule = &rules->rules[demand->rule];
	const char *word = hd_demand_word(demand);
	uint32_t n = 1;

	for (uint32_t other = rule->first_demand; other < d; other++)
		n += strcmp(hd_demand_word(&rules->demands[other]), word) == 0;
	if (n == 1)
		snprintf(buffer, size, "%s/%s", rule->name, word);
	else
		snprintf(buffer, size, "%s/%s-%" PRIu32, rule->name, word, n);
	return buffer;
}

static json_t *demand_result(const struct hd_judged_rules *judged, uint32_t d)
{
	const struct hd_demand_verdict *verdict = &judged->verdict->demands[d];
	const unsigned line = judged->rules->demands[d].line;
	json_t *result, *related = json_array();
	char text[HD_SENTENCE_SIZE], id[2 * HD_RULE_NAME], example[2 * HD_SENTENCE_SIZE];

	result = json_result(
		rule_id(judged, d, id, sizeof(id)), d + 1,
		hd_rules_sentence(judged, d, text, sizeof(text)),
		json_location(judged, line, verdict->n_examples ? &verdict->examples[0] : NULL));
	for (unsigned i = 0; i < verdict->n_examples; i++) {
		json_t *location = json_location(judged, line, &verdict->examples[i]);

		hd_rules_example(judged, d, &verdict->examples[i], example, sizeof(example));
		json_object_set_new(location, "message", json_message(example));
		json_array_append_new(related, location);
	}
	json_object_set_new(result, "relatedLocations", related);
	return result;
}

static json_t *json_results(const struct hd_judged_rules *judged)
{
	const struct hd_rules *rules = judged->rules;
	json_t *results = json_array();
	char text[HD_SENTENCE_SIZE];

	for (uint32_t s = 0; s < rules->n_sets; s++)
		if (hd_rules_set_is_small(judged, s))
			json_array_append_new(
				results,
				json_result("sets/at_least", 0,
					    hd_rules_set_sentence(judged, s, text, sizeof(text)),
					    json_location(judged, rules->sets[s].line, NULL)));
	for (uint32_t d = 0; d < rules->n_demands; d++)
		if (judged->verdict->demands[d].n_bad)
			json_array_append_new(results, demand_result(judged, d));
	return results;
}

static json_t *json_descriptor(const char *id, const char *text)
{
	json_t *object = json_object();

	json_object_set_new(object, "id", json_string(id));
	json_object_set_new(object, "shortDescription", json_message(text));
	return object;
}

static json_t *json_driver(const struct hd_judged_rules *judged)
{
	json_t *driver = json_object(), *list = json_array();
	char id[2 * HD_RULE_NAME], text[3 * HD_RULE_NAME];

	json_array_append_new(list, json_descriptor("sets/at_least", "Sets have enough nodes"));
	for (uint32_t d = 0; d < judged->rules->n_demands; d++) {
		const struct hd_demand *demand = &judged->rules->demands[d];

		snprintf(text, sizeof(text), "%s of [rule %s], line %u", hd_demand_word(demand),
			 judged->rules->rules[demand->rule].name, demand->line);
		json_array_append_new(list,
				      json_descriptor(rule_id(judged, d, id, sizeof(id)), text));
	}
	json_object_set_new(driver, "name", json_string("heddle"));
	json_object_set_new(driver, "version", json_string(PACKAGE_VERSION));
	json_object_set_new(driver, "rules", list);
	return driver;
}

json_t *hd_rules_sarif(const struct hd_judged_rules *judged)
{
	json_t *root = json_object(), *runs = json_array(), *run = json_object();
	json_t *tool = json_object();

	json_object_set_new(tool, "driver", json_driver(judged));
	json_object_set_new(run, "tool", tool);
	json_object_set_new(run, "results", json_results(judged));
	json_array_append_new(runs, run);
	json_object_set_new(root, "$schema", json_string(SCHEMA));
	json_object_set_new(root, "version", json_string("2.1.0"));
	json_object_set_new(root, "runs", runs);
	return root;
}
