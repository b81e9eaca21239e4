// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/adaptive/vcs.h"

#include <stdio.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"
#include "support/text.h"

/* Sequences by their numbers of local and global VCs. */
static const struct {
	const char *numbers, *sequence;
} known[] = {
	{ "2/1", "l g l" },
	{ "3/2", "l g l g l" },
	{ "4/2", "l g l l g l" },
	{ "5/2", "l l g l l g l" },
};

static int refuse(const char *spec, struct hd_error *err)
{
	return hd_error_set(
		err, HD_EINVAL,
		"'%.64s' is no VC rule: tables, hop:2/1, 3/2, 4/2 or 5/2, hop:N, or a sequence "
		"of up to %u links, \"hop:l g l\"",
		spec, HD_MAX_PLACES);
}

static int add_place(struct hd_vcs *vcs, unsigned link_class)
{
	if (vcs->n_places == HD_MAX_PLACES)
		return HD_EINVAL;
	vcs->vc[vcs->n_places] = vcs->n[link_class]++;
	vcs->place_class[vcs->n_places++] = (uint8_t)link_class;
	return 0;
}

/* "l g l": blanks may be absent. */
static int read_sequence(const char *text, struct hd_vcs *vcs)
{
	for (; *text; text++) {
		if (*text == ' ')
			continue;
		if ((*text != 'l' && *text != 'g') ||
		    add_place(vcs, *text == 'l' ? HD_LINK_LOCAL : HD_LINK_GLOBAL))
			return HD_EINVAL;
	}
	return vcs->n_places ? 0 : HD_EINVAL;
}

static int read_places(const char *text, struct hd_vcs *vcs)
{
	const char *at = text;
	uint64_t n;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(text, known[i].numbers) == 0)
			return read_sequence(known[i].sequence, vcs);
	if (!hd_scan_number(&at, text + strlen(text), 10, HD_MAX_PLACES, &n) || *at)
		return read_sequence(text, vcs);
	while (n--)
		add_place(vcs, HD_LINK_LOCAL);
	return vcs->n_places ? 0 : HD_EINVAL;
}

static void index_places(struct hd_vcs *vcs)
{
	size_t used = 0;

	for (unsigned link_class = 0; link_class < HD_LINK_CLASSES; link_class++) {
		unsigned next = vcs->n_places;

		for (unsigned place = vcs->n_places + 1; place--;) {
			if (place < vcs->n_places && vcs->place_class[place] == link_class)
				next = place;
			vcs->next[place][link_class] = (uint8_t)next;
		}
		/* a class that the sequence lacks shares one VC */
		if (!vcs->n[link_class])
			vcs->n[link_class] = 1;
	}
	for (unsigned place = 0; place < vcs->n_places; place++) {
		vcs->text[used++] = vcs->place_class[place] == HD_LINK_LOCAL ? 'l' : 'g';
		vcs->text[used++] = ' ';
	}
	vcs->text[used - 1] = '\0';
}

int hd_vcs_parse(const char *spec, struct hd_vcs *vcs, struct hd_error *err)
{
	*vcs = (struct hd_vcs){ 0 };
	if (strcmp(spec, "tables") == 0) {
		vcs->by_tables = true;
		strcpy(vcs->text, spec);
		memset(vcs->n, HD_MAX_VLS, sizeof(vcs->n));
		return 0;
	}
	if (strncmp(spec, "hop:", 4) != 0 || read_places(spec + 4, vcs))
		return refuse(spec, err);
	index_places(vcs);
	return 0;
}
