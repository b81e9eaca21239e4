// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Replays a trace. docs/traffic.md has the grammars. */
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/pattern.h"
#include "sim/traffic/placement.h"
#include "sim/traffic/ptrans.h"
#include "sim/traffic/replay.h"
#include "support/error.h"
#include "support/text.h"

struct trace {
	struct hd_placement placement;
	struct hd_records records;
	struct hd_replay replay;
	uint32_t packet;     /* units, the longest */
	uint32_t unit_ticks; /* of a host's link */
};

typedef int (*parse_fn)(const char *file, const char *data, size_t size, struct hd_records *records,
			struct hd_error *err);

static void release(void *data)
{
	struct trace *trace = data;

	hd_placement_clear(&trace->placement);
	hd_replay_free(&trace->replay);
	hd_records_free(&trace->records);
	free(trace);
}

/* A number up to @max, and what it is. */
static bool scan_field(struct hd_lines *lines, const char **at, const char *what, uint64_t max,
		       uint64_t *value, struct hd_error *err)
{
	hd_scan_blanks(at, lines->end);
	if (hd_scan_number(at, lines->end, 10, max, value) &&
	    (*at == lines->end || **at == ' ' || **at == '\t'))
		return true;
	hd_error_at(err, HD_EPARSE, lines->file, lines->number, "%s is no number up to %llu", what,
		    (unsigned long long)max);
	return false;
}

/* @word and a blank. */
static bool scan_keyword(const char **at, const char *end, const char *word)
{
	const char *after = *at;

	if (!hd_scan_word(&after, end, word) || after == end || (*after != ' ' && *after != '\t'))
		return false;
	*at = after;
	return true;
}

/* "sent N" and "received N", as many as there are: what the message added last waits for. */
static int scan_waits(struct hd_lines *lines, const char **at, struct hd_records *records,
		      struct hd_error *err)
{
	uint32_t task = records->all[records->n - 1].from;

	for (;;) {
		const struct hd_record *on;
		bool is_receipt;
		uint64_t number;
		int ret;

		hd_scan_blanks(at, lines->end);
		is_receipt = scan_keyword(at, lines->end, "received");
		if (!is_receipt && !scan_keyword(at, lines->end, "sent"))
			return 0;
		if (!scan_field(lines, at, "the message that this one waits for", UINT32_MAX,
				&number, err))
			return HD_EPARSE;
		if (number + 1 >= records->n)
			return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
					   "message %llu does not come before this one",
					   (unsigned long long)number);
		on = &records->all[number];
		if ((is_receipt ? on->to : on->from) != task)
			return hd_error_at(err, HD_EPARSE, lines->file, lines->number,
					   "SOURCE did not %s message %llu",
					   is_receipt ? "receive" : "send",
					   (unsigned long long)number);
		ret = hd_records_wait(records, (uint32_t)number, is_receipt, err);
		if (ret)
			return ret;
	}
}

int hd_trace_parse(const char *file, const char *data, size_t size, struct hd_records *records,
		   struct hd_error *err)
{
	struct hd_lines lines;
	uint64_t time, from, to, bytes;

	hd_lines_begin(&lines, file, data, size);
	while (hd_lines_next(&lines)) {
		const char *at = lines.begin;
		int ret;

		hd_scan_blanks(&at, lines.end);
		if (at == lines.end || *at == '#')
			continue;
		if (!scan_field(&lines, &at, "TIME", HD_RECORD_TIME / records->tick, &time, err) ||
		    !scan_field(&lines, &at, "SOURCE", records->n_tasks - 1, &from, err) ||
		    !scan_field(&lines, &at, "DESTINATION", records->n_tasks - 1, &to, err) ||
		    !scan_field(&lines, &at, "BYTES", HD_RECORD_BYTES, &bytes, err))
			return HD_EPARSE;
		ret = hd_records_add(records, time, (uint32_t)from, (uint32_t)to, bytes, err);
		if (!ret)
			ret = scan_waits(&lines, &at, records, err);
		if (ret)
			return ret;
		hd_scan_blanks(&at, lines.end);
		if (at != lines.end && *at != '#')
			return hd_error_at(err, HD_EPARSE, file, lines.number,
					   "after TIME SOURCE DESTINATION BYTES comes neither "
					   "\"sent N\" nor \"received N\"");
		if (hd_records_settle(records, NULL))
			return hd_error_at(err, HD_EPARSE, file, lines.number, "TIME is too late");
	}
	return 0;
}

/* An empty trace, by the options that all kinds have. */
static int begin(const struct hd_pattern_setup *setup, struct trace **trace, struct hd_error *err)
{
	struct trace *new = calloc(1, sizeof(*new));
	uint64_t tick, unit;
	int ret = new ? 0 : hd_error_nomem(err);

	*trace = new;
	if (!ret)
		ret = hd_params_number(setup->params, "ticks", 1, UINT32_MAX, &tick, err);
	if (!ret)
		ret = hd_params_number(setup->params, "unit", 1, UINT32_MAX, &unit, err);
	if (!ret)
		ret = hd_placement_read(setup, &new->placement, err);
	if (ret)
		return ret;
	new->packet = setup->size;
	new->unit_ticks = setup->setting->unit_ticks;
	hd_placement_begin(&new->placement, tick, unit, &new->records);
	return 0;
}

/* Makes what was put into the records ready for replay. */
static int finish(const struct hd_pattern_setup *setup, struct trace *trace, struct hd_error *err)
{
	int ret = hd_placement_apply(&trace->placement, setup->random, &trace->records, err);

	if (!ret)
		ret = hd_records_done(&trace->records, err);
	return ret ? ret : hd_replay_init(&trace->replay, &trace->records, err);
}

static int init(const struct hd_pattern_setup *setup, parse_fn parse, void **data,
		struct hd_error *err)
{
	const char *file = hd_params_get(setup->params, "file");
	struct hd_text text = { 0 };
	struct trace *trace = NULL;
	int ret;

	if (!file)
		return hd_error_set(err, HD_EINVAL, "option 'file' must be given");
	ret = begin(setup, &trace, err);
	*data = trace;
	if (ret)
		return ret;
	ret = setup->setting->file_max
		      ? hd_text_read_file(file, setup->setting->file_max, &text, err)
		      : hd_text_read(file, &text, err);
	if (!ret)
		ret = parse(file, text.data, text.size, &trace->records, err);
	hd_text_free(&text);
	return ret ? ret : finish(setup, trace, err);
}

static int init_text(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	return init(setup, hd_trace_parse, data, err);
}

static int init_vef(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	return init(setup, hd_vef_parse, data, err);
}

/* "4x6" */
static int read_grid(const struct hd_params *params, struct hd_ptrans *ptrans, struct hd_error *err)
{
	const char *text = hd_params_get(params, "grid");
	const char *at = text, *end = text ? text + strlen(text) : NULL;
	uint64_t p, q;

	if (!text)
		return hd_error_set(err, HD_EINVAL, "option 'grid' must be given, such as 4x6");
	if (!hd_scan_number(&at, end, 10, UINT16_MAX, &p) || !hd_scan_word(&at, end, "x") ||
	    !hd_scan_number(&at, end, 10, UINT16_MAX, &q) || at != end || !p || !q)
		return hd_error_set(err, HD_EINVAL,
				    "grid: '%s' is not rows and columns such as 4x6", text);
	ptrans->p = (uint32_t)p;
	ptrans->q = (uint32_t)q;
	return 0;
}

static int read_ptrans(const struct hd_params *params, struct hd_ptrans *ptrans,
		       struct hd_error *err)
{
	uint64_t n, block, repeat;
	int ret = read_grid(params, ptrans, err);

	if (!ret)
		ret = hd_params_number(params, "n", 1, UINT32_MAX, &n, err);
	if (!ret)
		ret = hd_params_number(params, "nb", 1, UINT16_MAX, &block, err);
	if (!ret)
		ret = hd_params_number(params, "repeat", 1, UINT16_MAX, &repeat, err);
	if (!ret)
		ret = hd_params_number(params, "pause", 0, UINT32_MAX, &ptrans->pause, err);
	if (ret)
		return ret;
	ptrans->n = (uint32_t)n;
	ptrans->block = (uint32_t)block;
	ptrans->repeat = (uint32_t)repeat;
	return 0;
}

static int init_ptrans(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	struct trace *trace = NULL;
	struct hd_ptrans ptrans;
	int ret = read_ptrans(setup->params, &ptrans, err);

	if (!ret)
		ret = begin(setup, &trace, err);
	*data = trace;
	if (ret)
		return ret;
	if ((uint64_t)ptrans.p * ptrans.q > trace->records.n_tasks)
		return hd_error_set(err, HD_ERANGE, "grid: %ux%u tasks, but there is room for %u",
				    ptrans.p, ptrans.q, trace->records.n_tasks);
	ret = hd_ptrans_fill(&ptrans, &trace->records, err);
	return ret ? ret : finish(setup, trace, err);
}

/* Messages leave as packets, all of them at the message's time. */
static bool replay(const void *data, struct hd_source *source, uint64_t begin,
		   struct hd_message *message)
{
	const struct trace *trace = data;
	size_t at = trace->records.first[source->host] + source->turn;
	const struct hd_record *record;

	if (at == trace->records.first[source->host + 1])
		return false;
	message->id = trace->records.sendings[at].record;
	record = &trace->records.all[message->id];
	if (!source->left)
		source->left = record->units;
	message->time = begin + record->time;
	message->to = record->to;
	message->size = source->left < trace->packet ? source->left : trace->packet;
	source->left -= message->size;
	source->turn += !source->left;
	return message->time >= begin;
}

struct sender {
	const struct trace *trace;
	uint64_t begin;
	const struct hd_traffic_actions *actions;
};

static void send_packets(void *context, uint32_t index, uint64_t time)
{
	const struct sender *sender = context;
	const struct hd_traffic_actions *actions = sender->actions;
	const struct hd_record *record = &sender->trace->records.all[index];
	uint32_t packet = sender->trace->packet;

	for (uint32_t left = record->units; left;) {
		const struct hd_message message = { .time = sender->begin + time,
						    .from = record->from,
						    .to = record->to,
						    .size = left < packet ? left : packet,
						    .id = index };

		actions->send(actions->context, &message);
		left -= message.size;
	}
}

static void received(void *data, uint64_t begin, uint64_t now, const struct hd_message *message,
		     const struct hd_traffic_actions *actions)
{
	struct trace *trace = data;
	struct sender sender = { trace, begin, actions };

	const struct hd_records *records = &trace->records;

	if (hd_replay_received(&trace->replay, (uint32_t)message->id, message->size, now - begin,
			       send_packets, &sender))
		hd_traffic_completed(actions, now, message->time,
				     records->all[message->id].units * records->unit);
}

static uint64_t waiting(const void *data)
{
	return ((const struct trace *)data)->replay.n_waiting;
}

static uint64_t last_local(const void *data)
{
	return ((const struct trace *)data)->replay.last_local;
}

/* Over the time until the last message of a known time begins. */
static double replayed(const void *data, uint32_t host)
{
	const struct hd_records *records = &((const struct trace *)data)->records;
	double units = 0;

	for (size_t i = 0; i < records->n; i++)
		if (records->all[i].from == host && records->all[i].to != host)
			units += records->all[i].units;
	if (!records->last)
		return units > 0;
	return units * ((const struct trace *)data)->unit_ticks / (double)records->last;
}

#define COMMON_OPTIONS                                                                     \
	{ "ticks", "1", "ticks", "length of the trace's unit of time" },                   \
		{ "unit", "64", "bytes", "how many bytes a unit has; messages round up" }, \
		HD_PLACEMENT_OPTIONS

static const struct hd_option text_options[] = {
	{ "file", NULL, "",
	  "lines TIME SOURCE DESTINATION BYTES [sent N] [received N], tasks by number from 0" },
	COMMON_OPTIONS,
	{ 0 },
};

static const struct hd_option vef_options[] = {
	{ "file", NULL, "", "a VEF trace; times are in nanoseconds" },
	COMMON_OPTIONS,
	{ 0 },
};

static const struct hd_option ptrans_options[] = {
	{ "grid", NULL, "tasks", "rows and columns of the grid of tasks, such as 4x6" },
	{ "n", "1000", "elements", "rows and columns of the matrix, of 8 bytes an element" },
	{ "nb", "80", "elements", "rows and columns of a block" },
	{ "repeat", "1", "", "how often the matrix is transposed" },
	{ "pause", "0", "", "units of time that a task computes before each time" },
	COMMON_OPTIONS,
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_ptrans = {
	.policy = { .name = "ptrans",
		    .summary = "the messages of HPC Challenge's parallel matrix transposition",
		    .reference = "Choi, Dongarra and Walker, Parallel matrix transpose algorithms "
				 "(1995)",
		    .options = ptrans_options },
	.policy.n_bare = 1,
	.init = init_ptrans,
	.free = release,
	.replay = replay,
	.received = received,
	.by_host = true,
	.waiting = waiting,
	.last_local = last_local,
	.replayed = replayed,
};

const struct hd_pattern_kind hd_pattern_trace = {
	.policy = { .name = "trace",
		    .summary = "messages of a text file, at its times or after others",
		    .options = text_options },
	.policy.n_bare = 1,
	.init = init_text,
	.free = release,
	.replay = replay,
	.received = received,
	.by_host = true,
	.waiting = waiting,
	.last_local = last_local,
	.replayed = replayed,
};

const struct hd_pattern_kind hd_pattern_vef = {
	.policy = { .name = "vef",
		    .summary = "point-to-point messages of a trace in VEF format",
		    .reference =
			    "Andujar et al., VEF traces: a framework for modelling MPI traffic "
			    "(2015)",
		    .options = vef_options },
	.policy.n_bare = 1,
	.init = init_vef,
	.free = release,
	.replay = replay,
	.received = received,
	.by_host = true,
	.waiting = waiting,
	.last_local = last_local,
	.replayed = replayed,
};
