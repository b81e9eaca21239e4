// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const struct hd_result result;

static const struct hd_measure_class *all(result *r)
{
	return hd_measure_all(r->measure);
}

#define GETTER(name, value)             \
	static double name(result *r)   \
	{                               \
		return (double)(value); \
	}

/* A share of the packets that arrived; not a number where they go as the tables say. */
static double of_ways(result *r, uint64_t packets)
{
	if (!r->chooses_ways)
		return NAN;
	return all(r)->packets ? (double)packets / (double)all(r)->packets : 0;
}

/* A part of the packets' latencies; not a number where parts were not measured. */
static double of_parts(result *r, double ticks)
{
	if (!r->has_parts)
		return NAN;
	return r->parts.packets ? ticks / (double)r->parts.packets : 0;
}

GETTER(offered, hd_measure_load(r->measure, all(r)->offered))
GETTER(accepted, hd_measure_load(r->measure, all(r)->accepted))
GETTER(latency_mean, hd_histogram_mean(&all(r)->latency))
GETTER(latency_min, all(r)->latency.min)
GETTER(latency_p50, hd_histogram_percentile(&all(r)->latency, 0.5))
GETTER(latency_p95, hd_histogram_percentile(&all(r)->latency, 0.95))
GETTER(latency_p99, hd_histogram_percentile(&all(r)->latency, 0.99))
GETTER(latency_p999, hd_histogram_percentile(&all(r)->latency, 0.999))
GETTER(latency_max, all(r)->latency.max)
GETTER(part_minimal, of_parts(r, (double)r->parts.minimal))
GETTER(part_detour, of_parts(r, (double)r->parts.detour))
GETTER(part_injection, of_parts(r, (double)r->parts.waits[HD_LINK_TERMINAL]))
GETTER(part_local, of_parts(r, (double)r->parts.waits[HD_LINK_LOCAL]))
GETTER(part_global, of_parts(r, (double)r->parts.waits[HD_LINK_GLOBAL]))
GETTER(part_taking, of_parts(r, (double)r->parts.taking))
GETTER(network_mean, hd_histogram_mean(&all(r)->network_latency))
GETTER(network_p99, hd_histogram_percentile(&all(r)->network_latency, 0.99))
GETTER(network_max, all(r)->network_latency.max)
GETTER(hops_mean, all(r)->packets ? (double)all(r)->hops / (double)all(r)->packets : 0)
GETTER(hops_max, r->measure->max_hops)
GETTER(hops_local, r->hops[HD_LINK_LOCAL])
GETTER(hops_global, r->hops[HD_LINK_GLOBAL])
GETTER(misrouted, of_ways(r, r->ways.misrouted))
GETTER(misrouted_source, of_ways(r, r->ways.at_source))
GETTER(out_of_order, r->counts_order ? of_ways(r, r->ways.out_of_order) : NAN)
GETTER(lid_changes, (double)r->lid_changes / r->measure->options.n_hosts /
			    (double)(r->measure->options.end - r->measure->options.begin))
GETTER(packets, all(r)->packets)
GETTER(drops, r->dropped)
GETTER(packet_hops, r->packet_hops)
GETTER(source_min, r->fairness.min)
GETTER(source_max, r->fairness.max)
GETTER(source_max_min, r->fairness.max_min)
GETTER(source_variation, r->fairness.variation)
GETTER(source_jain, r->fairness.jain)
GETTER(switch_min, r->switch_fairness.min)
GETTER(switch_max, r->switch_fairness.max)
GETTER(switch_max_min, r->switch_fairness.max_min)
GETTER(switch_variation, r->switch_fairness.variation)
GETTER(switch_jain, r->switch_fairness.jain)

/* Of the buffers of switches; not a number where they were not measured. */
static double of_buffers(result *r, double sum)
{
	return r->buffer_slices ? hd_fullness_mean(sum, &r->buffers.switches) : NAN;
}

GETTER(buffer_mean, of_buffers(r, r->buffers.switches.area / r->packet))
GETTER(buffer_max, r->buffer_slices ? (double)r->buffers.switches.most / r->packet : NAN)
GETTER(buffer_share, of_buffers(r, r->buffers.switches.share))
GETTER(buffer_full, of_buffers(r, r->buffers.switches.full))
GETTER(buffer_empty, of_buffers(r, r->buffers.switches.empty))
GETTER(local_mean, r->utilisation[HD_KIND_LOCAL].mean)
GETTER(local_max, r->utilisation[HD_KIND_LOCAL].max)
GETTER(global_mean, r->utilisation[HD_KIND_GLOBAL].mean)
GETTER(global_max, r->utilisation[HD_KIND_GLOBAL].max)
GETTER(makespan, r->is_complete ? (double)r->makespan : NAN)
/* The operation of a run; NULL: there is none. */
static const struct hd_collective_result *collective(result *r)
{
	return hd_collectives_first(r->collectives, r->measure->options.n_classes);
}

static bool has_end(result *r)
{
	return r->is_complete && (r->has_application || collective(r));
}

/* What an application or else an operation sent. */
static double messages(result *r)
{
	if (r->has_application)
		return (double)r->application.messages;
	return collective(r) ? (double)collective(r)->of.messages : NAN;
}

/* Times of whole messages of all sizes: not a number where none is told. The mean; a percentile. */
static double fct_mean(result *r)
{
	return r->measure->messages ? hd_histogram_mean(&r->measure->messages[HD_MESSAGE_SIZES])
				    : NAN;
}

static double fct(result *r, double share)
{
	if (!r->measure->messages)
		return NAN;
	return hd_histogram_percentile(&r->measure->messages[HD_MESSAGE_SIZES], share);
}

GETTER(network_use, has_end(r) && r->network_use > 0 ? r->network_use : NAN)
GETTER(repetitions, collective(r) ? (double)collective(r)->of.n_over : NAN)
GETTER(repetition, hd_collective_repetition(collective(r)))
GETTER(bus_bandwidth, hd_collective_bus(collective(r)))
GETTER(bus_use, hd_collective_bus_use(collective(r)))
GETTER(goodput, hd_collective_goodput(collective(r)))
GETTER(fct_p50, fct(r, 0.5))
GETTER(fct_p99, fct(r, 0.99))
GETTER(fct_p999, fct(r, 0.999))
GETTER(levels, r->has_application ? (double)r->application.n_levels : NAN)
GETTER(events, r->census.events - r->census.signals)
GETTER(saturated, r->is_saturated)
GETTER(deadlock, r->is_deadlocked)
GETTER(steady, r->is_steady)
GETTER(window, r->measure->options.end - r->measure->options.begin)
GETTER(wall, r->wall_seconds)

#define SHARE     "share"
#define TIME      "time"
#define RATE      "rate"
#define BANDWIDTH "bandwidth"

const struct hd_result_column hd_result_columns[HD_RESULT_COLUMNS + 1] = {
	{ "offered", SHARE, "what hosts generated, of what their links carry", false, offered },
	{ "accepted", SHARE, "what arrived, of what hosts' links carry", false, accepted },
	{ "latency_mean", TIME, "from generation to the arrival of the tail", false, latency_mean },
	{ "latency_min", TIME, "the least", false, latency_min },
	{ "latency_p50", TIME, "the median", false, latency_p50 },
	{ "latency_p95", TIME, "95% took no longer", false, latency_p95 },
	{ "latency_p99", TIME, "99% took no longer", false, latency_p99 },
	{ "latency_p999", TIME, "99.9% took no longer", false, latency_p999 },
	{ "latency_max", TIME, "the greatest", false, latency_max },
	{ "latency_minimal", TIME, "of the mean, what the tables' path takes alone (run.parts)",
	  false, part_minimal },
	{ "latency_detour", TIME, "what the path that was taken takes more, alone", false,
	  part_detour },
	{ "latency_injection", TIME, "waiting at hosts and in switches behind their links", false,
	  part_injection },
	{ "latency_local", TIME, "waiting behind links within groups, or between switches", false,
	  part_local },
	{ "latency_global", TIME, "waiting behind links between groups", false, part_global },
	{ "latency_taking", TIME, "waiting for slow hosts to take in (host.consumption)", false,
	  part_taking },
	{ "network_latency_mean", TIME, "since packets began to leave their hosts", false,
	  network_mean },
	{ "network_latency_p99", TIME, "99% took no longer", false, network_p99 },
	{ "network_latency_max", TIME, "the greatest", false, network_max },
	{ "hops_mean", "links", "links that packets crossed, the hosts' included", false,
	  hops_mean },
	{ "hops_max", "links", "the most", false, hops_max },
	{ "hops_local", "links", "of them, within groups or between switches, the mean", false,
	  hops_local },
	{ "hops_global", "links", "between groups, the mean", false, hops_global },
	{ "misrouted", SHARE, "of packets that left the minimal path (routing.adaptive)", false,
	  misrouted },
	{ "misrouted_source", SHARE, "of packets that did so at their first switch", false,
	  misrouted_source },
	{ "out_of_order", SHARE,
	  "of packets that arrived after a later one of their flow (routing.adaptive = ar)", false,
	  out_of_order },
	{ "lid_changes", RATE,
	  "packets of a host to another LID of its destination than the packet before: changes of "
	  "virtual network (osha, sasha)",
	  false, lid_changes },
	{ "packets", "packets", "arrived", false, packets },
	{ "dropped", "packets", "lost: no path or VL 15", false, drops },
	{ "packet_hops", "packet hops", "transmissions begun", false, packet_hops },
	{ "source_min", SHARE, "accepted of the source that was served worst", false, source_min },
	{ "source_max", SHARE, "accepted of the source that was served best", false, source_max },
	{ "source_max_min", "", "the ratio of the two; 0: a source got nothing through", false,
	  source_max_min },
	{ "source_variation", "", "coefficient of variation over sources", false,
	  source_variation },
	{ "source_jain", "", "Jain's index of fairness over sources", false, source_jain },
	{ "switch_min", SHARE, "accepted of the switch whose hosts were served worst, per host",
	  false, switch_min },
	{ "switch_max", SHARE, "accepted of the switch whose hosts were served best, per host",
	  false, switch_max },
	{ "switch_max_min", "", "the ratio of the two; 0: a switch got nothing through", false,
	  switch_max_min },
	{ "switch_variation", "", "coefficient of variation over sources' switches", false,
	  switch_variation },
	{ "switch_jain", "", "Jain's index of fairness over sources' switches", false,
	  switch_jain },
	{ "local_mean", SHARE, "mean utilisation of links within groups, or between switches",
	  false, local_mean },
	{ "local_max", SHARE, "utilisation of the busiest of them", false, local_max },
	{ "global_mean", SHARE, "mean utilisation of links between groups", false, global_mean },
	{ "global_max", SHARE, "utilisation of the busiest of them", false, global_max },
	{ "buffer_mean", "packets", "in a VL's buffer of a switch (run.buffers)", false,
	  buffer_mean },
	{ "buffer_max", "packets", "the most in any of them", false, buffer_max },
	{ "buffer_share", SHARE, "of their room, the mean", false, buffer_share },
	{ "buffer_full", SHARE, "of buffers and time: there is no room for a packet", false,
	  buffer_full },
	{ "buffer_empty", SHARE, "of buffers and time: nothing is in it", false, buffer_empty },
	{ "makespan", TIME,
	  "from time 0 until all that traces sent had arrived; an application's time", false,
	  makespan },
	{ "network_use", SHARE,
	  "what arrived of an application, of what its hosts' links carry in its time", false,
	  network_use },
	{ "messages", "messages", "with queries, that an application sent; of an operation", false,
	  messages },
	{ "levels", "levels", "of an application's search", false, levels },
	{ "repetitions", "repetitions", "of a collective operation that all ranks ended", false,
	  repetitions },
	{ "repetition", TIME, "of a collective operation: its makespan by their number", false,
	  repetition },
	{ "bus_bandwidth", BANDWIDTH,
	  "size by time, times what passes a rank's link at least for each byte of the size "
	  "(nccl-tests)",
	  false, bus_bandwidth },
	{ "bus_use", SHARE, "bus bandwidth, of what a host's link carries", false, bus_use },
	{ "goodput", BANDWIDTH, "bytes of messages that arrived, by rank and makespan", false,
	  goodput },
	{ "fct_mean", TIME,
	  "flow completion time: from the generation of a message of an operation or a trace to "
	  "the arrival of all of it",
	  false, fct_mean },
	{ "fct_p50", TIME, "the median", false, fct_p50 },
	{ "fct_p99", TIME, "99% took no longer", false, fct_p99 },
	{ "fct_p999", TIME, "99.9% took no longer", false, fct_p999 },
	{ "events", "events", "of the whole run, without credits and matchings tried again", false,
	  events },
	{ "saturated", "", "less than 95% of what was offered arrived, or deadlock", true,
	  saturated },
	{ "deadlock", "", "packets wait for one another in a circle", true, deadlock },
	{ "steady", "",
	  "the window's halves are alike, and like the window before (run.measure = auto)", true,
	  steady },
	{ "window", TIME, "the length of the window of measurement", false, window },
	{ "wall_s", "s", "time that the run took", false, wall },
	{ 0 },
};

/* The last column of all packets. */
#define WALL (HD_RESULT_COLUMNS - 1)

unsigned hd_result_column_find(const char *name)
{
	unsigned i = 0;

	while (i < HD_RESULT_COLUMNS && strcmp(hd_result_columns[i].name, name) != 0)
		i++;
	return i;
}

#define FLOW_GETTER(name, value)                                        \
	static double name(result *r, const struct hd_measure_class *c) \
	{                                                               \
		(void)r;                                                \
		return (double)(value);                                 \
	}

/* The operation of the class; NULL: there is none. */
static const struct hd_collective_result *collective_of(result *r, const struct hd_measure_class *c)
{
	return r->collectives ? &r->collectives[c - r->measure->classes] : NULL;
}

#define COLLECTIVE_GETTER(name, value)                                  \
	static double name(result *r, const struct hd_measure_class *c) \
	{                                                               \
		return value(collective_of(r, c));                      \
	}

COLLECTIVE_GETTER(flow_makespan, hd_collective_makespan)
COLLECTIVE_GETTER(flow_repetition, hd_collective_repetition)
COLLECTIVE_GETTER(flow_bus, hd_collective_bus_use)
COLLECTIVE_GETTER(flow_slowdown, hd_collective_slowdown)
FLOW_GETTER(flow_offered, hd_measure_load(r->measure, c->offered))
FLOW_GETTER(flow_accepted, hd_measure_load(r->measure, c->accepted))
FLOW_GETTER(flow_mean, hd_histogram_mean(&c->latency))
FLOW_GETTER(flow_p99, hd_histogram_percentile(&c->latency, 0.99))
FLOW_GETTER(flow_max, c->latency.max)
FLOW_GETTER(flow_network, hd_histogram_mean(&c->network_latency))
FLOW_GETTER(flow_packets, c->packets)
FLOW_GETTER(flow_last, c->packets ? (double)c->last : NAN)

const struct hd_flow_column hd_flow_columns[HD_FLOW_COLUMNS + 1] = {
	{ "offered[CLASS]", SHARE, "what hosts generated of the class", flow_offered },
	{ "accepted[CLASS]", SHARE, "what arrived of the class", flow_accepted },
	{ "latency_mean[CLASS]", TIME, "of the packets of the class", flow_mean },
	{ "latency_p99[CLASS]", TIME, "99% of them took no longer", flow_p99 },
	{ "latency_max[CLASS]", TIME, "the greatest", flow_max },
	{ "network_latency_mean[CLASS]", TIME,
	  "since packets of the class began to leave their hosts", flow_network },
	{ "packets[CLASS]", "packets", "of the class, arrived", flow_packets },
	{ "last_arrival[CLASS]", TIME, "when the last of them arrived, from time 0", flow_last },
	{ "makespan[CLASS]", TIME, "of the collective operation of the class", flow_makespan },
	{ "repetition[CLASS]", TIME, "of it, the mean", flow_repetition },
	{ "bus_use[CLASS]", SHARE, "its bus bandwidth, of what a host's link carries", flow_bus },
	{ "slowdown[CLASS]", "", "its repetition, by that of the job alone on the same hosts",
	  flow_slowdown },
	{ 0 },
};

struct hd_sweep_column hd_sweep_column(const struct hd_flow_names *flows, unsigned i)
{
	struct hd_sweep_column column = { 0 };
	const struct hd_flow_column *of_flow;

	if (i < HD_RESULT_COLUMNS) {
		column.unit = hd_result_columns[i].unit;
		column.help = hd_result_columns[i].help;
		column.is_flag = hd_result_columns[i].is_flag;
		snprintf(column.name, sizeof(column.name), "%s", hd_result_columns[i].name);
		return column;
	}
	i -= HD_RESULT_COLUMNS;
	of_flow = &hd_flow_columns[i % HD_FLOW_COLUMNS];
	column.unit = of_flow->unit;
	column.help = of_flow->help;
	snprintf(column.name, sizeof(column.name), "%.*s[%s]", (int)strcspn(of_flow->name, "["),
		 of_flow->name, flows->names[i / HD_FLOW_COLUMNS]);
	return column;
}

unsigned hd_sweep_column_find(const struct hd_flow_names *flows, const char *name)
{
	const unsigned n = hd_sweep_columns(flows);
	unsigned i = hd_result_column_find(name);

	for (; i >= HD_RESULT_COLUMNS && i < n; i++) {
		const struct hd_sweep_column column = hd_sweep_column(flows, i);

		if (strcmp(column.name, name) == 0)
			break;
	}
	return i;
}

const char *hd_result_unit(const char *unit, enum hd_clock clock)
{
	if (strcmp(unit, RATE) == 0)
		return clock == HD_CLOCK_TIME ? "per ms" : "per 1000 cycles";
	if (strcmp(unit, BANDWIDTH) == 0)
		return clock == HD_CLOCK_TIME ? "GB/s" : "bytes per cycle";
	if (strcmp(unit, TIME) != 0)
		return unit;
	return clock == HD_CLOCK_TIME ? "ns" : "cycles";
}

double hd_result_time(enum hd_clock clock, double ticks)
{
	return ticks / (clock == HD_CLOCK_TIME ? 1000 : HD_TICKS_PER_CYCLE);
}

static void print_number(FILE *stream, enum hd_clock clock, const char *unit, double value)
{
	if (isnan(value))
		return;
	if (strcmp(unit, TIME) == 0)
		value = hd_result_time(clock, value);
	if (strcmp(unit, BANDWIDTH) == 0)
		value *= clock == HD_CLOCK_TIME ? 1000 : HD_TICKS_PER_CYCLE;
	if (strcmp(unit, RATE) == 0)
		value *= (clock == HD_CLOCK_TIME ? 1e6 : 1e3) / hd_result_time(clock, 1);
	if (fabs(value) < 1e15 && value == floor(value))
		fprintf(stream, "%.0f", value);
	else
		fprintf(stream, "%.9g", value);
}

/* What was measured of the flow class @name; NULL: the run has none. */
static const struct hd_measure_class *find_class(result *r, const char *name)
{
	for (unsigned i = 0; i < r->measure->options.n_classes; i++)
		if (strcmp(r->class_names[i], name) == 0)
			return &r->measure->classes[i];
	return NULL;
}

static void print_flow(FILE *stream, result *r, enum hd_clock clock, const char *name)
{
	const struct hd_measure_class *class = find_class(r, name);

	for (unsigned i = 0; i < HD_FLOW_COLUMNS; i++) {
		fputc(',', stream);
		if (class)
			print_number(stream, clock, hd_flow_columns[i].unit,
				     hd_flow_columns[i].get(r, class));
	}
}

char *hd_result_print(const struct hd_result *r, const struct hd_flow_names *flows,
		      enum hd_clock clock, bool with_time)
{
	size_t size;
	char *text = NULL;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return NULL;
	for (unsigned i = 0; i < HD_RESULT_COLUMNS; i++) {
		const struct hd_result_column *column = &hd_result_columns[i];

		if (i)
			fputc(',', stream);
		if (i != WALL)
			print_number(stream, clock, column->unit, column->get(r));
		else if (with_time)
			fprintf(stream, "%.6f", column->get(r));
	}
	for (unsigned i = 0; flows && i < flows->n; i++)
		print_flow(stream, r, clock, flows->names[i]);
	if (fclose(stream)) {
		free(text);
		return NULL;
	}
	return text;
}

double hd_cell_number(const char *cells, unsigned column)
{
	char *end;
	double value;

	for (; column; column--) {
		cells = strchr(cells, ',');
		if (!cells)
			return NAN;
		cells++;
	}
	value = strtod(cells, &end);
	return end == cells ? NAN : value;
}
