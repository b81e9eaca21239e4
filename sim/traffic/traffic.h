/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Traffic: who sends what to whom, and when. A pattern chooses destinations, an arrival process
 * chooses times; both draw from streams by counter, one for each host, so a host's messages depend
 * on the seed alone. Generation is open loop: it never waits for the fabric, except for messages of
 * a trace that wait for others.
 */
#ifndef HD_TRAFFIC_TRAFFIC_H
#define HD_TRAFFIC_TRAFFIC_H

#include "sim/model/model.h"
#include "support/policy.h"

struct hd_error;
struct hd_structure;
struct hd_traffic;

/* What patterns know of the hosts. */
struct hd_traffic_setting {
	const struct hd_fabric *fabric;
	uint32_t n_hosts;
	const uint32_t *host_ports; /* [n_hosts] index in fabric->ports, as the model has them */
	const struct hd_structure *structure; /* of the fabric; NULL: not known */
	uint32_t unit_ticks;                  /* of the hosts' links */
	uint64_t seed;
	unsigned stream;        /* of several traffics at the same time: each draws from its own
				 streams */
	const char *name;       /* before the names of its flow classes; NULL: nothing */
	uint32_t cycle_ticks;   /* if times are cycles; 0: ticks are picoseconds */
	const char *host_model; /* how long hosts work for a message (loggop.h); NULL: no time */
	bool interleaves;       /* hosts send packets of their messages in turn, where
				 hd_traffic_interleaves() */
	bool has_actions;       /* the user calls the functions for deliveries and other events
				 below */
	/*
	 * Largest file of a pattern, in a program that serves others (which takes only regular
	 * files); 0: a command line's file.
	 */
	size_t file_max;
};

/* A phase of traffic; phases follow one another. */
struct hd_traffic_phase {
	const char *pattern; /* "uniform", "hotspot:sources=4,destinations=2", "trace:FILE", ... */
	const char *arrival; /* "poisson", "bernoulli", "deterministic", "bursty:5" */
	double load;   /* offered, as a share of a host's link; sources of a pattern may differ */
	uint32_t size; /* units of a packet */
	bool request_reply; /* a delivered request makes its destination send a reply of the same
			       size */
	uint64_t until;     /* ticks; UINT64_MAX: the last phase, or one that ends otherwise */
	/*
	 * The phase ends when this many packets of its flow class `counted` ("hotspot"; "": any)
	 * are delivered. 0: it ends by its time.
	 */
	uint64_t deliveries;
	char counted[24];
};

extern const struct hd_registry hd_patterns;
extern const struct hd_registry hd_arrivals;

/*
 * @setting's arrays must exist longer than the traffic. HD_EINVAL, HD_ERANGE: a pattern or option
 * that is impossible for these hosts (bit reversal of a number that is no power of two, ADV without
 * groups); HD_EPARSE, HD_EIO: a trace; HD_ENOMEM.
 */
int hd_traffic_new(const struct hd_traffic_setting *setting, const struct hd_traffic_phase *phases,
		   size_t n_phases, struct hd_traffic **traffic, struct hd_error *err);
void hd_traffic_free(struct hd_traffic *traffic);

/*
 * struct hd_model_user's next. message->tag is the flow class, message->id for
 * hd_traffic_received().
 */
bool hd_traffic_next(void *traffic, uint32_t host, struct hd_message *message);
void hd_traffic_ahead(void *traffic, uint32_t host); /* struct hd_model_user's */

/* The message that the destination of @message sends after its delivery; false: none. */
bool hd_traffic_reply(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message,
		      struct hd_message *reply);

/*
 * Actions that traffic asks of its user: send a message, call hd_traffic_woken() at a time. The
 * last two may be NULL: a whole message of @bytes, which was generated at @time, has arrived; there
 * is no more memory, which ends the run.
 */
struct hd_traffic_actions {
	void (*send)(void *context, const struct hd_message *message);
	void (*wake)(void *context, uint32_t host, uint64_t time);
	void *context;
	void (*completed)(void *context, uint64_t now, uint64_t time, uint64_t bytes);
	void (*exhausted)(void *context);
};

static inline void hd_traffic_completed(const struct hd_traffic_actions *actions, uint64_t now,
					uint64_t time, uint64_t bytes)
{
	if (actions->completed)
		actions->completed(actions->context, now, time, bytes);
}

static inline void hd_traffic_exhausted(const struct hd_traffic_actions *actions)
{
	if (actions->exhausted)
		actions->exhausted(actions->context);
}

/* Before the first message: hosts of patterns that keep time themselves begin. */
void hd_traffic_begin(struct hd_traffic *traffic, const struct hd_traffic_actions *actions);

/*
 * First function: @message was delivered; messages of a trace that waited only for it are sent, not
 * before @now. Second: @message began to leave its host. Third: the time given to wake() has come.
 */
void hd_traffic_received(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message,
			 const struct hd_traffic_actions *actions);
void hd_traffic_entered(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message,
			const struct hd_traffic_actions *actions);
void hd_traffic_woken(struct hd_traffic *traffic, uint64_t now, uint32_t host,
		      const struct hd_traffic_actions *actions);

/*
 * Whether the hosts of @pattern, "NAME:OPTIONS", keep time themselves: then the user must report
 * entries and times.
 */
bool hd_traffic_keeps_time(const char *pattern);

/* Whether hosts of @pattern, "NAME:OPTIONS", can send the packets of their messages in turn. */
bool hd_traffic_interleaves(const char *pattern);

/*
 * First function: @message was delivered; true if its phase ends with that: then the user asks
 * hosts anew (hd_model_restart()). Second: whether a message of hd_traffic_next() is of a phase
 * that has ended.
 */
bool hd_traffic_ends(struct hd_traffic *traffic, uint64_t now, const struct hd_message *message);
bool hd_traffic_is_stale(const struct hd_traffic *traffic, const struct hd_message *message);

/*
 * First function: whether hosts of @pattern, "NAME:OPTIONS", look at one another; if not, threads
 * may call the functions of this file at the same time for different hosts. Second: whether
 * messages have sizes of their own, up to that of the phase.
 */
bool hd_traffic_looks_across(const char *pattern);
bool hd_traffic_has_own_sizes(const char *pattern);

/* How many messages of traces, and processes of applications, still wait for others. */
uint64_t hd_traffic_waiting(const struct hd_traffic *traffic);

/*
 * Whether hosts of a trace wait though nothing more will happen: HD_EPARSE, with the place of what
 * waits. 0: they do not.
 */
int hd_traffic_stuck(const struct hd_traffic *traffic, struct hd_error *err);

/* When a trace delivered the last of the messages that stay within a host; 0: none. */
uint64_t hd_traffic_last_local(const struct hd_traffic *traffic);

/* A level of an application's search: the messages of all its processes. */
struct hd_application_level {
	uint64_t begin, end;    /* ticks: begin of the first process; end of the last */
	double mean, deviation; /* of the distribution from which the edges were drawn */
	uint64_t edges, queries, messages;
};

#define HD_APPLICATION_LEVELS 16

/* The result of an application. */
struct hd_application {
	uint32_t n_processes;
	uint32_t root;       /* the host of the process that begins */
	uint64_t degree;     /* edges of the root */
	uint64_t begin, end; /* ticks; end UINT64_MAX: it has not ended */
	uint64_t units;      /* that arrived */
	uint64_t messages;   /* with queries, sent until now */
	uint64_t signals;    /* all other messages sent until now */
	unsigned n_levels;
	struct hd_application_level levels[HD_APPLICATION_LEVELS];
};

/* The application of the first phase that has one; NULL: there is none. */
const struct hd_application *hd_traffic_application(const struct hd_traffic *traffic);

#define HD_COLLECTIVE_PARTS 4

/* A collective operation, repeated. Times are in ticks. */
struct hd_collective {
	const char *operation, *algorithm;
	uint32_t n_ranks;
	uint32_t n_repetitions;
	uint32_t n_over;         /* repetitions that are over for all ranks */
	uint64_t bytes;          /* the size of the operation */
	uint32_t unit;           /* bytes of a unit */
	uint64_t compute;        /* ticks that each rank computes before each repetition */
	double bus_factor;       /* bytes over a rank's link for each byte of size; 0: none */
	uint64_t begin;          /* when ranks begin */
	uint64_t messages;       /* that ranks began to send */
	uint64_t units, arrived; /* units, and bytes of messages, that arrived */
	uint64_t *begins, *ends; /* [n_repetitions] when the first rank began to communicate;
				    UINT64_MAX: none yet. When the last one ended */
	/* Operations that ranks do one after the other in a repetition; 0: there is only one. */
	unsigned n_parts;
	const char *parts[HD_COLLECTIVE_PARTS];
	uint64_t *part_begins, *part_ends; /* [repetition * n_parts + part] the same of each */
};

/* When all of it was over; UINT64_MAX: it is not. */
static inline uint64_t hd_collective_end(const struct hd_collective *collective)
{
	return collective->n_over == collective->n_repetitions
		       ? collective->ends[collective->n_repetitions - 1]
		       : UINT64_MAX;
}

/* The collective operation of the first phase that has one; NULL: there is none. */
const struct hd_collective *hd_traffic_collective(const struct hd_traffic *traffic);

/* A line that a user of @pattern, "NAME:OPTIONS", should read; empty: none. */
void hd_traffic_remark(const char *pattern, char *line, size_t size);

/*
 * Flow classes by tag: at least "all"; "request" and "reply"; "hotspot" and "background"; ... With
 * a name: "voice", "voice request", "voice hotspot", ...
 */
unsigned hd_traffic_classes(const struct hd_traffic *traffic);
const char *hd_traffic_class_name(const struct hd_traffic *traffic, unsigned tag);

#define HD_TRAFFIC_FLOWS 4 /* of a phase, at most */
#define HD_FLOW_NAME     80

/*
 * The names of the flow classes of @phase in traffic of @name (NULL: none). Returns their number;
 * 0: no such pattern.
 */
unsigned hd_traffic_flows(const struct hd_traffic_phase *phase, const char *name,
			  char names[HD_TRAFFIC_FLOWS][HD_FLOW_NAME]);

/*
 * The average load that @host offers in the phase at @now, as a share of its link; a request counts
 * with its reply.
 */
double hd_traffic_offered(const struct hd_traffic *traffic, uint32_t host, uint64_t now);

#endif
