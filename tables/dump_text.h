/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Common parts of the dump formats: a large buffer for text without printf (an LFT dump of 16,512
 * hosts has 38 million lines), and the section heading of opensm-sl2vl.dump.
 */
#ifndef HD_TABLES_DUMP_TEXT_H
#define HD_TABLES_DUMP_TEXT_H

#include <stdio.h>

#include "support/text.h"
#include "support/text_stream.h"
#include "tables/tables.h"

struct hd_writer {
	FILE *stream;
	char *buffer;
	char *at; /* where the next byte goes */
	char *limit;
	int error; /* errno of the first write that failed, or 0 */
};

/* The largest size for hd_writer_room(). */
#define HD_WRITER_ROOM ((size_t)1 << 16)

/* HD_ENOMEM. */
int hd_writer_begin(struct hd_writer *writer, FILE *stream, struct hd_error *err);

/* Writes the rest and frees the buffer. HD_EIO: something was not written. */
int hd_writer_end(struct hd_writer *writer, struct hd_error *err);

void hd_writer_flush(struct hd_writer *writer);

/* Makes sure that @size more bytes fit at writer->at. */
static inline void hd_writer_room(struct hd_writer *writer, size_t size)
{
	if ((size_t)(writer->limit - writer->at) < size)
		hd_writer_flush(writer);
}

/* Writes any number of bytes. */
void hd_writer_bytes(struct hd_writer *writer, const char *bytes, size_t size);
void hd_writer_string(struct hd_writer *writer, const char *string);

/* Writes a node's name as OpenSM does: bytes that are not printable ASCII become blanks. */
void hd_writer_name(struct hd_writer *writer, const char *name);

/* Writes digits at @at, where the caller has made room. These functions return the end. */
char *hd_put_hex(char *at, uint64_t value, unsigned digits);
char *hd_put_decimal(char *at, uint64_t value);
/* Padded with blanks on the right, as printf's %-3u does. */
char *hd_put_left(char *at, unsigned value, unsigned width);

/* "Switch", "Channel Adapter", "Router", as in OpenSM and infiniband-diags. */
const char *hd_dump_type_name(unsigned type);

/* Writes a name as hd_writer_name() does; @at has room for strlen(name) bytes. Returns the end. */
char *hd_put_name(char *at, const char *name);

/* The value of each hexadecimal digit, with HD_IS_DIGIT; 0 for everything else. */
#define HD_IS_DIGIT 0x80u
extern const uint8_t hd_digit_value[256];

/*
 * Reads @n bytes, a multiple of 8, of two hexadecimal digits each. False: something else is among
 * the digits.
 */
bool hd_scan_hex_bytes(const unsigned char *text, uint8_t *bytes, size_t n);

/* Writes the same, in small letters; returns the end. */
char *hd_put_hex_bytes(char *at, const uint8_t *bytes, size_t n);

static inline bool hd_lines_is_blank(const struct hd_lines *lines)
{
	const char *at = lines->begin;

	hd_scan_blanks(&at, lines->end);
	return at == lines->end;
}

/* Moves *@cursor past "0x" and a hexadecimal number of at most @max. */
bool hd_scan_hex(const char **cursor, const char *end, uint64_t max, uint64_t *value);

/*
 * Switches, and end ports (indices in ports[]), in the order of OpenSM's dumps: OpenSM's maps
 * compare GUIDs in network byte order as integers of the host. From malloc(); NULL: out of memory.
 */
uint32_t *hd_dump_switches(const struct hd_fabric *fabric);
uint32_t *hd_dump_endports(const struct hd_fabric *fabric);

/*
 * Sections of opensm-sl2vl.dump and opensm-vlarb.dump: "Switch 0x..., base LID 2, "NAME"", named by
 * the GUID of an end port.
 */
void hd_dump_put_section(struct hd_writer *writer, const struct hd_fabric *fabric, uint32_t port);

/* Whether the current line looks like the heading of a section. */
bool hd_dump_at_section(const struct hd_lines *lines);

/* Reads the heading of a section: its end port in @port. HD_EPARSE: malformed, or no such port. */
int hd_dump_scan_section(const struct hd_lines *lines, const struct hd_fabric *fabric,
			 uint32_t *port, struct hd_error *err);

/*
 * The heading of the table of the switch @guid is the current line: @s gets the switch, and
 * @seen[@s] becomes true. HD_EPARSE: the fabric has no such switch, or the file had its table
 * before.
 */
int hd_dump_take_switch(const struct hd_lines *lines, const struct hd_fabric *fabric, uint64_t guid,
			bool *seen, uint32_t *s, struct hd_error *err);

/*
 * Reads the "Lid N" of a line of smpquery, right after *@cursor: @port gets the index in ports[] of
 * the LID's owner. HD_EPARSE: a directed route, or a LID that no port has.
 */
int hd_dump_scan_lid(const struct hd_lines *lines, const char **cursor,
		     const struct hd_fabric *fabric, uint32_t *port, struct hd_error *err);

#endif
