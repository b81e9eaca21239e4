/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files and directories under a temporary name, PATH.heddle-XXXXXXXX beside PATH. A process locks
 * them (flock) while it uses them. So the next process that makes one for the same PATH knows those
 * that a killed process left, and removes them.
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
 * Makes a file, or a directory, for @path, with @mode without the bits of the umask. First removes
 * those for @path that belong to this user and that no process uses any more. 0, or -1 with errno.
 */
int hd_temporary_make(struct hd_temporary *temporary, const char *path, bool is_directory,
		      mode_t mode);

/* Forgets the file: it has another name now, or stays. Does nothing if there is no file. */
void hd_temporary_release(struct hd_temporary *temporary);

/*
 * Removes all that this process has made and not released, by functions that a signal's handler may
 * call. The process must end then.
 */
void hd_temporary_remove_all(void);

/* Removes the file, or the directory with all its files. Does nothing if there is neither. */
void hd_temporary_remove(struct hd_temporary *temporary);

#endif
