/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Included before every file that tests/lib/analyze.sh shows to clang's analyzer, which sees one
 * file at a time: without this it would follow errors that return 0, and lose itself in hashes.
 */
void *hd_analyzed_without(void *head, void *element);
unsigned hd_analyzed_hash(const void *key, unsigned long length);

#define HASH_FUNCTION(key, length, hash) ((hash) = hd_analyzed_hash((key), (length)))

#include <uthash.h>

#include "support/error.h"

#undef HASH_DEL
#define HASH_DEL(head, element)      ((head) = hd_analyzed_without((head), (element)))
#define hd_error_set(err, code, ...) (hd_error_set((err), (code), __VA_ARGS__), (code))
#define hd_error_at(err, code, ...)  (hd_error_at((err), (code), __VA_ARGS__), (code))
#define hd_error_nomem(err)          (hd_error_nomem((err)), HD_ENOMEM)
