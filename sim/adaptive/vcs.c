// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/vcs.h"

#include <string.h>

#include "support/error.h"
#include "support/text.h"

const struct hd_vcs_known hd_vcs_known[HD_VCS_KNOWN] = {
	{ { [HD_LINK_LOCAL] = 2, [HD_LINK_GLOBAL] = 1 }, "2/1", "l g l" },
	{ { [HD_LINK_LOCAL] = 3, [HD_LINK_GLOBAL] = 2 }, "3/2", "l g l g l" },
	{ { [HD_LINK_LOCAL] = 4, [HD_LINK_GLOBAL] = 2 }, "4/2", "l g l l g l" },
	{ { [HD_LINK_LOCAL] = 5, [HD_LINK_GLOBAL] = 2 }, "5/2", "l l g l l g l" },
};

int hd_vcs_refuse(const char *spec, const char *known, struct hd_error *err)
{
	return hd_error_set(
		err, HD_EINVAL,
		"'%.64s' is no VC rule: %s, or a sequence of up to %u links, \"%.*s:l g l\"", spec,
		known, HD_MAX_PLACES, (int)strcspn(spec, ":"), spec);
}

bool hd_vcs_add(struct hd_vcs *vcs, char link_class)
{
	unsigned class = link_class == 'l' ? HD_LINK_LOCAL : HD_LINK_GLOBAL;

	if ((link_class != 'l' && link_class != 'g') || vcs->n_places == HD_MAX_PLACES)
		return false;
	vcs->vc[vcs->n_places] = vcs->n[class]++;
	vcs->place_class[vcs->n_places++] = (uint8_t) class;
	return true;
}

bool hd_vcs_add_sequence(struct hd_vcs *vcs, const char *text)
{
	const char *at = text;
	uint64_t n;

	if (hd_scan_number(&at, text + strlen(text), 10, HD_MAX_PLACES, &n) && !*at) {
		while (n--)
			hd_vcs_add(vcs, 'l');
		return vcs->n_places;
	}
	for (; *text; text++)
		if (*text != ' ' && !hd_vcs_add(vcs, *text))
			return false;
	return vcs->n_places;
}

bool hd_vcs_add_known(struct hd_vcs *vcs, const char *text)
{
	for (unsigned i = 0; i < HD_VCS_KNOWN; i++)
		if (strcmp(text, hd_vcs_known[i].numbers) == 0)
			text = hd_vcs_known[i].sequence;
	return hd_vcs_add_sequence(vcs, text);
}

bool hd_vcs_add_parts(struct hd_vcs *vcs, const char *text,
		      bool (*add)(struct hd_vcs *vcs, const char *text))
{
	const char *plus = strchr(text, '+');
	char requests[64];

	if (!plus)
		return add(vcs, text) && (vcs->n_requests = vcs->n_places);
	if ((size_t)(plus - text) >= sizeof(requests))
		return false;
	memcpy(requests, text, (size_t)(plus - text));
	requests[plus - text] = '\0';
	if (!add(vcs, requests) || vcs->n_places == HD_MAX_PLACES)
		return false;
	vcs->n_requests = vcs->n_places;
	vcs->place_class[vcs->n_places++] = HD_NO_CLASS;
	return add(vcs, plus + 1) && vcs->n_places > vcs->n_requests + 1;
}

void hd_vcs_index(struct hd_vcs *vcs)
{
	static const char signs[] = {
		[HD_LINK_LOCAL] = 'l', [HD_LINK_GLOBAL] = 'g', [HD_NO_CLASS] = '+'
	};
	size_t used = 0;

	for (unsigned link_class = 0; link_class < HD_LINK_CLASSES; link_class++) {
		unsigned next = vcs->n_places;

		for (unsigned place = vcs->n_places + 1; place--;) {
			if (place < vcs->n_places && vcs->place_class[place] == link_class)
				next = place;
			if (place < vcs->n_places && vcs->place_class[place] == HD_NO_CLASS)
				next = vcs->n_places;
			vcs->next[place][link_class] = (uint8_t)next;
		}
		/* a class that the sequence lacks shares one VC */
		if (!vcs->n[link_class])
			vcs->n[link_class] = 1;
		vcs->last[link_class] = vcs->n[link_class] - 1;
	}
	for (unsigned place = 0; place < vcs->n_places; place++) {
		vcs->text[used++] = signs[vcs->place_class[place]];
		vcs->text[used++] = ' ';
	}
	vcs->text[used - 1] = '\0';
}
