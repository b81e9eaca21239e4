// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle show load, resources: routes per link, and what the tables cost. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check/load.h"
#include "support/error.h"
#include "tables/ar.h"
#include "tools/link_classes.h"
#include "tools/report.h"
#include "tools/service.h"
#include "tools/cmd_show.h"
#include "tools/show_rates.h"

/* Bars of a histogram; where there are more distinct loads than this, bars are ranges. */
#define MOST_BARS   20
#define LONGEST_BAR 40

/* Loads of the links of one class on one VL, or on all VLs; ascending. */
struct sample {
	uint32_t *flows;
	size_t n;
};

static int compare_flows(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* @vl -1: all VLs together. The loads go to sample->flows, which has room for every port. */
static void collect(const struct hd_fabric *fabric, const struct hd_load *load,
		    const uint8_t *classes, unsigned class, int vl, struct sample *sample)
{
	sample->n = 0;
	hd_for_each_port(p, fabric)
		if (classes[p] == class)
			sample->flows[sample->n++] =
				vl < 0 ? hd_load_port(load, p)
				       : load->flows[p * (size_t)load->n_vls + (unsigned)vl];
	qsort(sample->flows, sample->n, sizeof(*sample->flows), compare_flows);
}

static double mean(const struct sample *sample)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < sample->n; i++)
		sum += sample->flows[i];
	return sample->n ? (double)sum / (double)sample->n : 0;
}

/* The number of entries from @i on that equal flows[i]. */
static size_t run_length(const struct sample *sample, size_t i)
{
	size_t end = i;

	while (end < sample->n && sample->flows[end] == sample->flows[i])
		end++;
	return end - i;
}

static size_t count_distinct(const struct sample *sample)
{
	size_t n = 0;

	for (size_t i = 0; i < sample->n; i += run_length(sample, i))
		n++;
	return n;
}

static void print_bar(const char *label, size_t count, size_t total)
{
	size_t length = (count * LONGEST_BAR + total - 1) / total;

	printf("  %17s  %6zu  ", label, count);
	while (length--)
		putchar('#');
	putchar('\n');
}

static void print_histogram(const struct sample *sample)
{
	uint32_t least = sample->flows[0], most = sample->flows[sample->n - 1];
	char label[32];

	if (count_distinct(sample) <= MOST_BARS) {
		for (size_t i = 0; i < sample->n; i += run_length(sample, i)) {
			snprintf(label, sizeof(label), "%" PRIu32, sample->flows[i]);
			print_bar(label, run_length(sample, i), sample->n);
		}
		return;
	}
	for (size_t bin = 0, i = 0; bin < MOST_BARS; bin++) {
		uint64_t low = least + (uint64_t)(most - least + 1) * bin / MOST_BARS;
		uint64_t high = least + (uint64_t)(most - least + 1) * (bin + 1) / MOST_BARS;
		size_t begin = i;

		while (i < sample->n && sample->flows[i] < high)
			i++;
		snprintf(label, sizeof(label), "%" PRIu64 "-%" PRIu64, low, high - 1);
		print_bar(label, i - begin, sample->n);
	}
}

/* What show load prints from. */
struct load_view {
	const struct hd_fabric *fabric;
	struct hd_load load;
	uint8_t *classes;
	struct sample sample;
};

/* @count: hd_load_compute() or hd_load_compute_classes(). */
static int view_open(const struct hd_tables *tables,
		     int (*count)(const struct hd_tables *, struct hd_load *, struct hd_error *),
		     struct load_view *view, struct hd_error *err)
{
	int ret;

	*view = (struct load_view){ .fabric = tables->fabric };
	ret = hd_ar_refuse_private(tables, "the count of routes", err);
	if (!ret)
		ret = count(tables, &view->load, err);
	if (ret)
		return ret;
	ret = hd_load_classes(view->fabric, &view->classes, err);
	view->sample.flows = malloc((view->fabric->n_ports + (size_t)1) * sizeof(uint32_t));
	if (!ret && !view->sample.flows)
		ret = hd_error_nomem(err);
	return ret;
}

static void view_close(struct load_view *view)
{
	hd_load_clear(&view->load);
	free(view->classes);
	free(view->sample.flows);
}

/* VLs that flows take on links of @class, as bits. */
static unsigned vls_of_class(struct load_view *view, unsigned class)
{
	unsigned mask = 0;

	for (unsigned vl = 0; vl < view->load.n_vls; vl++) {
		collect(view->fabric, &view->load, view->classes, class, (int)vl, &view->sample);
		if (view->sample.n && view->sample.flows[view->sample.n - 1] > 0)
			mask |= 1u << vl;
	}
	return mask;
}

static void add_sample(struct hd_columns *columns, const char *class, int vl,
		       const struct sample *sample)
{
	hd_columns_add(columns, "%s", class);
	hd_columns_add(columns, vl < 0 ? "all" : "%d", vl);
	hd_columns_add(columns, "%zu", sample->n);
	hd_columns_add(columns, "%" PRIu32, sample->flows[0]);
	hd_columns_add(columns, "%" PRIu32, sample->flows[sample->n - 1]);
	hd_columns_add(columns, "%.2f", mean(sample));
}

static int print_load_text(struct load_view *view, struct hd_error *err)
{
	const struct hd_load *load = &view->load;
	struct hd_columns columns;
	int ret;

	hd_report_field("flows", "%" PRIu64 " arrive, %" PRIu64 " do not", load->n_flows,
			load->n_lost);
	if (load->n_uncovered)
		hd_report_field("not covered",
				"%" PRIu64 " flows, by switches that have no table in the dump",
				load->n_uncovered);
	hd_report_field("hops", "%.3f between switches on average, at most %u",
			load->n_flows ? (double)load->total_hops / (double)load->n_flows : 0.0,
			load->max_hops);
	hd_columns_init(&columns, 6, 0x3E);
	hd_columns_titles(&columns, "links", "VL", "number", "min", "max", "mean");
	for (unsigned class = HD_LOAD_INJECTION; class < HD_N_LOAD_CLASSES; class ++) {
		unsigned vls = vls_of_class(view, class);

		collect(view->fabric, load, view->classes, class, -1, &view->sample);
		if (view->sample.n)
			add_sample(&columns, hd_load_class_names[class], -1, &view->sample);
		for (int vl = 0; view->sample.n && vls >> vl; vl++) {
			if (!(vls >> vl & 1))
				continue;
			collect(view->fabric, load, view->classes, class, vl, &view->sample);
			add_sample(&columns, "", vl, &view->sample);
		}
	}
	ret = hd_columns_print(&columns, err);
	for (unsigned class = HD_LOAD_LOCAL; !ret && class < HD_N_LOAD_CLASSES; class ++) {
		collect(view->fabric, load, view->classes, class, -1, &view->sample);
		if (!view->sample.n)
			continue;
		printf("%s links by flows:\n", hd_load_class_names[class]);
		print_histogram(&view->sample);
	}
	if (!ret)
		ret = hd_show_rates(view->fabric, load, view->classes, err);
	return ret;
}

static json_t *json_sample(const struct sample *sample)
{
	json_t *object = json_object(), *histogram = json_array();

	json_object_set_new(object, "links", json_integer((json_int_t)sample->n));
	json_object_set_new(object, "min", json_integer(sample->flows[0]));
	json_object_set_new(object, "max", json_integer(sample->flows[sample->n - 1]));
	json_object_set_new(object, "mean", json_real(mean(sample)));
	for (size_t i = 0; i < sample->n; i += run_length(sample, i))
		json_array_append_new(histogram, json_pack("[I, I]", (json_int_t)sample->flows[i],
							   (json_int_t)run_length(sample, i)));
	json_object_set_new(object, "histogram", histogram);
	return object;
}

static void print_load_json(struct load_view *view)
{
	const struct hd_load *load = &view->load;
	json_t *root = hd_json_begin(), *classes = json_object();

	json_object_set_new(root, "flows", json_integer((json_int_t)load->n_flows));
	json_object_set_new(root, "lost", json_integer((json_int_t)load->n_lost));
	if (load->n_uncovered)
		json_object_set_new(root, "uncovered", json_integer((json_int_t)load->n_uncovered));
	json_object_set_new(root, "total_hops", json_integer((json_int_t)load->total_hops));
	json_object_set_new(root, "max_hops", json_integer(load->max_hops));
	for (unsigned class = HD_LOAD_INJECTION; class < HD_N_LOAD_CLASSES; class ++) {
		unsigned vls = vls_of_class(view, class);
		json_t *entry, *by_vl = json_object();

		collect(view->fabric, load, view->classes, class, -1, &view->sample);
		if (!view->sample.n) {
			json_decref(by_vl);
			continue;
		}
		entry = json_sample(&view->sample);
		for (int vl = 0; vls >> vl; vl++) {
			char key[16];

			if (!(vls >> vl & 1))
				continue;
			collect(view->fabric, load, view->classes, class, vl, &view->sample);
			snprintf(key, sizeof(key), "%d", vl);
			json_object_set_new(by_vl, key, json_sample(&view->sample));
		}
		json_object_set_new(entry, "vls", by_vl);
		json_object_set_new(classes, hd_load_class_names[class], entry);
	}
	json_object_set_new(root, "links", classes);
	hd_show_rates_json(view->fabric, load, view->classes, root);
	hd_json_print(root);
}

int hd_show_load(const struct hd_show *show, struct hd_error *err)
{
	struct load_view view;
	int ret = view_open(show->snapshot->tables, hd_load_compute, &view, err);

	if (!ret && show->json)
		print_load_json(&view);
	else if (!ret)
		ret = print_load_text(&view, err);
	view_close(&view);
	return ret;
}

static int compare_rows(const void *a, const void *b)
{
	hd_sl2vl_row x = *(const hd_sl2vl_row *)a, y = *(const hd_sl2vl_row *)b;

	return x < y ? -1 : x > y;
}

/* How many different SL2VL rows there are. */
static int count_rows(const struct hd_tables *tables, size_t *distinct, struct hd_error *err)
{
	size_t n = tables->sl2vl_first[tables->fabric->n_nodes];
	hd_sl2vl_row *rows = malloc((n + 1) * sizeof(*rows));

	*distinct = 0;
	if (!rows)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n; i++)
		rows[i] = tables->sl2vl[i];
	qsort(rows, n, sizeof(*rows), compare_rows);
	for (size_t i = 0; i < n; i++)
		*distinct += i == 0 || rows[i] != rows[i - 1];
	free(rows);
	return 0;
}

static void print_resources_text(const struct hd_snapshot *snapshot, struct load_view *view,
				 size_t distinct_rows)
{
	const struct hd_provenance *provenance = &snapshot->provenance;
	const struct hd_tables *tables = snapshot->tables;
	const struct hd_fabric *fabric = tables->fabric;
	char bits[64], label[64];

	if (provenance->engine)
		hd_report_field("engine", "%s, layers %s, queues %s", provenance->engine,
				provenance->layers ? provenance->layers : "unknown",
				provenance->queues ? provenance->queues : "unknown");
	if (provenance->options && *provenance->options)
		hd_report_field("options", "%s", provenance->options);
	if (provenance->source)
		hd_report_field("source", "%s", provenance->source);
	hd_report_field("SLs", "%s",
			hd_report_bits(hd_tables_sls_used(tables), bits, sizeof(bits)));
	for (unsigned class = HD_LOAD_INJECTION; class < HD_N_LOAD_CLASSES; class ++) {
		unsigned vls = vls_of_class(view, class);

		if (!view->sample.n)
			continue;
		snprintf(label, sizeof(label), "VLs %s", hd_load_class_names[class]);
		hd_report_field(label, "%s", hd_report_bits(vls, bits, sizeof(bits)));
	}
	hd_service_tell(tables, NULL);
	hd_report_field("LIDs", "to %" PRIu32 " of %u", fabric->top_lid, HD_MAX_LID);
	hd_report_field("LFTs", "%" PRIu32 " switches, %zu blocks of %u LIDs, %zu bytes",
			fabric->n_switches,
			fabric->n_switches * (tables->lft_stride / HD_LFT_BLOCK), HD_LFT_BLOCK,
			fabric->n_switches * tables->lft_stride);
	hd_report_field("SL2VL", "%zu rows, %zu different, %zu bytes",
			tables->sl2vl_first[fabric->n_nodes], distinct_rows,
			tables->sl2vl_first[fabric->n_nodes] * sizeof(hd_sl2vl_row));
	hd_report_field("path SLs", "%" PRIu32 " different rows", tables->n_sl_rows);
	hd_report_field("VL arbitration", "%" PRIu32 " different tables", tables->n_vlarbs);
	hd_report_field("multicast", "%zu entries", tables->n_mft);
}

static json_t *json_optional(const char *text)
{
	return text ? hd_json_text(text) : json_null();
}

static void print_resources_json(const struct hd_snapshot *snapshot, struct load_view *view,
				 size_t distinct_rows)
{
	const struct hd_provenance *provenance = &snapshot->provenance;
	const struct hd_tables *tables = snapshot->tables;
	const struct hd_fabric *fabric = tables->fabric;
	json_t *root = hd_json_begin(), *vls = json_object();

	json_object_set_new(root, "engine", json_optional(provenance->engine));
	json_object_set_new(root, "layers", json_optional(provenance->layers));
	json_object_set_new(root, "queues", json_optional(provenance->queues));
	json_object_set_new(root, "options", json_optional(provenance->options));
	json_object_set_new(root, "source", json_optional(provenance->source));
	json_object_set_new(root, "sls", hd_json_bits(hd_tables_sls_used(tables)));
	for (unsigned class = HD_LOAD_INJECTION; class < HD_N_LOAD_CLASSES; class ++) {
		unsigned mask = vls_of_class(view, class);

		if (view->sample.n)
			json_object_set_new(vls, hd_load_class_names[class], hd_json_bits(mask));
	}
	json_object_set_new(root, "vls", vls);
	hd_service_json(tables, false, root);
	json_object_set_new(root, "top_lid", json_integer(fabric->top_lid));
	json_object_set_new(root, "switches", json_integer(fabric->n_switches));
	json_object_set_new(root, "lft_blocks",
			    json_integer((json_int_t)(fabric->n_switches *
						      (tables->lft_stride / HD_LFT_BLOCK))));
	json_object_set_new(root, "lft_bytes",
			    json_integer((json_int_t)(fabric->n_switches * tables->lft_stride)));
	json_object_set_new(root, "sl2vl_rows",
			    json_integer((json_int_t)tables->sl2vl_first[fabric->n_nodes]));
	json_object_set_new(root, "sl2vl_different", json_integer((json_int_t)distinct_rows));
	json_object_set_new(root, "path_sl_rows", json_integer(tables->n_sl_rows));
	json_object_set_new(root, "vlarb_tables", json_integer(tables->n_vlarbs));
	json_object_set_new(root, "multicast_entries", json_integer((json_int_t)tables->n_mft));
	hd_json_print(root);
}

int hd_show_resources(const struct hd_show *show, struct hd_error *err)
{
	struct load_view view;
	size_t distinct_rows;
	int ret = view_open(show->snapshot->tables, hd_load_compute_classes, &view, err);

	if (!ret)
		ret = count_rows(show->snapshot->tables, &distinct_rows, err);
	if (!ret && show->json)
		print_resources_json(show->snapshot, &view, distinct_rows);
	else if (!ret)
		print_resources_text(show->snapshot, &view, distinct_rows);
	view_close(&view);
	return ret;
}
