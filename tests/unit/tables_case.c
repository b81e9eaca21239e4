// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/tables_case.h"

#include <stdlib.h>

#include "fabric/builder.h"

static const struct {
	struct hd_node_spec spec;
	uint16_t lids[3]; /* of ports 0, 1, 2 */
	uint8_t lmc;
} nodes[] = {
	{ { .type = HD_SWITCH, .guid = 0x10, .n_ports = 4, .name = "S1" }, { 1 }, 0 },
	{ { .type = HD_SWITCH, .guid = 0x20, .n_ports = 4, .name = "S2", .enhanced_port0 = true },
	  { 2 },
	  0 },
	{ { .type = HD_CA, .guid = 0x100, .n_ports = 1, .name = "H1" }, { 0, 4 }, 1 },
	{ { .type = HD_CA, .guid = 0x200, .n_ports = 2, .name = "H2" }, { 0, 6, 7 }, 0 },
	{ { .type = HD_CA, .guid = 0x300, .n_ports = 1, .name = "H3" }, { 0, 8 }, 0 },
};

static const unsigned links[][4] = {
	{ 0, 3, 1, 3 }, { 0, 4, 1, 4 }, { 0, 1, 2, 1 },
	{ 0, 2, 3, 1 }, { 1, 2, 3, 2 }, { 1, 1, 4, 1 },
};

struct hd_fabric *tables_case_fabric(void)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	int ret = builder ? 0 : -1;
	uint32_t id;

	for (size_t i = 0; !ret && i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		ret = hd_builder_add(builder, &nodes[i].spec, &id, NULL);
		for (unsigned number = 0; !ret && number < 3; number++) {
			struct hd_port *port = hd_builder_port(builder, id, number);

			if (!port || !nodes[i].lids[number])
				continue;
			port->lid = nodes[i].lids[number];
			port->lmc = nodes[i].lmc;
		}
	}
	for (size_t i = 0; !ret && i < sizeof(links) / sizeof(links[0]); i++)
		ret = hd_builder_link(builder, links[i][0], links[i][1], links[i][2], links[i][3],
				      NULL);
	if (ret) {
		hd_builder_free(builder);
		return NULL;
	}
	return hd_builder_finish(builder, &fabric, NULL) ? NULL : fabric;
}

struct hd_tables *tables_case_tables(const struct hd_fabric *fabric)
{
	/* by LID: 1, 2, -, 4, 5, 6, 7, 8 */
	static const uint8_t out[2][9] = {
		{ HD_NO_PATH, 0, 3, HD_NO_PATH, 1, 1, 2, 3, 3 },
		{ HD_NO_PATH, 3, 0, HD_NO_PATH, 3, 3, 3, 2, 1 },
	};
	struct hd_tables *tables;

	if (hd_tables_new(fabric, &tables, NULL))
		return NULL;
	for (uint32_t s = 0; s < 2; s++)
		for (unsigned lid = 0; lid < 9; lid++)
			hd_lft(tables, s)[lid] = out[s][lid];
	return tables;
}

static char *write_by(int (*write)(const struct hd_tables *tables, FILE *stream,
				   struct hd_error *err),
		      const struct hd_tables *tables, size_t *size)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, size);
	int ret;

	if (!stream)
		return NULL;
	ret = write(tables, stream, NULL);
	if (fclose(stream) || ret) {
		free(text);
		return NULL;
	}
	return text;
}

char *tables_case_write(const struct hd_dump_format *format, const struct hd_tables *tables,
			size_t *size)
{
	return write_by(format->write, tables, size);
}

char *tables_case_write_short(const struct hd_dump_format *format, const struct hd_tables *tables,
			      size_t *size)
{
	return write_by(format->write_short ? format->write_short : format->write, tables, size);
}
