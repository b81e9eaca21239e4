// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "support/error.h"
#include "tables/ar.h"
#include "tools/command.h"
#include "tools/report.h"

/* Switches without a table that the text names; JSON names all. */
#define MOST_NAMES 20

/* Whether a failure other than a credit loop was found. */
static bool has_findings(const struct hd_check_result *result)
{
	for (int failure = HD_CHECK_NO_PATH; failure < HD_CHECK_CREDIT_LOOP; failure++)
		if (result->found[failure].n)
			return true;
	return false;
}

/* Adds the cells of a flow: source, destination, SL. */
static void add_flow(struct hd_columns *columns, const struct hd_fabric *fabric,
		     const struct hd_flow *flow)
{
	char label[HD_LABEL_SIZE];

	hd_columns_add(columns, "%s",
		       hd_report_endport(fabric, flow->source, label, sizeof(label)));
	hd_columns_add(columns, "%s", hd_report_lid(fabric, flow->lid, label, sizeof(label)));
	hd_columns_add(columns, "%u", flow->sl);
}

/* Whether the flows of the cycle go on by entries of AR tables. */
static bool is_by_sets(const struct hd_check_result *result)
{
	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_witness *witness = &result->witness[i];

		if (witness->by.group != HD_AR_NO_GROUP || witness->by.plft ||
		    witness->next.group != HD_AR_NO_GROUP || witness->next.plft)
			return true;
	}
	return false;
}

/* "group 3, free", "pLFT 1, group 0, hash", "static", "group 2 stands in" */
static void add_entry(struct hd_columns *columns, const struct hd_witness_entry *entry)
{
	char plft[16] = "", group[32] = "";

	if (entry->plft)
		snprintf(plft, sizeof(plft), "pLFT %u, ", entry->plft);
	if (entry->group != HD_AR_NO_GROUP)
		snprintf(group, sizeof(group), "group %u%s", entry->group,
			 entry->state == HD_AR_STATIC ? " stands in" : ", ");
	hd_columns_add(columns, "%s%s%s", plft, group,
		       group[0] && entry->state == HD_AR_STATIC ? ""
								: hd_ar_state_name(entry->state));
}

void hd_verdict_cycle(const struct hd_check_result *result, const struct hd_fabric *fabric,
		      struct hd_columns *columns)
{
	const bool by_sets = is_by_sets(result);
	char label[HD_LABEL_SIZE];

	hd_columns_init(columns, by_sets ? 9 : 7, 1 << 1 | 1 << 2 | 1 << 6);
	if (by_sets)
		hd_columns_titles(columns, "switch", "port", "VL", "to", "held by flow from", "to",
				  "SL", "by", "goes on by");
	else
		hd_columns_titles(columns, "switch", "port", "VL", "to", "held by flow from", "to",
				  "SL");
	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_witness *witness = &result->witness[i];
		const struct hd_port *port = &fabric->ports[witness->port];

		hd_columns_add(columns, "%s",
			       hd_node_label(fabric, port->node, label, sizeof(label)));
		hd_columns_add(columns, "%u", port->number);
		hd_columns_add(columns, "%u", witness->vl);
		hd_columns_add(columns, "%s",
			       port->peer == HD_NONE
				       ? "-"
				       : hd_node_label(fabric, fabric->ports[port->peer].node,
						       label, sizeof(label)));
		add_flow(columns, fabric, &witness->flow);
		if (by_sets) {
			add_entry(columns, &witness->by);
			add_entry(columns, &witness->next);
		}
	}
}

static int print_cycle(const struct hd_check_result *result, const struct hd_fabric *fabric,
		       struct hd_error *err)
{
	struct hd_columns columns;

	puts(HD_VERDICT_CYCLE);
	hd_verdict_cycle(result, fabric, &columns);
	return hd_columns_print(&columns, err);
}

void hd_verdict_bad_flows(const struct hd_check_result *result, const struct hd_fabric *fabric,
			  struct hd_columns *columns)
{
	char label[HD_LABEL_SIZE];

	hd_columns_init(columns, 5, 1 << 3);
	hd_columns_titles(columns, "failure", "flow from", "to", "SL", "fails at");
	for (int failure = HD_CHECK_NO_PATH; failure < HD_CHECK_CREDIT_LOOP; failure++) {
		const struct hd_check_finding *found = &result->found[failure];

		if (!found->n)
			continue;
		hd_columns_add(columns, "%s", hd_check_failure_name(failure));
		add_flow(columns, fabric, &found->flow);
		hd_port_label(fabric, found->port, label, sizeof(label));
		if (failure == HD_CHECK_STARVED)
			hd_columns_add(columns, "%s, VL %u", label, found->vl);
		else
			hd_columns_add(columns, "%s", label);
	}
}

static int print_bad_flows(const struct hd_check_result *result, const struct hd_fabric *fabric,
			   struct hd_error *err)
{
	struct hd_columns columns;

	hd_verdict_bad_flows(result, fabric, &columns);
	return hd_columns_print(&columns, err);
}

void hd_verdict_loop(const struct hd_check_result *result, const struct hd_fabric *fabric,
		     struct hd_columns *columns)
{
	hd_columns_init(columns, 3, 1 << 1 | 1 << 2);
	hd_columns_titles(columns, "switch", "in", "out");
	for (size_t i = 0; i < result->n_loop; i++) {
		const struct hd_hop *hop = &result->loop[i];
		char label[HD_LABEL_SIZE];

		hd_columns_add(columns, "%s",
			       hd_node_label(fabric, hop->node, label, sizeof(label)));
		hd_columns_add(columns, "%u", hop->in);
		hd_columns_add(columns, "%u", hop->out);
	}
}

char *hd_verdict_loop_text(const struct hd_check_result *result, const struct hd_fabric *fabric,
			   char *buffer, size_t size)
{
	const struct hd_flow *flow = &result->found[HD_CHECK_FORWARD_LOOP].flow;
	char source[HD_LABEL_SIZE], destination[HD_LABEL_SIZE];

	snprintf(buffer, size,
		 "Packets from %s to %s (LID %u) go round here, from the last hop back to the "
		 "first:",
		 hd_report_endport(fabric, flow->source, source, sizeof(source)),
		 hd_report_lid(fabric, flow->lid, destination, sizeof(destination)), flow->lid);
	return buffer;
}

/* Prints the circle of a forwarding loop, hop by hop. */
static int print_loop(const struct hd_check_result *result, const struct hd_fabric *fabric,
		      struct hd_error *err)
{
	char text[2 * HD_LABEL_SIZE + 128];
	struct hd_columns columns;

	puts(hd_verdict_loop_text(result, fabric, text, sizeof(text)));
	hd_verdict_loop(result, fabric, &columns);
	return hd_columns_print(&columns, err);
}

int hd_verdict_print_failures(const struct hd_check_result *result, const struct hd_fabric *fabric,
			      struct hd_error *err)
{
	int ret = 0;

	if (has_findings(result))
		ret = print_bad_flows(result, fabric, err);
	if (!ret && result->n_loop)
		ret = print_loop(result, fabric, err);
	if (!ret && result->n_witness)
		ret = print_cycle(result, fabric, err);
	return ret;
}

int hd_verdict_print(const struct hd_check_result *result, const struct hd_fabric *fabric,
		     struct hd_error *err)
{
	char summary[2048];

	if (result->failure == HD_CHECK_SOUND) {
		hd_report_field("verdict", "sound");
		return 0;
	}
	hd_check_summary(result, fabric, summary, sizeof(summary));
	hd_report_field("verdict", "unsound: %s", summary);
	return hd_verdict_print_failures(result, fabric, err);
}

/* The switches whose LFTs are not known, by name. */
static void list_unknown(const struct hd_tables *tables, char *text, size_t size)
{
	size_t length = 0;
	uint32_t n = 0;

	text[0] = '\0';
	for (uint32_t s = 0; s < tables->fabric->n_switches; s++) {
		char label[HD_LABEL_SIZE];

		if (hd_lft_is_known(tables, s))
			continue;
		if (n++ == MOST_NAMES) {
			snprintf(text + length, size - length, ", ...");
			return;
		}
		hd_node_label(tables->fabric, s, label, sizeof(label));
		length += (size_t)snprintf(text + length, size - length, "%s%s", n > 1 ? ", " : "",
					   label);
	}
}

void hd_verdict_print_uncovered(const struct hd_check_result *result,
				const struct hd_tables *tables)
{
	const uint32_t n = tables->n_lft_unknown;
	char names[(MOST_NAMES + 1) * (HD_LABEL_SIZE + 2)];

	if (!n)
		return;
	list_unknown(tables, names, sizeof(names));
	hd_report_field("without a table", "%" PRIu32 " of %" PRIu32 " switches: %s", n,
			tables->fabric->n_switches, names);
	hd_report_field("not covered", "%" PRIu64 " of %" PRIu64 " pairs of end port and LID",
			result->n_uncovered, result->n_flows);
}

void hd_verdict_json_uncovered(const struct hd_tables *tables, json_t *object)
{
	json_t *array;

	if (!tables->n_lft_unknown)
		return;
	array = json_array();
	for (uint32_t s = 0; s < tables->fabric->n_switches; s++)
		if (!hd_lft_is_known(tables, s))
			json_array_append_new(array, hd_json_node(tables->fabric, s));
	json_object_set_new(object, "switches_without_table", array);
}

const char *hd_verdict_reachable(const struct hd_check_result *result)
{
	if (has_findings(result))
		return "no";
	return result->reachable ? "yes" : "not known of all";
}

/* " sound", or ": " and what was found. */
static char *describe(const struct hd_check_result *result, const struct hd_fabric *fabric,
		      char *buffer, size_t size)
{
	if (result->failure == HD_CHECK_SOUND) {
		snprintf(buffer, size, " sound");
		return buffer;
	}
	buffer[0] = ':';
	buffer[1] = ' ';
	hd_check_summary(result, fabric, buffer + 2, size - 2);
	return buffer;
}

void hd_verdict_print_both(const struct hd_check_result *hosts, const struct hd_check_result *all,
			   const struct hd_fabric *fabric)
{
	char first[2048], second[2048];

	hd_report_field("verdict", "hosts%s; with switches%s",
			describe(hosts, fabric, first, sizeof(first)),
			describe(all, fabric, second, sizeof(second)));
}

void hd_verdict_tell_resources(const struct hd_check_result *result, struct hd_fields *fields)
{
	hd_fields_add(fields, "SLs", "%u", result->sls);
	hd_fields_add(fields, "VLs", "%u", result->vls);
	hd_fields_add(fields, "longest path", "%u hops between switches", result->max_hops);
	hd_fields_add(fields, "channels", "%" PRIu64 " in use", result->channels);
	hd_fields_add(fields, "dependencies", "%" PRIu64, result->dependencies);
}

void hd_verdict_print_sets(const struct hd_tables *tables)
{
	struct hd_ar_totals totals;

	if (!tables->ar)
		return;
	hd_ar_count(tables, &totals);
	hd_report_field("AR sets",
			"%" PRIu64 " entries of %.2f ports on average, at most %" PRIu32
			" groups in a switch",
			totals.n_entries,
			totals.n_entries ? (double)totals.n_ports / (double)totals.n_entries : 0,
			totals.most_groups);
	if (totals.most_subgroups > 1)
		hd_report_field("subgroups", "at most %u of a group", totals.most_subgroups);
	if (totals.n_private)
		hd_report_field("private LFTs", "%" PRIu32 " switches have up to %u LFTs",
				totals.n_private, totals.most_plfts);
	if (totals.n_vl2vl)
		hd_report_field("VL2VL", "%" PRIu32 " switches", totals.n_vl2vl);
}

void hd_verdict_json_sets(const struct hd_tables *tables, json_t *object)
{
	struct hd_ar_totals totals;

	if (!tables->ar)
		return;
	hd_ar_count(tables, &totals);
	json_object_set_new(object, "ar",
			    json_pack("{s:I, s:I, s:I, s:i, s:i, s:I, s:I}", "entries",
				      (json_int_t)totals.n_entries, "ports",
				      (json_int_t)totals.n_ports, "groups",
				      (json_int_t)totals.most_groups, "subgroups",
				      (int)totals.most_subgroups, "plfts", (int)totals.most_plfts,
				      "private_switches", (json_int_t)totals.n_private,
				      "vl2vl_switches", (json_int_t)totals.n_vl2vl));
}

static json_t *json_finding(const struct hd_check_result *result, enum hd_check_failure failure,
			    const struct hd_fabric *fabric)
{
	const struct hd_check_finding *found = &result->found[failure];
	json_t *object = json_object();

	json_object_set_new(object, "entries", json_integer((json_int_t)found->n));
	json_object_set_new(object, "flow", hd_json_flow(fabric, &found->flow));
	if (found->port != HD_NONE) {
		const struct hd_port *port = &fabric->ports[found->port];
		char label[HD_LABEL_SIZE];

		hd_node_label(fabric, port->node, label, sizeof(label));
		json_object_set_new(object, "node", hd_json_text(label));
		json_object_set_new(object, "guid", hd_json_guid(fabric->nodes[port->node].guid));
		json_object_set_new(object, "port", json_integer(port->number));
	}
	if (failure == HD_CHECK_STARVED)
		json_object_set_new(object, "vl", json_integer(found->vl));
	return object;
}

/* All kinds of failure, the worst first. */
static json_t *json_failures(const struct hd_check_result *result, const struct hd_fabric *fabric)
{
	json_t *array = json_array();

	for (int failure = HD_CHECK_NO_PATH; failure < HD_CHECK_CREDIT_LOOP; failure++) {
		json_t *object;

		if (!result->found[failure].n)
			continue;
		object = json_finding(result, failure, fabric);
		json_object_set_new(object, "failure", json_string(hd_check_failure_name(failure)));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *json_loop(const struct hd_check_result *result, const struct hd_fabric *fabric)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->n_loop; i++) {
		const struct hd_hop *hop = &result->loop[i];
		json_t *object = json_object();
		char label[HD_LABEL_SIZE];

		hd_node_label(fabric, hop->node, label, sizeof(label));
		json_object_set_new(object, "switch", hd_json_text(label));
		json_object_set_new(object, "guid", hd_json_guid(fabric->nodes[hop->node].guid));
		json_object_set_new(object, "in", json_integer(hop->in));
		json_object_set_new(object, "out", json_integer(hop->out));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *json_entry(const struct hd_witness_entry *entry)
{
	json_t *object = json_object();

	json_object_set_new(object, "plft", json_integer(entry->plft));
	json_object_set_new(object, "state", json_string(hd_ar_state_name(entry->state)));
	json_object_set_new(object, "group",
			    entry->group == HD_AR_NO_GROUP ? json_null()
							   : json_integer(entry->group));
	return object;
}

static json_t *json_witness(const struct hd_check_result *result, const struct hd_fabric *fabric)
{
	const bool by_sets = is_by_sets(result);
	json_t *array = json_array();

	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_witness *witness = &result->witness[i];
		const struct hd_port *port = &fabric->ports[witness->port];
		json_t *channel = json_object();
		char label[HD_LABEL_SIZE];

		hd_node_label(fabric, port->node, label, sizeof(label));
		json_object_set_new(channel, "switch", hd_json_text(label));
		json_object_set_new(channel, "guid", hd_json_guid(fabric->nodes[port->node].guid));
		json_object_set_new(channel, "port", json_integer(port->number));
		json_object_set_new(channel, "vl", json_integer(witness->vl));
		json_object_set_new(channel, "flow", hd_json_flow(fabric, &witness->flow));
		if (by_sets) {
			json_object_set_new(channel, "by", json_entry(&witness->by));
			json_object_set_new(channel, "goes_on_by", json_entry(&witness->next));
		}
		json_array_append_new(array, channel);
	}
	return array;
}

void hd_verdict_json(const struct hd_check_result *result, const struct hd_fabric *fabric,
		     json_t *object)
{
	bool sound = result->failure == HD_CHECK_SOUND;

	json_object_set_new(object, "sound", json_boolean(sound));
	json_object_set_new(object, "failure",
			    sound ? json_null()
				  : json_string(hd_check_failure_name(result->failure)));
	json_object_set_new(object, "reachable",
			    result->n_uncovered && !has_findings(result)
				    ? json_null()
				    : json_boolean(result->reachable));
	if (result->n_unknown) {
		json_object_set_new(object, "flows", json_integer((json_int_t)result->n_flows));
		json_object_set_new(object, "uncovered",
				    json_integer((json_int_t)result->n_uncovered));
	}
	json_object_set_new(object, "sls", json_integer(result->sls));
	json_object_set_new(object, "vls", json_integer(result->vls));
	json_object_set_new(object, "max_hops", json_integer(result->max_hops));
	json_object_set_new(object, "channels", json_integer((json_int_t)result->channels));
	json_object_set_new(object, "dependencies", json_integer((json_int_t)result->dependencies));
	if (result->states)
		json_object_set_new(object, "states", json_integer((json_int_t)result->states));
	json_object_set_new(object, "vlarb_unknown", json_integer(result->vlarb_gap.n));
	if (has_findings(result)) {
		json_object_set_new(object, "bad", json_finding(result, result->failure, fabric));
		json_object_set_new(object, "failures", json_failures(result, fabric));
	}
	if (result->n_loop) {
		json_object_set_new(object, "looping_flows",
				    json_integer((json_int_t)result->n_looping));
		json_object_set_new(object, "loop", json_loop(result, fabric));
	}
	json_object_set_new(object, "witness", json_witness(result, fabric));
}
