// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/lmc_of_lids.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "support/error.h"
#include "tables/dump_text.h"

/* The first table has been read. */
#define ENOUGH 1

struct owners_reader {
	struct hd_lines lines;
	const struct hd_fabric *fabric;
	uint8_t *lmc; /* [port] the least that covers the LIDs so far */
	unsigned n_tables;
	bool has_any;
};

/* "0x0019 001 # Channel Adapter portguid 0x...": the port has this LID, too. */
static void read_owner(struct owners_reader *reader)
{
	static const char mark[] = " portguid 0x";
	const struct hd_lines *lines = &reader->lines;
	const size_t size = (size_t)(lines->end - lines->begin);
	const char *at = lines->begin;
	const char *owner = memmem(at, size, mark, sizeof(mark) - 1);
	const struct hd_port *port;
	uint64_t lid, guid;
	uint32_t p;

	if (!owner || !hd_scan_hex(&at, lines->end, UINT16_MAX, &lid))
		return;
	owner += sizeof(mark) - 1;
	if (!hd_scan_number(&owner, lines->end, 16, UINT64_MAX, &guid))
		return;
	p = hd_fabric_find_port(reader->fabric, guid);
	if (p == HD_NONE)
		return;
	port = &reader->fabric->ports[p];
	if (!port->lid || lid <= port->lid || lid >= port->lid + (1u << HD_MAX_LMC))
		return;
	while (lid >= port->lid + (1u << reader->lmc[p]))
		reader->lmc[p]++;
	reader->has_any = true;
}

static int feed(void *of, const char *data, size_t size, struct hd_error *err)
{
	struct owners_reader *reader = of;

	hd_lines_go_on(&reader->lines, data, size);
	while (hd_lines_next(&reader->lines)) {
		const char *at = reader->lines.begin;

		if (hd_scan_word(&at, reader->lines.end, "Unicast lids [")) {
			if (++reader->n_tables == 2)
				return ENOUGH;
		} else {
			read_owner(reader);
		}
	}
	return 0;
}

static int replace(const struct owners_reader *reader, struct hd_fabric **fabric,
		   struct hd_error *err)
{
	struct hd_builder *builder;
	struct hd_fabric *made;
	int ret = hd_builder_copy(*fabric, NULL, NULL, &builder, err);

	if (ret)
		return ret;
	hd_for_each_port(p, *fabric) {
		const struct hd_port *port = &(*fabric)->ports[p];

		if (reader->lmc[p])
			hd_builder_port(builder, port->node, port->number)->lmc = reader->lmc[p];
	}
	ret = hd_builder_finish(builder, &made, err);
	if (ret)
		return ret;
	hd_fabric_free(*fabric);
	*fabric = made;
	return 0;
}

int hd_lmc_of_lids(const char *path, struct hd_fabric **fabric, struct hd_error *err)
{
	struct owners_reader reader = {
		.lines.file = path,
		.fabric = *fabric,
		.lmc = calloc((*fabric)->n_ports + (size_t)1, sizeof(*reader.lmc)),
	};
	int ret;

	if (!reader.lmc)
		return hd_error_nomem(err);
	ret = hd_text_stream(path, HD_TEXT_MAX, &reader.lines, feed, &reader, NULL);
	if (ret != HD_ENOMEM)
		ret = reader.has_any ? replace(&reader, fabric, err) : 0;
	else
		hd_error_nomem(err);
	free(reader.lmc);
	return ret;
}
