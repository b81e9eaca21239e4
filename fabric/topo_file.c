// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/topo_file.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "fabric/ibnl.h"
#include "support/error.h"

#define MOST_WORDS 64
#define MOST_DEPTH 16
#define MOST_NAME  200
#define MOST_PARTS (1u << 17) /* nodes and boards: boards within boards multiply */

#define FIRST_SWITCH_GUID  0x200000
#define FIRST_ADAPTER_GUID 0x100000

/* A plug of a system or of a board: a port of a node on it. */
struct plug {
	struct hd_ibnl_word name;
	uint32_t node;
	unsigned port;
	uint8_t width, speed;
};

struct plugs {
	struct plug *list;
	size_t n;
};

struct system {
	struct hd_ibnl_word type, name;
	const struct hd_ibnl *ibnl;
	struct plugs plugs;
	struct hd_ibnl_word configuration[MOST_WORDS]; /* "leaf3=R" */
	size_t n_configuration;
	unsigned line;
};

struct cable {
	size_t from, to; /* systems */
	struct hd_ibnl_word from_plug, to_type, to_name, to_plug;
	uint8_t width, speed;
	unsigned line;
};

struct topo {
	struct hd_builder *builder;
	struct hd_ibnl *const *types;
	size_t n_types;
	const char *file;
	struct system *systems;
	size_t n_systems;
	struct cable *cables;
	size_t n_cables;
	uint64_t next_switch, next_adapter;
	uint32_t n_parts;
	struct hd_error *err;
};

/* "%.*s" of a word. */
#define WORD(word) (int)((word).length < MOST_NAME ? (word).length : MOST_NAME), (word).at

/* Lines */

/* A system, "MTS9600 GZ1 CFG: leaf3=R": its words, or 0. */
static size_t scan_system(const struct hd_lines *lines, struct hd_ibnl_word *words)
{
	size_t n = hd_ibnl_words(lines, words, MOST_WORDS);
	uint8_t width, speed;

	if (n < 2 || n > MOST_WORDS || hd_ibnl_is_arrow(words[1], &width, &speed))
		return 0;
	if (n == 2 || (words[2].length >= 4 && memcmp(words[2].at, "CFG:", 4) == 0))
		return n;
	return 0;
}

/* A cable, "P1 -4x-> MTS2400 S-1 P2". */
static bool scan_cable(const struct hd_lines *lines, struct cable *cable)
{
	struct hd_ibnl_word words[5];

	*cable = (struct cable){ .line = lines->number };
	if (hd_ibnl_words(lines, words, 5) != 5 ||
	    !hd_ibnl_is_arrow(words[1], &cable->width, &cable->speed))
		return false;
	cable->from_plug = words[0];
	cable->to_type = words[2];
	cable->to_name = words[3];
	cable->to_plug = words[4];
	return true;
}

bool hd_topo_file_is(const char *data, size_t size)
{
	struct hd_ibnl_word words[MOST_WORDS];
	struct hd_lines lines;
	struct cable cable;
	bool has_system = false;

	hd_lines_begin(&lines, "", data, size);
	while (hd_lines_next(&lines)) {
		if (!hd_ibnl_words(&lines, words, 1))
			continue;
		if (has_system && scan_cable(&lines, &cable))
			return true;
		/* systems without a cable may come first */
		if (!scan_system(&lines, words))
			return false;
		has_system = true;
	}
	return false;
}

static const struct hd_ibnl *find_type(const struct topo *topo, struct hd_ibnl_word type)
{
	for (size_t i = 0; i < topo->n_types; i++)
		if (hd_ibnl_find(topo->types[i], type, true))
			return topo->types[i];
	return NULL;
}

static size_t find_system(const struct topo *topo, struct hd_ibnl_word name)
{
	size_t i = 0;

	while (i < topo->n_systems && !hd_ibnl_is(topo->systems[i].name, name))
		i++;
	return i;
}

/* The system @name, which is made where it is new. */
static int take_system(struct topo *topo, struct hd_ibnl_word type, struct hd_ibnl_word name,
		       unsigned line, size_t *index)
{
	const struct hd_ibnl *ibnl = find_type(topo, type);
	struct system *system;

	*index = find_system(topo, name);
	if (name.length > MOST_NAME)
		return hd_error_at(topo->err, HD_EPARSE, topo->file, line,
				   "a name of more than %d bytes", MOST_NAME);
	if (!ibnl)
		return hd_error_at(topo->err, HD_ENOTFOUND, topo->file, line,
				   "there is no .ibnl file of systems '%.*s' ($IBDM_IBNL_PATH says "
				   "where such files are)",
				   WORD(type));
	if (*index < topo->n_systems) {
		if (topo->systems[*index].ibnl == ibnl)
			return 0;
		return hd_error_at(topo->err, HD_EPARSE, topo->file, line,
				   "'%.*s' is another system in line %u", WORD(name),
				   topo->systems[*index].line);
	}
	/* each has a node at least */
	if (topo->n_systems >= HD_MAX_NODES)
		return hd_error_at(topo->err, HD_EPARSE, topo->file, line,
				   "more than %u systems: InfiniBand has %u unicast LIDs",
				   HD_MAX_NODES, HD_MAX_LID);
	system = hd_ibnl_add((void **)&topo->systems, &topo->n_systems, sizeof(*system));
	if (!system)
		return hd_error_nomem(topo->err);
	*system = (struct system){ .type = type, .name = name, .ibnl = ibnl, .line = line };
	return 0;
}

static int read_line(struct topo *topo, const struct hd_lines *lines, size_t *current)
{
	struct hd_ibnl_word words[MOST_WORDS];
	size_t n = hd_ibnl_words(lines, words, MOST_WORDS);
	struct cable cable, *place;
	int ret;

	if (!n)
		return 0;
	if (scan_cable(lines, &cable)) {
		if (*current == SIZE_MAX)
			return hd_error_at(topo->err, HD_EPARSE, topo->file, lines->number,
					   "a cable before the first system");
		cable.from = *current;
		ret = take_system(topo, cable.to_type, cable.to_name, lines->number, &cable.to);
		place = ret ? NULL
			    : hd_ibnl_add((void **)&topo->cables, &topo->n_cables, sizeof(*place));
		if (!place)
			return ret ? ret : hd_error_nomem(topo->err);
		*place = cable;
		return 0;
	}
	if (!scan_system(lines, words))
		return hd_error_at(topo->err, HD_EPARSE, topo->file, lines->number,
				   "neither a system, 'TYPE NAME [CFG: ...]', nor a cable of one, "
				   "'P1 -4x-10G-> TYPE NAME P2'");
	ret = take_system(topo, words[0], words[1], lines->number, current);
	if (ret || n == 2)
		return ret;
	/* "CFG:leaf1=R" is as good as "CFG: leaf1=R" */
	words[2].at += 4;
	words[2].length -= 4;
	topo->systems[*current].n_configuration = n - 2;
	memcpy(topo->systems[*current].configuration, words + 2, (n - 2) * sizeof(*words));
	return 0;
}

/* Systems */

/* What the configuration says of the board at @path, such as "R"; length 0: nothing. */
static struct hd_ibnl_word modifier_of(const struct system *system, const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < system->n_configuration; i++) {
		struct hd_ibnl_word word = system->configuration[i];

		if (word.length > length && memcmp(word.at, path, length) == 0 &&
		    word.at[length] == '=')
			return (struct hd_ibnl_word){ word.at + length + 1,
						      word.length - length - 1 };
	}
	return (struct hd_ibnl_word){ NULL, 0 };
}

static const struct plug *find_plug(const struct plugs *plugs, struct hd_ibnl_word name)
{
	for (size_t i = 0; i < plugs->n; i++)
		if (hd_ibnl_is(plugs->list[i].name, name))
			return &plugs->list[i];
	return NULL;
}

static int add_node(struct topo *topo, const struct system *of, const struct hd_ibnl_inst *inst,
		    const char *path, uint32_t *id)
{
	struct hd_error cause;
	struct hd_node_spec spec = { .type = inst->is_switch ? HD_SWITCH : HD_CA,
				     .n_ports = inst->n_ports,
				     .name = path };

	spec.guid = inst->is_switch ? topo->next_switch++ : topo->next_adapter;
	if (!inst->is_switch)
		topo->next_adapter += inst->n_ports + UINT64_C(1);
	if (hd_builder_add(topo->builder, &spec, id, &cause))
		return hd_error_at(topo->err, cause.code == HD_ENOMEM ? HD_ENOMEM : HD_EPARSE,
				   topo->file, of->line, "%s", cause.text);
	return 0;
}

/* An instance that was made: a node, or a board with its plugs; a board may be missing. */
struct made {
	uint32_t node;
	struct plugs plugs;
};

/* The plug that @word is at an instance; plug->node is HD_NONE where there is none. */
static int end_of(const struct topo *topo, const struct hd_ibnl *ibnl,
		  const struct hd_ibnl_inst *inst, const struct made *made,
		  struct hd_ibnl_word word, unsigned line, struct plug *plug)
{
	const char *at = word.at;
	const struct plug *found;
	uint64_t number;

	*plug = (struct plug){ .node = HD_NONE };
	if (!inst->is_node) {
		found = find_plug(&made->plugs, word);
		if (found)
			*plug = *found;
		return 0;
	}
	if (!hd_scan_number(&at, word.at + word.length, 10, inst->n_ports, &number) ||
	    at != word.at + word.length || !number)
		return hd_error_at(topo->err, HD_EPARSE, ibnl->name, line,
				   "'%.*s' is no port of a node with %u", WORD(word),
				   inst->n_ports);
	plug->node = made->node;
	plug->port = (unsigned)number;
	return 0;
}

/* The less of two that are told, 0 standing for none. */
static uint8_t slower(uint8_t a, uint8_t b)
{
	return !a || (b && b < a) ? b : a;
}

static int link_plugs(struct topo *topo, const char *file, unsigned line, const struct plug *a,
		      const struct plug *b, uint8_t width, uint8_t speed)
{
	struct hd_error cause;

	if (hd_builder_link(topo->builder, a->node, a->port, b->node, b->port, &cause))
		return hd_error_at(topo->err, HD_EPARSE, file, line, "%s", cause.text);
	/* what is said of a cable counts first; a link is as slow as the slower of its ports */
	if (!width)
		width = slower(a->width, b->width);
	if (!speed)
		speed = slower(a->speed, b->speed);
	for (unsigned side = 0; side < 2; side++) {
		const struct plug *plug = side ? b : a;
		struct hd_port *port = hd_builder_port(topo->builder, plug->node, plug->port);

		port->width = width ? width : 4;
		port->speed = speed;
	}
	return 0;
}

static int make_link(struct topo *topo, const struct hd_ibnl *ibnl,
		     const struct hd_ibnl_system *system, const struct made *made, size_t i,
		     const struct hd_ibnl_link *link, struct plugs *plugs)
{
	struct plug from, to, *place;
	size_t peer = 0;
	int ret = end_of(topo, ibnl, &system->insts[i], &made[i], link->from, link->line, &from);

	if (ret || from.node == HD_NONE)
		return ret;
	from.width = from.width ? from.width : link->width;
	from.speed = from.speed ? from.speed : link->speed;
	if (!link->port.length) {
		place = hd_ibnl_add((void **)&plugs->list, &plugs->n, sizeof(*place));
		if (!place)
			return hd_error_nomem(topo->err);
		*place = from;
		place->name = link->to;
		return 0;
	}
	while (peer < system->n_insts && !hd_ibnl_is(system->insts[peer].name, link->to))
		peer++;
	if (peer == system->n_insts)
		return hd_error_at(topo->err, HD_EPARSE, ibnl->name, link->line,
				   "there is no '%.*s' here", WORD(link->to));
	ret = end_of(topo, ibnl, &system->insts[peer], &made[peer], link->port, link->line, &to);
	if (ret || to.node == HD_NONE)
		return ret;
	return link_plugs(topo, ibnl->name, link->line, &from, &to, 0, 0);
}

static int expand(struct topo *topo, const struct system *of, const struct hd_ibnl_system *system,
		  const char *path, unsigned depth, struct plugs *plugs);

/* Makes the board @inst at @path, below the system's name, unless the configuration removes it. */
static int make_board(struct topo *topo, const struct system *of, const struct hd_ibnl_inst *inst,
		      const char *path, unsigned depth, struct plugs *plugs)
{
	struct hd_ibnl_word modifier = modifier_of(of, path + of->name.length + 1);
	const struct hd_ibnl_system *system;
	char name[512];

	if (modifier.length == 1 && *modifier.at == 'R')
		return 0;
	snprintf(name, sizeof(name), "%.*s%s%.*s", WORD(inst->system), modifier.length ? ":" : "",
		 WORD(modifier));
	system = hd_ibnl_find(of->ibnl, (struct hd_ibnl_word){ name, strlen(name) }, false);
	if (!system && modifier.length)
		return hd_error_at(topo->err, HD_EPARSE, topo->file, of->line,
				   "%s has no board '%s'", of->ibnl->name, name);
	if (!system)
		return hd_error_at(topo->err, HD_EPARSE, of->ibnl->name, inst->line,
				   "there is no SYSTEM '%s'", name);
	return expand(topo, of, system, path, depth + 1, plugs);
}

static int make_insts(struct topo *topo, const struct system *of,
		      const struct hd_ibnl_system *system, const char *path, unsigned depth,
		      struct made *made)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < system->n_insts; i++) {
		const struct hd_ibnl_inst *inst = &system->insts[i];
		char below[512];

		if (++topo->n_parts > MOST_PARTS || depth > MOST_DEPTH)
			return hd_error_at(topo->err, HD_EPARSE, of->ibnl->name, inst->line,
					   "too many boards within boards");
		snprintf(below, sizeof(below), "%s/%.*s", path, WORD(inst->name));
		if (inst->is_node)
			ret = add_node(topo, of, inst, below, &made[i].node);
		else
			ret = make_board(topo, of, inst, below, depth, &made[i].plugs);
	}
	return ret;
}

/* Makes the nodes of a system or board and their links; its plugs go to @plugs. */
static int expand(struct topo *topo, const struct system *of, const struct hd_ibnl_system *system,
		  const char *path, unsigned depth, struct plugs *plugs)
{
	struct made *made = calloc(system->n_insts + 1, sizeof(*made));
	int ret =
		made ? make_insts(topo, of, system, path, depth, made) : hd_error_nomem(topo->err);

	for (size_t i = 0; !ret && i < system->n_insts; i++)
		for (size_t k = 0; !ret && k < system->insts[i].n_links; k++)
			ret = make_link(topo, of->ibnl, system, made, i, &system->insts[i].links[k],
					plugs);
	for (size_t i = 0; made && i < system->n_insts; i++)
		free(made[i].plugs.list);
	free(made);
	return ret;
}

static int make_system(struct topo *topo, struct system *system)
{
	char path[256];

	snprintf(path, sizeof(path), "%.*s", WORD(system->name));
	return expand(topo, system, hd_ibnl_find(system->ibnl, system->type, true), path, 0,
		      &system->plugs);
}

static int make_cable(struct topo *topo, const struct cable *cable)
{
	const size_t ends[2] = { cable->from, cable->to };
	const struct hd_ibnl_word names[2] = { cable->from_plug, cable->to_plug };
	const struct plug *plugs[2];

	for (unsigned side = 0; side < 2; side++) {
		const struct system *system = &topo->systems[ends[side]];

		plugs[side] = find_plug(&system->plugs, names[side]);
		if (!plugs[side])
			return hd_error_at(topo->err, HD_EPARSE, topo->file, cable->line,
					   "'%.*s' has no plug '%.*s' (%s)", WORD(system->name),
					   WORD(names[side]), system->ibnl->name);
	}
	return link_plugs(topo, topo->file, cable->line, plugs[0], plugs[1], cable->width,
			  cable->speed);
}

static int read_all(struct topo *topo, const char *data, size_t size)
{
	struct hd_lines lines;
	size_t current = SIZE_MAX;
	int ret = 0;

	hd_lines_begin(&lines, topo->file, data, size);
	while (!ret && hd_lines_next(&lines))
		ret = read_line(topo, &lines, &current);
	for (size_t i = 0; !ret && i < topo->n_systems; i++)
		ret = make_system(topo, &topo->systems[i]);
	for (size_t i = 0; !ret && i < topo->n_cables; i++)
		ret = make_cable(topo, &topo->cables[i]);
	return ret;
}

int hd_topo_file_parse_with(const char *name, const char *data, size_t size,
			    struct hd_ibnl *const *types, size_t n_types, struct hd_fabric **fabric,
			    struct hd_error *err)
{
	struct topo topo = { .builder = hd_builder_new(),
			     .types = types,
			     .n_types = n_types,
			     .file = name,
			     .next_switch = FIRST_SWITCH_GUID,
			     .next_adapter = FIRST_ADAPTER_GUID,
			     .err = err };
	struct hd_error cause;
	int ret = topo.builder ? read_all(&topo, data, size) : hd_error_nomem(err);

	*fabric = NULL;
	if (ret) {
		hd_builder_free(topo.builder);
	} else {
		ret = hd_builder_finish(topo.builder, fabric, &cause);
		if (ret)
			ret = hd_error_at(err, ret == HD_ENOMEM ? ret : HD_EPARSE, name, 0, "%s",
					  cause.text);
	}
	for (size_t i = 0; i < topo.n_systems; i++)
		free(topo.systems[i].plugs.list);
	free(topo.systems);
	free(topo.cables);
	return ret;
}

/* Files of types */

struct types {
	struct hd_ibnl **list;
	size_t n;
};

/* Reads the .ibnl files in @directory, which may be a pattern. */
static int read_types(struct types *types, const char *directory, struct hd_error *err)
{
	char pattern[4096];
	glob_t found;
	int ret = 0;

	if ((size_t)snprintf(pattern, sizeof(pattern), "%s/*.ibnl", directory) >= sizeof(pattern) ||
	    glob(pattern, 0, NULL, &found))
		return 0;
	for (size_t i = 0; !ret && i < found.gl_pathc; i++) {
		struct hd_ibnl **place;
		struct hd_text text;

		ret = hd_text_read_file(found.gl_pathv[i], HD_TEXT_FILE_MAX, &text, err);
		if (ret)
			break;
		place = hd_ibnl_add((void **)&types->list, &types->n, sizeof(*types->list));
		ret = place ? hd_ibnl_parse(found.gl_pathv[i], text.data, text.size, place, err)
			    : hd_error_nomem(err);
		if (ret && place)
			types->n--;
		hd_text_free(&text);
	}
	globfree(&found);
	return ret;
}

/* The first that has a type counts: those beside the file, then those of the user. */
static int find_types(const char *name, struct types *types, struct hd_error *err)
{
	static const char *const packaged[] = { "/usr/lib/ibdm*/ibnl", "/usr/lib/*/ibdm*/ibnl",
						"/usr/lib64/ibdm*/ibnl",
						"/usr/local/lib/ibdm*/ibnl" };
	const char *slash = strrchr(name, '/'), *given = getenv("IBDM_IBNL_PATH");
	char *beside = slash ? strndup(name, (size_t)(slash - name)) : strdup(".");
	char *list = strdup(given ? given : ""), *rest = list;
	int ret = beside && list ? read_types(types, beside, err) : hd_error_nomem(err);

	for (char *at = strsep(&rest, ":;, "); !ret && at; at = strsep(&rest, ":;, "))
		if (*at)
			ret = read_types(types, at, err);
	for (size_t i = 0; !ret && i < sizeof(packaged) / sizeof(packaged[0]); i++)
		ret = read_types(types, packaged[i], err);
	free(beside);
	free(list);
	return ret;
}

int hd_topo_file_parse(const char *name, const char *data, size_t size, struct hd_fabric **fabric,
		       struct hd_error *err)
{
	struct types types = { 0 };
	int ret = find_types(name, &types, err);

	*fabric = NULL;
	if (!ret)
		ret = hd_topo_file_parse_with(name, data, size, types.list, types.n, fabric, err);
	for (size_t i = 0; i < types.n; i++)
		hd_ibnl_free(types.list[i]);
	free(types.list);
	return ret;
}
