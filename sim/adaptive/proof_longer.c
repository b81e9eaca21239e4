// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/proof_longer.h"

#include <stdio.h>
#include <string.h>

#include "support/error.h"

/*
 * What a longer sequence repeats. Paths around missing links have more local links in a row, or
 * more groups; the last pattern has a place for every path of half its length.
 */
static const char *const patterns[] = { "lgl", "llgll", "lllglll", "lg" };
/* how often the beginning comes once only: "l l g l l" goes on with "g l l" */
static const unsigned again_from[] = { 0, 2, 3, 0 };
#define N_PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

/*
 * Proofs go on until they have followed so many states. One that finds cycles takes as long for a
 * state as eight that find none. On a whole dragonfly of 5,256 hosts that is some ten seconds.
 */
#define MOST_STATES  (UINT64_C(1) << 30)
#define UNSOUND_COST 8

struct longer {
	struct hd_routed_spec spec;
	const struct hd_shape *shape;
	const char *pattern;
	unsigned again;
	uint64_t n_states; /* followed until now, by their cost */
	struct hd_error *err;
};

/* The sequence of @n places, as a rule. */
static void write_rule(const struct longer *longer, unsigned n, char *rule, size_t size)
{
	const size_t length = strlen(longer->pattern);
	size_t used = (size_t)snprintf(rule, size, "hop:");

	if (length == 1) {
		snprintf(rule, size, "hop:%u", n);
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		const size_t at =
			i < length ? i : longer->again + (i - length) % (length - longer->again);

		used += (size_t)snprintf(rule + used, size - used, "%s%c", i ? " " : "",
					 longer->pattern[at]);
	}
}

/* Whether @rule is proved. */
static int try_rule(struct longer *longer, const char *rule, bool *is_sound)
{
	enum hd_routed_part culprit;
	struct hd_routed *routed;
	struct hd_proof proof;
	int ret;

	*is_sound = false;
	longer->spec.vcs = rule;
	ret = hd_routed_new(&longer->spec, longer->shape, &routed, &culprit, longer->err);
	if (ret) /* so many VCs are too many */
		return ret == HD_ENOMEM ? ret : 0;
	ret = hd_proof_make(routed, &proof, longer->err);
	if (!ret) {
		*is_sound = proof.is_sound;
		longer->n_states += proof.states * (proof.is_sound ? 1 : UNSOUND_COST);
	}
	hd_proof_clear(&proof);
	hd_routed_free(routed);
	return ret;
}

/*
 * The least number of places from @low to @high - 1 that is proved, by halves, since what serves
 * also serves in front of more places; @high: none.
 */
static int find_places(struct longer *longer, unsigned low, unsigned *high)
{
	char rule[2 * HD_MAX_PLACES + 8];
	unsigned end = *high - 1;
	bool is_sound = false;
	int ret;

	if (low >= *high)
		return 0;
	write_rule(longer, end, rule, sizeof(rule));
	ret = try_rule(longer, rule, &is_sound);
	if (ret || !is_sound)
		return ret;
	while (!ret && low < end && longer->n_states < MOST_STATES) {
		const unsigned middle = low + (end - low) / 2;

		write_rule(longer, middle, rule, sizeof(rule));
		ret = try_rule(longer, rule, &is_sound);
		if (is_sound)
			end = middle;
		else
			low = middle + 1;
	}
	*high = end;
	return ret;
}

/* The places of @sequence, "l g l"; with @local, those of local links. */
static unsigned count_places(const char *sequence, bool local)
{
	unsigned n = 0;

	for (; *sequence; sequence++)
		n += *sequence == 'l' || (*sequence == 'g' && !local);
	return n;
}

static bool has_global(const struct hd_shape *shape)
{
	for (uint32_t at = 0; at < shape->n_switches; at++)
		if (shape->of_class[at * (size_t)HD_LINK_CLASSES + HD_LINK_GLOBAL])
			return true;
	return false;
}

int hd_proof_find_longer(const struct hd_routed_spec *spec, const struct hd_routed *routed,
			 const struct hd_proof *failed, char *rule, size_t size,
			 struct hd_error *err)
{
	struct longer longer = { .spec = *spec, .shape = routed->shape, .err = err };
	const bool has_groups = has_global(routed->shape);
	unsigned best = HD_MAX_PLACES + 1;
	int ret = 0;

	rule[0] = '\0';
	if (!failed->exceeds || routed->flex || routed->groups || hd_vcs_has_replies(&routed->vcs))
		return 0;
	for (size_t i = 0; !ret && i < N_PATTERNS; i++) {
		unsigned places = best;

		/* a place for each link suffices where links are of one class */
		longer.pattern = has_groups ? patterns[i] : "l";
		longer.again = has_groups ? again_from[i] : 0;
		if (longer.n_states >= MOST_STATES)
			break;
		ret = find_places(&longer, count_places(failed->longest, !has_groups), &places);
		if (places < best) {
			best = places;
			write_rule(&longer, best, rule, size);
		}
		if (!has_groups)
			break;
	}
	return ret;
}
