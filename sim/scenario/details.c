// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/details.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/scenario/columns.h"

/* A name from a file need not be UTF-8: other bytes become '?'. */
static json_t *text(const char *name)
{
	json_t *string = json_string(name);
	char copy[320];

	if (string)
		return string;
	snprintf(copy, sizeof(copy), "%s", name);
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	return json_string(copy);
}

static json_t *histogram_json(const struct hd_histogram *h, enum hd_clock clock)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < HD_HISTOGRAM_BUCKETS; i++) {
		uint64_t first, last;

		if (!h->counts[i])
			continue;
		hd_histogram_bounds(i, &first, &last);
		json_array_append_new(array,
				      json_pack("[f, f, I]", hd_result_time(clock, (double)first),
						hd_result_time(clock, (double)last),
						(json_int_t)h->counts[i]));
	}
	return array;
}

static json_t *latency_json(const struct hd_histogram *h, enum hd_clock clock, bool with_buckets)
{
	json_t *object = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "mean",
				   hd_result_time(clock, hd_histogram_mean(h)), "min",
				   hd_result_time(clock, (double)h->min), "p50",
				   hd_result_time(clock, hd_histogram_percentile(h, 0.5)), "p99",
				   hd_result_time(clock, hd_histogram_percentile(h, 0.99)), "p999",
				   hd_result_time(clock, hd_histogram_percentile(h, 0.999)), "max",
				   hd_result_time(clock, (double)h->max));

	if (with_buckets)
		json_object_set_new(object, "histogram", histogram_json(h, clock));
	return object;
}

static json_t *class_json(const struct hd_measure *measure, const struct hd_measure_class *class,
			  const char *name, enum hd_clock clock, bool is_all)
{
	return json_pack("{s:o, s:f, s:f, s:I, s:I, s:f, s:o, s:o}", "name", text(name), "offered",
			 hd_measure_load(measure, class->offered), "accepted",
			 hd_measure_load(measure, class->accepted), "packets",
			 (json_int_t) class->packets, "dropped", (json_int_t) class->dropped,
			 "hops_mean",
			 class->packets ? (double)class->hops / (double)class->packets : 0.0,
			 "latency", latency_json(&class->latency, clock, is_all), "network_latency",
			 latency_json(&class->network_latency, clock, is_all));
}

static json_t *classes_json(const struct hd_result *result, enum hd_clock clock)
{
	const struct hd_measure *measure = result->measure;
	json_t *array = json_array();

	for (unsigned i = 0; i < measure->options.n_classes; i++)
		json_array_append_new(array, class_json(measure, &measure->classes[i],
							result->class_names[i], clock, false));
	return array;
}

static void add_fullness(json_t *object, const char *name, const struct hd_fullness *f,
			 uint32_t packet)
{
	if (f->n)
		json_object_set_new(object, name,
				    json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f}", "buffers",
					      (int)f->n, "mean",
					      hd_fullness_mean(f->area, f) / packet, "max",
					      (double)f->most / packet, "mean_share",
					      hd_fullness_mean(f->share, f), "max_share",
					      f->most_share, "full", hd_fullness_mean(f->full, f),
					      "empty", hd_fullness_mean(f->empty, f)));
}

static json_t *buffers_json(const struct hd_result *result)
{
	json_t *inputs = json_object(), *outputs = json_object();

	for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
		add_fullness(inputs, hd_link_kind_names[kind], &result->buffers.inputs[kind],
			     result->packet);
		add_fullness(outputs, hd_link_kind_names[kind], &result->buffers.outputs[kind],
			     result->packet);
	}
	return json_pack("{s:o, s:o}", "behind", inputs, "before", outputs);
}

static json_t *switches_json(const struct hd_result *result, const struct hd_fabric *fabric)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < result->n_switches; i++) {
		const char *name = hd_node_name(fabric, i);
		char guid[20];

		if (isnan(result->switches[i]))
			continue;
		snprintf(guid, sizeof(guid), "0x%016" PRIx64, fabric->nodes[i].guid);
		json_array_append_new(array,
				      json_pack("{s:o, s:f}", "switch", text(*name ? name : guid),
						"accepted", result->switches[i]));
	}
	return array;
}

static json_t *series_json(const struct hd_result *result, enum hd_clock clock)
{
	const struct hd_measure *measure = result->measure;
	const struct hd_measure_options *o = &measure->options;
	double ticks = (double)(o->end - o->begin) / o->slices;
	json_t *array = json_array();

	for (unsigned i = 0; i < o->slices; i++) {
		const struct hd_measure_slice *slice = &measure->slices[i];
		double capacity = ticks * o->n_hosts / o->unit_ticks;
		json_t *object = json_pack(
			"{s:f, s:f, s:f, s:f}", "begin",
			hd_result_time(clock, (double)o->begin + i * ticks), "offered",
			(double)slice->offered / capacity, "accepted",
			(double)slice->accepted / capacity, "latency_mean",
			slice->packets ? hd_result_time(clock, (double)slice->latency /
								       (double)slice->packets)
				       : 0.0);

		if (result->buffer_slices)
			add_fullness(object, "buffers", &result->buffer_slices[i], result->packet);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *links_json(const struct hd_result *result, const struct hd_fabric *fabric)
{
	json_t *object = json_object();

	for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
		const struct hd_utilisation *u = &result->utilisation[kind];
		json_t *vls, *links;
		char label[320];

		if (!u->n_ports)
			continue;
		vls = json_object();
		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
			if (u->vl_max[vl] == 0)
				continue;
			snprintf(label, sizeof(label), "%u", vl);
			json_object_set_new(vls, label,
					    json_pack("{s:f, s:f}", "mean", u->vl_mean[vl], "max",
						      u->vl_max[vl]));
		}
		hd_port_label(fabric, u->busiest, label, sizeof(label));
		links = json_pack("{s:i, s:f, s:f, s:o, s:o}", "links", (int)u->n_ports, "mean",
				  u->mean, "max", u->max, "busiest", text(label), "vls", vls);
		json_object_set_new(object, hd_link_kind_names[kind], links);
	}
	return object;
}

static json_t *cycle_json(const struct hd_result *result, const struct hd_fabric *fabric)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->n_cycle; i++) {
		char label[320];

		hd_port_label(fabric, result->cycle[i].port, label, sizeof(label));
		json_array_append_new(array, json_pack("{s:o, s:i}", "port", text(label), "vl",
						       (int)result->cycle[i].vl));
	}
	return array;
}

static json_t *application_json(const struct hd_result *result, enum hd_clock clock)
{
	const struct hd_application *a = &result->application;
	json_t *levels = json_array();

	for (unsigned i = 0; i < a->n_levels; i++) {
		const struct hd_application_level *l = &a->levels[i];
		bool is_over = l->end > 0;

		json_array_append_new(
			levels,
			json_pack("{s:f, s:f, s:I, s:I, s:I, s:o, s:o}", "mean", l->mean,
				  "deviation", l->deviation, "edges", (json_int_t)l->edges,
				  "queries", (json_int_t)l->queries, "messages",
				  (json_int_t)l->messages, "begin",
				  is_over ? json_real(hd_result_time(clock, (double)l->begin))
					  : json_null(),
				  "end",
				  is_over ? json_real(hd_result_time(clock, (double)l->end))
					  : json_null()));
	}
	return json_pack("{s:i, s:i, s:I, s:I, s:I, s:o}", "processes", (int)a->n_processes, "root",
			 (int)a->root, "degree", (json_int_t)a->degree, "messages",
			 (json_int_t)a->messages, "signals", (json_int_t)a->signals, "levels",
			 levels);
}

/* The operations of repetition @i, which is over. */
static json_t *parts_json(const struct hd_collective *of, uint32_t i, enum hd_clock clock)
{
	json_t *parts = json_array();

	for (unsigned part = 0; part < of->n_parts; part++) {
		const size_t at = (size_t)i * of->n_parts + part;

		json_array_append_new(
			parts, json_pack("{s:s, s:f, s:f}", "operation", of->parts[part], "begin",
					 hd_result_time(clock, (double)of->part_begins[at]), "end",
					 hd_result_time(clock, (double)of->part_ends[at])));
	}
	return parts;
}

/* When each repetition began and ended, as far as it did. */
static json_t *times_json(const struct hd_collective *of, enum hd_clock clock)
{
	json_t *times = json_array();

	for (uint32_t i = 0; i < of->n_repetitions; i++) {
		json_t *time = json_object();

		if (of->begins[i] != UINT64_MAX)
			json_object_set_new(
				time, "begin",
				json_real(hd_result_time(clock, (double)of->begins[i])));
		if (i < of->n_over)
			json_object_set_new(time, "end",
					    json_real(hd_result_time(clock, (double)of->ends[i])));
		if (i < of->n_over && of->n_parts)
			json_object_set_new(time, "operations", parts_json(of, i, clock));
		json_array_append_new(times, time);
	}
	return times;
}

static json_t *collective_json(const struct hd_collective_result *result, enum hd_clock clock)
{
	const struct hd_collective *of = &result->of;
	json_t *object = json_pack(
		"{s:s, s:s, s:i, s:I, s:f, s:I, s:I, s:o}", "operation", of->operation, "algorithm",
		of->algorithm, "ranks", (int)of->n_ranks, "bytes", (json_int_t)of->bytes, "compute",
		hd_result_time(clock, (double)of->compute), "messages", (json_int_t)of->messages,
		"arrived_bytes", (json_int_t)of->arrived, "repetitions", times_json(of, clock));

	if (object && !isnan(result->alone))
		json_object_set_new(object, "repetition_alone",
				    json_real(hd_result_time(clock, result->alone)));
	return object;
}

/* The operation of each class that has one, and flow completion times of whole messages by size. */
static void add_collectives(json_t *object, const struct hd_result *result, enum hd_clock clock)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < result->measure->options.n_classes; i++) {
		json_t *one;

		/* requests and replies of a class are of the same operation */
		if (!result->collectives[i].of.n_ranks ||
		    (i && result->collectives[i].class == result->collectives[i - 1].class))
			continue;
		one = collective_json(&result->collectives[i], clock);
		json_object_set_new(one, "class", text(result->class_names[i]));
		json_array_append_new(array, one);
	}
	if (json_array_size(array))
		json_object_set(object, "collectives", array);
	json_decref(array);
}

static void add_messages(json_t *object, const struct hd_measure *measure, enum hd_clock clock)
{
	json_t *array = json_array();

	for (unsigned i = 0; measure->messages && i < HD_MESSAGE_SIZES; i++) {
		const struct hd_histogram *h = &measure->messages[i];
		json_t *size;

		if (!h->n)
			continue;
		size = latency_json(h, clock, true);
		json_object_set_new(size, "messages", json_integer((json_int_t)h->n));
		if (hd_message_sizes[i] != UINT64_MAX)
			json_object_set_new(size, "bytes_at_most",
					    json_integer((json_int_t)hd_message_sizes[i]));
		json_array_append_new(array, size);
	}
	if (json_array_size(array))
		json_object_set(object, "completion_times", array);
	json_decref(array);
}

/* Messages with their times, as far as the list goes: [class, from, to, bytes, begin, end]. */
static void add_flows(json_t *object, const struct hd_result *result, enum hd_clock clock)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->flows.n; i++) {
		const struct hd_completion *flow = &result->flows.list[i];

		json_array_append_new(array, json_pack("[i, i, i, I, f, f]", (int)flow->tag,
						       (int)flow->from, (int)flow->to,
						       (json_int_t)flow->bytes,
						       hd_result_time(clock, (double)flow->begin),
						       hd_result_time(clock, (double)flow->end)));
	}
	json_object_set_new(object, "flows",
			    json_pack("{s:I, s:o}", "arrived", (json_int_t)result->flows.n_seen,
				      "list", array));
}

char *hd_result_details(const struct hd_result *result, const struct hd_fabric *fabric,
			enum hd_clock clock)
{
	const struct hd_model_census *c = &result->census;
	json_t *object = json_pack(
		"{s:o, s:o, s:o, s:o, s:{s:I, s:I, s:I, s:I, s:I}}", "all",
		class_json(result->measure, hd_measure_all(result->measure), "all", clock, true),
		"classes", classes_json(result, clock), "links", links_json(result, fabric),
		"series", series_json(result, clock), "census", "generated",
		(json_int_t)c->generated, "queued", (json_int_t)c->queued, "under_way",
		(json_int_t)c->under_way, "delivered", (json_int_t)c->delivered, "dropped",
		(json_int_t)c->dropped);
	char *line = NULL;

	if (object)
		json_object_set_new(object, "switches", switches_json(result, fabric));
	if (object && result->has_application)
		json_object_set_new(object, "application", application_json(result, clock));
	if (object && result->collectives)
		add_collectives(object, result, clock);
	if (object)
		add_messages(object, result->measure, clock);
	if (object && result->flows.most)
		add_flows(object, result, clock);
	if (object && result->buffer_slices)
		json_object_set_new(object, "buffers", buffers_json(result));
	if (object && result->n_cycle)
		json_object_set_new(object, "cycle", cycle_json(result, fabric));
	if (object)
		line = json_dumps(object,
				  JSON_COMPACT | JSON_REAL_PRECISION(9) | JSON_ENSURE_ASCII);
	json_decref(object);
	return line;
}

char *hd_result_witness(const struct hd_result *result, const struct hd_fabric *fabric)
{
	size_t size;
	char *line = NULL;
	FILE *stream = open_memstream(&line, &size);

	if (!stream)
		return NULL;
	for (size_t i = 0; result->n_cycle && i <= result->n_cycle; i++) {
		const struct hd_channel *channel = &result->cycle[i % result->n_cycle];
		char label[320];

		fprintf(stream, "%s%s VL %u", i ? " -> " : "",
			hd_port_label(fabric, channel->port, label, sizeof(label)), channel->vl);
	}
	if (fclose(stream)) {
		free(line);
		return NULL;
	}
	return line;
}
