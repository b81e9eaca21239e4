// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/history_windows.h"

#include <stdlib.h>

#include "change/history_batch.h"
#include "support/error.h"

struct window {
	size_t first, last; /* states */
	bool is_cut;        /* it would begin before the first state that is there */
};

struct windows {
	struct window *list; /* in order, none within another */
	size_t n;
	size_t next; /* the window that begins there is part of one that comes */
};

/* Whether packets of a state that was over at @end may meet those of one that came at @time. */
static bool may_meet(const struct hd_prover *prover, uint64_t end, uint64_t time)
{
	return end >= time || time - end <= prover->proof->life;
}

size_t hd_prover_window(const struct hd_prover *prover, uint64_t time)
{
	size_t i = 0;

	while (i + 1 < prover->n_states && !may_meet(prover, hd_prover_end_of(prover, i), time))
		i++;
	return i;
}

static int find_windows(const struct hd_prover *prover, struct windows *windows,
			struct hd_error *err)
{
	const struct hd_prover_state *states = prover->states;
	size_t first = 0;

	windows->n = 0;
	windows->list = malloc(prover->n_states * sizeof(*windows->list));
	if (!windows->list)
		return hd_error_nomem(err);
	for (size_t i = prover->n_old; i < prover->n_states; i++) {
		const uint64_t time = states[i].made_by.time;

		while (first < i && !may_meet(prover, hd_prover_end_of(prover, first), time))
			first++;
		if (!windows->n || windows->list[windows->n - 1].first < first)
			windows->list[windows->n++] = (struct window){
				.first = first,
				.is_cut = !first && prover->past != HD_PROVER_BEGIN &&
					  may_meet(prover, states[0].made_by.time, time),
			};
		windows->list[windows->n - 1].last = i;
	}
	return 0;
}

/* What the mixtures of some states have. */
struct answer {
	bool loops, is_cyclic;
};

static bool is_sound(struct answer answer)
{
	return !answer.loops && !answer.is_cyclic;
}

static int ask(struct hd_prover *prover, size_t first, size_t last, struct answer *answer,
	       struct hd_error *err)
{
	struct hd_check_result result;
	int ret = hd_prover_ask(prover, first, last, &result, err);

	answer->loops = !ret && result.found[HD_CHECK_FORWARD_LOOP].n;
	answer->is_cyclic = !ret && result.n_witness;
	hd_check_clear(&result);
	return ret;
}

/* Takes states off the end of @window, then off its beginning, as long as it stays unsound. */
static int narrow(struct hd_prover *prover, struct window *window, struct hd_error *err)
{
	size_t low = window->first, high = window->last;
	struct answer answer;
	int ret = 0;

	while (!ret && low < high) {
		const size_t middle = low + (high - low) / 2;

		ret = ask(prover, window->first, middle, &answer, err);
		if (is_sound(answer))
			low = middle + 1;
		else
			high = middle;
	}
	window->last = high;
	low = window->first;
	while (!ret && low < high) {
		const size_t middle = high - (high - low) / 2;

		ret = ask(prover, middle, window->last, &answer, err);
		if (is_sound(answer))
			high = middle - 1;
		else
			low = middle;
	}
	window->first = low;
	return ret;
}

static int keep_first(struct hd_prover *prover, struct window window, struct hd_error *err)
{
	struct hd_history_window *kept = &prover->verdict->window;
	struct hd_check_result result;
	int ret = narrow(prover, &window, err);

	if (!ret)
		ret = hd_prover_ask(prover, window.first, window.last, &result, err);
	if (ret)
		return ret;
	kept->first = prover->states[window.first].made_by;
	kept->last = prover->states[window.last].made_by;
	kept->first_number = hd_prover_number(prover, window.first);
	kept->last_number = hd_prover_number(prover, window.last);
	kept->over = hd_prover_end_of(prover, window.first);
	ret = hd_prover_keep_witness(prover, &result, &kept->witness, &kept->fabric, err);
	hd_check_clear(&result);
	return ret;
}

static int add_unsound(struct hd_prover *prover, const struct windows *windows, size_t i,
		       struct answer answer, struct hd_error *err)
{
	struct hd_history_verdict *verdict = prover->verdict;

	if (windows->list[i].first == windows->next)
		return 0;
	verdict->n_windows_looping += answer.loops;
	verdict->n_windows_cyclic += answer.is_cyclic;
	if (verdict->n_windows_unsound++)
		return 0;
	return keep_first(prover, windows->list[i], err);
}

/* Proves the windows from @begin to before @end. */
static int prove(struct hd_prover *prover, const struct windows *windows, size_t begin, size_t end,
		 struct hd_error *err)
{
	const size_t first = windows->list[begin].first, last = windows->list[end - 1].last;
	const size_t middle = begin + (end - begin) / 2;
	struct answer answer;
	int ret = ask(prover, first, last, &answer, err);

	if (ret)
		return ret;
	for (size_t i = first; is_sound(answer) && i <= last; i++)
		prover->states[i].is_proved = true;
	if (is_sound(answer))
		return 0;
	if (end - begin == 1)
		return add_unsound(prover, windows, begin, answer, err);
	ret = prove(prover, windows, begin, middle, err);
	return ret ? ret : prove(prover, windows, middle, end, err);
}

static void count(struct hd_prover *prover, const struct windows *windows)
{
	struct hd_history_verdict *verdict = prover->verdict;

	for (size_t i = 0; i < windows->n; i++) {
		if (windows->list[i].first == windows->next)
			continue;
		verdict->n_windows++;
		if (windows->list[i].is_cut && prover->past == HD_PROVER_AGAIN)
			verdict->n_windows_again++;
		else
			verdict->n_windows_anew += windows->list[i].is_cut;
	}
}

int hd_prover_windows(struct hd_prover *prover, size_t next, struct hd_error *err)
{
	struct windows windows = { .next = next };
	int ret = find_windows(prover, &windows, err);

	if (!ret && windows.n) {
		count(prover, &windows);
		ret = prove(prover, &windows, 0, windows.n, err);
	}
	free(windows.list);
	return ret;
}
