// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/verdict.h"

#include <inttypes.h>
#include <stdio.h>

#include "support/error.h"
#include "tools/command.h"
#include "tools/report.h"

/* Cells of a flow: source, destination, SL. */
static void add_flow(struct hd_columns *columns, const struct hd_fabric *fabric,
		     const struct hd_flow *flow)
{
	char label[HD_LABEL_SIZE];

	hd_columns_add(columns, "%s",
		       hd_report_endport(fabric, flow->source, label, sizeof(label)));
	hd_columns_add(columns, "%s", hd_report_lid(fabric, flow->lid, label, sizeof(label)));
	hd_columns_add(columns, "%u", flow->sl);
}

/* The cycle: a channel per line, with the flow that holds it and waits for the next line's. */
static int print_cycle(const struct hd_check_result *result, const struct hd_fabric *fabric,
		       struct hd_error *err)
{
	struct hd_columns columns;
	char label[HD_LABEL_SIZE];

	puts("Each channel is held by a flow that waits for the next one, the last for the first:");
	hd_columns_init(&columns, 7, 1 << 1 | 1 << 2 | 1 << 6);
	hd_columns_titles(&columns, "switch", "port", "VL", "to", "held by flow from", "to", "SL");
	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_witness *witness = &result->witness[i];
		const struct hd_port *port = &fabric->ports[witness->port];

		hd_columns_add(&columns, "%s",
			       hd_report_node(fabric, port->node, label, sizeof(label)));
		hd_columns_add(&columns, "%u", port->number);
		hd_columns_add(&columns, "%u", witness->vl);
		hd_columns_add(&columns, "%s",
			       port->peer == HD_NONE
				       ? "-"
				       : hd_report_node(fabric, fabric->ports[port->peer].node,
							label, sizeof(label)));
		add_flow(&columns, fabric, &witness->flow);
	}
	return hd_columns_print(&columns, err);
}

static int print_bad_flow(const struct hd_check_result *result, const struct hd_fabric *fabric,
			  struct hd_error *err)
{
	struct hd_columns columns;
	char label[HD_LABEL_SIZE];

	hd_columns_init(&columns, 4, 1 << 2);
	hd_columns_titles(&columns, "flow from", "to", "SL", "fails at");
	add_flow(&columns, fabric, &result->bad_flow);
	hd_columns_add(&columns, "%s",
		       result->bad_port == HD_NONE
			       ? "-"
			       : hd_report_port(fabric, result->bad_port, label, sizeof(label)));
	return hd_columns_print(&columns, err);
}

int hd_verdict_print(const struct hd_check_result *result, const struct hd_fabric *fabric,
		     struct hd_error *err)
{
	char summary[1024];

	if (result->failure == HD_CHECK_SOUND) {
		hd_report_field("verdict", "sound");
		return 0;
	}
	hd_check_summary(result, fabric, summary, sizeof(summary));
	hd_report_field("verdict", "unsound: %s", summary);
	if (result->failure == HD_CHECK_CREDIT_LOOP)
		return print_cycle(result, fabric, err);
	return print_bad_flow(result, fabric, err);
}

void hd_verdict_print_resources(const struct hd_check_result *result)
{
	hd_report_field("SLs", "%u", result->sls);
	hd_report_field("VLs", "%u", result->vls);
	hd_report_field("longest path", "%u hops between switches", result->max_hops);
	hd_report_field("channels", "%" PRIu64 " in use", result->channels);
	hd_report_field("dependencies", "%" PRIu64, result->dependencies);
}

static json_t *json_bad(const struct hd_check_result *result, const struct hd_fabric *fabric)
{
	json_t *bad = json_object();

	json_object_set_new(bad, "entries", json_integer((json_int_t)result->n_bad));
	json_object_set_new(bad, "flow", hd_json_flow(fabric, &result->bad_flow));
	if (result->bad_port != HD_NONE) {
		const struct hd_port *port = &fabric->ports[result->bad_port];
		char label[HD_LABEL_SIZE];

		hd_report_node(fabric, port->node, label, sizeof(label));
		json_object_set_new(bad, "node", hd_json_text(label));
		json_object_set_new(bad, "guid", hd_json_guid(fabric->nodes[port->node].guid));
		json_object_set_new(bad, "port", json_integer(port->number));
	}
	return bad;
}

static json_t *json_witness(const struct hd_check_result *result, const struct hd_fabric *fabric)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_witness *witness = &result->witness[i];
		const struct hd_port *port = &fabric->ports[witness->port];
		json_t *channel = json_object();
		char label[HD_LABEL_SIZE];

		hd_report_node(fabric, port->node, label, sizeof(label));
		json_object_set_new(channel, "switch", hd_json_text(label));
		json_object_set_new(channel, "guid", hd_json_guid(fabric->nodes[port->node].guid));
		json_object_set_new(channel, "port", json_integer(port->number));
		json_object_set_new(channel, "vl", json_integer(witness->vl));
		json_object_set_new(channel, "flow", hd_json_flow(fabric, &witness->flow));
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
	json_object_set_new(object, "reachable", json_boolean(result->reachable));
	json_object_set_new(object, "sls", json_integer(result->sls));
	json_object_set_new(object, "vls", json_integer(result->vls));
	json_object_set_new(object, "max_hops", json_integer(result->max_hops));
	json_object_set_new(object, "channels", json_integer((json_int_t)result->channels));
	json_object_set_new(object, "dependencies", json_integer((json_int_t)result->dependencies));
	if (!sound && !result->reachable)
		json_object_set_new(object, "bad", json_bad(result, fabric));
	json_object_set_new(object, "witness", json_witness(result, fabric));
}
