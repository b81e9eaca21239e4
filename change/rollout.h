/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A rollout brings new tables into a fabric in use (docs/changes.md): in rounds, each of which is
 * proved with all of its mixtures and is confirmed by all switches before the next is sent.
 *
 * It is a machine with named states that knows no subnet manager. Whoever drives it says what nodes
 * hold, which links are up and what was confirmed, and gets tables to send. Nothing of a plan
 * outlives an answer that is missing: then nodes are to be read again, and the rest is planned from
 * what they hold. All times are seconds of one clock.
 *
 *	IDLE -> LINKS -> STOPPED -> ...          new links come up first
 *	IDLE -> [URGENT ->] ROUND -> ... -> IDLE  one or two steps a round
 *	any of these -> STOPPED -> ...           something was lost, or refused
 */
#ifndef HD_CHANGE_ROLLOUT_H
#define HD_CHANGE_ROLLOUT_H

#include "change/schedule.h"

enum hd_rollout_state {
	HD_ROLLOUT_IDLE,    /* the fabric has the tables that were wanted last */
	HD_ROLLOUT_LINKS,   /* nodes get what they hold, until links are up that a round needs */
	HD_ROLLOUT_URGENT,  /* sends of a round what stops losses (change/send_order.h) */
	HD_ROLLOUT_ROUND,   /* sends a round, or what is left of it */
	HD_ROLLOUT_STOPPED, /* nodes are to be read, and the rest is to be planned anew */
};

/*
 * How often new links are waited for, and a rollout is begun again, before that is not done any
 * more. Mostly one sweep brings links up; where MADs are lost, or a port takes no Set, it does not.
 */
#define HD_ROLLOUT_MOST_WAITS    4
#define HD_ROLLOUT_MOST_FAILURES 3

struct hd_rollout {
	enum hd_rollout_state state;
	double since;   /* when the state began */
	unsigned round; /* of the schedule, from 1; 0 in states without one */
	double drained; /* when the packets of the last round that was sent are taken to be gone */

	/* The plan, in LINKS, URGENT and ROUND. */
	struct hd_tables *before; /* what nodes held */
	struct hd_schedule schedule;
	bool drops_all; /* not rounds: what changes is dropped first */

	/* Of the change, which may take several plans; kept while STOPPED. */
	double start;
	unsigned n_waits, n_failures;
	uint64_t pairs_lost; /* pairs of hosts that lose packets meanwhile, in the worst round */
	char doubt[900];     /* what is not proved, and why; "": all is */
};

/* What a plan begins with. */
struct hd_rollout_request {
	const struct hd_tables *goal;
	struct hd_tables *before; /* what nodes hold, on the goal's fabric; NULL: none forwards.
				     The rollout takes it. */
	bool drops;               /* no rounds: what changes is dropped first */
	const char *cause;        /* why rounds are not even tried; NULL: they are */
	/* Whether both ends of the link at @port, between switches, are active. */
	bool (*is_up)(void *context, uint32_t port);
	void *context;
};

/* "idle", "links", "urgent", "round", "stopped"; and what is waited for, for users. */
const char *hd_rollout_state_name(enum hd_rollout_state state);
const char *hd_rollout_waits_for(enum hd_rollout_state state);

/*
 * Plans how nodes get to the goal, from IDLE or STOPPED. *@first are the tables to send first, to be
 * freed by the caller; NULL: the goal itself. The state is IDLE when nothing changes in a fabric in
 * use: then there is nothing to confirm. On errors, too, which are those of hd_schedule_make() and
 * of hd_schedule_drop(): no order is proved.
 */
int hd_rollout_plan(struct hd_rollout *rollout, const struct hd_rollout_request *request,
		    double now, struct hd_tables **first, struct hd_error *err);

enum hd_rollout_action {
	HD_ROLLOUT_SEND,  /* send tables, not before rollout->drained if a round is over */
	HD_ROLLOUT_AGAIN, /* links have come up: read nodes, and plan */
	HD_ROLLOUT_READ,  /* the round was not confirmed: read nodes, and plan */
	HD_ROLLOUT_OVER,  /* all was sent */
};

/* What became of a rollout, for a log. */
struct hd_rollout_outcome {
	unsigned n_rounds;
	uint64_t pairs_lost;
	double seconds;
	const char *verdict; /* "every mixture proved" */
};

/*
 * What was handed out last is in the fabric, by all that was asked, and @is_confirmed or not. It was
 * @sent; with SEND, *@next are the tables to send now (NULL: @goal itself), to be freed by the
 * caller; with OVER, @outcome is set. @pause is how long packets may be under way.
 */
enum hd_rollout_action hd_rollout_step(struct hd_rollout *rollout, const struct hd_tables *goal,
				       const struct hd_tables *sent, bool is_confirmed, double now,
				       double pause, struct hd_tables **next,
				       struct hd_rollout_outcome *outcome);

/* Whether nothing is sent behind what is sent now. */
static inline bool hd_rollout_is_last(const struct hd_rollout *rollout)
{
	return rollout->state == HD_ROLLOUT_ROUND && rollout->round == rollout->schedule.n_rounds;
}

/* Gives up the plan; a change that was begun is not over. */
void hd_rollout_stop(struct hd_rollout *rollout, double now);

/* The fabric has the tables that were wanted, or nobody can tell: the next change is another one. */
void hd_rollout_end(struct hd_rollout *rollout, double now);

/* Frees what is there. */
void hd_rollout_clear(struct hd_rollout *rollout);

#endif
