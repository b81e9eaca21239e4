// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/model/model.h"

#include <string.h>

const struct hd_switch_model *const hd_switch_models[] = {
	&hd_switch_cioq,
	&hd_switch_iq,
	NULL,
};

const struct hd_switch_model *hd_switch_model_find(const char *name)
{
	for (size_t i = 0; hd_switch_models[i]; i++)
		if (strcmp(hd_switch_models[i]->name, name) == 0)
			return hd_switch_models[i];
	return NULL;
}
