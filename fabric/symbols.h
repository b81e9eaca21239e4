/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strings as small numbers: 0, 1, ... in order of first appearance. A netfile names every node once
 * per link. Names become numbers at once; all later steps look numbers up in arrays.
 */
#ifndef HD_FABRIC_SYMBOLS_H
#define HD_FABRIC_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

struct hd_symbol {
	size_t offset;
	uint32_t length;
	uint32_t hash;
};

/* All zero is an empty table. */
struct hd_symbols {
	struct hd_symbol *symbols;
	size_t n_symbols;
	size_t capacity;
	uint32_t *slots; /* open addressing: symbol number + 1, 0 when free */
	size_t n_slots;  /* a power of 2 */
	char *text;
	size_t text_size;
	size_t text_capacity;
};

void hd_symbols_free(struct hd_symbols *symbols);

/*
 * The number of the string of @length bytes at @text; a new string gets the next number.
 * UINT32_MAX: out of memory.
 */
uint32_t hd_symbols_intern(struct hd_symbols *symbols, const char *text, size_t length);

static inline const char *hd_symbols_text(const struct hd_symbols *symbols, uint32_t number,
					  size_t *length)
{
	*length = symbols->symbols[number].length;
	return symbols->text + symbols->symbols[number].offset;
}

#endif
