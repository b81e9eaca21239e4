/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The report as one file: a page of HTML with its style, script and data, or plain text. */
#ifndef HD_REPORT_PAGE_WRITER_H
#define HD_REPORT_PAGE_WRITER_H

#include <stdio.h>

#include "tools/report_page/facts.h"

struct hd_drawing;

/* HD_ENOMEM. */
int hd_report_write_page(const struct hd_report_facts *facts, FILE *stream, struct hd_error *err);
int hd_report_write_text(const struct hd_report_facts *facts, FILE *stream, struct hd_error *err);

/* The picture as SVG, without a script: links are coloured by load. */
void hd_report_put_picture(const struct hd_report_facts *facts, const struct hd_drawing *drawing,
			   FILE *stream);

/* The data of the script, as JSON that stands in an HTML element. */
void hd_report_put_data(const struct hd_report_facts *facts, FILE *stream);

/* Whether link @i is the first of those between two switches: the picture has one curve for all. */
bool hd_report_is_first(const struct hd_report_facts *facts, uint32_t i);

#endif
