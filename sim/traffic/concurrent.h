/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Traffics that hosts send at once, each with phases, patterns, packets and times of its own:
 * classes of traffic. A host's messages come in the order of their times, those of one time in the
 * order of the classes.
 */
#ifndef HD_TRAFFIC_CONCURRENT_H
#define HD_TRAFFIC_CONCURRENT_H

#include "sim/traffic/traffic.h"

struct hd_pending;

struct hd_concurrent_traffic {
	struct hd_traffic *traffic;
	uint32_t first_tag;
};

struct hd_concurrent {
	struct hd_traffic *only; /* the traffic, if there is one class; NULL: there are several */
	unsigned n;
	struct hd_pending *pending; /* [host * n + class] what a host sends next; NULL: one class */
	struct hd_concurrent_traffic classes[];
};

/* What a class sends. */
struct hd_concurrent_class {
	const char *name; /* before the names of its flow classes; NULL: nothing */
	const struct hd_traffic_phase *phases;
	size_t n_phases;
	unsigned stream; /* its place among all classes of the scenario */
};

/*
 * The classes have their own streams and names in place of @setting's; its arrays must exist longer
 * than the result. @n is at least 1. Errors are those of hd_traffic_new(). HD_EINVAL: a phase of
 * several classes ends by deliveries.
 */
int hd_concurrent_new(const struct hd_traffic_setting *setting,
		      const struct hd_concurrent_class *classes, unsigned n,
		      struct hd_concurrent **concurrent, struct hd_error *err);
void hd_concurrent_free(struct hd_concurrent *concurrent);

/* For several classes. */
bool hd_concurrent_next_of(struct hd_concurrent *concurrent, uint32_t host,
			   struct hd_message *message);
void hd_concurrent_ahead_of(const struct hd_concurrent *concurrent, uint32_t host);
bool hd_concurrent_reply_of(struct hd_concurrent *concurrent, uint64_t now,
			    const struct hd_message *message, struct hd_message *reply);
void hd_concurrent_received_of(struct hd_concurrent *concurrent, uint64_t now,
			       const struct hd_message *message,
			       const struct hd_traffic_actions *actions);

/* As those of struct hd_traffic (traffic.h). */
static inline bool hd_concurrent_next(struct hd_concurrent *concurrent, uint32_t host,
				      struct hd_message *message)
{
	return concurrent->only ? hd_traffic_next(concurrent->only, host, message)
				: hd_concurrent_next_of(concurrent, host, message);
}

static inline void hd_concurrent_ahead(const struct hd_concurrent *concurrent, uint32_t host)
{
	if (concurrent->only)
		hd_traffic_ahead(concurrent->only, host);
	else
		hd_concurrent_ahead_of(concurrent, host);
}

static inline bool hd_concurrent_reply(struct hd_concurrent *concurrent, uint64_t now,
				       const struct hd_message *message, struct hd_message *reply)
{
	return concurrent->only ? hd_traffic_reply(concurrent->only, now, message, reply)
				: hd_concurrent_reply_of(concurrent, now, message, reply);
}

static inline void hd_concurrent_received(struct hd_concurrent *concurrent, uint64_t now,
					  const struct hd_message *message,
					  const struct hd_traffic_actions *actions)
{
	if (concurrent->only)
		hd_traffic_received(concurrent->only, now, message, actions);
	else
		hd_concurrent_received_of(concurrent, now, message, actions);
}

void hd_concurrent_begin(struct hd_concurrent *concurrent,
			 const struct hd_traffic_actions *actions);
void hd_concurrent_entered(struct hd_concurrent *concurrent, uint64_t now,
			   const struct hd_message *message,
			   const struct hd_traffic_actions *actions);
void hd_concurrent_woken(struct hd_concurrent *concurrent, uint64_t now, uint32_t host,
			 const struct hd_traffic_actions *actions);

/* Phases of several classes end by their times. */
static inline bool hd_concurrent_ends(struct hd_concurrent *concurrent, uint64_t now,
				      const struct hd_message *message)
{
	return concurrent->only && hd_traffic_ends(concurrent->only, now, message);
}

static inline bool hd_concurrent_is_stale(const struct hd_concurrent *concurrent,
					  const struct hd_message *message)
{
	return concurrent->only && hd_traffic_is_stale(concurrent->only, message);
}

uint64_t hd_concurrent_waiting(const struct hd_concurrent *concurrent);
int hd_concurrent_stuck(const struct hd_concurrent *concurrent, struct hd_error *err);
uint64_t hd_concurrent_last_local(const struct hd_concurrent *concurrent);

/* The application of the first class that has one; NULL: there is none. */
const struct hd_application *hd_concurrent_application(const struct hd_concurrent *concurrent);

/* The collective operation of @class; NULL: there is none. */
const struct hd_collective *hd_concurrent_collective(const struct hd_concurrent *concurrent,
						     unsigned class);

/* Flow classes by tag, class by class; and the class that has the tag. */
unsigned hd_concurrent_flows(const struct hd_concurrent *concurrent);
const char *hd_concurrent_flow_name(const struct hd_concurrent *concurrent, unsigned tag);
unsigned hd_concurrent_class(const struct hd_concurrent *concurrent, unsigned tag);

#endif
