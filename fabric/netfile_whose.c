// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/netfile_whose.h"

#include "support/text.h"

static const struct {
	const char *start;
	const char *whose;
} files[] = {
	{ "Unicast lids [",
	  "forwarding tables as OpenSM (opensm-lfts.dump), dump_fts or ibroute write them, not a "
	  "netfile: give their directory, and the output of ibnetdiscover with --fabric" },
	{ "Multicast mlids [", "multicast tables as dump_mfts or ibroute -M write them, not a "
			       "netfile: give the output of "
			       "ibnetdiscover" },
	{ "Switch 0x",
	  "tables of OpenSM or the output of iblinkinfo, not a netfile: run ibnetdiscover" },
	{ "Switch: 0x", "the output of iblinkinfo, not a netfile: run ibnetdiscover" },
	{ "CA: ", "the output of iblinkinfo, not a netfile: run ibnetdiscover" },
	{ "dump_ucast_routes: ", "forwarding tables as OpenSM writes them (opensm.fdbs), not a "
				 "netfile: give their directory" },
	{ "osm_ucast_mgr_dump_ucast_routes: ", "forwarding tables as ibdiagnet writes them, not a "
					       "netfile: give their directory" },
	{ "<?xml", "XML, not a netfile: run ibnetdiscover" },
};

const char *hd_netfile_whose(const char *line, size_t size)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *at = line;

		hd_scan_blanks(&at, line + size);
		if (hd_scan_word(&at, line + size, files[i].start))
			return files[i].whose;
	}
	return NULL;
}
