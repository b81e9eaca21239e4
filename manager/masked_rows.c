// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/masked_rows.h"

#include <stdio.h>

#include "fabric/fabric.h"

enum hd_masked_rows hd_masked_rows_judge(bool *is_repeated, const struct hd_fabric *fabric,
					 uint32_t port, const char *engine, char *text, size_t size)
{
	const bool was_repeated = *is_repeated;
	char label[HD_LABEL_SIZE];

	*is_repeated = port != HD_NONE && !was_repeated;
	if (port == HD_NONE)
		return HD_ROWS_WHOLE;
	hd_port_label(fabric, port, label, sizeof(label));
	if (was_repeated)
		snprintf(text, size,
			 "%s still operates fewer VLs than engine %s needs, and OpenSM cuts its "
			 "SL2VL table: the lanes there are not the proved ones",
			 label, engine);
	else
		snprintf(text, size,
			 "%s does not operate all its VLs yet, and OpenSM cuts its SL2VL table: "
			 "sweeping again after this sweep",
			 label);
	return was_repeated ? HD_ROWS_STILL_CUT : HD_ROWS_CUT;
}
