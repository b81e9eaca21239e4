/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the functions of libheddle (include/heddle/heddle.h) share: handles, requests, errors. They
 * call rooms and hold no logic of their own.
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

/*
 * Fills @error (or NULL) with what @ret and @err say, and returns the status. HD_OK: that all went
 * well.
 */
enum heddle_status hd_api_done(struct heddle_error *error, int ret, const struct hd_error *err);

/* That the answer is no, as @format says. */
enum heddle_status hd_api_no(struct heddle_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Copies to @own, of @size bytes, what the caller's struct @given of as many bytes as it says has
 * of it; what it does not have is 0. HD_EINVAL: @given is NULL or says no size, or has members
 * that this library does not know and that are not 0.
 */
int hd_api_take(void *own, size_t size, const void *given, struct hd_error *err);

/* The same; NULL is a struct of zeros. */
int hd_api_take_optional(void *own, size_t size, const void *given, struct hd_error *err);

/* Copies @own to the caller's struct @given, as far as that goes; NULL: nowhere. */
void hd_api_give(const void *own, size_t size, void *given);

/*
 * Numbers are written with a decimal point, and errors in English, whatever the program's locale.
 * hd_api_leave() gets what hd_api_enter() returned.
 */
locale_t hd_api_enter(void);
void hd_api_leave(locale_t locale);

/*
 * A handle of @fabric, which it owns, and of @notes, from malloc() or NULL. Both are freed where
 * there is no memory for a handle, and NULL is returned.
 */
struct heddle_fabric *hd_api_fabric(struct hd_fabric *fabric, char *notes);

/* Another reference. */
struct heddle_fabric *hd_api_hold_fabric(struct heddle_fabric *fabric);
struct heddle_tables *hd_api_hold_tables(const struct heddle_tables *tables);

/*
 * A handle of @snapshot, which it owns, on @fabric, of which it takes over a reference; its fabric
 * is that. Both and @notes are freed where there is no memory for a handle, and NULL is returned.
 */
struct heddle_tables *hd_api_tables(struct heddle_fabric *fabric, struct hd_snapshot *snapshot,
				    char *notes);

#endif
