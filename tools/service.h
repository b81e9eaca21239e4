/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What subcommands say of the service classes of tables. */
#ifndef HD_TOOLS_SERVICE_H
#define HD_TOOLS_SERVICE_H

#include <jansson.h>

#include "tables/classes.h"

/* A line for each class: SLs, VLs, share. Nothing where there are no classes. */
void hd_service_print(const struct hd_tables *tables);

/* How exact the shares are: of tables that were made here. */
void hd_service_print_error(const struct hd_tables *tables);

/* The same in JSON: "classes" of @root, and "share_error" where @made. */
void hd_service_json(const struct hd_tables *tables, bool made, json_t *root);

#endif
