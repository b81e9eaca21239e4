/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Measures of traffic within a window of time: what hosts offered, what arrived, how long it took.
 * A model's callbacks feed it. Packets delivered within the window count as accepted, also those
 * generated before; latency is that of the packets delivered within the window. At offered loads
 * above saturation, hosts' queues grow without bound, and latency grows with the length of the run.
 */
#ifndef HD_MEASURE_MEASURE_H
#define HD_MEASURE_MEASURE_H

#include "sim/measure/histogram.h"
#include "sim/measure/statistics.h"
#include "sim/measure/steady.h"
#include "sim/model/model.h"

struct hd_error;

struct hd_measure_options {
	uint64_t begin, end; /* the window, in ticks: begin <= time < end */
	unsigned slices;     /* parts of the window in the time series, at least 2 */
	uint32_t n_hosts;
	unsigned n_classes;  /* of flows: message tags are smaller */
	uint32_t unit_ticks; /* of the hosts' links */
};

/* Flows of one class. */
struct hd_measure_class {
	uint64_t offered, accepted;                   /* units */
	uint64_t packets, hops;                       /* of those accepted */
	uint64_t dropped;                             /* packets */
	uint64_t last;                                /* when the last packet arrived, ticks */
	struct hd_histogram latency, network_latency; /* ticks */
};

/* Whole messages by their size, up to so many bytes; the last for longer ones. */
#define HD_MESSAGE_SIZES 4
extern const uint64_t hd_message_sizes[HD_MESSAGE_SIZES]; /* bytes; UINT64_MAX: any */

/* A part of the window. */
struct hd_measure_slice {
	uint64_t offered, accepted; /* units */
	uint64_t packets;           /* of those accepted */
	uint64_t latency;           /* of all of them together, ticks */
};

/* A host as a source. */
struct hd_measure_source {
	uint64_t accepted; /* units that it sent and that arrived within the window */
	uint64_t pending;  /* packets generated so far that have not arrived */
	bool sends; /* a packet of this source was generated, or arrived, or was dropped within
		       the window */
};

struct hd_measure {
	struct hd_measure_options options;
	struct hd_measure_class *classes; /* [n_classes + 1], the last is for all classes */
	struct hd_measure_slice *slices;
	struct hd_measure_source *sources; /* [host] */
	unsigned max_hops;
	struct hd_histogram *messages; /* [HD_MESSAGE_SIZES + 1] ticks from generation to arrival of
					  whole messages; the last: of all sizes. NULL: none has
					  arrived */

	struct hd_batch batches[HD_BATCHES_MAX]; /* of the window */
	struct hd_batch before[HD_BATCHES_MAX];  /* of the window before it */
	double before_ticks;                     /* length of a batch of the window before; 0:
						    there is none */

	/* Messages that will be generated after the window. */
	struct hd_message *later;
	size_t n_later, size_later;
	bool out_of_memory; /* `later` lacks a message */
};

/* HD_EINVAL: an empty window; HD_ENOMEM. */
int hd_measure_new(const struct hd_measure_options *options, struct hd_measure **measure,
		   struct hd_error *err);
void hd_measure_free(struct hd_measure *measure);

/*
 * Ends the window and begins the next one, which is as long as all the time before it. The counts
 * of the window are gone, but its batches stay: hd_measure_is_steady() compares the next window
 * with them. HD_ENOMEM.
 */
int hd_measure_extend(struct hd_measure *measure, struct hd_error *err);

/* Events of the model; events outside the window are not counted. */
void hd_measure_generated(struct hd_measure *measure, const struct hd_message *message);
void hd_measure_delivered(struct hd_measure *measure, uint64_t now,
			  const struct hd_message *message, uint64_t entered, unsigned hops);
void hd_measure_refused(struct hd_measure *measure, const struct hd_message *message);
void hd_measure_dropped(struct hd_measure *measure, uint64_t now, const struct hd_message *message);

/*
 * A whole message of @bytes, generated at @time, has arrived, of a pattern that tells so. Packets
 * of others are messages of their own.
 */
void hd_measure_message(struct hd_measure *measure, uint64_t now, uint64_t time, uint64_t bytes);

/* Adds to @measure what @part counted of the same window, and empties @part. */
void hd_measure_join(struct hd_measure *measure, struct hd_measure *part);

struct hd_bytes;

/*
 * What @part counted goes to @bytes; second function: another process wrote that of a measure with
 * the same options. Messages that consist of several packets are left out. Without memory,
 * `out_of_memory` is set.
 */
void hd_measure_write(const struct hd_measure *part, struct hd_bytes *bytes);
void hd_measure_read(struct hd_measure *part, struct hd_bytes *bytes);

static inline const struct hd_measure_class *hd_measure_all(const struct hd_measure *measure)
{
	return &measure->classes[measure->options.n_classes];
}

/* @units within @ticks, as a share of what the links of all hosts can carry. */
double hd_measure_share(const struct hd_measure *measure, uint64_t units, uint64_t ticks);

/* Over the window. */
double hd_measure_load(const struct hd_measure *measure, uint64_t units);

/*
 * Accepted load of each of @n_groups groups, as a share of a link, as a mean over its sources; NaN
 * for a group without sources. A source is a host that generates a packet within the window, or
 * with packets under way when the window began. @group [hosts]; NULL: each host is a group.
 * HD_ENOMEM.
 */
int hd_measure_shares(const struct hd_measure *measure, const uint32_t *group, uint32_t n_groups,
		      double *shares, struct hd_error *err);

/* Fairness among groups that have sources. HD_ENOMEM. */
int hd_measure_fairness(const struct hd_measure *measure, const uint32_t *group, uint32_t n_groups,
			struct hd_fairness *fairness, struct hd_error *err);

/* Whether less than 95% of the offered load arrived or was dropped. */
bool hd_measure_is_saturated(const struct hd_measure *measure);

/*
 * Whether the two halves of the window are alike, and like the window before, if there was one, by
 * hd_stretches_agree(). Loads may differ by 5% and latencies by 20%; if there was a window before,
 * by 2% and 10%. If not, the warm-up or the window was too short. A window in which nothing arrives
 * is steady only if nothing could arrive.
 */
bool hd_measure_is_steady(const struct hd_measure *measure);

#endif
