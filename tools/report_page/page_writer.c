// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Fills page.html: each @@NAME@@ in it is a part that a function here writes. */
#include "tools/report_page/page_writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config.h"
#include "support/error.h"
#include "support/printable.h"
#include "tools/draw/draw.h"
#include "tools/report_page/page_files.h" /* made from page.html, page.css and page.js */
#include "tools/report_page/sections.h"

struct page {
	const struct hd_report_facts *facts;
	const struct hd_drawing *drawing;
	const struct hd_doc *doc;
	size_t n_findings; /* the items of the first two sections */
	FILE *stream;
};

/* "sha256-..." of a style or script, of which @hex is the sum in hexadecimal digits. */
static void put_sum(FILE *stream, const char *hex)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned char sum[33] = { 0 };

	for (unsigned i = 0; i < 32; i++) {
		char pair[3] = { hex[2 * i], hex[2 * i + 1], '\0' };

		sum[i] = (unsigned char)strtoul(pair, NULL, 16);
	}
	fputs("'sha256-", stream);
	for (unsigned i = 0; i < 33; i += 3) {
		uint32_t three = (uint32_t)sum[i] << 16 | (uint32_t)sum[i + 1] << 8 | sum[i + 2];

		for (unsigned k = 0; k < 4; k++)
			fputc(i == 30 && k == 3 ? '=' : digits[three >> (18 - 6 * k) & 63], stream);
	}
	fputc('\'', stream);
}

/* The page loads nothing, and runs no script but its own. */
static void put_policy(const struct page *page)
{
	fputs("default-src 'none'; base-uri 'none'; form-action 'none'; style-src ", page->stream);
	put_sum(page->stream, HD_PAGE_CSS_SHA256);
	fputs("; script-src ", page->stream);
	put_sum(page->stream, HD_PAGE_JS_SHA256);
}

static void put_css(const struct page *page)
{
	fwrite(hd_page_css, 1, sizeof(hd_page_css) - 1, page->stream);
}

static void put_script(const struct page *page)
{
	fwrite(hd_page_js, 1, sizeof(hd_page_js) - 1, page->stream);
}

static void put_given(const struct page *page)
{
	char label[HD_LABEL_SIZE];

	snprintf(label, sizeof(label), "%s", page->facts->request->given);
	hd_draw_put_text(page->stream, hd_make_printable(label));
}

static void put_origin(const struct page *page)
{
	char text[512];

	hd_draw_put_text(page->stream, hd_report_origin(page->facts, text, sizeof(text)));
}

static void put_findings(const struct page *page)
{
	hd_doc_write_html(page->doc, 0, page->n_findings, page->stream);
}

static void put_sections(const struct page *page)
{
	hd_doc_write_html(page->doc, page->n_findings, page->doc->n, page->stream);
}

static void put_picture(const struct page *page)
{
	hd_report_put_picture(page->facts, page->drawing, page->stream);
}

static void put_legend(const struct page *page)
{
	if (page->facts->mean > 0)
		fprintf(page->stream,
			"Colours of links: load, from less than half the mean to 2.5 times the "
			"mean and more. The mean is %.1f flows%s, the most %" PRIu64 ".",
			page->facts->mean, page->facts->rates_differ ? " by rate" : "",
			page->facts->most);
}

static void put_data(const struct page *page)
{
	hd_report_put_data(page->facts, page->stream);
}

/* The time of SOURCE_DATE_EPOCH, if that is set, so that pages can be compared. */
static const char *made_at(char *buffer, size_t size)
{
	const char *given = getenv("SOURCE_DATE_EPOCH");
	time_t now = given ? (time_t)strtoll(given, NULL, 10) : time(NULL);
	struct tm parts;

	if (!gmtime_r(&now, &parts) || !strftime(buffer, size, "%Y-%m-%d %H:%M UTC", &parts))
		buffer[0] = '\0';
	return buffer;
}

static void put_made(const struct page *page)
{
	char date[64];

	fprintf(page->stream, "%s %s, %s", PACKAGE_NAME, PACKAGE_VERSION,
		made_at(date, sizeof(date)));
}

static const struct part {
	const char *name;
	void (*put)(const struct page *page);
} parts[] = {
	{ "POLICY", put_policy },     { "CSS", put_css },         { "SCRIPT", put_script },
	{ "GIVEN", put_given },       { "ORIGIN", put_origin },   { "FINDINGS", put_findings },
	{ "SECTIONS", put_sections }, { "PICTURE", put_picture }, { "LEGEND", put_legend },
	{ "DATA", put_data },         { "MADE", put_made },
};

static void put_part(const struct page *page, const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (strlen(parts[i].name) == length && strncmp(parts[i].name, name, length) == 0)
			parts[i].put(page);
}

static void fill(const struct page *page)
{
	const char *at = (const char *)hd_page_html, *mark, *end;

	while ((mark = strstr(at, "@@")) && (end = strstr(mark + 2, "@@"))) {
		fwrite(at, 1, (size_t)(mark - at), page->stream);
		put_part(page, mark + 2, (size_t)(end - mark - 2));
		at = end + 2;
	}
	fputs(at, page->stream);
}

/* Adds findings and sections to @doc; findings end before item *@n_findings. */
static int make_doc(const struct hd_report_facts *facts, struct hd_doc *doc, size_t *n_findings,
		    struct hd_error *err)
{
	hd_report_findings(facts, doc);
	*n_findings = doc->n;
	hd_report_sections(facts, doc);
	return doc->failed ? hd_error_nomem(err) : 0;
}

int hd_report_write_page(const struct hd_report_facts *facts, FILE *stream, struct hd_error *err)
{
	const struct hd_shapes *shapes = &facts->shapes;
	struct hd_drawing drawing = { 0 };
	struct hd_doc doc = { 0 };
	struct page page = { .facts = facts, .drawing = &drawing, .doc = &doc, .stream = stream };
	int ret = make_doc(facts, &doc, &page.n_findings, err);

	if (!ret)
		ret = hd_drawing_of_shapes(facts->fabric, NULL, NULL, shapes, &drawing, err);
	if (!ret)
		ret = hd_drawing_add_absent(&drawing, &facts->gaps, err);
	if (!ret)
		fill(&page);
	hd_drawing_clear(&drawing);
	hd_doc_clear(&doc);
	return ret;
}

int hd_report_write_text(const struct hd_report_facts *facts, FILE *stream, struct hd_error *err)
{
	struct hd_doc doc = { 0 };
	char text[512], date[64];
	size_t n_findings;
	int ret;

	hd_doc_line(&doc, "Report of %s", facts->request->given);
	hd_doc_line(&doc, "%s", hd_report_origin(facts, text, sizeof(text)));
	hd_doc_line(&doc, "%s %s, %s", PACKAGE_NAME, PACKAGE_VERSION, made_at(date, sizeof(date)));
	ret = make_doc(facts, &doc, &n_findings, err);
	if (!ret)
		hd_doc_write_text(&doc, stream);
	hd_doc_clear(&doc);
	return ret;
}
