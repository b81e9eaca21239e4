/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A rollout brings new tables into a fabric in use (docs/changes.md), in rounds. Each round is
 * proved with all of its mixtures, and all switches confirm it before the next is sent.
 *
 * The rollout is a state machine that knows no subnet manager. Its driver tells it what nodes hold,
 * which links are up and what was confirmed, and gets tables to send. If an answer is missing, the
 * plan is over: the driver reads nodes again, and the rest is planned from what they hold. All
 * times are seconds of one clock.
 *
 *	IDLE -> LINKS -> STOPPED -> ...          new links come up first
 *	IDLE -> [URGENT ->] ROUND -> ... -> IDLE  one or two steps a round
 *	any of these -> STOPPED -> ...           something was lost, or refused
 */
#ifndef HD_CHANGE_ROLLOUT_H
#define HD_CHANGE_ROLLOUT_H

#include "change/schedule.h"

enum hd_rollout_state {
	HD_ROLLOUT_IDLE,    /* the fabric has the last goal's tables */
	HD_ROLLOUT_LINKS,   /* nodes get what they hold, but no entries for vacant LIDs, until links
			       that a round needs are up */
	HD_ROLLOUT_URGENT,  /* sends the part of a round that stops losses (change/send_order.h) */
	HD_ROLLOUT_ROUND,   /* sends a round, or its rest */
	HD_ROLLOUT_STOPPED, /* the driver must read nodes, and plan the rest anew */
};

/*
 * How often a rollout waits for new links, and how often it begins again. One sweep usually brings
 * links up, but not if MADs are lost or a port takes no Set.
 */
#define HD_ROLLOUT_MOST_WAITS    4
#define HD_ROLLOUT_MOST_FAILURES 3

/* How a plan gets to the goal. */
enum hd_rollout_way {
	HD_ROLLOUT_IN_ROUNDS, /* each mixture within a round is proved */
	HD_ROLLOUT_BY_DROPS,  /* what changes is dropped first, and set second */
};

struct hd_rollout {
	enum hd_rollout_state state;
	double since;   /* when the state began */
	unsigned round; /* of the schedule, from 1; 0 in states without one */
	double drained; /* when the packets of the last sent round should be gone */

	/* The plan, in LINKS, URGENT and ROUND; also when LINKS is over, until the next plan. */
	struct hd_tables *before; /* what nodes held at its beginning */
	struct hd_schedule schedule;
	enum hd_rollout_way way;

	/* Data of the change, which may take several plans; kept while STOPPED. */
	double start;
	unsigned n_waits, n_failures;
	uint64_t pairs_lost; /* pairs of hosts that lose packets in the worst round */
	char doubt[900];     /* what is not proved, and why; "": all is proved */
};

/* The input of a plan. */
struct hd_rollout_request {
	const struct hd_tables *goal;
	struct hd_tables *before; /* what nodes hold, on the goal's fabric; NULL: no node forwards.
				     The rollout takes these tables over. */
	bool is_goal_of_last;     /* it is the goal of the plan that has waited for links */
	bool drops;               /* no rounds: what changes is dropped first */
	const char *cause;        /* why rounds are not tried; NULL: they are tried */
	/* Whether the port @port of a switch of @fabric is active. */
	bool (*is_up)(void *context, const struct hd_fabric *fabric, uint32_t port);
	void *context;
};

/* "idle", "links", "urgent", "round", "stopped"; and, for users, what the state waits for. */
const char *hd_rollout_state_name(enum hd_rollout_state state);
const char *hd_rollout_waits_for(enum hd_rollout_state state);

/*
 * Plans how nodes get to the goal, from IDLE or STOPPED. *@first gets the tables to send first,
 * which the caller frees; NULL: the goal itself. The state is IDLE if nothing changes in a fabric
 * in use: then there is nothing to confirm. The state is also IDLE after an error, one of
 * hd_schedule_make() or hd_schedule_drop(): no order is proved.
 *
 * A schedule is proved for the tables that nodes hold and those of the goal. Where both are still
 * those of the plan that has waited for links, its schedule stays.
 */
int hd_rollout_plan(struct hd_rollout *rollout, const struct hd_rollout_request *request,
		    double now, struct hd_tables **first, struct hd_error *err);

enum hd_rollout_action {
	HD_ROLLOUT_SEND,  /* send tables; if a round is over, not before rollout->drained */
	HD_ROLLOUT_AGAIN, /* links have come up: read nodes, and plan */
	HD_ROLLOUT_READ,  /* the round was not confirmed: read nodes, and plan */
	HD_ROLLOUT_OVER,  /* all tables are sent */
};

/* The result of a rollout, for a log. */
struct hd_rollout_outcome {
	unsigned n_rounds;
	uint64_t pairs_lost;
	double seconds;
	const char *verdict; /* "every mixture proved" */
};

/*
 * The driver has sent the last tables, at @sent, and all switches confirmed them (@is_confirmed) or
 * not. With SEND, *@next gets the tables to send now (NULL: @goal itself), which the caller frees;
 * with OVER, @outcome is set. @pause is how long packets may be under way.
 */
enum hd_rollout_action hd_rollout_step(struct hd_rollout *rollout, const struct hd_tables *goal,
				       const struct hd_tables *sent, bool is_confirmed, double now,
				       double pause, struct hd_tables **next,
				       struct hd_rollout_outcome *outcome);

/* One line of a plan that took @seconds; of the result. */
void hd_rollout_describe_plan(const struct hd_rollout *rollout, double seconds, char *text,
			      size_t size);
void hd_rollout_describe_outcome(const struct hd_rollout_outcome *outcome, char *text, size_t size);

/* Whether the tables that are being sent are the last. */
static inline bool hd_rollout_is_last(const struct hd_rollout *rollout)
{
	return rollout->state == HD_ROLLOUT_ROUND && rollout->round == rollout->schedule.n_rounds;
}

/* Gives up the plan; a change that has begun is not over. */
void hd_rollout_stop(struct hd_rollout *rollout, double now);

/*
 * Ends the change: the fabric has the goal's tables, or nobody can tell. The next plan begins
 * another change.
 */
void hd_rollout_end(struct hd_rollout *rollout, double now);

/* Frees all members. */
void hd_rollout_clear(struct hd_rollout *rollout);

#endif
