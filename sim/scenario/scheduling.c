// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/scheduling.h"

#include <string.h>

#include "support/error.h"
#include "support/text.h"

#define MOST_WEIGHT 65535

/* "128,16,8,2" */
static int parse_dtable(const char *text, struct hd_dtable_form *form, struct hd_error *err)
{
	unsigned *const fields[] = { &form->n, &form->gmtu, &form->w, &form->k };
	const char *at = text, *end = text + strlen(text);
	uint64_t number;

	for (unsigned i = 0; *text && i < 4; i++) {
		if ((i && !hd_scan_word(&at, end, ",")) ||
		    !hd_scan_number(&at, end, 10, HD_DTABLE_MAX, &number) || !number)
			break;
		*fields[i] = (unsigned)number;
	}
	if (*text && (!form->k || *at))
		return hd_error_set(err, HD_EINVAL, "'%s' is not N,GMTU,w,k, each from 1 to %d",
				    text, HD_DTABLE_MAX);
	return 0;
}

/* "10 30 50 5 5" */
static int parse_weights(const char *text, struct hd_model_options *model, struct hd_error *err)
{
	const char *at = text, *end = text + strlen(text);
	uint64_t number;

	for (hd_scan_blanks(&at, end); *at; hd_scan_blanks(&at, end)) {
		if (model->n_weights == HD_MAX_SLS ||
		    !hd_scan_number(&at, end, 10, MOST_WEIGHT, &number) || !number)
			return hd_error_set(err, HD_EINVAL,
					    "'%s' is not up to %d numbers from 1 to %d", text,
					    HD_MAX_SLS, MOST_WEIGHT);
		model->weights[model->n_weights++] = (uint32_t)number;
	}
	return 0;
}

int hd_scheduling_make(const struct hd_scenario *scenario, size_t point,
		       struct hd_model_options *model, struct hd_error *err)
{
	if (parse_dtable(hd_scenario_value(scenario, point, HD_SWITCH_DTABLE), &model->dtable, err))
		return hd_scenario_blame(scenario, HD_SWITCH_DTABLE, err);
	if (parse_weights(hd_scenario_value(scenario, point, HD_SWITCH_WEIGHTS), model, err))
		return hd_scenario_blame(scenario, HD_SWITCH_WEIGHTS, err);
	return 0;
}
