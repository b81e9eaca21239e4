/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files and directories under a temporary name, PATH.heddle-XXXXXXXX beside PATH. They are locked
 * (flock) while a process uses them. So those of a killed process are known: whoever next makes one
 * for the same PATH removes them.
 */
#ifndef HD_SUPPORT_TEMPORARY_H
#define HD_SUPPORT_TEMPORARY_H

#include <stdbool.h>
#include <sys/types.h>

struct hd_temporary {
	char *path; /* NULL: none */
	int fd;     /* has the lock; a file's is open for reading and writing */
};

/*
 * Makes a file, or a directory, for @path, with @mode but for the bits that the umask takes away.
 * Removes those for @path that no process uses any more and that belong to this user. 0, or -1 with
 * errno.
 */
int hd_temporary_make(struct hd_temporary *temporary, const char *path, bool is_directory,
		      mode_t mode);

/* Lets go of the file, which has another name now, or is to stay. Harmless when there is none. */
void hd_temporary_release(struct hd_temporary *temporary);

/* Removes the file, or the directory with all its files. Harmless when there is none. */
void hd_temporary_remove(struct hd_temporary *temporary);

#endif
