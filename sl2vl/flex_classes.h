/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Common parts of layer rule `flex`. A hop of a flow has a *stage*: the pattern of its (switch, in,
 * out). A flow class has a layer for every stage. A scheme says which classes a flow may have; the
 * rule then spreads flows over them.
 */
#ifndef HD_SL2VL_FLEX_CLASSES_H
#define HD_SL2VL_FLEX_CLASSES_H

#include "sl2vl/lanes.h"

#define HD_FLEX_STAGES 4

/* Which classes a flow may have. */
struct hd_flex_scheme {
	/*
	 * allowed[from][to]: bit c is set if a flow of class c may go from a link of stage `from`
	 * to one of stage `to`. A flow of one link may have any class.
	 */
	uint16_t allowed[HD_FLEX_STAGES][HD_FLEX_STAGES];

	/*
	 * Or, with copies: class n of another rule becomes the classes n * copies .. n * copies +
	 * copies - 1; a flow stays within the copies of its class; and fits[stage] has the classes
	 * that have a layer at that stage.
	 */
	unsigned copies; /* 0: `allowed` counts */
	uint16_t *fits;
};

/* The stages of a dragonfly. */
enum hd_flex_stage {
	HD_FLEX_TERMINAL, /* to an end node, or to the switch itself */
	HD_FLEX_FIRST,    /* local, before any global link */
	/* of minimal routes: local, global, local */
	HD_FLEX_GLOBAL = 2,
	HD_FLEX_LAST = 3, /* local, after the global link */
	/* of routes through another group, as in layer rule valiant */
	HD_FLEX_DOWN = 2,
	HD_FLEX_UP = 3,
};

/*
 * Layers of minimal routes, and of routes through another group. The caller sets n_layers and
 * n_classes; the functions fill layering->patterns, host_layer, and @scheme.
 */
void hd_flex_minimal_lanes(struct hd_layering *layering, struct hd_flex_scheme *scheme);
void hd_flex_valiant_lanes(struct hd_layering *layering, struct hd_flex_scheme *scheme);

/*
 * Copies @layering, which another rule made, as often as @input has room. Each copy is some layers
 * above the one before: so many that copies share no layer, or fewer if @rises. @rises says that
 * the rule's layers rise with every link: then they rise in whichever copies a flow goes, and there
 * is no cycle. HD_ENOMEM. Free scheme->fits.
 */
int hd_flex_copy(const struct hd_layer_input *input, bool rises, struct hd_layering *layering,
		 struct hd_flex_scheme *scheme, struct hd_error *err);

/*
 * Chooses layering->class_of, flow by flow, so that all channels (link, layer) carry about the same
 * number of flows: of the classes that @scheme allows, a flow gets the class whose channels have
 * the fewest flows so far. HD_EREFUSED: @scheme allows no class for some flow; HD_ENOMEM.
 */
int hd_flex_spread(const struct hd_layer_input *input, const struct hd_flex_scheme *scheme,
		   struct hd_layering *layering, struct hd_error *err);

#endif
