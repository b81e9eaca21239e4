/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Byte translation: the inner loop that fills rows with a byte for each LID, from a table with a
 * value for each kind of destination.
 */
#ifndef HD_SUPPORT_TRANSLATE_H
#define HD_SUPPORT_TRANSLATE_H

#include <stddef.h>
#include <stdint.h>

/*
 * out[i] = table[keys[i]] for i in 0 .. n - 1. @keys and @out are multiples of 64 bytes long, as
 * LFT rows are; @table has all 256 entries. Uses AVX-512 VBMI where the processor has it.
 */
void hd_translate(const uint8_t *keys, size_t n, const uint8_t table[256], uint8_t *out);

/* The same without special instructions; tests compare the two. */
void hd_translate_portable(const uint8_t *keys, size_t n, const uint8_t table[256], uint8_t *out);

#endif
