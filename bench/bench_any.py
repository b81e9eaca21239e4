#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The busiest link and the time of engines for any graph, beside those of stock OpenSM.

    bench_any.py [--heddle ENGINES] [--opensm ENGINES] [--vls LIST] [--rounds N] [--csv FILE] FABRIC...

A FABRIC is a netfile, a spec, "random:N,D,P[,SEED]" (N switches with D links to one another, by
chance, and P hosts each), or one of these with "/L" behind it: L links fail, by --seed. ENGINES are
names separated by commas; "-": none. With "any" and "nue" every number of VLs in LIST is tried.
`busiest` is the number of flows on the busiest link between switches, one flow for every ordered
pair of ports of end nodes; `load` is that over the mean. OpenSM runs once, on simfabric; its time is
that between two lines of its log. Ours is the least of the rounds, on one core. Run it in a build
directory.
"""
import argparse
import csv
import datetime
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

COLUMNS = ["fabric", "switches", "end_nodes", "engine", "of", "vls", "sound_hosts", "sound_all", "busiest",
           "load", "max_hops", "route_s", "verdict"]


def heddle(*arguments):
    return subprocess.run(["./heddle", *arguments], text=True, capture_output=True,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))


def random_regular(n, degree, hosts, seed):
    """A connected graph of @n vertices that all have @degree edges: stubs paired by chance, with
    edges swapped until none is double."""
    draw = random.Random(seed)
    while True:
        stubs = [v for v in range(n) for _ in range(degree)]
        draw.shuffle(stubs)
        edges = [tuple(sorted(stubs[i:i + 2])) for i in range(0, len(stubs), 2)]
        for _ in range(100 * len(edges)):
            bad = [i for i, e in enumerate(edges) if e[0] == e[1] or edges.count(e) > 1] \
                if len(edges) < 2000 else bad_edges(edges)
            if not bad:
                break
            for i in bad:
                k = draw.randrange(len(edges))
                (a, b), (c, d) = edges[i], edges[k]
                edges[i], edges[k] = tuple(sorted((a, c))), tuple(sorted((b, d)))
        seen, stack = {0}, [0]
        peers = {v: [] for v in range(n)}
        for a, b in edges:
            peers[a].append(b)
            peers[b].append(a)
        while stack:
            for v in peers[stack.pop()]:
                if v not in seen:
                    seen.add(v)
                    stack.append(v)
        if len(seen) == n:
            return write_regular(n, hosts, edges)


def bad_edges(edges):
    seen, bad = set(), []
    for i, edge in enumerate(edges):
        if edge[0] == edge[1] or edge in seen:
            bad.append(i)
        seen.add(edge)
    return bad


def write_regular(n, hosts, edges):
    lines, ends = [], []
    ports = {v: [] for v in range(n)}
    for v in range(n):
        for h in range(hosts):
            guid = 0x2000000000000 + 16 * (v * hosts + h)
            ports[v].append(f'"H-{guid:016x}"[1]({guid + 1:x}) # "H-{v * hosts + h:05}" lid 0 4xHDR')
            ends.append((guid, v, h + 1))
    number = {v: hosts for v in range(n)}
    for a, b in edges:
        number[a] += 1
        number[b] += 1
        for x, y in ((a, b), (b, a)):
            ports[x].append(f'"S-{0x1000000000000 + y:016x}"[{number[y]}] # "S{y}" lid 0 4xHDR')
    for v in range(n):
        guid = 0x1000000000000 + v
        lines += [f"sysimgguid=0x{guid:x}", f"switchguid=0x{guid:x}({guid:x})",
                  f'Switch {len(ports[v])} "S-{guid:016x}" # "S{v}" base port 0 lid 0 lmc 0']
        lines += [f"[{i}] {text}" for i, text in enumerate(ports[v], 1)] + [""]
    for guid, v, port in ends:
        lines += [f"sysimgguid=0x{guid:x}", f"caguid=0x{guid:x}", f'Ca 1 "H-{guid:016x}" # "H-{guid:x}"',
                  f'[1]({guid + 1:x}) "S-{0x1000000000000 + v:016x}"[{port}] # lid 0 lmc 0 "S{v}" lid 0 4xHDR', ""]
    return "\n".join(lines)


def make(given, directory, seed):
    """The fabric as a netfile with the LIDs that a fresh OpenSM assigns."""
    spec, _, failed = given.rpartition("/") if re.search(r"/\d+$", given) else (given, "", "0")
    found = re.match(r"random:(\d+),(\d+),(\d+)(?:,(\d+))?$", spec)
    if found:
        n, degree, hosts, own = (int(x or 1) for x in found.groups())
        spec = directory + "/random.net"
        with open(spec, "w") as stream:
            stream.write(random_regular(n, degree, hosts, own))
    path = directory + "/fabric.net"
    done = heddle("topo", "--quiet", spec, "--fail-links", failed, "--seed", str(seed), "--assign-lids", "-o", path)
    if done.returncode:
        sys.exit(done.stderr)
    return path


def judge(directory):
    """What there is to say of a snapshot, ours or OpenSM's dumps."""
    row = {}
    for scope in "hosts", "all":
        done = heddle("check", "--quiet", "--json", "--scope", scope, directory)
        if not done.stdout.startswith("{"):
            return {"verdict": done.stderr.strip()}
        result = json.loads(done.stdout)
        row["sound_" + scope] = result["sound"]
        row["max_hops"] = result.get("max_hops", "")
    done = heddle("show", "--quiet", directory, "load", "--json")
    if not done.stdout.startswith("{"):
        return row | {"verdict": done.stderr.strip()}
    classes = [of for name, of in json.loads(done.stdout)["links"].items() if name not in ("injection", "terminal")]
    flows, links = sum(of["links"] * of["mean"] for of in classes), sum(of["links"] for of in classes)
    busiest = max(of["max"] for of in classes)
    return row | {"busiest": busiest, "load": round(busiest * links / flows, 3)}


def ours(path, engine, vls, rounds, directory):
    best = None
    for _ in range(rounds):
        done = heddle("route", path, "-e", engine, "--json", "--force", "-o", directory + "/ours",
                      *(["-O", f"vls={vls}"] if vls else []))
        if not done.stdout.startswith("{"):
            return {"verdict": done.stderr.strip().removeprefix("heddle: ")}
        result = json.loads(done.stdout)
        best = min(best or result["route_seconds"], result["route_seconds"])
    row = judge(directory + "/ours") | {"route_s": best, "vls": result["vls"]}
    shutil.rmtree(directory + "/ours")
    return row


def stamp(line):
    return datetime.datetime.strptime("2000 " + " ".join(line.split()[:4]), "%Y %b %d %H:%M:%S %f")


def opensm(path, engine, vls, directory):
    at = directory + "/opensm"
    os.mkdir(at)
    log, libraries = at + "/log", os.getcwd()
    with open(at + "/conf", "w") as stream:
        print("max_wire_smps 32", file=stream)
    command = ["simfabric/simfabric", path, "--wrapper", "own", "--", "opensm", "-o", "-F", at + "/conf", "-R", engine,
               "-f", log, "-D", "0x47", "--dump_files_dir", at]
    if vls:
        command += ["-Q", "--nue_max_num_vls", str(vls)]
    with open(path) as stream:  # LIDs are those of an OpenSM on the first adapter
        first = re.search(r'^(?:Ca|Hca)[^"]*"([^"]*)"', stream.read(), re.M).group(1)
    environment = dict(os.environ, OSM_TMP_DIR=at, OSM_CACHE_DIR=at, LD_LIBRARY_PATH=libraries, SIM_HOST=first)
    subprocess.run(command, env=environment, capture_output=True)
    begin, end, configured = None, None, ""
    with open(log, errors="replace") as stream:
        for line in stream:
            if f"building routing with '{engine}'" in line:
                begin = stamp(line)
            elif "tables configured" in line:
                end, configured = stamp(line), line.split("osm_ucast_mgr_process: ")[1].split()[0]
    row = {"verdict": "no tables"}
    if configured == engine:
        shutil.copy(path, at + "/fabric.net")
        row = judge(at) | {"route_s": round((end - begin).total_seconds(), 6), "vls": vls or ""}
        if row["vls"] not in ("", "1"):  # path SLs are in no dump of OpenSM's
            row["sound_hosts"] = row["sound_all"] = ""
    elif configured:
        row = {"verdict": "became " + configured}
    shutil.rmtree(at)
    return row


def names(text):
    return [] if text == "-" else text.split(",")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", default="any,updn,minhop")
    parser.add_argument("--opensm", default="nue")
    parser.add_argument("--vls", default="1,4,8")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv")
    parser.add_argument("fabrics", nargs="+", metavar="FABRIC")
    arguments = parser.parse_args()
    stream = open(arguments.csv, "w", newline="") if arguments.csv else sys.stdout
    writer = csv.DictWriter(stream, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for given in arguments.fabrics:
        with tempfile.TemporaryDirectory() as directory:
            path = make(given, directory, arguments.seed)
            known = json.loads(heddle("topo", "--quiet", path, "--json").stdout)
            known = {"fabric": os.path.basename(given) if os.path.exists(given) else given,
                     "switches": known["switches"], "end_nodes": known["adapters"]}
            for of, engines in ("heddle", names(arguments.heddle)), ("OpenSM", names(arguments.opensm)):
                for engine in engines:
                    for vls in names(arguments.vls) if engine in ("any", "nue") else [""]:
                        result = ours(path, engine, vls, arguments.rounds, directory) if of == "heddle" else \
                            opensm(path, engine, vls, directory)
                        writer.writerow(known | {"engine": engine, "of": of, "vls": vls} | result)
                        stream.flush()


main()
