/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What facts say, as sections of a report. */
#ifndef HD_REPORT_SECTIONS_H
#define HD_REPORT_SECTIONS_H

#include "tools/report_page/doc.h"
#include "tools/report_page/facts.h"

/* Two sections: what is wrong, what is good. */
void hd_report_findings(const struct hd_report_facts *facts, struct hd_doc *doc);

/* All others. */
void hd_report_sections(const struct hd_report_facts *facts, struct hd_doc *doc);

/* "Where the tables come from", in one line; returns @buffer. */
const char *hd_report_origin(const struct hd_report_facts *facts, char *buffer, size_t size);

/* "cuts off 4 end nodes", what the failure of the link of @port does; "" where not known. */
const char *hd_report_failure(const struct hd_report_facts *facts, uint32_t port, char *buffer,
			      size_t size);

#endif
