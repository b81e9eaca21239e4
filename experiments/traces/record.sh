#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Records MPI programs with libheddle-trace.so: record.sh LIBRARY [NAME...], NAME being ptrans, randomaccess, hpl,
# gromacs or lammps. Traces NAME.trace.xz come into this directory; that of lammps, 0.4 to 0.5 MB, is not kept there. install.sh installs the programs.
#
# Which part of hpcc is what follows from a recording of all of it, whose comments number the collective operations of
# all tasks: part of 16 tasks and the matrix below.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
library=$(realpath "${1:?record.sh LIBRARY [NAME...]}")
shift
[ $# -gt 0 ] || set -- ptrans randomaccess hpl gromacs lammps
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# run TASKS COMMAND...
run() {
	local tasks=$1
	shift
	nice mpirun --oversubscribe -n "$tasks" -x LD_PRELOAD="$library" "$@"
}

# hpcc on a grid of 4 x 4 tasks: HPL of a matrix of 400 in blocks of 20, PTRANS of 200
hpcc_part() {
	zcat -f /usr/share/doc/hpcc/examples/_hpccinf.txt >hpccinf.txt
	sed -i '6s/.*/400 Ns/; 8s/.*/20 NBs/; 11s/.*/4 Ps/; 12s/.*/4 Qs/' hpccinf.txt
	HEDDLE_TRACE_PART=$1 run 16 hpcc >log 2>&1
}

# Molecular dynamics: 50 steps of a box of water of 3 nm, in 8 tasks
water() {
	cat >topol.top <<-END
		#include "oplsaa.ff/forcefield.itp"
		#include "oplsaa.ff/spce.itp"
		[ system ]
		water
		[ molecules ]
	END
	gmx -quiet solvate -cs spc216.gro -box 3 3 3 -p topol.top -o water.gro >log 2>&1
	printf 'integrator = md\nnsteps = 50\ndt = 0.001\ncoulombtype = PME\nrcoulomb = 0.9\nrvdw = 0.9\n' >grompp.mdp
	gmx -quiet grompp -f grompp.mdp -c water.gro -p topol.top -o water.tpr -maxwarn 5 >log 2>&1
	run 8 gmx_mpi mdrun -s water.tpr -ntomp 1 -nb cpu >log 2>&1
}

# Molecular dynamics: 50 steps of 6,912 atoms of a Lennard-Jones liquid, in 64 tasks; what lies between the barriers of the
# run, and its sums
liquid() {
	cat >in.lj <<-END
		units lj
		atom_style atomic
		lattice fcc 0.8442
		region box block 0 12 0 12 0 12
		create_box 1 box
		create_atoms 1 box
		mass 1 1.0
		velocity all create 1.44 87287 loop geom
		pair_style lj/cut 2.5
		pair_coeff 1 1 1.0 1.0 2.5
		neighbor 0.3 bin
		neigh_modify delay 0 every 20 check no
		fix 1 all nve
		thermo 50
		run 50
	END
	HEDDLE_TRACE_PART=57-62 run 64 lmp -in in.lj -log none >log 2>&1
}

for name; do
	export HEDDLE_TRACE=$work/$name.trace
	case $name in
	ptrans) hpcc_part 82-92 ;;
	randomaccess) hpcc_part 8-16 ;;
	hpl) hpcc_part 1232-1000000 ;;
	gromacs) water ;;
	lammps) liquid ;;
	*)
		echo "record.sh: $name is none of ptrans, randomaccess, hpl, gromacs, lammps" >&2
		exit 2
		;;
	esac
	xz -c --lzma2=preset=9e,lc=3,pb=0,nice=273 "$HEDDLE_TRACE" >"$here/$name.trace.xz"
	echo "$name: $(grep -vc '^#' "$HEDDLE_TRACE") lines, $(stat -c %s "$here/$name.trace.xz") bytes packed"
done
