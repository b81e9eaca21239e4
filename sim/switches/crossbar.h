/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A switch as a whole: its free ports, the out-ports that heads want, its queues. Wants are kept
 * from both sides, by out-port and by in-port; only hd_crossbar_want() and hd_crossbar_take()
 * change them.
 */
#ifndef HD_SWITCHES_CROSSBAR_H
#define HD_SWITCHES_CROSSBAR_H

#include "sim/switches/adaptive.h"
#include "sim/model/port_counters.h"

/* A switch: masks with a bit for each local port, in one cache line if ports are few. */
struct crossbar {
	uint32_t pairs; /* sum of in-ports times out-ports of the switches before this one */
	uint8_t n_ports;
	bool is_dirty;    /* in model->dirty: looked at when the tick ends */
	uint64_t masks[]; /* see hd_in_free() */
};

#define HD_MASKS 5

/* 64-bit words of a crossbar with masks of @words, whole cache lines. */
static inline size_t hd_crossbar_words(size_t words)
{
	return hd_whole_lines(1 + HD_MASKS * words);
}

static inline struct crossbar *hd_crossbar(const struct hd_model *model, uint32_t at)
{
	const size_t words = HD_MACHINE_WORDS ? hd_crossbar_words(HD_MACHINE_WORDS)
					      : model->layout.crossbar_words;

	return (struct crossbar *)(model->layout.crossbars + at * words);
}

/*
 * Masks of a switch, of @words words: in-ports and out-ports that send nothing; out-ports to
 * arbitrate next; out-ports that some head wants; in-ports that have a head.
 */
static inline uint64_t *hd_in_free(struct crossbar *crossbar)
{
	return crossbar->masks;
}

static inline uint64_t *hd_out_free(struct crossbar *crossbar, size_t words)
{
	return crossbar->masks + words;
}

static inline uint64_t *hd_dirty(struct crossbar *crossbar, size_t words)
{
	return crossbar->masks + 2 * words;
}

static inline uint64_t *hd_wanted(struct crossbar *crossbar, size_t words)
{
	return crossbar->masks + 3 * words;
}

static inline uint64_t *hd_has_heads(struct crossbar *crossbar, size_t words)
{
	return crossbar->masks + 4 * words;
}

static inline uint64_t bit_of(unsigned bit)
{
	return UINT64_C(1) << bit % 64;
}

static inline size_t word_of(size_t words, unsigned bit)
{
	return words == 1 ? 0 : bit / 64;
}

static inline void set_bit(uint64_t *mask, size_t words, unsigned bit)
{
	mask[word_of(words, bit)] |= bit_of(bit);
}

static inline void clear_bit(uint64_t *mask, size_t words, unsigned bit)
{
	mask[word_of(words, bit)] &= ~bit_of(bit);
}

static inline bool has_bit(const uint64_t *mask, size_t words, unsigned bit)
{
	return mask[word_of(words, bit)] >> bit % 64 & 1;
}

/* Whether some head wants out-port @out of a switch. */
static inline bool hd_is_wanted(const struct hd_model *model, uint32_t out)
{
	if (hd_has_routing(model))
		return hd_adaptive_switch(model, hd_switch_of(model, out))->waiting;
	return has_bit(hd_wanted(hd_crossbar(model, hd_switch_of(model, out)), hd_words(model)),
		       hd_words(model), hd_local(model, out));
}

/*
 * The queues of all in-ports with packets for local out-port @out. An in-port has a FIFO for each
 * VL; with VOQs one for each VL and out-port, and those for one out-port are side by side.
 */
static inline struct queue *hd_queues_to(const struct hd_model *model, uint32_t at, unsigned out)
{
	const struct crossbar *crossbar = hd_crossbar(model, at);
	size_t first = hd_first_port(model, at);

	if (model->buffers.by_output)
		first = crossbar->pairs + out * (size_t)crossbar->n_ports;
	return &model->buffers.queues[first * hd_n_vls(model)];
}

/* The one of local in-port @in and @vl among @queues. */
static inline struct queue *hd_queue_at(const struct hd_model *model, struct queue *queues,
					unsigned in, unsigned vl)
{
	return queues + in * hd_n_vls(model) + vl;
}

static inline struct queue *hd_queue(const struct hd_model *model, uint32_t in, unsigned vl,
				     uint32_t out)
{
	return hd_queue_at(model,
			   hd_queues_to(model, hd_switch_of(model, in), hd_local(model, out)),
			   hd_local(model, in), vl);
}

/* Marks: ports to look at after this tick's events */

/* Marks host port @out. */
static inline void hd_model_mark_host(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);

	if (sender->is_dirty)
		return;
	sender->is_dirty = true;
	model->dirty[model->n_dirty++] = out;
}

static inline void hd_model_mark_switch(struct hd_model *model, uint32_t at)
{
	struct crossbar *crossbar = hd_crossbar(model, at);

	if (crossbar->is_dirty)
		return;
	crossbar->is_dirty = true;
	model->dirty[model->n_dirty++] = at;
}

/* Marks out-port @out of a switch. */
static inline void hd_model_mark_out(struct hd_model *model, uint32_t out)
{
	uint32_t at = hd_switch_of(model, out);

	set_bit(hd_dirty(hd_crossbar(model, at), hd_words(model)), hd_words(model),
		hd_local(model, out));
	hd_model_mark_switch(model, at);
}

/* Wants */

/* Notes in @crossbar that the head of in-port @in and @vl wants @out, on @out_vl. */
static inline void hd_crossbar_note(struct hd_model *model, struct crossbar *crossbar, uint32_t in,
				    unsigned vl, uint32_t out, unsigned out_vl)
{
	size_t words = hd_words(model);
	unsigned out_local = hd_local(model, out), in_local = hd_local(model, in);
	struct sender *sender = hd_sender(model, out);

	hd_heads(model, sender)[out_vl]++;
	if (out_vl != vl)
		sender->changes_vls = true;
	set_bit(hd_requests(model, sender) + vl * words, words, in_local);
	set_bit(hd_wants(model, hd_receiver(model, in)) + vl * words, words, out_local);
	set_bit(hd_wanted(crossbar, words), words, out_local);
	set_bit(hd_has_heads(crossbar, words), words, in_local);
}

/* The head of @queue, of in-port @in and @vl, is a new one: its out-port is wanted. */
HD_HOT void hd_crossbar_want(struct hd_model *model, uint32_t in, unsigned vl, struct queue *queue)
{
	size_t words = hd_words(model);
	const struct packet *packet = hd_head(model, queue);
	uint32_t out = packet->out;
	unsigned out_local = hd_local(model, out), in_local = hd_local(model, in);
	struct crossbar *crossbar = hd_crossbar(model, hd_switch_of(model, in));

	hd_crossbar_note(model, crossbar, in, vl, out, packet->out_vl);
	if (!has_bit(hd_out_free(crossbar, words), words, out_local))
		return;
	if (has_bit(hd_in_free(crossbar), words, in_local))
		hd_model_mark_out(model, out);
	else
		hd_model_no_turn(model, out);
}

/* Whether some bit of the @n words of @masks is set. */
static inline bool hd_any_bit(const uint64_t *masks, size_t n)
{
	uint64_t any = 0;

	for (size_t i = 0; i < n; i++)
		any |= masks[i];
	return any;
}

/*
 * The head of in-port @in and @vl, for @out_vl, does not want @out any more; with @is_taken, @out
 * takes it: @out is busy now, and so is @in, unless it can send more packets at a time. One
 * function does both: two would look the same data up twice.
 */
static inline void hd_crossbar_forget(struct hd_model *model, struct crossbar *crossbar,
				      uint32_t out, uint32_t in, unsigned vl, unsigned out_vl,
				      bool is_taken)
{
	size_t words = hd_words(model);
	struct sender *sender = hd_sender(model, out);
	uint64_t *requests = hd_requests(model, sender);
	uint64_t *wants = hd_wants(model, hd_receiver(model, in));
	unsigned in_local = hd_local(model, in), out_local = hd_local(model, out);

	if (is_taken) {
		if (!hd_has_reads(model) || ++model->reading[in] == model->options.reads)
			clear_bit(hd_in_free(crossbar), words, in_local);
		clear_bit(hd_out_free(crossbar, words), words, out_local);
	}
	clear_bit(requests + vl * words, words, in_local);
	clear_bit(wants + vl * words, words, out_local);
	if (!hd_any_bit(requests, words * hd_n_vls(model)))
		clear_bit(hd_wanted(crossbar, words), words, out_local);
	if (!hd_any_bit(wants, words * hd_n_vls(model)))
		clear_bit(hd_has_heads(crossbar, words), words, in_local);
	hd_heads(model, sender)[out_vl]--;
}

/* Ports that are free again */

/* Out-port @out can take a packet again. */
static inline void hd_model_out_done(struct hd_model *model, uint32_t out)
{
	size_t words = hd_words(model);
	uint32_t at = hd_switch_of(model, out);
	struct crossbar *crossbar = hd_crossbar(model, at);
	unsigned local = hd_local(model, out);

	set_bit(hd_out_free(crossbar, words), words, local);
	if (!hd_is_wanted(model, out))
		return;
	set_bit(hd_dirty(crossbar, words), words, local);
	hd_model_mark_switch(model, at);
}

/* In-port @in can send a packet again. */
static inline void hd_model_in_done(struct hd_model *model, uint32_t in)
{
	size_t words = hd_words(model);
	uint32_t at = hd_switch_of(model, in);
	struct crossbar *crossbar = hd_crossbar(model, at);
	unsigned local = hd_local(model, in);
	const uint64_t *wants, *out_free = hd_out_free(crossbar, words);
	uint64_t *dirty = hd_dirty(crossbar, words), any = 0;

	set_bit(hd_in_free(crossbar), words, local);
	if (hd_has_reads(model))
		model->reading[in]--;
	if (hd_has_routing(model)) {
		hd_adaptive_switch(model, at)->fresh |= bit_of(local);
		hd_model_mark_switch(model, at);
		return;
	}
	if (!has_bit(hd_has_heads(crossbar, words), words, local))
		return;
	wants = hd_wants(model, hd_receiver(model, in));
	for (size_t w = 0; w < words; w++) {
		uint64_t outs = 0;

		for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
			outs |= wants[vl * words + w];
		outs &= out_free[w];
		dirty[w] |= outs;
		any |= outs;
	}
	if (any)
		hd_model_mark_switch(model, at);
}

static inline void hd_model_both_done(struct hd_model *model, uint32_t out, uint32_t in)
{
	hd_model_out_done(model, out);
	hd_model_in_done(model, in);
}

#endif
