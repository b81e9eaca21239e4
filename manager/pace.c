// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/pace.h"

/*
 * Sixteen times 20 ms after one another, as each completes more, then 40, ... 5,120 ms: 10 s in
 * all.
 */
#define MAX_TRIES   24
#define MAX_QUICK   16
#define FIRST_DELAY 20

/*
 * For so many seconds nothing is routed because the next sweep may find more: where time-outs are
 * long, few sweeps are in that.
 */
#define MAX_WAIT 4.0

/*
 * Sweeps with errors in a row that may follow at once; then 0.1, 0.2, ... s, and at most so many,
 * after the one before.
 */
#define MAX_AT_ONCE 24
#define MAX_PAUSE   10.0

/* Seconds from the begin of a sweep with errors to that of the next one. */
static double pause_after(unsigned n_failed)
{
	double pause = 0.1;

	if (n_failed < MAX_AT_ONCE)
		return 0;
	for (unsigned n = MAX_AT_ONCE; n < n_failed && pause < MAX_PAUSE; n++)
		pause *= 2;
	return pause < MAX_PAUSE ? pause : MAX_PAUSE;
}

double hd_pace_next(const struct hd_pace *pace)
{
	return pace->begin + pause_after(pace->n_failed);
}

void hd_pace_begin(struct hd_pace *pace, double now, uint32_t lost)
{
	pace->begin = now;
	if (!pace->n_failed++)
		pace->first = now;
	pace->lost = lost;
	pace->is_refused = false;
}

bool hd_pace_may_help(const struct hd_pace *pace, double now, uint32_t lost)
{
	return lost != pace->lost && pace->tries < MAX_QUICK && now - pace->first < MAX_WAIT;
}

bool hd_pace_refused(struct hd_pace *pace, uint32_t lost)
{
	if (lost == pace->lost) {
		pace->n_failed = 0;
		return false;
	}
	pace->is_refused = true;
	return true;
}

bool hd_pace_end(struct hd_pace *pace, bool has_errors)
{
	if (pace->is_refused || has_errors)
		return true;
	pace->tries = 0;
	pace->n_failed = 0;
	return false;
}

unsigned hd_pace_again(struct hd_pace *pace)
{
	if (pace->tries >= MAX_TRIES)
		return 0;
	pace->tries++;
	return pace->tries <= MAX_QUICK ? FIRST_DELAY : FIRST_DELAY << (pace->tries - MAX_QUICK);
}
