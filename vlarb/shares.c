// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/shares.h"

#include <math.h>
#include <string.h>

#include "vlarb/saturation.h"
#include "vlarb/guarantee.h"
#include "vlarb/round_entries.h"
#include "support/divisor.h"
#include "support/error.h"

/* The lanes of one table. */
struct lanes {
	unsigned n;
	const struct hd_share *of[HD_MAX_VLS];
};

static double sum_parts(const struct lanes *lanes)
{
	double sum = 0;

	for (unsigned i = 0; i < lanes->n; i++)
		sum += (double)lanes->of[i]->parts;
	return sum;
}

static void begin_round(const struct lanes *lanes, struct hd_round *round)
{
	*round = (struct hd_round){ .n = lanes->n };
	for (unsigned i = 0; i < lanes->n; i++) {
		round->vl[i] = lanes->of[i]->vl;
		round->packet[i] = lanes->of[i]->packet;
	}
}

static bool fits(const struct hd_round *round, unsigned room)
{
	unsigned n = 0;

	for (unsigned i = 0; i < round->n; i++)
		n += hd_round_least(round->packet[i], round->packets[i]);
	return n <= room;
}

/*
 * The shortest round that has the shares exactly: parts that have no common divisor, times the
 * least number that makes each of them whole packets. False: it does not fit.
 */
static bool make_exact(const struct lanes *lanes, unsigned room, struct hd_round *round)
{
	const uint64_t most = (uint64_t)HD_VLARB_MAX * UINT8_MAX;
	uint64_t common = 0, times = 1;

	begin_round(lanes, round);
	for (unsigned i = 0; i < lanes->n; i++)
		common = hd_divisor(common, lanes->of[i]->parts);
	for (unsigned i = 0; i < lanes->n; i++) {
		const uint64_t parts = lanes->of[i]->parts / common;
		const uint64_t needed =
			lanes->of[i]->packet / hd_divisor(parts, lanes->of[i]->packet);

		if (parts > most)
			return false;
		times = hd_multiple(times, needed);
		if (times > most)
			return false;
	}
	for (unsigned i = 0; i < lanes->n; i++) {
		const uint64_t weight = lanes->of[i]->parts / common * times;

		if (weight > most)
			return false;
		round->packets[i] = (uint32_t)(weight / lanes->of[i]->packet);
	}
	return fits(round, room);
}

/* Makes the round of about @length units whose shares come nearest; returns the greatest error. */
static double make_near(const struct lanes *lanes, double length, double parts,
			struct hd_round *round)
{
	double sum = 0, error = 0;

	for (unsigned i = 0; i < lanes->n; i++) {
		const struct hd_share *lane = lanes->of[i];
		const double packets = (double)lane->parts / parts * length / lane->packet + .5;

		round->packets[i] = packets < 1 ? 1 : (uint32_t)packets;
		sum += (double)round->packets[i] * lane->packet;
	}
	for (unsigned i = 0; i < lanes->n; i++) {
		const struct hd_share *lane = lanes->of[i];
		const double off = fabs((double)round->packets[i] * lane->packet / sum -
					(double)lane->parts / parts);

		error = off > error ? off : error;
	}
	return error;
}

/* The round whose shares come nearest, of those that fit; of several, the shortest. */
static void make_nearest(const struct lanes *lanes, unsigned room, struct hd_round *round)
{
	const double parts = sum_parts(lanes);
	double least = 2;
	struct hd_round other;
	uint32_t common = 0;

	begin_round(lanes, round);
	begin_round(lanes, &other);
	for (unsigned length = 1; length <= room * UINT8_MAX; length++) {
		const double error = make_near(lanes, length, parts, &other);

		/* shares of doubles that differ by less are the same */
		if (error > least - 1e-12 || !fits(&other, room))
			continue;
		least = error;
		*round = other;
	}
	for (unsigned i = 0; i < round->n; i++)
		common = (uint32_t)hd_divisor(common, round->packets[i]);
	for (unsigned i = 0; i < round->n; i++)
		round->packets[i] /= common;
}

/* Fills the table of @room entries for @lanes, no more of them than entries. */
static unsigned fill(const struct lanes *lanes, unsigned room, struct hd_vlarb_entry *entries)
{
	struct hd_round round;
	unsigned n = 0;

	if (!lanes->n)
		return 0;
	if (make_exact(lanes, room, &round))
		n = hd_round_arrange(&round, room, entries);
	if (n)
		return n;
	make_nearest(lanes, room, &round);
	return hd_round_arrange(&round, room, entries);
}

/* Packets of a lane, where all lanes together send @parts. */
static double packet_rate(const struct hd_share *lane)
{
	return (double)lane->parts / lane->packet;
}

static void take_lanes(const struct hd_share *lanes, unsigned n, unsigned set, struct lanes *taken)
{
	taken->n = 0;
	for (unsigned i = 0; i < n; i++)
		if (set >> i & 1)
			taken->of[taken->n++] = &lanes[i];
}

/*
 * The lanes for the high table. Tables send packet by packet in turns, so as many packets should be
 * in the shares of the one as in those of the other.
 */
static unsigned choose_high(const struct hd_share *lanes, unsigned n,
			    const struct hd_vlarb_room *room)
{
	double sum = 0, least = INFINITY;
	unsigned best = 0;

	for (unsigned i = 0; i < n; i++)
		sum += packet_rate(&lanes[i]);
	for (unsigned set = 1; set < (1u << n) - 1; set++) {
		const unsigned n_high = (unsigned)__builtin_popcount(set);
		double high = 0, off;

		if (n_high > room->high || n - n_high > room->low)
			continue;
		for (unsigned i = 0; i < n; i++)
			if (set >> i & 1)
				high += packet_rate(&lanes[i]);
		off = fabs(sum - 2 * high);
		if (off < least - sum * 1e-12) {
			least = off;
			best = set;
		}
	}
	return best;
}

/*
 * Adds what the lanes of a table send in a round to @sent [VL]; returns the packets of the round.
 */
static double add_sent(const struct lanes *lanes, const struct hd_vlarb_entry *entries, unsigned n,
		       double *sent)
{
	double packets = 0;

	for (unsigned i = 0; i < n; i++)
		sent[entries[i].vl] += entries[i].weight;
	for (unsigned i = 0; i < lanes->n; i++)
		packets += sent[lanes->of[i]->vl] / lanes->of[i]->packet;
	return packets;
}

/* The greatest difference between what lanes have of the link and what they shall have. */
static double find_error(const struct hd_share *lanes, unsigned n, const struct lanes *low,
			 const struct lanes *high, const struct hd_vlarb *vlarb)
{
	const struct lanes *const tables[] = { low, high };
	double sent[HD_MAX_VLS] = { 0 }, packets[2], all = 0, parts = 0, error = 0;

	packets[0] = add_sent(low, vlarb->low, vlarb->n_low, sent);
	packets[1] = add_sent(high, vlarb->high, vlarb->n_high, sent);
	for (unsigned t = 0; t < 2; t++)
		for (unsigned i = 0; high->n && i < tables[t]->n; i++)
			sent[tables[t]->of[i]->vl] /= packets[t];
	for (unsigned i = 0; i < n; i++) {
		all += sent[lanes[i].vl];
		parts += (double)lanes[i].parts;
	}
	for (unsigned i = 0; i < n; i++) {
		const double off = fabs(sent[lanes[i].vl] / all - (double)lanes[i].parts / parts);

		error = off > error ? off : error;
	}
	/* what is left of exact shares by the arithmetic of doubles */
	return error < 1e-9 ? 0 : error;
}

/* The lanes whose bits are set in @set. */
static uint16_t lane_vls(const struct hd_share *lanes, unsigned n, unsigned set)
{
	uint16_t vls = 0;

	for (unsigned i = 0; i < n; i++)
		if (set >> i & 1)
			vls |= (uint16_t)(1u << lanes[i].vl);
	return vls;
}

/* The part that the lanes of @set have together, whatever the others want. */
static double guaranteed(const struct hd_share *lanes, unsigned n, unsigned set,
			 const struct hd_vlarb *vlarb)
{
	uint8_t packet[HD_MAX_VLS] = { 0 };
	struct hd_guarantee guarantee;
	double sum = 0;

	for (unsigned i = 0; i < n; i++)
		packet[lanes[i].vl] = lanes[i].packet;
	hd_vlarb_guarantee(vlarb, lane_vls(lanes, n, (1u << n) - 1), packet, &guarantee);
	for (unsigned i = 0; i < n; i++)
		if (set >> i & 1)
			sum += guarantee.rate[lanes[i].vl];
	return sum;
}

/* Sets the limit of high priority, whose lanes are those of @high. */
static int set_limit(const struct hd_share *lanes, unsigned n, unsigned high, unsigned limit,
		     struct hd_vlarb *vlarb, struct hd_error *err)
{
	const unsigned low = ((1u << n) - 1) & ~high;
	const unsigned least = limit == HD_VLARB_NO_LIMIT ? 0 : limit;
	unsigned most = limit == HD_VLARB_NO_LIMIT ? HD_VLARB_NO_LIMIT - 1 : limit;
	double all = 0, wanted = 0;

	if (!low)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		all += (double)lanes[i].parts;
		wanted += low >> i & 1 ? (double)lanes[i].parts : 0;
	}
	/* what is left of exact parts by the arithmetic of doubles is not less */
	for (;; most--) {
		vlarb->high_limit = (uint8_t)most;
		if (guaranteed(lanes, n, low, vlarb) >= wanted / all - 1e-9)
			return 0;
		if (most == least)
			break;
	}
	return hd_error_set(err, HD_EREFUSED,
			    "with limit %u high priority leaves %.4f of a link to the others, "
			    "whose shares are %.4f: larger shares of high priority or larger "
			    "packets of the others are needed",
			    least, guaranteed(lanes, n, low, vlarb), wanted / all);
}

/* The greatest difference between what lanes of two priorities have and shall have. */
static double find_priority_error(const struct hd_share *lanes, unsigned n,
				  const struct hd_vlarb *vlarb)
{
	uint8_t packet[HD_MAX_VLS] = { 0 };
	struct hd_backlog backlog;
	double all = 0, error = 0;

	for (unsigned i = 0; i < n; i++) {
		packet[lanes[i].vl] = lanes[i].packet;
		all += (double)lanes[i].parts;
	}
	hd_vlarb_backlog(vlarb, lane_vls(lanes, n, (1u << n) - 1), packet, &backlog);
	for (unsigned i = 0; i < n; i++)
		error = fmax(error,
			     fabs(backlog.share[lanes[i].vl] - (double)lanes[i].parts / all));
	return error < 1e-9 ? 0 : error;
}

/* The tables of lanes of which some, those of @high, have high priority. */
static int make_priorities(const struct hd_share *lanes, unsigned n, unsigned high,
			   const struct hd_vlarb_room *room, unsigned limit, struct hd_vlarb *vlarb,
			   double *error, struct hd_error *err)
{
	struct lanes low_lanes, high_lanes;
	int ret;

	take_lanes(lanes, n, ~high, &low_lanes);
	take_lanes(lanes, n, high, &high_lanes);
	if (high_lanes.n > room->high || low_lanes.n > room->low)
		return hd_error_set(err, HD_EREFUSED,
				    "%u VLs of high priority and %u others are in use, and VL "
				    "arbitration has room for %u and %u",
				    high_lanes.n, low_lanes.n, room->high, room->low);
	vlarb->n_low = (uint8_t)fill(&low_lanes, room->low, vlarb->low);
	vlarb->n_high = (uint8_t)fill(&high_lanes, room->high, vlarb->high);
	ret = set_limit(lanes, n, high, limit, vlarb, err);
	*error = ret ? 0 : find_priority_error(lanes, n, vlarb);
	return ret;
}

int hd_shares_table(const struct hd_share *lanes, unsigned n, const struct hd_vlarb_room *room,
		    unsigned limit, struct hd_vlarb *vlarb, double *error, struct hd_error *err)
{
	const unsigned all = (1u << n) - 1;
	unsigned set = 0, with_priority = 0;
	struct lanes low, high;

	*vlarb = (struct hd_vlarb){ 0 };
	*error = 0;
	for (unsigned i = 0; i < n; i++)
		with_priority |= (unsigned)lanes[i].high << i;
	if (with_priority)
		return make_priorities(lanes, n, with_priority, room, limit, vlarb, error, err);
	if (n > (unsigned)room->low + room->high)
		return hd_error_set(err, HD_EREFUSED,
				    "%u VLs are in use, and VL arbitration has room for %u + %u", n,
				    room->low, room->high);
	if (n > room->low)
		set = room->low ? choose_high(lanes, n, room) : all;
	take_lanes(lanes, n, all & ~set, &low);
	take_lanes(lanes, n, set, &high);
	vlarb->n_low = (uint8_t)fill(&low, room->low, vlarb->low);
	vlarb->n_high = (uint8_t)fill(&high, room->high, vlarb->high);
	*error = find_error(lanes, n, &low, &high, vlarb);
	return 0;
}
