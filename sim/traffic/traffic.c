// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/deviate.h"
#include "sim/traffic/onward.h"
#include "sim/traffic/pattern.h"
#include "support/error.h"
#include "support/memory.h"

/*
 * A stream of each host in each phase, and one of the phase: no host has its number. Traffics that
 * run at once have phases of their own.
 */
#define STREAM(phase, host) ((uint64_t)(phase) << 32 | (host))
#define MOST_PHASES         (1u << 16)

/* Above the number that a trace gives a message. Replies have HD_REPLY_ID. */
#define MESSAGE_ID(phase) ((uint64_t)(phase) << 32)

struct class
{
	struct hd_arrival arrival;
	double load; /* requests and the replies to them; 0: none; of a trace, its multiple */
	uint32_t tag;
};

struct phase {
	const struct hd_pattern_kind *pattern;
	void *data;
	const struct hd_arrival_kind *arrival;
	struct class classes[HD_PATTERN_CLASSES];
	uint64_t begin, until; /* UINT64_MAX: not known yet */
	uint64_t deliveries;   /* that are still to come before it ends; 0: it ends by its time */
	uint32_t counted;      /* tag of these; HD_NONE: any */
	uint32_t size;
};

struct tag {
	char name[HD_FLOW_NAME];
	uint32_t reply; /* the tag of replies to it, or HD_NONE */
};

struct hd_traffic {
	uint32_t n_hosts;
	uint32_t n_phases;
	uint32_t first_stream; /* that of the first phase */
	uint64_t seed;
	struct phase *phases;
	struct hd_source *sources;
	uint32_t n_tags;
	struct tag tags[];
};

static uint32_t class_of(const struct phase *phase, uint32_t host)
{
	return phase->pattern->class_of ? phase->pattern->class_of(phase->data, host) : 0;
}

/* Begins phase @index for @source. */
static void enter(const struct hd_traffic *traffic, struct hd_source *source, uint32_t index)
{
	const struct phase *phase = &traffic->phases[index];
	const struct class *class;
	uint32_t host = source->host;

	*source = (struct hd_source){ .host = host, .phase = index, .class = HD_NONE };
	if (index == traffic->n_phases)
		return;
	source->class = class_of(phase, host);
	if (source->class == HD_NONE || phase->pattern->replay)
		return;
	class = &phase->classes[source->class];
	source->time = phase->begin;
	hd_random_init(&source->random, traffic->seed, STREAM(traffic->first_stream + index, host));
	if (!(class->load > 0) || !phase->arrival->first(&class->arrival, source))
		source->class = HD_NONE;
}

bool hd_traffic_next(void *context, uint32_t host, struct hd_message *message)
{
	const struct hd_traffic *traffic = context;
	struct hd_source *source = &traffic->sources[host];

	for (; source->phase < traffic->n_phases; enter(traffic, source, source->phase + 1)) {
		const struct phase *phase = &traffic->phases[source->phase];
		const struct class *class;
		bool redraw = true;

		if (phase->begin == UINT64_MAX)
			return false;
		if (source->class == HD_NONE)
			continue;
		class = &phase->classes[source->class];
		message->from = host;
		message->tag = class->tag;
		message->id = 0;
		if (phase->pattern->replay) {
			if (!phase->pattern->replay(phase->data, source, phase->begin, message) ||
			    message->time >= phase->until)
				continue;
			message->id |= MESSAGE_ID(source->phase);
			return true;
		}
		message->id = MESSAGE_ID(source->phase);
		if (source->begun && !phase->arrival->next(&class->arrival, source, &redraw))
			continue;
		if (source->time >= phase->until)
			continue;
		source->begun = true;
		if (redraw)
			source->destination = phase->pattern->destination(phase->data, source);
		message->time = source->time;
		message->to = source->destination;
		message->size = phase->size;
		return true;
	}
	return false;
}

/* The phase of @message; NULL: it is a reply. */
static struct phase *phase_of(const struct hd_traffic *traffic, const struct hd_message *message)
{
	uint64_t index = message->id / MESSAGE_ID(1);

	return index < traffic->n_phases ? &traffic->phases[index] : NULL;
}

bool hd_traffic_ends(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message)
{
	struct phase *phase = phase_of(traffic, message);

	if (!phase || !phase->deliveries ||
	    (phase->counted != HD_NONE && message->tag != phase->counted) || --phase->deliveries)
		return false;
	phase[0].until = phase[1].begin = now;
	for (uint32_t host = 0; host < traffic->n_hosts; host++)
		enter(traffic, &traffic->sources[host], (uint32_t)(phase - traffic->phases) + 1);
	return true;
}

bool hd_traffic_is_stale(const struct hd_traffic *traffic, const struct hd_message *message)
{
	const struct phase *phase = phase_of(traffic, message);

	return phase && message->time >= phase->until;
}

void hd_traffic_ahead(void *context, uint32_t host)
{
	const struct hd_traffic *traffic = context;
	const char *source = (const char *)&traffic->sources[host];

	__builtin_prefetch(source);
	__builtin_prefetch(source + sizeof(struct hd_source) - 1);
}

bool hd_traffic_reply(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message,
		      struct hd_message *reply)
{
	uint32_t tag = traffic->tags[message->tag].reply;

	if (tag == HD_NONE)
		return false;
	*reply = (struct hd_message){ .time = now,
				      .from = message->to,
				      .to = message->from,
				      .size = message->size,
				      .tag = tag,
				      .id = HD_REPLY_ID };
	return true;
}

/* What a phase sends on. */
struct forward {
	struct hd_onward onward;
	const struct phase *phase;
	uint64_t id;
};

static void forward(void *context, const struct hd_message *message)
{
	const struct forward *f = context;
	const struct hd_traffic_actions *actions = f->onward.actions;
	struct hd_message own = *message;

	if (own.time >= f->onward.until)
		return;
	own.id |= f->id;
	own.tag = f->phase->classes[0].tag;
	actions->send(actions->context, &own);
}

/* What @message lets the hosts of @phase, which has received(), do. */
static void receive(struct phase *phase, uint64_t now, const struct hd_message *message,
		    const struct hd_traffic_actions *actions)
{
	struct forward f = { { actions, phase->until },
			     phase,
			     message->id & ~(uint64_t)UINT32_MAX };
	const struct hd_traffic_actions actions_of_phase = hd_onward_actions(&f.onward, forward);
	struct hd_message own = *message;

	own.id = (uint32_t)message->id;
	phase->pattern->received(phase->data, phase->begin, now, &own, &actions_of_phase);
	/* hosts beside an application send as long as it runs */
	if (phase->pattern->application &&
	    phase->pattern->application(phase->data)->end != UINT64_MAX)
		phase->until = now;
}

void hd_traffic_received(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message,
			 const struct hd_traffic_actions *actions)
{
	struct phase *phase = phase_of(traffic, message);

	if (phase && phase->pattern->received)
		receive(phase, now, message, actions);
}

void hd_traffic_entered(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message,
			const struct hd_traffic_actions *actions)
{
	struct phase *phase = phase_of(traffic, message);
	struct hd_traffic_actions actions_of_phase;
	struct hd_message own = *message;
	struct forward f;

	/* a reply is of no phase */
	if (!phase || !phase->pattern->entered)
		return;
	f = (struct forward){ { actions, phase->until },
			      phase,
			      message->id & ~(uint64_t)UINT32_MAX };
	actions_of_phase = hd_onward_actions(&f.onward, forward);
	own.id = (uint32_t)message->id;
	phase->pattern->entered(phase->data, now, &own, &actions_of_phase);
}

void hd_traffic_woken(struct hd_traffic *traffic, uint64_t now, uint32_t host,
		      const struct hd_traffic_actions *actions)
{
	for (uint32_t i = 0; i < traffic->n_phases; i++) {
		const struct phase *phase = &traffic->phases[i];
		struct forward f = { { actions, phase->until }, phase, MESSAGE_ID(i) };
		const struct hd_traffic_actions actions_of_phase =
			hd_onward_actions(&f.onward, forward);

		if (phase->pattern->woken && now >= phase->begin)
			phase->pattern->woken(phase->data, now, host, &actions_of_phase);
	}
}

void hd_traffic_begin(struct hd_traffic *traffic, const struct hd_traffic_actions *actions)
{
	for (uint32_t i = 0; i < traffic->n_phases; i++) {
		const struct phase *phase = &traffic->phases[i];
		struct forward f = { { actions, phase->until }, phase, MESSAGE_ID(i) };
		const struct hd_traffic_actions actions_of_phase =
			hd_onward_actions(&f.onward, forward);

		if (phase->pattern->begin)
			phase->pattern->begin(phase->data, phase->begin, &actions_of_phase);
	}
}

bool hd_traffic_keeps_time(const char *pattern)
{
	const struct hd_pattern_kind *kind = hd_pattern_of_spec(pattern);

	return kind && kind->begin;
}

bool hd_traffic_interleaves(const char *pattern)
{
	const struct hd_pattern_kind *kind = hd_pattern_of_spec(pattern);

	return kind && kind->interleaves;
}

bool hd_traffic_looks_across(const char *pattern)
{
	const struct hd_pattern_kind *kind = hd_pattern_of_spec(pattern);

	return kind && kind->received && !kind->by_host;
}

bool hd_traffic_has_own_sizes(const char *pattern)
{
	const struct hd_pattern_kind *kind = hd_pattern_of_spec(pattern);

	return kind && (kind->replay || kind->collective || kind->own_sizes);
}

const struct hd_application *hd_traffic_application(const struct hd_traffic *traffic)
{
	for (uint32_t i = 0; i < traffic->n_phases; i++)
		if (traffic->phases[i].pattern->application)
			return traffic->phases[i].pattern->application(traffic->phases[i].data);
	return NULL;
}

const struct hd_collective *hd_traffic_collective(const struct hd_traffic *traffic)
{
	for (uint32_t i = 0; i < traffic->n_phases; i++)
		if (traffic->phases[i].pattern->collective)
			return traffic->phases[i].pattern->collective(traffic->phases[i].data);
	return NULL;
}

void hd_traffic_remark(const char *pattern, char *line, size_t size)
{
	const struct hd_pattern_kind *kind;
	struct hd_params *params;
	struct hd_error err;

	*line = '\0';
	if (hd_pattern_parse(pattern, &kind, &params, &err))
		return;
	if (kind->remark)
		kind->remark(params, line, size);
	hd_params_free(params);
}

uint64_t hd_traffic_waiting(const struct hd_traffic *traffic)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < traffic->n_phases; i++)
		if (traffic->phases[i].pattern->waiting)
			n += traffic->phases[i].pattern->waiting(traffic->phases[i].data);
	return n;
}

int hd_traffic_stuck(const struct hd_traffic *traffic, struct hd_error *err)
{
	int ret = 0;

	for (uint32_t i = 0; i < traffic->n_phases && !ret; i++)
		if (traffic->phases[i].pattern->stuck)
			ret = traffic->phases[i].pattern->stuck(traffic->phases[i].data, err);
	return ret;
}

uint64_t hd_traffic_last_local(const struct hd_traffic *traffic)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < traffic->n_phases; i++) {
		const struct phase *phase = &traffic->phases[i];
		uint64_t own =
			phase->pattern->last_local ? phase->pattern->last_local(phase->data) : 0;

		if (own && phase->begin != UINT64_MAX && phase->begin + own > last)
			last = phase->begin + own;
	}
	return last;
}

unsigned hd_traffic_classes(const struct hd_traffic *traffic)
{
	return traffic->n_tags;
}

const char *hd_traffic_class_name(const struct hd_traffic *traffic, unsigned tag)
{
	return tag < traffic->n_tags ? traffic->tags[tag].name : NULL;
}

double hd_traffic_offered(const struct hd_traffic *traffic, uint32_t host, uint64_t now)
{
	const struct phase *phase = traffic->phases;
	uint32_t class;

	while (phase < traffic->phases + traffic->n_phases && phase->until <= now)
		phase++;
	if (phase == traffic->phases + traffic->n_phases)
		return 0;
	class = class_of(phase, host);
	if (class == HD_NONE)
		return 0;
	if (phase->pattern->replay)
		return phase->classes[class].load * phase->pattern->replayed(phase->data, host);
	return phase->classes[class].load;
}

/* The tag of @name, a new one when there is none. */
static uint32_t find_tag(struct hd_traffic *traffic, const char *name)
{
	struct tag *tag = traffic->tags;

	for (; tag < traffic->tags + traffic->n_tags; tag++)
		if (strcmp(tag->name, name) == 0)
			return (uint32_t)(tag - traffic->tags);
	snprintf(tag->name, sizeof(tag->name), "%s", name);
	tag->reply = HD_NONE;
	return traffic->n_tags++;
}

/*
 * The name of messages of a pattern's @class, in traffic of @name: requests or replies, or NULL.
 * All may be NULL.
 */
static void name_flow(const char *name, const char *class, const char *which, char *flow)
{
	const char *words[] = { name, class, which };
	size_t length = 0;

	for (unsigned i = 0; i < 3; i++)
		if (words[i] && *words[i] && length < HD_FLOW_NAME)
			length += (size_t)snprintf(flow + length, HD_FLOW_NAME - length, "%s%s",
						   length ? " " : "", words[i]);
	if (!length)
		strcpy(flow, "all");
}

/* The tag of @class of a phase: "all", "hotspot"; "request", "hotspot request" with replies. */
static uint32_t make_tags(struct hd_traffic *traffic, const char *name, const char *class,
			  bool request_reply)
{
	char flow[HD_FLOW_NAME];
	uint32_t tag;

	name_flow(name, class, request_reply ? "request" : NULL, flow);
	tag = find_tag(traffic, flow);
	if (!request_reply)
		return tag;
	name_flow(name, class, "reply", flow);
	traffic->tags[tag].reply = find_tag(traffic, flow);
	return tag;
}

unsigned hd_traffic_flows(const struct hd_traffic_phase *phase, const char *name,
			  char names[HD_TRAFFIC_FLOWS][HD_FLOW_NAME])
{
	const struct hd_pattern_kind *kind = hd_pattern_of_spec(phase->pattern);
	unsigned n = 0;

	for (unsigned i = 0; kind && i < HD_PATTERN_CLASSES; i++) {
		if (i && !kind->classes[i])
			break;
		name_flow(name, kind->classes[i], phase->request_reply ? "request" : NULL,
			  names[n++]);
		if (phase->request_reply)
			name_flow(name, kind->classes[i], "reply", names[n++]);
	}
	return n;
}

static int make_pattern(const struct hd_traffic_setting *setting,
			const struct hd_traffic_phase *says, uint32_t index, struct phase *phase,
			struct hd_error *err)
{
	struct hd_random random;
	struct hd_pattern_setup setup = { .setting = setting,
					  .random = &random,
					  .size = says->size };
	struct hd_params *params;
	int ret = hd_pattern_parse(says->pattern, &phase->pattern, &params, err);

	if (ret)
		return ret;
	setup.params = params;
	index += setting->stream * MOST_PHASES;
	setup.stream = STREAM(index, 0);
	hd_random_init(&random, setting->seed, STREAM(index, UINT32_MAX));
	if (phase->pattern->begin && phase->begin == UINT64_MAX)
		ret = hd_error_set(err, HD_EINVAL,
				   "the phase must begin at a known time, not after deliveries");
	else if (phase->pattern->begin && !setting->has_actions)
		ret = hd_error_set(err, HD_EINVAL,
				   "only heddle sim runs it: here hosts are not told what arrives");
	if (ret) {
		hd_params_free(params);
		return ret;
	}
	ret = phase->pattern->init(&setup, &phase->data, err);
	hd_params_free(params);
	return ret;
}

static int make_arrivals(struct hd_traffic *traffic, const struct hd_traffic_setting *setting,
			 const struct hd_traffic_phase *says, struct phase *phase,
			 struct hd_error *err)
{
	struct hd_arrival_setup setup = { .size = says->size, .unit_ticks = setting->unit_ticks };
	struct hd_params *params;
	int ret = hd_arrival_parse(says->arrival, &phase->arrival, &params, err);

	if (ret)
		return ret;
	setup.params = params;
	for (uint32_t i = 0; i < HD_PATTERN_CLASSES && !ret; i++) {
		struct class *class = &phase->classes[i];
		const char *flow = phase->pattern->classes[i];

		if (i && !flow)
			break;
		class->tag = make_tags(traffic, setting->name, flow, says->request_reply);
		if (phase->pattern->replay) {
			class->load = says->request_reply ? 2 : 1; /* times what it says */
			continue;
		}
		class->load = phase->pattern->load
				      ? phase->pattern->load(phase->data, i, says->load)
				      : says->load;
		setup.load = says->request_reply ? class->load / 2 : class->load;
		if ((double)says->size * setting->unit_ticks >= setup.load * HD_LONGEST_GAP)
			class->load = 0;
		if (class->load > 0)
			ret = phase->arrival->init(&setup, &class->arrival, err);
	}
	hd_params_free(params);
	return ret;
}

/* What a phase counts that ends by deliveries. */
static int find_counted(const struct hd_traffic_phase *says, struct phase *phase,
			struct hd_error *err)
{
	phase->deliveries = says->deliveries;
	phase->counted = HD_NONE;
	if (!says->deliveries)
		return 0;
	if (phase->pattern->replay)
		return hd_error_set(err, HD_EINVAL,
				    "%s ends by itself: until=delivered does not go "
				    "with it",
				    phase->pattern->policy.name);
	for (unsigned i = 0; *says->counted && i < HD_PATTERN_CLASSES; i++)
		if (phase->pattern->classes[i] &&
		    strcmp(phase->pattern->classes[i], says->counted) == 0)
			phase->counted = phase->classes[i].tag;
	if (*says->counted && phase->counted == HD_NONE)
		return hd_error_set(err, HD_EINVAL, "until=delivered: %s has no class '%s'",
				    phase->pattern->policy.name, says->counted);
	return 0;
}

static int make_phase(struct hd_traffic *traffic, const struct hd_traffic_setting *setting,
		      const struct hd_traffic_phase *says, uint32_t index, struct hd_error *err)
{
	struct phase *phase = &traffic->phases[index];
	int ret;

	phase->begin = index ? phase[-1].until : 0;
	phase->until = says->until;
	phase->size = says->size;
	if (phase->until <= phase->begin && phase->begin != UINT64_MAX)
		return hd_error_set(err, HD_EINVAL, "phase %u ends before it begins", index + 1);
	if (!says->size)
		return hd_error_set(err, HD_ERANGE, "a packet has at least one unit");
	if (!(says->load >= 0 && says->load <= 1))
		return hd_error_set(err, HD_ERANGE, "load: %g is not in 0 .. 1", says->load);
	ret = make_pattern(setting, says, index, phase, err);
	if (ret) {
		hd_traffic_name_error(phase->pattern ? &phase->pattern->policy : NULL, ret, err);
		return ret;
	}
	ret = make_arrivals(traffic, setting, says, phase, err);
	if (!ret)
		ret = find_counted(says, phase, err);
	if (ret)
		hd_traffic_name_error(phase->arrival ? &phase->arrival->policy : NULL, ret, err);
	return ret;
}

int hd_traffic_new(const struct hd_traffic_setting *setting, const struct hd_traffic_phase *phases,
		   size_t n_phases, struct hd_traffic **traffic, struct hd_error *err)
{
	size_t max_tags = n_phases * HD_PATTERN_CLASSES * 2;
	struct hd_traffic *t;
	int ret = 0;

	*traffic = NULL;
	if (!n_phases || n_phases >= MOST_PHASES)
		return hd_error_set(err, HD_EINVAL, "traffic needs phases");
	if (!setting->n_hosts || !setting->unit_ticks)
		return hd_error_set(err, HD_EINVAL, "there is no host, or its link takes no time");
	t = calloc(1, sizeof(*t) + max_tags * sizeof(t->tags[0]));
	if (!t)
		return hd_error_nomem(err);
	t->n_hosts = setting->n_hosts;
	t->seed = setting->seed;
	t->first_stream = setting->stream * MOST_PHASES;
	t->phases = calloc(n_phases, sizeof(*t->phases));
	t->sources = hd_alloc_large(t->n_hosts * sizeof(*t->sources));
	if (!t->phases || !t->sources)
		ret = hd_error_nomem(err);
	for (; t->phases && t->n_phases < n_phases && !ret; t->n_phases++)
		ret = make_phase(t, setting, &phases[t->n_phases], t->n_phases, err);
	if (ret) {
		hd_traffic_free(t);
		return ret;
	}
	for (uint32_t host = 0; host < t->n_hosts; host++) {
		t->sources[host] = (struct hd_source){ .host = host };
		enter(t, &t->sources[host], 0);
	}
	*traffic = t;
	return 0;
}

void hd_traffic_free(struct hd_traffic *traffic)
{
	if (!traffic)
		return;
	for (uint32_t i = 0; traffic->phases && i < traffic->n_phases; i++)
		if (traffic->phases[i].pattern && traffic->phases[i].data)
			traffic->phases[i].pattern->free(traffic->phases[i].data);
	free(traffic->phases);
	free(traffic->sources);
	free(traffic);
}
