/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Common parts of the functions of libheddle (include/heddle/heddle.h): handles, requests, errors.
 * The functions call rooms and hold no logic of their own.
 */
#ifndef HD_API_API_H
#define HD_API_API_H

#include <locale.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "fabric/fabric.h"
#include "heddle/heddle.h"
#include "support/error.h"
#include "tables/snapshot.h"

struct heddle_fabric {
	atomic_uint n_refs;
	struct hd_fabric *fabric;
	char *notes; /* lines; NULL: none */
};

struct heddle_tables {
	atomic_uint n_refs;
	struct heddle_fabric *fabric;
	struct hd_snapshot *snapshot; /* its fabric is that of `fabric` */
	char *notes;                  /* lines; NULL: none */
	bool lanes_are_kept;
};

/* Fills @error (or NULL) from @ret and @err, and returns the status. */
enum heddle_status hd_api_done(struct heddle_error *error, int ret, const struct hd_error *err);

/* Returns HEDDLE_NO, with the reason in @error. */
enum heddle_status hd_api_no(struct heddle_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Copies the caller's struct @given, which begins with its own size, to @own of @size bytes.
 * Members that @given lacks become 0. HD_EINVAL: @given is NULL or has no size, or has members that
 * this library does not know and that are not 0.
 */
int hd_api_take(void *own, size_t size, const void *given, struct hd_error *err);

/* The same; NULL is a struct of zeros. */
int hd_api_take_optional(void *own, size_t size, const void *given, struct hd_error *err);

/*
 * Copies @own to the caller's struct @given, up to the size of @given. Does nothing if @given is
 * NULL.
 */
void hd_api_give(const void *own, size_t size, void *given);

/*
 * Sets a locale for the call: numbers with a decimal point, errors in English. hd_api_leave()
 * restores the program's locale; it gets what hd_api_enter() returned.
 */
locale_t hd_api_enter(void);
void hd_api_leave(locale_t locale);

/*
 * A handle that owns @fabric and @notes (from malloc(), or NULL). NULL: no memory; both are freed.
 */
struct heddle_fabric *hd_api_fabric(struct hd_fabric *fabric, char *notes);

/* Another reference. */
struct heddle_fabric *hd_api_hold_fabric(struct heddle_fabric *fabric);
struct heddle_tables *hd_api_hold_tables(const struct heddle_tables *tables);

/*
 * A handle that owns @snapshot and @notes, and takes over a reference to @fabric, the fabric of
 * @snapshot. NULL: no memory; all three are freed.
 */
struct heddle_tables *hd_api_tables(struct heddle_fabric *fabric, struct hd_snapshot *snapshot,
				    char *notes);

#endif
