// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The dump formats: what OpenSM and infiniband-diags print, and what they must not. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "fabric/builder.h"
#include "fabric/netfile.h"
#include "support/text.h"
#include "tables/dump_text.h"
#include "tables/dumps.h"
#include "tests/unit/tables_case.h"

#define DATA HD_TEST_DATA "/opensm/"

static const char *const recorded[] = { "minhop", "updn-lmc2", "dfsssp-ring", "mcast", "dla" };

#define N_RECORDED (sizeof(recorded) / sizeof(recorded[0]))

static const struct hd_dump_format *const formats[] = {
	&hd_dump_lfts, &hd_dump_sl2vl, &hd_dump_path_sl, &hd_dump_vlarb, &hd_dump_mcfdbs,
};

#define N_FORMATS (sizeof(formats) / sizeof(formats[0]))

static struct hd_fabric *read_fabric(const char *directory)
{
	struct hd_error err = { 0 };
	struct hd_fabric *fabric;
	char path[512];

	snprintf(path, sizeof(path), DATA "%s/fabric.net", directory);
	assert_hd_ok(hd_netfile_read(path, NULL, &fabric, &err), err);
	return fabric;
}

static struct hd_tables *new_tables(const struct hd_fabric *fabric)
{
	struct hd_tables *tables;

	assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
	return tables;
}

/* Reads a recorded file into @tables. */
static void read_file(const char *directory, const char *file, const struct hd_dump_format *format,
		      struct hd_tables *tables, struct hd_text *text)
{
	struct hd_error err = { 0 };
	char path[512];

	snprintf(path, sizeof(path), DATA "%s/%s", directory, file);
	assert_hd_ok(hd_text_read(path, text, &err), err);
	assert_hd_ok(format->parse(tables, path, text->data, text->size, &err), err);
}

static void assert_rewritten(const struct hd_dump_format *format, const struct hd_tables *tables,
			     const char *data, size_t size)
{
	size_t written;
	char *text = tables_case_write(format, tables, &written);

	assert_non_null(text);
	assert_int_equal(written, size);
	assert_memory_equal(text, data, size);
	free(text);
}

static bool exists(const char *directory, const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), DATA "%s/%s", directory, file);
	return access(path, R_OK) == 0;
}

static void opensm_dumps_are_rewritten_byte_for_byte(void **state)
{
	unsigned n = 0;

	for (size_t i = 0; i < N_RECORDED; i++) {
		struct hd_fabric *fabric = read_fabric(recorded[i]);

		for (size_t f = 0; f < N_FORMATS; f++) {
			struct hd_tables *tables;
			struct hd_text text;

			if (!exists(recorded[i], formats[f]->file))
				continue;
			tables = new_tables(fabric);
			read_file(recorded[i], formats[f]->file, formats[f], tables, &text);
			assert_rewritten(formats[f], tables, text.data, text.size);
			hd_text_free(&text);
			hd_tables_free(tables);
			n++;
		}
		hd_fabric_free(fabric);
	}
	/* LFTs and multicast of all, SL2VL of three, path SLs and VL arbitration by the plug-in */
	assert_int_equal(n, 5 + 5 + 3 + 1 + 1);
}

static void dump_fts_equals_opensm(void **state)
{
	for (size_t i = 0; i < N_RECORDED; i++) {
		struct hd_fabric *fabric = read_fabric(recorded[i]);
		struct hd_tables *opensm = new_tables(fabric), *diags = new_tables(fabric);
		struct hd_text text;

		read_file(recorded[i], hd_dump_lfts.file, &hd_dump_lfts, opensm, &text);
		hd_text_free(&text);
		read_file(recorded[i], "dump_fts.txt", &hd_dump_lfts, diags, &text);
		hd_text_free(&text);
		assert_memory_equal(opensm->lft, diags->lft,
				    fabric->n_switches * opensm->lft_stride);
		hd_tables_free(opensm);
		hd_tables_free(diags);
		hd_fabric_free(fabric);
	}
}

static void ibroute_gives_one_switch(void **state)
{
	struct hd_fabric *fabric = read_fabric("minhop");
	struct hd_tables *opensm = new_tables(fabric), *diags = new_tables(fabric);
	uint32_t last = fabric->n_switches - 1;
	struct hd_text text;

	read_file("minhop", hd_dump_lfts.file, &hd_dump_lfts, opensm, &text);
	hd_text_free(&text);
	read_file("minhop", "ibroute.txt", &hd_dump_lfts, diags, &text);
	hd_text_free(&text);
	assert_memory_equal(hd_lft(opensm, last), hd_lft(diags, last), opensm->lft_stride);
	assert_int_equal(hd_lft(diags, 0)[1], HD_NO_PATH);
	hd_tables_free(opensm);
	hd_tables_free(diags);
	hd_fabric_free(fabric);
}

static void smpquery_sl2vl_equals_opensm(void **state)
{
	static const char *const with_qos[] = { "updn-lmc2", "dfsssp-ring", "dla" };

	for (size_t i = 0; i < 3; i++) {
		struct hd_fabric *fabric = read_fabric(with_qos[i]);
		struct hd_tables *tables = new_tables(fabric), *other = new_tables(fabric);
		struct hd_text opensm, diags;

		/* so that only what smpquery prints can make them equal */
		for (size_t row = 0; row < tables->sl2vl_first[fabric->n_nodes]; row++)
			tables->sl2vl[row] = hd_row_all(HD_VL_DROP);
		read_file(with_qos[i], "smpquery-sl2vl.txt", &hd_dump_sl2vl, tables, &diags);
		assert_true(tables->has_sl2vl);
		read_file(with_qos[i], hd_dump_sl2vl.file, &hd_dump_sl2vl, other, &opensm);
		assert_rewritten(&hd_dump_sl2vl, tables, opensm.data, opensm.size);
		hd_text_free(&opensm);
		hd_text_free(&diags);
		hd_tables_free(tables);
		hd_tables_free(other);
		hd_fabric_free(fabric);
	}
}

static void smpquery_vlarb_is_read(void **state)
{
	struct hd_fabric *fabric = read_fabric("minhop");
	struct hd_tables *tables = new_tables(fabric);
	uint32_t s = fabric->n_switches - 1; /* the first that ibnetdiscover printed */
	const struct hd_vlarb *vlarb;
	struct hd_text text;
	uint32_t port;

	read_file("minhop", "smpquery-vlarb.txt", &hd_dump_vlarb, tables, &text);
	hd_text_free(&text);
	assert_true(tables->has_vlarb);
	assert_int_equal(tables->n_vlarbs, 1);
	port = hd_port_index(fabric, s, 1);
	assert_int_equal(tables->vlarb_of_port[port], 0);
	assert_int_equal(tables->vlarb_of_port[port + 1], 0);
	assert_int_equal(tables->vlarb_of_port[port + 2], HD_NONE);
	vlarb = &tables->vlarbs[0];
	assert_int_equal(vlarb->n_high, 8);
	assert_int_equal(vlarb->n_low, 8);
	assert_int_equal(vlarb->high[0].weight, 4);
	assert_int_equal(vlarb->high[1].weight, 0);
	assert_int_equal(vlarb->low[0].weight, 0);
	assert_int_equal(vlarb->low[7].vl, 7);
	assert_int_equal(vlarb->low[7].weight, 4);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void multicast_is_sorted_by_mlid(void **state)
{
	struct hd_fabric *fabric = read_fabric("mcast");
	struct hd_tables *tables = new_tables(fabric);
	struct hd_text text;

	read_file("mcast", hd_dump_mcfdbs.file, &hd_dump_mcfdbs, tables, &text);
	hd_text_free(&text);
	assert_int_equal(tables->n_mft, 12);
	assert_int_equal(tables->mft[0].mlid, 0xC000);
	assert_int_equal(tables->mft[3].mlid, 0xC000);
	assert_int_equal(tables->mft[3].switch_index, 3);
	assert_int_equal(tables->mft[4].mlid, 0xC00A);
	assert_int_equal(tables->mft[0].ports[0], 1 << 1 | 1 << 2 | 1 << 6);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* A dump of more bytes than are read at a time, with and without an end, and with a huge line. */
static void large_files_are_read_by_parts(void **state)
{
	static const char heading[] = "Unicast lids [0-8] of switch Lid 1 guid 0x10 ('S1'):\n";
	struct hd_fabric *fabric = tables_case_fabric();
	const unsigned n_lines = 9000;
	char name[1001], path[] = "/tmp/heddle-lfts.XXXXXX";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (int round = 0; round < 4; round++) {
		FILE *stream = fopen(path, "w");
		struct hd_tables *tables = new_tables(fabric);
		struct hd_error err = { 0 };
		int ret;

		for (unsigned i = 0; i < n_lines; i++)
			fprintf(stream, "*** WARNING ***: %s\n", name);
		fputs(heading, stream);
		fputs("0x0004 001 # x\n", stream);
		if (round == 1)
			fputs("0x0005 005 # x\n", stream);
		if (round == 3)
			for (unsigned i = 0; i < n_lines; i++)
				fputs(name, stream);
		if (round != 2)
			fputs("8 lids dumped", stream);
		fclose(stream);
		ret = hd_dump_read(&hd_dump_lfts, tables, path, &err);
		if (round == 0) {
			assert_hd_ok(ret, err);
			assert_int_equal(hd_lft(tables, 0)[4], 1);
		} else {
			assert_int_equal(ret, HD_EPARSE);
			assert_string_equal(err.file, path);
			assert_int_equal(err.line, n_lines + (round == 1 ? 3 : 2));
		}
		hd_tables_free(tables);
	}
	close(fd);
	unlink(path);
	hd_fabric_free(fabric);
}

/* Tables in which every entry says something. */
static struct hd_tables *colourful(const struct hd_fabric *fabric)
{
	struct hd_tables *tables = tables_case_tables(fabric);
	struct hd_vlarb vlarb = { .n_high = 1,
				  .n_low = 2,
				  .high_limit = 255,
				  .high = { { 14, 255 } },
				  .low = { { 0, 0 }, { 1, 64 } } };

	assert_non_null(tables);
	for (size_t row = 0; row < tables->sl2vl_first[fabric->n_nodes]; row++)
		tables->sl2vl[row] = row * UINT64_C(0x9e3779b97f4a7c15);
	assert_int_equal(hd_tables_set_sl_rows(tables, 4, NULL), 0);
	for (uint32_t row = 0; row < 4; row++)
		hd_for_each_lid(lid, fabric)
			if (fabric->lids[lid].port != HD_NONE)
				tables->sl_rows[row * tables->lft_stride + lid] =
					(uint8_t)((row * 5 + lid) & 15);
	for (uint32_t i = 0; i < fabric->n_endports; i++)
		tables->sl_row_of_port[fabric->endports[i]] = i % 4;
	hd_for_each_port(p, fabric) {
		if (fabric->ports[p].peer == HD_NONE)
			continue;
		vlarb.n_low = (uint8_t)(1 + fabric->ports[p].number % 2);
		assert_int_equal(hd_tables_set_vlarb(tables, p, &vlarb, NULL), 0);
	}
	return tables;
}

static void written_dumps_are_read_back(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = colourful(fabric);

	for (size_t f = 0; f < N_FORMATS; f++) {
		struct hd_tables *again = new_tables(fabric);
		struct hd_error err = { 0 };
		size_t size;
		char *text = tables_case_write(formats[f], tables, &size);

		assert_non_null(text);
		assert_hd_ok(formats[f]->parse(again, "again", text, size, &err), err);
		assert_rewritten(formats[f], again, text, size);
		free(text);
		hd_tables_free(again);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Every character at every place among digits. */
static void digits_side_by_side(void **state)
{
	unsigned char text[32];
	uint8_t bytes[16];

	for (unsigned c = 0; c < 256; c++)
		for (unsigned at = 0; at < 32; at++) {
			const unsigned value = hd_digit_value[c] & 15;
			const bool is_digit = hd_digit_value[c] & HD_IS_DIGIT;

			memset(text, '9', sizeof(text));
			text[at] = (unsigned char)c;
			assert_int_equal(hd_scan_hex_bytes(text, bytes, 16), is_digit);
			for (unsigned i = 0; i < 16; i++) {
				const unsigned wanted = i != at / 2 ? 0x99
							: at % 2    ? 0x90 | value
								    : value << 4 | 9;

				assert_true(!is_digit || bytes[i] == wanted);
			}
		}
}

static void bytes_side_by_side(void **state)
{
	uint8_t all[256], back[256];
	char text[512], wanted[3];

	for (unsigned i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	assert_ptr_equal(hd_put_hex_bytes(text, all, 256), text + 512);
	for (unsigned i = 0; i < 256; i++) {
		snprintf(wanted, sizeof(wanted), "%02x", i);
		assert_memory_equal(text + 2 * i, wanted, 2);
	}
	assert_true(hd_scan_hex_bytes((const unsigned char *)text, back, 256));
	assert_memory_equal(back, all, 256);
}

/* The short form of a dump stands for the same text, and takes fewer lines. */
static void short_dumps_are_read_back(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();

	for (unsigned round = 0; round < 2; round++) {
		struct hd_tables *tables = round ? tables_case_tables(fabric) : colourful(fabric);

		for (size_t f = 0; f < N_FORMATS; f++) {
			struct hd_tables *again = new_tables(fabric);
			struct hd_error err = { 0 };
			size_t size, n_short;
			char *text = tables_case_write(formats[f], tables, &size);
			char *little = tables_case_write_short(formats[f], tables, &n_short);

			assert_non_null(text);
			assert_non_null(little);
			assert_hd_ok(formats[f]->parse(again, "again", little, n_short, &err), err);
			assert_rewritten(formats[f], again, text, size);
			if (round && formats[f] == &hd_dump_sl2vl)
				assert_non_null(strstr(little, "\n= 0x"));
			free(little);
			free(text);
			hd_tables_free(again);
		}
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
}

/*
 * A source without an SL to any LID is a line, too: no line would mean SL 0 to everywhere, and in
 * the short form a source like it ("= 0x...") would follow the line of another source, or of none.
 */
static void sources_without_sl_come_back(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = colourful(fabric);
	const uint32_t cut[] = { fabric->endports[0], fabric->endports[1], fabric->endports[4] };

	for (uint32_t c = 0; c < 3; c++)
		memset(tables->sl_rows + tables->sl_row_of_port[cut[c]] * tables->lft_stride,
		       HD_NO_SL, tables->lft_stride);
	for (unsigned is_short = 0; is_short < 2; is_short++) {
		struct hd_tables *again = new_tables(fabric);
		struct hd_error err = { 0 };
		size_t size;
		char *text = is_short ? tables_case_write_short(&hd_dump_path_sl, tables, &size)
				      : tables_case_write(&hd_dump_path_sl, tables, &size);

		assert_hd_ok(hd_dump_path_sl.parse(again, "again", text, size, &err), err);
		for (uint32_t i = 0; i < fabric->n_endports; i++)
			hd_for_each_lid(lid, fabric)
				if (fabric->lids[lid].port != HD_NONE)
					assert_int_equal(
						hd_path_sl(tables, fabric->endports[i], lid),
						hd_path_sl(again, fabric->endports[i], lid));
		assert_int_equal(again->path_sl_gap.n, 0);
		free(text);
		hd_tables_free(again);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void path_sls_come_back_by_source(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = colourful(fabric), *again = new_tables(fabric);
	size_t size;
	char *text = tables_case_write(&hd_dump_path_sl, tables, &size);

	assert_int_equal(hd_dump_path_sl.parse(again, "again", text, size, NULL), 0);
	for (uint32_t i = 0; i < fabric->n_endports; i++)
		hd_for_each_lid(lid, fabric)
			assert_int_equal(hd_path_sl(tables, fabric->endports[i], lid),
					 hd_path_sl(again, fabric->endports[i], lid));
	/* ports of one adapter that differ are named by themselves, others by their node */
	assert_non_null(strstr(text, "0x0000000000000201 1 "));
	assert_non_null(strstr(text, "0x0000000000000100 1 "));
	/* those with several LIDs are told before */
	assert_null(strstr(text, "\n0x0000000000000101"));
	assert_null(strstr(text, "0x0000000000000200"));
	free(text);
	hd_tables_free(again);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void equal_path_sls_share_a_row(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = new_tables(fabric);
	struct hd_error err = { 0 };
	static const char text[] = "# a comment\n"
				   "0x100 1 3\n0x100 2 4\n\n"
				   "0x20 1 3\r\n0x20 2 4\r\n"
				   "0x200 1 0\n"
				   "= 0x300\n"
				   "0x202 8 15\n";

	assert_hd_ok(hd_dump_path_sl.parse(tables, "text", text, sizeof(text) - 1, &err), err);
	assert_int_equal(tables->n_sl_rows, 4); /* all zero; 3 4; 0; 15 */
	assert_int_equal(hd_path_sl(tables, hd_fabric_find_port(fabric, 0x101), 2), 4);
	assert_int_equal(hd_path_sl(tables, hd_fabric_find_port(fabric, 0x20), 2), 4);
	/* no line for a LID: no SL; no line for a source: SL 0 */
	assert_int_equal(hd_path_sl(tables, hd_fabric_find_port(fabric, 0x101), 8), HD_NO_SL);
	assert_int_equal(hd_path_sl(tables, hd_fabric_find_port(fabric, 0x10), 8), 0);
	/* a node's lines are for all of its ports, but for those with their own */
	assert_int_equal(hd_path_sl(tables, hd_fabric_find_port(fabric, 0x201), 1), 0);
	assert_int_equal(hd_path_sl(tables, hd_fabric_find_port(fabric, 0x202), 8), 15);
	assert_int_equal(hd_path_sl(tables, hd_fabric_find_port(fabric, 0x301), 1), 0);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* @n_switches switches, each with @n_hosts hosts and nothing else. */
static struct hd_fabric *islands(unsigned n_switches, unsigned n_hosts)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	uint32_t s, host;
	uint16_t lid = 1;

	for (unsigned i = 0; i < n_switches; i++) {
		struct hd_node_spec spec = { .type = HD_SWITCH,
					     .guid = 0x10000 * (i + 1),
					     .n_ports = n_hosts };

		assert_int_equal(hd_builder_add(builder, &spec, &s, NULL), 0);
		hd_builder_port(builder, s, 0)->lid = lid++;
		spec.type = HD_CA;
		spec.n_ports = 1;
		for (unsigned number = 1; number <= n_hosts; number++) {
			spec.guid += 2;
			assert_int_equal(hd_builder_add(builder, &spec, &host, NULL), 0);
			hd_builder_port(builder, host, 1)->lid = lid++;
			assert_int_equal(hd_builder_link(builder, s, number, host, 1, NULL), 0);
		}
	}
	assert_int_equal(hd_builder_finish(builder, &fabric, NULL), 0);
	return fabric;
}

/* 1,530 end ports: too many for a line for each pair of them. */
static void many_sources_share_lines(void **state)
{
	struct hd_fabric *fabric = islands(10, 152);
	struct hd_tables *tables = new_tables(fabric), *again = new_tables(fabric);
	struct hd_error err = { 0 };
	unsigned n_lines = 0;
	size_t size;
	char *text;

	assert_int_equal(hd_tables_set_sl_rows(tables, 3, NULL), 0);
	for (uint32_t row = 0; row < 3; row++)
		hd_for_each_lid(lid, fabric)
			tables->sl_rows[row * tables->lft_stride + lid] =
				(uint8_t)((row + lid) % 5);
	hd_for_each_port(p, fabric)
		tables->sl_row_of_port[p] = fabric->ports[p].node % 3;
	text = tables_case_write(&hd_dump_path_sl, tables, &size);
	assert_non_null(text);
	for (size_t i = 0; i < size; i++)
		n_lines += text[i] == '\n';
	assert_int_equal(n_lines, 3 * 1530 + 1527);
	assert_hd_ok(hd_dump_path_sl.parse(again, "again", text, size, &err), err);
	for (uint32_t i = 0; i < fabric->n_endports; i++)
		hd_for_each_lid(lid, fabric)
			assert_int_equal(hd_path_sl(again, fabric->endports[i], lid),
					 hd_path_sl(tables, fabric->endports[i], lid));
	free(text);
	hd_tables_free(tables);
	hd_tables_free(again);
	hd_fabric_free(fabric);
}

#define LFT_HEAD   "Unicast lids [0-8] of switch Lid 1 guid 0x0000000000000010 ('S1'):\n"
#define SL2VL_HEAD "Switch 0x0000000000000010, base LID 1, \"S1\"\n#in out\n#---\n"
#define SL2VL_ROW  " 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n"
#define VLARB_HEAD "Switch 0x0000000000000010, base LID 1, \"S1\"\n#port\n#---\n"
#define SMPQUERY   "# VLArbitration tables: Lid 1 port 1 LowCap 8 HighCap 8\n"

/* 2, 8, 56 entries of a short dump without a path, and as many path SLs that are not there. */
#define NO2   "ffff"
#define NO8   NO2 NO2 NO2 NO2
#define NO56  NO8 NO8 NO8 NO8 NO8 NO8 NO8
#define NO_SL "--------"
#define NONE  NO_SL NO_SL NO_SL NO_SL NO_SL NO_SL NO_SL

static const struct {
	const struct hd_dump_format *format;
	const char *text;
	unsigned line;
	const char *says;
} malformed[] = {
	{ &hd_dump_lfts, "garbage\n", 1, "neither" },
	{ &hd_dump_lfts, "0x0001 001 # x\n", 1, "outside" },
	{ &hd_dump_lfts, LFT_HEAD, 1, "cut short" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001 001 # x\n", 2, "cut short" },
	{ &hd_dump_lfts, LFT_HEAD LFT_HEAD, 2, "cut short" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001 001 # x\n0 lids dumped\n", 3,
	  "0 lids dumped, but 1 read" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001 001 # x\n2 valid lids dumped\n", 3,
	  "2 lids dumped, but 1 read" },
	{ &hd_dump_lfts, LFT_HEAD "0 lids dum\n", 2, "lids dumped" },
	{ &hd_dump_lfts, LFT_HEAD "0 lids dumped\n" LFT_HEAD, 3, "second table" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001 005 # x\n", 2, "port 5 of a switch with 4 ports" },
	{ &hd_dump_lfts, LFT_HEAD "0x0009 001 # x\n", 2, "LID 0x0009" },
	{ &hd_dump_lfts, LFT_HEAD "0xffff 001 # x\n", 2, "LID 0xffff" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000 001 # x\n", 2, "does not follow" },
	{ &hd_dump_lfts, LFT_HEAD "0x0002 001 # x\n0x0002 001 # x\n", 3, "does not follow" },
	{ &hd_dump_lfts, LFT_HEAD "0x000g 001 # x\n", 2, "expected" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001 0a1 # x\n", 2, "expected" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001 01 # x\n", 2, "expected" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001 001", 2, "expected" },
	{ &hd_dump_lfts, "Unicast lids [0-8] of switch Lid 1 guid 0x99 ('S1'):\n", 1, "no switch" },
	{ &hd_dump_lfts, "Unicast lids [0-8] of switch Lid 4 guid 0x100 ('H1'):\n", 1,
	  "no switch" },
	{ &hd_dump_lfts, "Unicast lids [0-8] of switch Lid 1\n", 1, "expected" },
	{ &hd_dump_lfts, "Unicast lids [0-8] of switch Lid 1 guid 0x10 ('S1'\n", 1, "expected" },
	{ &hd_dump_lfts, "Unicast lids [0-8] of switch Lid 1 guid 0x10 (", 1, "expected" },
	{ &hd_dump_lfts, "Multicast mlids [0xc000-0xc001] of switch Lid 1 guid 0x10 (S1):\n", 1,
	  "neither" },

	{ &hd_dump_lfts, "0x0000: " NO56 NO8 "\n", 1, "outside" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000: " NO56 NO8 "\n", 2, "cut short" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000: " NO56 NO8 NO2 "\n", 2, "expected" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000: " NO56 NO2 NO2 NO2 "fffg\n", 2, "expected" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001: " NO56 NO8 "\n", 2, "expected" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000: 01ff" NO2 NO2 NO2 NO56 "\n", 2, "does not follow" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000: ff05" NO2 NO2 NO2 NO56 "\n", 2, "port 5 of a switch" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000: " NO8 "ff01" NO2 NO2 NO2 NO8 NO8 NO8 NO8 NO8 NO8 "\n", 2,
	  "LID 0x0009" },
	{ &hd_dump_lfts, LFT_HEAD "0xffc0: 01ff" NO2 NO2 NO2 NO56 "\n", 2, "LID 0xffc0" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000: " NO56 NO8 "\n0x0000: " NO56 NO8 "\n", 3,
	  "does not follow" },
	{ &hd_dump_lfts, LFT_HEAD "0x0000: ff01" NO2 NO2 NO2 NO56 "\n0 lids dumped\n", 3,
	  "1 read" },
	{ &hd_dump_lfts, "0x0001 # Switch portguid 0x0000000000000011: 'S1'\n", 1,
	  "of another fabric" },
	{ &hd_dump_lfts, LFT_HEAD "0x0001 # Switch portguid 0x0000000000000010: 'S1'\n", 2,
	  "once more" },

	{ &hd_dump_sl2vl, "garbage\n", 1, "outside" },
	{ &hd_dump_sl2vl, "0   1   :" SL2VL_ROW, 1, "outside" },
	{ &hd_dump_sl2vl, "#---\n", 1, "outside" },
	{ &hd_dump_sl2vl, SL2VL_HEAD, 3, "cut short" },
	{ &hd_dump_sl2vl, SL2VL_HEAD SL2VL_HEAD, 4, "cut short" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "#---\n" SL2VL_HEAD, 5, "second table" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "0   1   :" SL2VL_ROW "#---\n", 5, "5 for each" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "0   5   :" SL2VL_ROW, 4, "no such ports" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "5   1   :" SL2VL_ROW, 4, "no such ports" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "256 1   :" SL2VL_ROW, 4, "expected" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "0   1   : 0  1  2\n", 4, "expected" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "0   1   : 16 1  2  3  4  5  6  7  0  1  2  3  4  5  6  7 \n",
	  4, "expected" },
	{ &hd_dump_sl2vl,
	  SL2VL_HEAD "0   1   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7  8\n", 4,
	  "expected" },
	{ &hd_dump_sl2vl, "Switch 0x99, base LID 1, \"S1\"\n", 1, "no port 0x0000000000000099" },
	{ &hd_dump_sl2vl, "Switch 0x101, base LID 4, \"H1\"\n", 1, "is a Channel Adapter" },
	{ &hd_dump_sl2vl, "Switch 0x10, base LID 1, \"S1\n", 1, "expected" },
	{ &hd_dump_sl2vl, "Switch 0x10, base LID 1, \"", 1, "expected" },
	{ &hd_dump_sl2vl, "Channel Adapter 0x101, base LID 4, \"H1\"\n#\n#---\n1   1   :" SL2VL_ROW,
	  4, "no such ports" },
	{ &hd_dump_sl2vl, "# SL2VL table: Lid 3\n", 1, "LID 3" },
	{ &hd_dump_sl2vl, "# SL2VL table: DR path slid 65535; dlid 65535; 0,1\n", 1, "Lid N" },
	{ &hd_dump_sl2vl, "# SL2VL table: Lid 1\nports: in  0, out  1: | 0| 1|\n", 2, "expected" },

	{ &hd_dump_sl2vl, SL2VL_HEAD "0-5 1   :" SL2VL_ROW, 4, "no such ports" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "2-1 1   :" SL2VL_ROW, 4, "expected" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "0- 1   :" SL2VL_ROW, 4, "expected" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "0-3 1   :" SL2VL_ROW "#---\n", 5, "5 for each" },
	{ &hd_dump_sl2vl, "= 0x20\n", 1, "without a whole table" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "0-4 1   :" SL2VL_ROW "= 0x20\n", 5, "without a whole table" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "#---\n= 20\n", 5, "expected" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "#---\n= 0x99\n", 5, "no port" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "#---\n= 0x101\n", 5, "cannot have" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "#---\n= 0x10\n", 5, "second table" },
	{ &hd_dump_sl2vl, SL2VL_HEAD "#---\n= 0x20\n= 0x20\n", 6, "second table" },

	{ &hd_dump_path_sl, "0x100 0x0000: -0\n", 1, "expected" },
	{ &hd_dump_path_sl, "0x100 0x0001: " NO_SL NONE "\n", 1, "expected" },
	{ &hd_dump_path_sl, "0x100 0x0000: ---0----" NONE "\n", 1, "LID 3" },
	{ &hd_dump_path_sl, "0x100 0x0000: " NONE NO_SL "-\n", 1, "expected" },
	{ &hd_dump_path_sl, "0x100 0x0000: -g------" NONE "\n", 1, "no hexadecimal" },
	{ &hd_dump_path_sl, "0x100 0xffc0: 0-------" NONE "\n", 1, "LID 65472" },
	{ &hd_dump_path_sl, "0x999 0x0000: " NO_SL NONE "\n", 1, "no node or port" },

	{ &hd_dump_path_sl, "garbage\n", 1, "expected" },
	{ &hd_dump_path_sl, "0x100 1\n", 1, "expected" },
	{ &hd_dump_path_sl, "0x100 1 0 0\n", 1, "expected" },
	{ &hd_dump_path_sl, "0x100 3 0\n", 1, "LID 3" },
	{ &hd_dump_path_sl, "0x100 9 0\n", 1, "LID 9" },
	{ &hd_dump_path_sl, "0x100 1 16\n", 1, "SL 16" },
	{ &hd_dump_path_sl, "0x999 1 0\n", 1, "no node or port" },
	{ &hd_dump_path_sl, "0x100 1 0\n0x10 1 0\n0x100 2 0\n0x20 1 0\n", 4, "once more" },
	{ &hd_dump_path_sl, "0x100 1 0\n= 0x100\n", 2, "once more" },
	{ &hd_dump_path_sl, "0x202 1 0\n0x200 1 0\n", 2, "once more" },
	{ &hd_dump_path_sl, "= 0x100\n", 1, "before" },
	{ &hd_dump_path_sl, "0x100 1 0\n= 0x999\n", 2, "no node or port" },
	{ &hd_dump_path_sl, "0x100 1 0\n= 100\n", 2, "expected" },

	{ &hd_dump_vlarb, "garbage\n", 1, "expected" },
	{ &hd_dump_vlarb, "1 low : 0:1\n", 1, "outside" },
	{ &hd_dump_vlarb, VLARB_HEAD, 3, "cut short" },
	{ &hd_dump_vlarb, VLARB_HEAD "1 low : 0:1\n#---\n", 5, "high-priority" },
	{ &hd_dump_vlarb, VLARB_HEAD "1 high 0 : 0:1\n2 low : 0:1\n", 5, "low-priority" },
	{ &hd_dump_vlarb, VLARB_HEAD "1 low : 0:1\n1 low : 0:1\n", 5, "second time" },
	{ &hd_dump_vlarb, VLARB_HEAD "1 low : 0:1\n1 high 0 :\n#---\n" VLARB_HEAD "1 low : 0:1\n",
	  10, "twice" },
	{ &hd_dump_vlarb, VLARB_HEAD "5 low : 0:1\n", 4, "no port 5" },
	{ &hd_dump_vlarb, VLARB_HEAD "1 low : 16:1\n", 4, "expected" },
	{ &hd_dump_vlarb, VLARB_HEAD "1 low : 1:256\n", 4, "expected" },
	{ &hd_dump_vlarb, VLARB_HEAD "1 high 256 : 1:1\n", 4, "expected" },
	{ &hd_dump_vlarb, SMPQUERY, 1, "high-priority" },
	{ &hd_dump_vlarb, SMPQUERY "# Low priority\nVL    : |0x0 |\n", 3, "without weights" },
	{ &hd_dump_vlarb, SMPQUERY "# Low priority\nVL    : |0x0 |\nWEIGHT: |\n", 4,
	  "one for each" },
	{ &hd_dump_vlarb, SMPQUERY "# Low priority\nWEIGHT: |0x0 |\n", 3, "one for each" },
	{ &hd_dump_vlarb, SMPQUERY "VL    : |0x0 |\n", 2, "outside" },
	{ &hd_dump_vlarb, "# Low priority\n", 1, "no port" },

	{ &hd_dump_mcfdbs, "garbage\n", 1, "expected" },
	{ &hd_dump_mcfdbs, "0xC000 : 0x001 \n", 1, "outside" },
	{ &hd_dump_mcfdbs, "Switch 0x10\n", 1, "cut short" },
	{ &hd_dump_mcfdbs, "Switch 0x10\n0xC000 : 0x001 \n", 2, "outside" },
	{ &hd_dump_mcfdbs, "Switch 0x10\nLID    : Out Port(s)\n0xC000 : 0x005 \n", 3, "no port 5" },
	{ &hd_dump_mcfdbs, "Switch 0x10\nLID    : Out Port(s)\n0xC000 : \n", 3, "without ports" },
	{ &hd_dump_mcfdbs, "Switch 0x10\nLID    : Out Port(s)\n0xC000 : 1\n", 3, "expected" },
	{ &hd_dump_mcfdbs, "Switch 0x10\nLID    : Out Port(s)\n0x0001 : 0x001 \n", 3, "multicast" },
	{ &hd_dump_mcfdbs, "Switch 0x10\nLID    : Out Port(s)\n0xC001 : 0x001 \n0xC000 : 0x001 \n",
	  4, "in order" },
	{ &hd_dump_mcfdbs, "Switch 0x10\nLID    : Out Port(s)\n0xC000 : 0x001 \nSwitch 0x10\n", 4,
	  "second" },
	{ &hd_dump_mcfdbs, "Switch 0x100\n", 1, "no switch" },
};

static void malformed_dumps_are_refused(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();

	for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
		struct hd_tables *tables = new_tables(fabric);
		struct hd_error err = { 0 };
		int ret = malformed[i].format->parse(tables, "dump", malformed[i].text,
						     strlen(malformed[i].text), &err);

		if (ret != HD_EPARSE || err.line != malformed[i].line ||
		    strcmp(err.file, "dump") != 0 || !strstr(err.text, malformed[i].says))
			fail_msg("%s: %s: got %d, %s:%u: %s", malformed[i].format->name,
				 malformed[i].text, ret, err.file, err.line, err.text);
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
}

/* No prefix of a dump is taken for a whole one, unless it ends between two tables. */
static void truncated_dumps_are_refused(void **state)
{
	struct hd_fabric *fabric = read_fabric("updn-lmc2");
	static const struct hd_dump_format *const closed[] = { &hd_dump_lfts, &hd_dump_sl2vl };

	for (size_t f = 0; f < 2; f++) {
		struct hd_tables *tables = new_tables(fabric);
		struct hd_text text;
		unsigned n_taken = 0;

		read_file("updn-lmc2", closed[f]->file, closed[f], tables, &text);
		hd_tables_free(tables);
		for (size_t size = 1; size < text.size; size++) {
			tables = new_tables(fabric);
			if (closed[f]->parse(tables, "cut", text.data, size, NULL) == 0)
				n_taken++;
			hd_tables_free(tables);
		}
		/* LFTs: 4 tables, each with or without " \n" of its last line; SL2VL: 9 tables,
		   whose last line may lack dashes, its newline, and the empty line */
		assert_true(n_taken <= (f == 0 ? 4 * 2 : 9 * 56));
		hd_text_free(&text);
	}
	hd_fabric_free(fabric);
}

static void nul_bytes_are_refused(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = colourful(fabric);

	for (size_t f = 0; f < N_FORMATS; f++) {
		struct hd_tables *again = new_tables(fabric);
		size_t size;
		char *text = tables_case_write(formats[f], tables, &size);
		char *line = strchr(text, '\n');

		if (line && line[1]) {
			line[1] = '\0';
			assert_int_equal(formats[f]->parse(again, "nul", text, size, NULL),
					 HD_EPARSE);
		}
		free(text);
		hd_tables_free(again);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void write_errors_are_told(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = colourful(fabric);

	for (size_t f = 0; f < N_FORMATS - 1; f++) {
		FILE *full = fopen("/dev/full", "w");
		struct hd_error err = { 0 };

		assert_non_null(full);
		assert_int_equal(formats[f]->write(tables, full, &err), HD_EIO);
		assert_hd_says(err, "cannot write: No space left on device");
		fclose(full);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opensm_dumps_are_rewritten_byte_for_byte),
		cmocka_unit_test(dump_fts_equals_opensm),
		cmocka_unit_test(ibroute_gives_one_switch),
		cmocka_unit_test(smpquery_sl2vl_equals_opensm),
		cmocka_unit_test(smpquery_vlarb_is_read),
		cmocka_unit_test(multicast_is_sorted_by_mlid),
		cmocka_unit_test(large_files_are_read_by_parts),
		cmocka_unit_test(written_dumps_are_read_back),
		cmocka_unit_test(digits_side_by_side),
		cmocka_unit_test(bytes_side_by_side),
		cmocka_unit_test(short_dumps_are_read_back),
		cmocka_unit_test(sources_without_sl_come_back),
		cmocka_unit_test(path_sls_come_back_by_source),
		cmocka_unit_test(equal_path_sls_share_a_row),
		cmocka_unit_test(many_sources_share_lines),
		cmocka_unit_test(malformed_dumps_are_refused),
		cmocka_unit_test(truncated_dumps_are_refused),
		cmocka_unit_test(nul_bytes_are_refused),
		cmocka_unit_test(write_errors_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
