/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Patterns and arrival processes as traffic.c sees them. They draw from the stream of the host that
 * asks, and prepare themselves from a stream of the phase.
 */
#ifndef HD_TRAFFIC_PATTERN_H
#define HD_TRAFFIC_PATTERN_H

#include "sim/traffic/traffic.h"
#include "support/random.h"

struct hd_params;

/* A host within a phase: all that changes from message to message. */
struct hd_source {
	struct hd_random random;
	uint64_t time;     /* ticks, of the last message */
	uint64_t fraction; /* of a tick, in 2^-64 */
	uint64_t turn;     /* the pattern's: next neighbour in turn, next record of a trace */
	uint32_t left;     /* the arrival process's, messages; the trace's, units */
	uint32_t host;
	uint32_t destination; /* of the last message */
	uint32_t phase;
	uint32_t class; /* within the phase, HD_NONE: sends nothing */
	bool begun;     /* a message of the phase was sent */
};

/* The input of a pattern's preparation. */
struct hd_pattern_setup {
	const struct hd_traffic_setting *setting;
	const struct hd_params *params;
	struct hd_random *random; /* of the phase */
	uint32_t size;            /* units of a packet */
	uint64_t stream;          /* plus the number of a host: its stream in the phase */
};

#define HD_PATTERN_CLASSES 2

struct hd_pattern_kind {
	struct hd_policy policy;                 /* first */
	const char *classes[HD_PATTERN_CLASSES]; /* flow classes; the first NULL: "all" */

	int (*init)(const struct hd_pattern_setup *setup, void **data, struct hd_error *err);
	void (*free)(void *data);

	/* The flow class of @host's messages; HD_NONE: it sends nothing. NULL: 0. */
	uint32_t (*class_of)(const void *data, uint32_t host);

	/* The offered load of hosts of @class if the phase has @load. NULL: @load. */
	double (*load)(const void *data, uint32_t class, double load);

	/* Where the next message goes; not called for hosts that send nothing. */
	uint32_t (*destination)(const void *data, struct hd_source *source);

	/*
	 * Patterns with times of their own have these in place of load() and destination(): the
	 * next message, its time counted from @begin, false when there is none; and a host's load.
	 */
	bool (*replay)(const void *data, struct hd_source *source, uint64_t begin,
		       struct hd_message *message);

	/*
	 * Where messages wait for others: one that replay() or @send gave, of the id that it gave
	 * it, was received; @actions get what can go now. How many wait still. May be NULL.
	 */
	void (*received)(void *data, uint64_t begin, uint64_t now, const struct hd_message *message,
			 const struct hd_traffic_actions *actions);
	uint64_t (*waiting)(const void *data);
	bool by_host; /* what received() changes, and sends, is the receiving host's: threads may
			 call it at the same time for different hosts */

	/* When it delivered the last message within a host, from the beginning; may be NULL. */
	uint64_t (*last_local)(const void *data);
	double (*replayed)(const void *data, uint32_t host);

	/*
	 * Where hosts keep time themselves: the phase begins at @begin; a message of begin() or of
	 * those below began to leave its host; the time that @actions->wake() was given for @host,
	 * or another phase's time for it, has come. All are there, or none is.
	 */
	void (*begin)(void *data, uint64_t begin, const struct hd_traffic_actions *actions);
	void (*entered)(void *data, uint64_t now, const struct hd_message *message,
			const struct hd_traffic_actions *actions);
	void (*woken)(void *data, uint64_t now, uint32_t host,
		      const struct hd_traffic_actions *actions);

	/* An application whose end is the end of the phase. NULL: there is none. */
	const struct hd_application *(*application)(const void *data);
	/*
	 * Sizes of messages are their own, up to the phase's packet. With replay() they are, too.
	 */
	bool own_sizes;
	bool interleaves; /* it does as hd_traffic_setting.interleaves says */
	/*
	 * Nothing more will happen, though hosts wait still: HD_EPARSE says who waits for what. 0:
	 * something will, or nobody waits. NULL: it cannot be.
	 */
	int (*stuck)(const void *data, struct hd_error *err);
	/* A collective operation and its times. NULL: there is none. */
	const struct hd_collective *(*collective)(const void *data);
	/* What a user should know of the options, a line; empty: nothing. NULL: nothing. */
	void (*remark)(const struct hd_params *params, char *line, size_t size);
};

/* An arrival process with its parameters for one load. */
struct hd_arrival {
	uint64_t ticks, fraction; /* mean gap, or 1 / -ln(1 - p): what a deviate is scaled by */
	uint64_t burst, burst_fraction; /* the same for lengths of bursts */
	uint64_t slot;                  /* ticks */
	uint32_t first;                 /* 2^-32: probability of beginning within a burst */
	bool random;                    /* a random beginning */
};

struct hd_arrival_setup {
	const struct hd_params *params;
	uint32_t size; /* units of a packet */
	uint32_t unit_ticks;
	double load; /* 0 < load <= 1 */
};

struct hd_arrival_kind {
	struct hd_policy policy; /* first */
	int (*init)(const struct hd_arrival_setup *setup, struct hd_arrival *arrival,
		    struct hd_error *err);

	/*
	 * From @source->time, the beginning of the phase, to the first message. False: time is
	 * over, here and below.
	 */
	bool (*first)(const struct hd_arrival *arrival, struct hd_source *source);

	/*
	 * To the next message; @redraw, true before, may be cleared: it has the same destination.
	 */
	bool (*next)(const struct hd_arrival *arrival, struct hd_source *source, bool *redraw);
};

/*
 * The pattern or process that "NAME:OPTIONS" names, with its options. Free @params with
 * hd_params_free(). HD_EINVAL, @kind NULL when it is the name; HD_ENOMEM.
 */
int hd_pattern_parse(const char *spec, const struct hd_pattern_kind **kind,
		     struct hd_params **params, struct hd_error *err);
int hd_arrival_parse(const char *spec, const struct hd_arrival_kind **kind,
		     struct hd_params **params, struct hd_error *err);

/*
 * The pattern that @spec names, NULL: there is none. A trace whose file is of another format, by
 * its name, is the pattern of that format; also above.
 */
const struct hd_pattern_kind *hd_pattern_of_spec(const char *spec);

/*
 * The value of @key as lengths "6x4x3" of at most @max dimensions whose product is @product; a
 * missing value is one dimension. @n: how many. HD_EINVAL; HD_ERANGE.
 */
int hd_params_shape(const struct hd_params *params, const char *key, uint32_t product, unsigned max,
		    uint32_t *lengths, unsigned *n, struct hd_error *err);

/*
 * Puts the name of @policy before a message that lacks it; NULL: there is no policy of that name.
 */
void hd_traffic_name_error(const struct hd_policy *policy, int ret, struct hd_error *err);

/*
 * The patterns and arrival processes there are: one file each, listed in patterns.c and nowhere
 * else.
 */
extern const struct hd_pattern_kind hd_pattern_adversarial;
extern const struct hd_pattern_kind hd_pattern_bitreverse;
extern const struct hd_pattern_kind hd_pattern_chakra;
extern const struct hd_pattern_kind hd_pattern_collective;
extern const struct hd_pattern_kind hd_pattern_consecutive;
extern const struct hd_pattern_kind hd_pattern_goal;
extern const struct hd_pattern_kind hd_pattern_graph500;
extern const struct hd_pattern_kind hd_pattern_hotspot;
extern const struct hd_pattern_kind hd_pattern_mix;
extern const struct hd_pattern_kind hd_pattern_neighbour;
extern const struct hd_pattern_kind hd_pattern_permutation;
extern const struct hd_pattern_kind hd_pattern_ptrans;
extern const struct hd_pattern_kind hd_pattern_shift;
extern const struct hd_pattern_kind hd_pattern_stencil;
extern const struct hd_pattern_kind hd_pattern_tornado;
extern const struct hd_pattern_kind hd_pattern_trace;
extern const struct hd_pattern_kind hd_pattern_training;
extern const struct hd_pattern_kind hd_pattern_transpose;
extern const struct hd_pattern_kind hd_pattern_uniform;
extern const struct hd_pattern_kind hd_pattern_vef;
extern const struct hd_pattern_kind hd_pattern_zipf;

extern const struct hd_arrival_kind hd_arrival_bernoulli;
extern const struct hd_arrival_kind hd_arrival_bursty;
extern const struct hd_arrival_kind hd_arrival_deterministic;
extern const struct hd_arrival_kind hd_arrival_poisson;

#endif
