// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/symbols.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void hd_symbols_free(struct hd_symbols *symbols)
{
	free(symbols->symbols);
	free(symbols->slots);
	free(symbols->text);
	*symbols = (struct hd_symbols){ 0 };
}

/* Eight bytes at a time: GUID-like names differ in their last bytes only. */
static uint32_t hash_text(const char *text, size_t length)
{
	uint64_t hash = 0x9e3779b97f4a7c15u ^ length;

	while (length) {
		size_t chunk = length < sizeof(uint64_t) ? length : sizeof(uint64_t);
		uint64_t word = 0;

		memcpy(&word, text, chunk);
		hash = (hash ^ word) * 0xff51afd7ed558ccdu;
		hash ^= hash >> 32;
		text += chunk;
		length -= chunk;
	}
	return (uint32_t)hash;
}

/* Keeps the table of slots at most half full. */
static bool grow_slots(struct hd_symbols *symbols)
{
	size_t n_slots = symbols->n_slots ? symbols->n_slots * 2 : 256;
	uint32_t *slots = calloc(n_slots, sizeof(*slots));

	if (!slots)
		return false;
	for (size_t i = 0; i < symbols->n_symbols; i++) {
		size_t slot = symbols->symbols[i].hash & (n_slots - 1);

		while (slots[slot])
			slot = (slot + 1) & (n_slots - 1);
		slots[slot] = (uint32_t)i + 1;
	}
	free(symbols->slots);
	symbols->slots = slots;
	symbols->n_slots = n_slots;
	return true;
}

static bool grow_storage(struct hd_symbols *symbols, size_t length)
{
	if (symbols->n_symbols == symbols->capacity) {
		size_t capacity = symbols->capacity ? symbols->capacity * 2 : 128;
		struct hd_symbol *grown =
			realloc(symbols->symbols, capacity * sizeof(*symbols->symbols));

		if (!grown)
			return false;
		symbols->symbols = grown;
		symbols->capacity = capacity;
	}
	if (symbols->text_capacity - symbols->text_size < length) {
		size_t capacity = (symbols->text_size + length) * 2 + 256;
		char *grown = realloc(symbols->text, capacity);

		if (!grown)
			return false;
		symbols->text = grown;
		symbols->text_capacity = capacity;
	}
	return true;
}

uint32_t hd_symbols_intern(struct hd_symbols *symbols, const char *text, size_t length)
{
	uint32_t hash = hash_text(text, length), number;
	struct hd_symbol *symbol;
	size_t slot;

	if (symbols->n_symbols * 2 >= symbols->n_slots && !grow_slots(symbols))
		return UINT32_MAX;
	for (slot = hash & (symbols->n_slots - 1); symbols->slots[slot];
	     slot = (slot + 1) & (symbols->n_slots - 1)) {
		number = symbols->slots[slot] - 1;
		symbol = &symbols->symbols[number];
		if (symbol->hash == hash && symbol->length == length &&
		    memcmp(symbols->text + symbol->offset, text, length) == 0)
			return number;
	}
	if (length > UINT32_MAX || symbols->n_symbols >= UINT32_MAX - 1 ||
	    !grow_storage(symbols, length))
		return UINT32_MAX;
	number = (uint32_t)symbols->n_symbols++;
	symbols->symbols[number] = (struct hd_symbol){
		.offset = symbols->text_size,
		.length = (uint32_t)length,
		.hash = hash,
	};
	if (length)
		memcpy(symbols->text + symbols->text_size, text, length);
	symbols->text_size += length;
	symbols->slots[slot] = number + 1;
	return number;
}
