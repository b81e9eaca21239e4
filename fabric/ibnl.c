// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/ibnl.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"

#define MOST_WORDS 64

/* What is being read. */
struct reader {
	struct hd_ibnl *ibnl;
	struct hd_lines lines;
	struct hd_error *err;
};

static bool is_word(struct hd_ibnl_word word, const char *text)
{
	return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

uint8_t hd_ibnl_width(struct hd_ibnl_word word)
{
	static const struct {
		const char *text;
		uint8_t width;
	} widths[] = { { "1x", 1 }, { "4x", 4 }, { "8x", 8 }, { "12x", 12 },
		       { "1X", 1 }, { "4X", 4 }, { "8X", 8 }, { "12X", 12 } };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (is_word(word, widths[i].text))
			return widths[i].width;
	return 0;
}

uint8_t hd_ibnl_speed(struct hd_ibnl_word word)
{
	static const struct {
		const char *text;
		uint8_t speed;
	} speeds[] = {
		{ "2.5G", HD_SDR }, { "2.5", HD_SDR }, { "5G", HD_DDR },   { "5", HD_DDR },
		{ "10G", HD_QDR },  { "10", HD_QDR },  { "14G", HD_FDR },  { "25G", HD_EDR },
		{ "50G", HD_HDR },  { "50", HD_HDR },  { "100G", HD_NDR }, { "100", HD_NDR },
		{ "200G", HD_XDR }, { "200", HD_XDR },
	};

	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++)
		if (is_word(word, speeds[i].text))
			return speeds[i].speed;
	return HD_SPEED_UNKNOWN;
}

bool hd_ibnl_is_arrow(struct hd_ibnl_word word, uint8_t *width, uint8_t *speed)
{
	const char *end = word.at + word.length;

	*width = *speed = 0;
	if (word.length < 2 || word.at[0] != '-' || end[-1] != '>' || end[-2] != '-')
		return false;
	for (const char *at = word.at + 1; at < end - 2;) {
		const char *dash = memchr(at, '-', (size_t)(end - at));
		struct hd_ibnl_word part = { at, (size_t)(dash - at) };

		if (hd_ibnl_width(part))
			*width = hd_ibnl_width(part);
		else if (hd_ibnl_speed(part))
			*speed = hd_ibnl_speed(part);
		else
			return false;
		at = dash + 1;
	}
	return true;
}

size_t hd_ibnl_words(const struct hd_lines *lines, struct hd_ibnl_word *words, size_t most)
{
	size_t n = 0;

	for (const char *at = lines->begin; at < lines->end;) {
		if (*at == '#')
			break;
		if (*at == ' ' || *at == '\t' || *at == ',') {
			at++;
			continue;
		}
		if (n == most)
			return most + 1;
		words[n].at = at;
		while (at < lines->end && *at != ' ' && *at != '\t' && *at != ',')
			at++;
		words[n].length = (size_t)(at - words[n].at);
		n++;
	}
	return n;
}

void *hd_ibnl_add(void **array, size_t *n, size_t size)
{
	char *grown;

	/* grows at powers of two */
	if ((*n & (*n - 1)) == 0) {
		grown = realloc(*array, (*n ? 2 * *n : 1) * size);
		if (!grown)
			return NULL;
		*array = grown;
	}
	grown = (char *)*array + (*n)++ * size;
	memset(grown, 0, size);
	return grown;
}

static int begin_system(struct reader *reader, const struct hd_ibnl_word *words, size_t n)
{
	struct hd_ibnl_system *system;

	if (n < 2)
		return hd_error_at(reader->err, HD_EPARSE, reader->lines.file, reader->lines.number,
				   "a system without a name");
	system = hd_ibnl_add((void **)&reader->ibnl->systems, &reader->ibnl->n_systems,
			     sizeof(*system));
	if (!system)
		return hd_error_nomem(reader->err);
	system->is_top = words[0].at[0] == 'T';
	system->names = malloc((n - 1) * sizeof(*system->names));
	if (!system->names)
		return hd_error_nomem(reader->err);
	memcpy(system->names, words + 1, (n - 1) * sizeof(*system->names));
	system->n_names = n - 1;
	return 0;
}

/* "NODE SW 8 MT43132 U1", "SUBSYSTEM LEAF leaf1" */
static int begin_inst(struct reader *reader, const struct hd_ibnl_word *words, size_t n)
{
	struct hd_ibnl *ibnl = reader->ibnl;
	struct hd_ibnl_inst inst = { .is_node = words[0].at[0] == 'N',
				     .line = reader->lines.number };
	struct hd_ibnl_system *system;
	struct hd_ibnl_inst *place;
	uint64_t ports = 0;
	const char *at;

	if (!ibnl->n_systems)
		return hd_error_at(reader->err, HD_EPARSE, reader->lines.file, reader->lines.number,
				   "expected SYSTEM or TOPSYSTEM before this");
	if (inst.is_node && n == 5) {
		at = words[2].at;
		inst.is_switch = is_word(words[1], "SW");
		if (!hd_scan_number(&at, words[2].at + words[2].length, 10, HD_MAX_PORTS, &ports) ||
		    at != words[2].at + words[2].length || !ports ||
		    (!inst.is_switch && !is_word(words[1], "CA") && !is_word(words[1], "HCA")))
			n = 0;
		inst.name = words[4];
	} else if (!inst.is_node && n == 3) {
		inst.system = words[1];
		inst.name = words[2];
	} else {
		n = 0;
	}
	if (!n)
		return hd_error_at(reader->err, HD_EPARSE, reader->lines.file, reader->lines.number,
				   inst.is_node ? "expected 'NODE SW|CA PORTS DEVICE NAME'"
						: "expected 'SUBSYSTEM SYSTEM NAME'");
	inst.n_ports = (unsigned)ports;
	system = &ibnl->systems[ibnl->n_systems - 1];
	for (size_t i = 0; i < system->n_insts; i++)
		if (hd_ibnl_is(system->insts[i].name, inst.name))
			return hd_error_at(reader->err, HD_EPARSE, reader->lines.file,
					   reader->lines.number, "the name is that of line %u, too",
					   system->insts[i].line);
	place = hd_ibnl_add((void **)&system->insts, &system->n_insts, sizeof(*place));
	if (!place)
		return hd_error_nomem(reader->err);
	*place = inst;
	return 0;
}

/* "P4 -4x-> leaf2 P7", "9 -> P9" */
static int add_link(struct reader *reader, const struct hd_ibnl_word *words, size_t n)
{
	struct hd_ibnl_system *system =
		reader->ibnl->n_systems ? &reader->ibnl->systems[reader->ibnl->n_systems - 1]
					: NULL;
	struct hd_ibnl_link link = { .line = reader->lines.number }, *place;
	struct hd_ibnl_inst *inst;

	if (!system || !system->n_insts || (n != 3 && n != 4) ||
	    !hd_ibnl_is_arrow(words[1], &link.width, &link.speed))
		return hd_error_at(reader->err, HD_EPARSE, reader->lines.file, reader->lines.number,
				   "neither a system, a node nor a link of one, as in "
				   "'P1 -4x-> leaf2 P7'");
	link.from = words[0];
	link.to = words[2];
	if (n == 4)
		link.port = words[3];
	inst = &system->insts[system->n_insts - 1];
	place = hd_ibnl_add((void **)&inst->links, &inst->n_links, sizeof(*place));
	if (!place)
		return hd_error_nomem(reader->err);
	*place = link;
	return 0;
}

static int read_line(struct reader *reader)
{
	struct hd_ibnl_word words[MOST_WORDS];
	size_t n = hd_ibnl_words(&reader->lines, words, MOST_WORDS);

	if (!n)
		return 0;
	if (n > MOST_WORDS)
		return hd_error_at(reader->err, HD_EPARSE, reader->lines.file, reader->lines.number,
				   "more than %d words", MOST_WORDS);
	if (is_word(words[0], "SYSTEM") || is_word(words[0], "TOPSYSTEM"))
		return begin_system(reader, words, n);
	if (is_word(words[0], "NODE") || is_word(words[0], "SUBSYSTEM"))
		return begin_inst(reader, words, n);
	/* attributes of boards, "leaf1=leaf2=...": nothing that a fabric has */
	if (memchr(words[0].at, '=', words[0].length))
		return 0;
	return add_link(reader, words, n);
}

int hd_ibnl_parse(const char *name, const char *data, size_t size, struct hd_ibnl **result,
		  struct hd_error *err)
{
	struct reader reader = { .ibnl = calloc(1, sizeof(*reader.ibnl)), .err = err };
	size_t n_tops = 0;
	int ret = 0;

	*result = NULL;
	if (!reader.ibnl)
		return hd_error_nomem(err);
	reader.ibnl->name = strdup(name);
	reader.ibnl->text = (struct hd_text){ malloc(size + 1), size };
	if (!reader.ibnl->name || !reader.ibnl->text.data) {
		hd_ibnl_free(reader.ibnl);
		return hd_error_nomem(err);
	}
	memcpy(reader.ibnl->text.data, data, size);
	reader.ibnl->text.data[size] = '\0';
	hd_lines_begin(&reader.lines, reader.ibnl->name, reader.ibnl->text.data, size);
	while (!ret && hd_lines_next(&reader.lines))
		ret = read_line(&reader);
	for (size_t i = 0; i < reader.ibnl->n_systems; i++)
		n_tops += reader.ibnl->systems[i].is_top;
	if (!ret && n_tops != 1)
		ret = hd_error_at(err, HD_EPARSE, name, 0, "%zu TOPSYSTEMs, where one is needed",
				  n_tops);
	if (ret)
		hd_ibnl_free(reader.ibnl);
	else
		*result = reader.ibnl;
	return ret;
}

void hd_ibnl_free(struct hd_ibnl *ibnl)
{
	if (!ibnl)
		return;
	for (size_t i = 0; i < ibnl->n_systems; i++) {
		for (size_t k = 0; k < ibnl->systems[i].n_insts; k++)
			free(ibnl->systems[i].insts[k].links);
		free(ibnl->systems[i].insts);
		free(ibnl->systems[i].names);
	}
	free(ibnl->systems);
	hd_text_free(&ibnl->text);
	free(ibnl->name);
	free(ibnl);
}

const struct hd_ibnl_system *hd_ibnl_find(const struct hd_ibnl *ibnl, struct hd_ibnl_word name,
					  bool at_top)
{
	for (size_t i = 0; i < ibnl->n_systems; i++)
		for (size_t k = 0; k < ibnl->systems[i].n_names; k++)
			if (ibnl->systems[i].is_top == at_top &&
			    hd_ibnl_is(ibnl->systems[i].names[k], name))
				return &ibnl->systems[i];
	return NULL;
}
