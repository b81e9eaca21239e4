#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle topo --slurm, --k8s, --graphml: which hosts are near one another. Debian's slurmctld reads topology.conf; others are
# held against what Slurm, Kubernetes and networkx document.
# shellcheck source=tests/tools/tools.sh disable=SC2154 # dragonfly
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
for program in slurmctld scontrol; do
	command -v "$program" >/dev/null || {
		echo "1..0 # SKIP $program is not installed"
		exit 0
	}
done
port=$((20000 + $$ % 20000))
export SLURM_CONF=$scratch/slurm.conf
slurm_pid=
# slurmctld listens at the address of its host's name, which not every machine can resolve
as_localhost=(unshare --uts sh -c 'hostname localhost && exec "$0" "$@"')
host=localhost
"${as_localhost[@]}" true 2>/dev/null || {
	as_localhost=()
	host=$(uname -n)
	host=${host%%.*}
}

stop_slurm() {
	[ -z "$slurm_pid" ] || { kill "$slurm_pid" && wait "$slurm_pid"; } 2>/dev/null
	slurm_pid=
}
on_exit stop_slurm

# start_slurm NODES: slurmctld with topology.conf, on loopback
start_slurm() {
	stop_slurm
	rm -rf state
	mkdir state
	cat >slurm.conf <<-END
		ClusterName=heddle
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=$port
		CommunicationParameters=NoCtldInAddrAny
		SlurmUser=$(id -un)
		AuthType=auth/none
		CredType=cred/none
		StateSaveLocation=$scratch/state
		SlurmctldPidFile=$scratch/slurmctld.pid
		TopologyPlugin=topology/tree
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		NodeName=$1 NodeHostName=localhost Port=1
		PartitionName=all Nodes=ALL Default=YES
	END
	"${as_localhost[@]}" slurmctld -D -f "$SLURM_CONF" >slurm.log 2>&1 &
	slurm_pid=$!
	wait_until 60 eval 'scontrol show topology >shown 2>/dev/null'
}

# hosts FILE: the list of all hosts in it
hosts_in() {
	sed -nE 's/.* Nodes=//p' "$1" | paste -s -d ,
}

# slurm SWITCHES LEVELS FABRIC: slurmctld takes the tree, in which all hosts are below one switch
slurm() {
	local n=$1 levels=$2 fabric=$3 nodes
	heddle topo "$fabric" --slurm tree >topology.conf 2>notes
	is "$fabric: heddle prints it" $? 0
	nodes=$(hosts_in topology.conf)
	ok "$fabric: slurmctld starts" start_slurm "$nodes"
	is "$fabric: its switches and levels" \
		"$(wc -l <shown) $(sed -nE 's/.*Level=([0-9]+).*/\1/p' shown | sort -n | tail -n 1)" "$n $levels"
	is "$fabric: all hosts are below one" "$(grep "Level=$levels" shown | sed -nE 's/.* Nodes=([^ ]*).*/\1/p' | scontrol_count)" \
		"$(echo "$nodes" | scontrol_count)"
	is "$fabric: it has nothing to say" "$(grep -Ei 'topology.*(error|lack)|error.*topology|fatal' slurm.log)" ""
}

scontrol_count() {
	scontrol show hostnames "$(cat)" | sort -u | wc -l
}

real=${HEDDLE_SHARED:-$top_srcdir/../shared}/reference/real
# places of hosts, and those that join them: dragonfly 36 + 9 groups + 1; blocks of a grid are of 2, 4 ... in each dimension,
# lines of a HyperX or KNS whole
slurm 46 2 "$dragonfly"
slurm 16 2 dragonflyplus:leaves=2,spines=2,hosts=2,h=2
slurm 21 2 tree:k=4,n=3
slurm 21 2 torus:4x4
slurm 43 3 mesh:8x4
slurm 73 2 torus:4x4x4
slurm 21 2 hyperx:4x4
slurm 21 2 kns:k=4,n=2
if [ -d "$real" ]; then
	# hosts of a rack have four adapters each, on four leaf switches: one place
	slurm 9 1 "$real/superpod-gb200.net"
	like "rails: a rack is a place" "$(cat topology.conf)" "-and-3 Nodes=b05-p1-dgx-05-c\[01-18\]"
	like "rails: adapters without a host's name" "$(cat notes)" "^heddle: 72 adapters do not have the name of a host"
	says "no host has a name" "no host: 89 adapters do not have the name of a host" heddle topo "$real/psmn-x5.net" --slurm tree
else
	skip "a recorded fabric" "there is no $real"
fi
stop_slurm

heddle topo "$dragonfly" --slurm block >blocks
is "blocks: neighbours one after another, with their sizes" "$(sed -n '1p;36p;37p' blocks | paste -s -d ' ')" \
	"BlockName=G0S0 Nodes=H-[00000-00001] BlockName=G8S3 Nodes=H-[00070-00071] BlockSizes=2,8,64"

# yaml: topology, switches, hosts, levels
yaml() { # WANTED FABRIC
	heddle topo "$2" --slurm yaml >topology.yaml
	is "$2: topology.yaml" "$("$top_srcdir/tests/lib/places.py" yaml topology.yaml)" "$1"
}
yaml "default 46 72 3" "$dragonfly"
yaml "default 21 64 3" tree:k=4,n=3

# Two planes: a second tree, whose switches and adapters have other GUIDs, and a host more
heddle topo tree:k=2,n=2 -o one.net >/dev/null
heddle topo tree:k=3,n=2 -o two.net >/dev/null
sed -E 's/-0001([0-9a-f]{12}")/-0003\1/; s/-0002([0-9a-f]{12}")/-0004\1/; s/0x1([0-9a-f]{12})/0x3\1/g; s/0x2([0-9a-f]{12})/0x4\1/g
	s/\(1([0-9a-f]{12}\))/(3\1/; s/\(2([0-9a-f]{12}\))/(4\1/
	s/"L([0-9])/"M\1/; s/"(H-[0-9]{5})"/"\1 mlx5_1"/' two.net | cat one.net - >planes.net
yaml "default 4 9 2
plane2 3 4 2" planes.net
heddle topo planes.net --slurm tree >topology.conf 2>notes
like "topology.conf has the larger plane" "$(cat topology.conf notes)" "SwitchName=M0S2 Nodes=H-\[00006-00008\].*has 2 planes.*, and 0 hosts"
# unconnected: hosts of their own, side by side
sed 's/H-\([0-9]*\) mlx5_1/K-\1/' planes.net >apart.net
yaml "default 7 13 2" apart.net

# Other GUIDs, as when switches are replaced: those of switches and of adapters the other way round
renumber='import re, sys
def other(match): return match[1] + f"{0xFFFFFF - int(match[2], 16):06x}"
print(re.sub(r"((?:[SH]-000|0x|\()[12]000000)([0-9a-f]{6})(?=[^0-9a-f])", other, sys.stdin.read()), end="")'
for fabric in "$dragonfly" dragonflyplus:leaves=2,spines=2,hosts=2,h=2 torus:5x4 torus:4x4x4 mesh:8x4 hyperx:4x4 kns:k=4,n=2 tree:k=4,n=3; do
	heddle topo "$fabric" --fail-links 1 -o whole.net --slurm yaml >before
	python3 -c "$renumber" <whole.net >renumbered.net
	not_ok "$fabric: other GUIDs" 1 cmp -s whole.net renumbered.net
	heddle topo renumbered.net --slurm yaml >after
	same "$fabric: the same places" before after
done

heddle topo "$dragonfly" --k8s >labels
is "labels: nodes, values of each" "$("$top_srcdir/tests/lib/places.py" k8s labels)" \
	"72 tier-0=36 tier-1=9 tier-2=1 core=1 leaf=36 spine=9"
# names that no scheduler takes
heddle topo tree:k=2,n=2 -o - | sed 's/"L0S0"/"leaf [0], \&rack"/; s/"L0S1"/"leaf [0]; \&rack"/; s/H-00001/h\&1+b/' >names.net
heddle topo names.net --slurm tree >names
like "odd names" "$(paste -s -d ' ' names)" \
	"^SwitchName=leaf__0____rack Nodes=H-00000,h_1_b SwitchName=leaf__0____rack-2 Nodes=H-\[00002-00003\] "

heddle topo "$dragonfly" --fail-links 1 --graphml fabric.graphml >/dev/null
is "GraphML: nodes, links, those that failed" "$(/usr/bin/python3 -c 'import networkx
g = networkx.read_graphml("fabric.graphml")
failed = [d for _, _, d in g.edges(data=True) if d.get("failed")]
print(len(g), g.number_of_edges(), len(failed), sum(d["type"] == "switch" for _, d in g.nodes(data=True)), failed[0]["mbps"])')" \
	"108 162 1 36 200000"
heddle topo "$dragonfly" --graphml - >there
heddle topo "$dragonfly" --graphml whole.graphml >/dev/null
same "GraphML to standard output" there whole.graphml
says "another form" "--slurm: 'bush' is none of tree, block, yaml" heddle topo "$dragonfly" --slurm bush
says "two to standard output" "only one of --json, --slurm" heddle topo "$dragonfly" --slurm tree --k8s
finish
