// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Path SLs, asked of the subnet administration: one SubnAdmGetTable(PathRecord) for each source,
 * where long answers (RMPP) get through, otherwise one SubnAdmGet() for each pair. The first source
 * tells which: its table must have a path to every LID. (IBA volume 1, 15.2.5.16)
 */
#include <stdlib.h>
#include <string.h>

#include "live/live.h"
#include "support/error.h"
#include "tables/sl_rows.h"

#define ATTRIBUTE_PATH_RECORD 0x0035
#define RECORD_SIZE           64
#define AT_DLID               40
#define AT_SLID               42
#define AT_PATHS              49 /* 0x80: reversible; below: how many are wanted */
#define AT_SL                 53
#define MASK_DLID             (UINT64_C(1) << 4)
#define MASK_SLID             (UINT64_C(1) << 5)
#define MASK_PATHS            (UINT64_C(1) << 12)

#define BATCH 64 /* sources whose rows are filled at a time */

struct asking {
	const struct hd_fabric *fabric;
	size_t stride;
	const uint32_t *sources; /* end ports */
	uint32_t n_sources, first, n_batch;
	uint8_t *rows; /* [BATCH * stride] */
	bool by_table;
	uint32_t source, lid; /* the walk over the batch */
};

static bool next(void *context, struct hd_mads_question *question)
{
	struct asking *asking = context;
	const struct hd_fabric *fabric = asking->fabric;
	uint16_t slid;

	while (!asking->by_table && asking->source < asking->n_batch &&
	       (asking->lid > fabric->top_lid || fabric->lids[asking->lid].port == HD_NONE)) {
		if (++asking->lid > fabric->top_lid) {
			asking->lid = 1;
			asking->source++;
		}
	}
	if (asking->source == asking->n_batch)
		return false;
	slid = fabric->ports[asking->sources[asking->first + asking->source]].lid;
	question->class = HD_MADS_SA;
	question->attribute = ATTRIBUTE_PATH_RECORD;
	question->what = "PathRecord";
	question->table = asking->by_table;
	question->data[AT_SLID] = (uint8_t)(slid >> 8);
	question->data[AT_SLID + 1] = (uint8_t)slid;
	question->mask = MASK_SLID;
	question->tag = (uint64_t)asking->source << 32;
	if (asking->by_table) {
		asking->source++;
		return true;
	}
	question->data[AT_DLID] = (uint8_t)(asking->lid >> 8);
	question->data[AT_DLID + 1] = (uint8_t)asking->lid;
	question->data[AT_PATHS] = 1;
	question->mask |= MASK_DLID | MASK_PATHS;
	question->tag |= asking->lid++;
	return true;
}

static int answer(void *context, const struct hd_mads_question *question,
		  const struct hd_mads_answer *answer, struct hd_error *err)
{
	struct asking *asking = context;
	uint8_t *row = asking->rows + (question->tag >> 32) * asking->stride;
	size_t step = question->table ? answer->record_size : RECORD_SIZE;

	if (HD_MADS_NO_RECORDS(answer->status))
		return 0;
	if (answer->status)
		return hd_error_set(err, HD_EIO,
				    "the subnet administration answers PathRecord from LID %u with "
				    "status 0x%04x: is there a subnet manager? (without path SLs: "
				    "--no-path-sls)",
				    question->data[AT_SLID] << 8 | question->data[AT_SLID + 1],
				    answer->status);
	if (!question->table) {
		row[(uint32_t)question->tag] = answer->data[AT_SL] & 15;
		return 0;
	}
	for (size_t at = 0; step >= RECORD_SIZE && at + RECORD_SIZE <= answer->size; at += step) {
		const uint8_t *record = answer->data + at;
		unsigned lid = (unsigned)record[AT_DLID] << 8 | record[AT_DLID + 1];

		if (lid && lid <= asking->fabric->top_lid)
			row[lid] = record[AT_SL] & 15;
	}
	return 0;
}

/* Fills the rows of the batch. */
static int ask(struct asking *asking, struct hd_mads *mads, struct hd_error *err)
{
	const struct hd_mads_user user = { .next = next, .answer = answer, .context = asking };

	memset(asking->rows, HD_NO_SL, asking->n_batch * asking->stride);
	asking->source = 0;
	asking->lid = 1;
	return hd_mads_ask(mads, &user, err);
}

/* Whether a table of the first source's paths is whole. */
static bool has_tables(struct asking *asking, struct hd_mads *mads)
{
	asking->by_table = true;
	asking->first = 0;
	asking->n_batch = 1;
	if (ask(asking, mads, NULL))
		return false;
	hd_for_each_lid(lid, asking->fabric)
		if (asking->fabric->lids[lid].port != HD_NONE && asking->rows[lid] == HD_NO_SL)
			return false;
	return true;
}

/* Entries that nobody asks for become 0, so that equal rows are equal in these, too. */
static void clear_unused(const struct asking *asking, uint8_t *row)
{
	for (size_t lid = 0; lid < asking->stride; lid++)
		if (lid > asking->fabric->top_lid || asking->fabric->lids[lid].port == HD_NONE)
			row[lid] = 0;
}

static int ask_all(struct asking *asking, struct hd_mads *mads, struct hd_tables *tables,
		   uint32_t *row_of_port, struct hd_error *err)
{
	struct hd_sl_rows rows = { .stride = asking->stride };
	uint32_t none;
	int ret;

	/* row 0: ports that are no source */
	memset(asking->rows, 0, asking->stride);
	ret = hd_sl_rows_intern(&rows, asking->rows, &none, err);
	asking->by_table = asking->n_sources && has_tables(asking, mads);
	for (asking->first = 0; !ret && asking->first < asking->n_sources;
	     asking->first += asking->n_batch) {
		uint32_t left = asking->n_sources - asking->first;

		asking->n_batch = left < BATCH ? left : BATCH;
		ret = ask(asking, mads, err);
		for (uint32_t i = 0; !ret && i < asking->n_batch; i++) {
			uint8_t *row = asking->rows + i * asking->stride;

			clear_unused(asking, row);
			ret = hd_sl_rows_intern(
				&rows, row, &row_of_port[asking->sources[asking->first + i]], err);
		}
	}
	if (!ret)
		ret = hd_sl_rows_apply(&rows, row_of_port, tables, err);
	hd_sl_rows_clear(&rows);
	return ret;
}

int hd_live_path_sls(struct hd_mads *mads, struct hd_tables *tables, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t *sources = malloc((fabric->n_endports + (size_t)1) * sizeof(*sources));
	uint32_t *row_of_port = calloc(fabric->n_ports + (size_t)1, sizeof(*row_of_port));
	struct asking asking = {
		.fabric = fabric,
		.stride = tables->lft_stride,
		.sources = sources,
		.rows = malloc(BATCH * tables->lft_stride),
	};
	int ret = 0;

	if (!sources || !row_of_port || !asking.rows)
		ret = hd_error_nomem(err);
	for (uint32_t i = 0; !ret && i < fabric->n_endports; i++)
		if (hd_is_end_port(fabric, fabric->endports[i]))
			sources[asking.n_sources++] = fabric->endports[i];
	if (!ret)
		ret = ask_all(&asking, mads, tables, row_of_port, err);
	free(sources);
	free(row_of_port);
	free(asking.rows);
	return ret;
}
