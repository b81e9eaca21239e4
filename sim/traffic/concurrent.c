// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/concurrent.h"

#include <stdlib.h>

#include "sim/traffic/onward.h"
#include "support/error.h"

/* What a host sends next in a class. */
enum state {
	ASK, /* it is not known: the traffic is to be asked */
	KNOWN,
	NOTHING, /* nothing more */
};

struct hd_pending {
	struct hd_message message;
	enum state state;
};

bool hd_concurrent_next_of(struct hd_concurrent *concurrent, uint32_t host,
			   struct hd_message *message)
{
	struct hd_pending *pending = concurrent->pending + host * (size_t)concurrent->n;
	struct hd_pending *first = NULL;

	for (unsigned c = 0; c < concurrent->n; c++) {
		struct hd_pending *own = &pending[c];

		if (own->state == ASK) {
			own->state =
				hd_traffic_next(concurrent->classes[c].traffic, host, &own->message)
					? KNOWN
					: NOTHING;
			own->message.tag += concurrent->classes[c].first_tag;
		}
		if (own->state == KNOWN && (!first || own->message.time < first->message.time))
			first = own;
	}
	if (!first)
		return false;
	*message = first->message;
	first->state = ASK;
	return true;
}

void hd_concurrent_ahead_of(const struct hd_concurrent *concurrent, uint32_t host)
{
	__builtin_prefetch(concurrent->pending + host * (size_t)concurrent->n);
}

unsigned hd_concurrent_class(const struct hd_concurrent *concurrent, unsigned tag)
{
	unsigned c = concurrent->n - 1;

	while (tag < concurrent->classes[c].first_tag)
		c--;
	return c;
}

/* The class of @message, whose tag becomes that class's own in @own. */
static struct hd_concurrent_traffic *class_of(struct hd_concurrent *concurrent,
					      const struct hd_message *message,
					      struct hd_message *own)
{
	struct hd_concurrent_traffic *class =
		&concurrent->classes[hd_concurrent_class(concurrent, message->tag)];

	*own = *message;
	own->tag -= class->first_tag;
	return class;
}

bool hd_concurrent_reply_of(struct hd_concurrent *concurrent, uint64_t now,
			    const struct hd_message *message, struct hd_message *reply)
{
	struct hd_message own;
	struct hd_concurrent_traffic *class = class_of(concurrent, message, &own);

	if (!hd_traffic_reply(class->traffic, now, &own, reply))
		return false;
	reply->tag += class->first_tag;
	return true;
}

/* What a class sends on. */
struct forward {
	struct hd_onward onward;
	uint32_t first_tag;
};

static void forward(void *context, const struct hd_message *message)
{
	const struct forward *f = context;
	const struct hd_traffic_actions *actions = f->onward.actions;
	struct hd_message own = *message;

	own.tag += f->first_tag;
	actions->send(actions->context, &own);
}

void hd_concurrent_received_of(struct hd_concurrent *concurrent, uint64_t now,
			       const struct hd_message *message,
			       const struct hd_traffic_actions *actions)
{
	struct hd_message own;
	struct hd_concurrent_traffic *class = class_of(concurrent, message, &own);
	struct forward f = { { actions, UINT64_MAX }, class->first_tag };
	const struct hd_traffic_actions own_actions = hd_onward_actions(&f.onward, forward);

	hd_traffic_received(class->traffic, now, &own, &own_actions);
}

void hd_concurrent_entered(struct hd_concurrent *concurrent, uint64_t now,
			   const struct hd_message *message,
			   const struct hd_traffic_actions *actions)
{
	struct hd_message own;
	struct hd_concurrent_traffic *class = class_of(concurrent, message, &own);
	struct forward f = { { actions, UINT64_MAX }, class->first_tag };
	const struct hd_traffic_actions own_actions = hd_onward_actions(&f.onward, forward);

	hd_traffic_entered(class->traffic, now, &own, &own_actions);
}

void hd_concurrent_begin(struct hd_concurrent *concurrent, const struct hd_traffic_actions *actions)
{
	for (unsigned c = 0; c < concurrent->n; c++) {
		struct forward f = { { actions, UINT64_MAX }, concurrent->classes[c].first_tag };
		const struct hd_traffic_actions own = hd_onward_actions(&f.onward, forward);

		hd_traffic_begin(concurrent->classes[c].traffic, &own);
	}
}

void hd_concurrent_woken(struct hd_concurrent *concurrent, uint64_t now, uint32_t host,
			 const struct hd_traffic_actions *actions)
{
	for (unsigned c = 0; c < concurrent->n; c++) {
		struct forward f = { { actions, UINT64_MAX }, concurrent->classes[c].first_tag };
		const struct hd_traffic_actions own = hd_onward_actions(&f.onward, forward);

		hd_traffic_woken(concurrent->classes[c].traffic, now, host, &own);
	}
}

const struct hd_application *hd_concurrent_application(const struct hd_concurrent *concurrent)
{
	for (unsigned c = 0; c < concurrent->n; c++)
		if (hd_traffic_application(concurrent->classes[c].traffic))
			return hd_traffic_application(concurrent->classes[c].traffic);
	return NULL;
}

const struct hd_collective *hd_concurrent_collective(const struct hd_concurrent *concurrent,
						     unsigned class)
{
	return hd_traffic_collective(concurrent->classes[class].traffic);
}

uint64_t hd_concurrent_waiting(const struct hd_concurrent *concurrent)
{
	uint64_t n = 0;

	for (unsigned c = 0; c < concurrent->n; c++)
		n += hd_traffic_waiting(concurrent->classes[c].traffic);
	return n;
}

int hd_concurrent_stuck(const struct hd_concurrent *concurrent, struct hd_error *err)
{
	int ret = 0;

	for (unsigned c = 0; c < concurrent->n && !ret; c++)
		ret = hd_traffic_stuck(concurrent->classes[c].traffic, err);
	return ret;
}

uint64_t hd_concurrent_last_local(const struct hd_concurrent *concurrent)
{
	uint64_t last = 0;

	for (unsigned c = 0; c < concurrent->n; c++) {
		const uint64_t own = hd_traffic_last_local(concurrent->classes[c].traffic);

		last = own > last ? own : last;
	}
	return last;
}

unsigned hd_concurrent_flows(const struct hd_concurrent *concurrent)
{
	const struct hd_concurrent_traffic *last = &concurrent->classes[concurrent->n - 1];

	return last->first_tag + hd_traffic_classes(last->traffic);
}

const char *hd_concurrent_flow_name(const struct hd_concurrent *concurrent, unsigned tag)
{
	const struct hd_concurrent_traffic *class =
		&concurrent->classes[hd_concurrent_class(concurrent, tag)];

	return hd_traffic_class_name(class->traffic, tag - class->first_tag);
}

static int make_class(const struct hd_traffic_setting *setting,
		      const struct hd_concurrent_class *says, struct hd_concurrent *concurrent,
		      struct hd_error *err)
{
	struct hd_traffic_setting own = *setting;
	struct hd_concurrent_traffic *class = &concurrent->classes[concurrent->n];

	own.stream = says->stream;
	own.name = says->name;
	class->first_tag = concurrent->n ? hd_concurrent_flows(concurrent) : 0;
	return hd_traffic_new(&own, says->phases, says->n_phases, &class->traffic, err);
}

int hd_concurrent_new(const struct hd_traffic_setting *setting,
		      const struct hd_concurrent_class *classes, unsigned n,
		      struct hd_concurrent **result, struct hd_error *err)
{
	struct hd_concurrent *concurrent =
		calloc(1, sizeof(*concurrent) + n * sizeof(concurrent->classes[0]));
	int ret = concurrent ? 0 : hd_error_nomem(err);

	*result = NULL;
	for (unsigned c = 0; !ret && c < n; c++) {
		for (size_t i = 0; n > 1 && !ret && i < classes[c].n_phases; i++)
			if (classes[c].phases[i].deliveries)
				ret = hd_error_set(err, HD_EINVAL,
						   "until=delivered does not go with several "
						   "classes of traffic");
		if (!ret)
			ret = make_class(setting, &classes[c], concurrent, err);
		concurrent->n += !ret;
	}
	if (!ret && n > 1) {
		concurrent->pending =
			calloc(setting->n_hosts * (size_t)n, sizeof(*concurrent->pending));
		ret = concurrent->pending ? 0 : hd_error_nomem(err);
	}
	if (!ret && n == 1)
		concurrent->only = concurrent->classes[0].traffic;
	if (ret) {
		hd_concurrent_free(concurrent);
		return ret;
	}
	*result = concurrent;
	return 0;
}

void hd_concurrent_free(struct hd_concurrent *concurrent)
{
	for (unsigned c = 0; concurrent && c < concurrent->n; c++)
		hd_traffic_free(concurrent->classes[c].traffic);
	if (concurrent)
		free(concurrent->pending);
	free(concurrent);
}
