/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fabric in ibdiagnet2.db_csv: its sections NODES, PORTS, LINKS and SWITCHES. The file of a
 * large fabric is long for what else it has; it is read in pieces.
 */
#ifndef HD_FABRIC_DB_CSV_H
#define HD_FABRIC_DB_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;
struct hd_fabric;
struct hd_reading;

#define HD_DB_CSV "ibdiagnet2.db_csv"

/* What such a file may hold where it is packed. */
#define HD_DB_CSV_MOST ((uint64_t)4 << 30)

/* Whether the file @path is one, by its name or its first lines. */
bool hd_db_csv_is_file(const char *path);

/* As hd_netfile_read(). */
int hd_db_csv_read(const char *path, const struct hd_reading *how, struct hd_fabric **fabric,
		   struct hd_error *err);

/* As hd_netfile_parse(). */
int hd_db_csv_parse(const char *name, const char *data, size_t size, const struct hd_reading *how,
		    struct hd_fabric **fabric, struct hd_error *err);

/* The enum hd_speed of a LinkSpeedActv; of its four bytes, each is one of PortInfo's codes. */
uint8_t hd_db_csv_speed(uint64_t code);

#endif
