// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/gaps_print.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/report.h"

void hd_gaps_tell(const struct hd_fabric *fabric, const struct hd_gaps *gaps)
{
	if (gaps->is_other)
		hd_report_field("nearest topology",
				"%s, from which %" PRIu32 " cables are missing and %" PRIu32
				" are odd",
				gaps->shape, gaps->n_missing, gaps->n_odd);
	else if (!gaps->is_known && fabric->n_switches > 2)
		hd_report_field("missing cables", "not known: no topology that is known is near");
}

void hd_print_more(uint32_t n, uint32_t most)
{
	if (n > most)
		printf("  ... and %" PRIu32 " more (--all)\n", n - most);
}

static void put_missing(const struct hd_gaps *gaps, const struct hd_place_pair *pair)
{
	char one[HD_END_LABEL_SIZE], other[HD_END_LABEL_SIZE];

	printf("%s - %s", hd_end_label(&gaps->ports, pair->ends, 0, one),
	       hd_end_label(&gaps->ports, pair->ends, 1, other));
}

static void print_missing(const struct hd_gaps *gaps, uint32_t most)
{
	const struct hd_differences *differences = &gaps->differences;
	uint32_t n = 0;

	if (!gaps->n_missing)
		return;
	printf("\nmissing cables: %" PRIu32 " of %s\n", gaps->n_missing, gaps->shape);
	for (uint32_t i = 0; i < differences->n_findings && n < most; i++) {
		if (differences->findings[i].kind != HD_MISSING)
			continue;
		n++;
		fputs("  ", stdout);
		put_missing(gaps, &differences->planned[differences->findings[i].first_planned]);
		putchar('\n');
	}
	hd_print_more(gaps->n_missing, most);
}

static void put_pairs(const struct hd_gaps *gaps, const struct hd_place_pair *pairs, uint32_t n)
{
	const struct hd_fabric *now = gaps->ports.now;
	char one[HD_LABEL_SIZE], other[HD_LABEL_SIZE];

	for (uint32_t i = 0; i < n; i++)
		printf("%s%s - %s", i ? ", " : "",
		       hd_place_label(gaps->plan, now, &pairs[i].ends[0], one),
		       hd_place_label(gaps->plan, now, &pairs[i].ends[1], other));
}

static void print_odd(const struct hd_gaps *gaps, uint32_t most)
{
	const struct hd_differences *differences = &gaps->differences;
	uint32_t n = 0;

	if (!gaps->n_odd)
		return;
	printf("\nodd cables: %" PRIu32 "\n", gaps->n_odd);
	for (uint32_t i = 0; i < differences->n_findings && n < most; i++) {
		const struct hd_finding *finding = &differences->findings[i];

		if (!hd_is_odd(finding))
			continue;
		n++;
		fputs("  ", stdout);
		put_pairs(gaps, &differences->present[finding->first_present], finding->n_present);
		if (finding->n_planned)
			fputs("; should be ", stdout);
		put_pairs(gaps, &differences->planned[finding->first_planned], finding->n_planned);
		putchar('\n');
	}
	hd_print_more(gaps->n_odd, most);
}

void hd_gaps_print(const struct hd_gaps *gaps, uint32_t most)
{
	if (!gaps->is_known)
		return;
	print_missing(gaps, most);
	print_odd(gaps, most);
}

/* @likely_to: the likely ones for this switch; HD_NONE: all. */
static json_t *json_ports(const struct hd_free_ports *ports, uint32_t s, uint32_t likely_to)
{
	json_t *list = json_array();

	for (unsigned number = 0; (number = hd_free_ports_next(ports, s, number)) != 0;)
		if (likely_to == HD_NONE || hd_free_ports_is_likely(ports, s, likely_to, number))
			json_array_append_new(list, json_integer(number));
	return list;
}

static json_t *json_group(const struct hd_place *place, const struct hd_free_ports *ports)
{
	json_t *object = json_object(), *list = json_array();
	uint32_t s = HD_NONE;

	json_object_set_new(object, "group", json_integer(place->group));
	if (!ports) {
		json_decref(list);
		return object;
	}
	while ((s = hd_free_ports_next_switch(ports, place, s)) != HD_NONE) {
		json_t *node = hd_json_node(ports->now, s);

		json_object_set_new(node, "ports", json_ports(ports, s, HD_NONE));
		json_array_append_new(list, node);
	}
	json_object_set_new(object, "switches", list);
	return object;
}

json_t *hd_place_json(const struct hd_cable_plan *plan, const struct hd_fabric *now,
		      const struct hd_place pair[2], unsigned end,
		      const struct hd_free_ports *ports)
{
	const struct hd_place *place = &pair[end];
	const struct hd_fabric *fabric = place->present != HD_NONE ? now : plan->fabric;
	uint32_t node = place->present != HD_NONE ? place->present : place->planned;
	json_t *object;

	if (node == HD_NONE)
		return json_group(place, ports);
	object = json_object();
	json_object_set_new(object, "name", hd_json_text(hd_node_name(fabric, node)));
	/* a list of cables has no GUIDs */
	json_object_set_new(object, "guid",
			    place->present != HD_NONE || plan->has_guids
				    ? hd_json_guid(fabric->nodes[node].guid)
				    : json_null());
	json_object_set_new(object, "port", place->port ? json_integer(place->port) : json_null());
	if (!ports || place->port || place->present == HD_NONE)
		return object;
	json_object_set_new(object, "ports", json_ports(ports, node, HD_NONE));
	json_object_set_new(object, "likely_ports",
			    pair[!end].present == HD_NONE
				    ? json_array()
				    : json_ports(ports, node, pair[!end].present));
	return object;
}

static json_t *json_pair(const struct hd_gaps *gaps, const struct hd_place_pair *pair,
			 bool is_missing)
{
	const struct hd_free_ports *ports = is_missing ? &gaps->ports : NULL;
	json_t *object = json_object();

	json_object_set_new(object, "from",
			    hd_place_json(gaps->plan, gaps->ports.now, pair->ends, 0, ports));
	json_object_set_new(object, "to",
			    hd_place_json(gaps->plan, gaps->ports.now, pair->ends, 1, ports));
	return object;
}

static json_t *json_odd(const struct hd_gaps *gaps, const struct hd_finding *finding)
{
	const struct hd_differences *differences = &gaps->differences;
	json_t *object = json_object(), *now = json_array(), *wanted = json_array();

	for (uint32_t i = 0; i < finding->n_present; i++)
		json_array_append_new(
			now,
			json_pair(gaps, &differences->present[finding->first_present + i], false));
	for (uint32_t i = 0; i < finding->n_planned; i++)
		json_array_append_new(
			wanted,
			json_pair(gaps, &differences->planned[finding->first_planned + i], false));
	json_object_set_new(object, "kind", json_string(hd_finding_names[finding->kind]));
	json_object_set_new(object, "now", now);
	json_object_set_new(object, "wanted", wanted);
	return object;
}

void hd_gaps_json(const struct hd_gaps *gaps, json_t *root)
{
	const struct hd_differences *differences = &gaps->differences;
	json_t *missing = json_array(), *odd = json_array();

	for (uint32_t i = 0; i < differences->n_findings; i++) {
		const struct hd_finding *finding = &differences->findings[i];

		if (finding->kind == HD_MISSING)
			json_array_append_new(
				missing,
				json_pair(gaps, &differences->planned[finding->first_planned],
					  true));
		else if (hd_is_odd(finding))
			json_array_append_new(odd, json_odd(gaps, finding));
	}
	json_object_set_new(root, "cables_of",
			    gaps->is_known ? hd_json_text(gaps->shape) : json_null());
	json_object_set_new(root, "missing_cables", missing);
	json_object_set_new(root, "odd_cables", odd);
}
