/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What subcommands say of the service classes of tables. */
#ifndef HD_TOOLS_SERVICE_H
#define HD_TOOLS_SERVICE_H

#include <jansson.h>

#include "tables/classes.h"

struct hd_fields;

/*
 * A field for each class: SLs, VLs, share. Nothing where there are no classes. @fields NULL: they
 * are printed.
 */
void hd_service_tell(const struct hd_tables *tables, struct hd_fields *fields);

/* How exact the shares are: of tables that were made here. */
void hd_service_print_error(const struct hd_tables *tables);

/* The same in JSON: "classes" of @root, and "share_error" where @made. */
void hd_service_json(const struct hd_tables *tables, bool made, json_t *root);

#endif
