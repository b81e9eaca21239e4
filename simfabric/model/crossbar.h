/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is known of a switch as a whole: which ports are free, who wants what, where its queues are.
 */
#ifndef HD_MODEL_CROSSBAR_H
#define HD_MODEL_CROSSBAR_H

#include "simfabric/model/state.h"

/* A switch: masks with a bit for each local port, a cache line where words are few. */
struct crossbar {
	uint32_t pairs; /* of in-ports and out-ports at the switches before */
	uint8_t n_ports;
	bool is_dirty;    /* among those to be looked at */
	uint64_t masks[]; /* see hd_in_free() */
};

static inline struct crossbar *hd_crossbar(const struct hd_model *model, uint32_t at)
{
	return (struct crossbar *)(model->crossbars + at * model->crossbar_words);
}

/*
 * Masks of a switch, of @words words: in-ports and out-ports that send nothing; out-ports to be
 * arbitrated next; those that some head wants; in-ports that have a head.
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

#define HD_MASKS 5

/*
 * Most switches have no more ports than a word has bits. What is done for every packet is compiled
 * for them and for others: @words is a constant 1 there.
 */
#define HD_FOR_WIDTH static inline __attribute__((always_inline))

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

/* Some head wants out-port @out of a switch. */
static inline bool hd_is_wanted(const struct hd_model *model, uint32_t out)
{
	return has_bit(hd_wanted(hd_crossbar(model, hd_switch_of(model, out)), model->words),
		       model->words, hd_local(model, out));
}

/*
 * A FIFO for each VL of an in-port; with VOQ, those that lead to an out-port are side by
 * side: these for local out-port @out.
 */
static inline struct queue *hd_queues_to(const struct hd_model *model, uint32_t at, unsigned out)
{
	const struct crossbar *crossbar = hd_crossbar(model, at);
	size_t first = hd_first_port(model, at);

	if (model->options.voq)
		first = crossbar->pairs + out * (size_t)crossbar->n_ports;
	return &model->queues[first * model->n_vls];
}

/* Of them, that of local in-port @in and @vl. */
static inline struct queue *hd_queue_at(const struct hd_model *model, struct queue *queues,
					unsigned in, unsigned vl)
{
	return queues + in * model->n_vls + vl;
}

static inline struct queue *hd_queue(const struct hd_model *model, uint32_t in, unsigned vl,
				     uint32_t out)
{
	return hd_queue_at(model,
			   hd_queues_to(model, hd_switch_of(model, in), hd_local(model, out)),
			   hd_local(model, in), vl);
}

/* What is looked at when this tick's events are through */

static inline void hd_model_mark_switch(struct hd_model *model, uint32_t at)
{
	struct crossbar *crossbar = hd_crossbar(model, at);

	if (crossbar->is_dirty)
		return;
	crossbar->is_dirty = true;
	model->dirty[model->n_dirty++] = at;
}

/* Out-port @out of a switch. */
static inline void hd_model_mark_out(struct hd_model *model, uint32_t out)
{
	uint32_t at = hd_switch_of(model, out);

	set_bit(hd_dirty(hd_crossbar(model, at), model->words), model->words, hd_local(model, out));
	hd_model_mark_switch(model, at);
}

#endif
