#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Debian packages of the programs that record.sh records; ./test needs none of them.
exec apt-get install -y --no-install-recommends hpcc gromacs lammps xz-utils
