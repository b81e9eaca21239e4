// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/traffic/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/traffic/deviate.h"
#include "simfabric/traffic/pattern.h"
#include "support/error.h"
#include "support/memory.h"

/* A stream of each host in each phase, and one of the phase: no host has its number. */
#define STREAM(phase, host) ((uint64_t)(phase) << 32 | (host))

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
	char name[32];
	uint32_t reply; /* the tag of replies to it, or HD_NONE */
};

struct hd_traffic {
	uint32_t n_hosts;
	uint32_t n_phases;
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
	hd_random_init(&source->random, traffic->seed, STREAM(index, host));
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
	hd_traffic_send send;
	void *context;
	const struct phase *phase;
	uint64_t id;
};

static void forward(void *context, const struct hd_message *message)
{
	const struct forward *f = context;
	struct hd_message own = *message;

	if (own.time >= f->phase->until)
		return;
	own.id |= f->id;
	own.tag = f->phase->classes[0].tag;
	f->send(f->context, &own);
}

void hd_traffic_received(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message,
			 hd_traffic_send send, void *context)
{
	uint32_t index = message->id >> 32;
	struct hd_message own = *message;
	const struct phase *phase;
	struct forward f;

	if (message->id == HD_REPLY_ID)
		return;
	phase = &traffic->phases[index];
	if (!phase->pattern->received)
		return;
	own.id = (uint32_t)message->id;
	f = (struct forward){ send, context, phase, MESSAGE_ID(index) };
	phase->pattern->received(phase->data, phase->begin, now, &own, forward, &f);
}

uint64_t hd_traffic_waiting(const struct hd_traffic *traffic)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < traffic->n_phases; i++)
		if (traffic->phases[i].pattern->waiting)
			n += traffic->phases[i].pattern->waiting(traffic->phases[i].data);
	return n;
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

/* The tag of @class of a phase: "all", "hotspot"; "request", "hotspot request" with replies. */
static uint32_t make_tags(struct hd_traffic *traffic, const char *class, bool request_reply)
{
	char name[sizeof(traffic->tags[0].name)];
	uint32_t tag;

	if (!request_reply)
		return find_tag(traffic, class ? class : "all");
	snprintf(name, sizeof(name), "%s%srequest", class ? class : "", class ? " " : "");
	tag = find_tag(traffic, name);
	snprintf(name, sizeof(name), "%s%sreply", class ? class : "", class ? " " : "");
	traffic->tags[tag].reply = find_tag(traffic, name);
	return tag;
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
	hd_random_init(&random, setting->seed, STREAM(index, UINT32_MAX));
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
		const char *name = phase->pattern->classes[i];

		if (i && !name)
			break;
		class->tag = make_tags(traffic, name, says->request_reply);
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

void hd_traffic_name_error(const struct hd_policy *policy, int ret, struct hd_error *err)
{
	char text[sizeof(err->text)];

	if (!err || !policy || (ret != HD_EINVAL && ret != HD_ERANGE) ||
	    strncmp(err->text, policy->name, strlen(policy->name)) == 0)
		return;
	memcpy(text, err->text, sizeof(text));
	hd_error_set(err, ret, "%s: %s", policy->name, text);
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
	if (!n_phases || n_phases >= UINT32_MAX / 8)
		return hd_error_set(err, HD_EINVAL, "traffic needs phases");
	if (!setting->n_hosts || !setting->unit_ticks)
		return hd_error_set(err, HD_EINVAL, "there is no host, or its link takes no time");
	t = calloc(1, sizeof(*t) + max_tags * sizeof(t->tags[0]));
	if (!t)
		return hd_error_nomem(err);
	t->n_hosts = setting->n_hosts;
	t->seed = setting->seed;
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
