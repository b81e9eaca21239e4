#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""A tour of the package: routes a dragonfly, looks at loads, lets a cable fail, simulates; draws pictures on the way.

    tour.py [DIRECTORY]      pictures (SVG) go there; default: the current directory
"""
import math
import sys
from pathlib import Path

import heddle

directory = Path(sys.argv[1] if len(sys.argv) > 1 else ".")

# %% A fabric, and engines for it
fabric = heddle.fabric("dragonfly:a=4,p=2,h=2")
print(fabric, "-", fabric.shape())
results = {}
for engine in ("dla", "df-sssp", "any", "updn", "minhop"):
    tables = fabric.route(engine)
    check, load = tables.check(), tables.load()
    results[engine] = (tables, check, load)
    print(f"  {engine:8} busiest link {load.busiest:4} flows, {load.mean_hops:.2f} hops in the mean; {check}")

# %% Loads: links between switches by their flows, for each engine a line
def svg(path, body, width=640, height=400):
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
                    f'font-size="12">\n<rect width="{width}" height="{height}" fill="white"/>\n{body}</svg>\n')
    print("  wrote", path.name)


COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd")


def chart(path, title, x_label, y_label, curves, x_max, y_max):
    """Curves, {name: [(x, y), ...]}, with axes from 0."""
    def at(x, y):
        return f"{60 + 480 * x / x_max:.1f},{350 - 310 * y / y_max:.1f}"
    body = [f'<text x="60" y="22" font-size="15">{title}</text>',
            '<path d="M60 40 V350 H540" fill="none" stroke="black"/>',
            f'<text x="300" y="388" text-anchor="middle">{x_label}</text>',
            f'<text x="16" y="200" transform="rotate(-90 16 200)" text-anchor="middle">{y_label}</text>']
    for i in range(1, 6):
        x, y = x_max * i / 5, y_max * i / 5
        body.append(f'<text x="{60 + 96 * i}" y="366" text-anchor="middle">{x:g}</text>')
        body.append(f'<text x="54" y="{354 - 62 * i}" text-anchor="end">{y:g}</text>')
    for i, (name, points) in enumerate(curves.items()):
        colour = COLOURS[i % len(COLOURS)]
        body.append(f'<polyline points="{" ".join(at(x, y) for x, y in points)}" fill="none" stroke="{colour}" '
                    'stroke-width="2"/>')
        body.append(f'<text x="550" y="{60 + 18 * i}" fill="{colour}">{name}</text>')
    svg(path, "\n".join(body) + "\n")


curves = {}
for engine, (tables, check, load) in results.items():
    whole = tables.fabric
    flows = sorted((int(load.flows[port.id]) for port in whole.ports
                    if port.peer is not None and port.node < whole.n_switches
                    and whole.ports[port.peer].node < whole.n_switches), reverse=True)
    curves[engine] = list(enumerate(flows))
chart(directory / "loads.svg", "Flows of links between switches", "links, the busiest first", "flows", curves,
      len(curves["dla"]), max(points[0][1] for points in curves.values()))

# %% The fabric, with each link as wide as it is loaded by up*/down* routes
whole, load = results["updn"][0].fabric, results["updn"][2]
places = {}
for switch in whole.switches:
    angle = 2 * math.pi * switch.number / whole.n_switches
    places[switch.number] = (320 + 180 * math.cos(angle), 205 + 180 * math.sin(angle))
body = []
for link in whole.links:
    if link.peer >= whole.n_switches:
        continue
    (x, y), (u, v) = places[link.node], places[link.peer]
    ends = whole.port(link.node, link.port), whole.port(link.peer, link.peer_port)
    share = max(load.flows[end.id] for end in ends) / load.busiest
    body.append(f'<path d="M{x:.1f} {y:.1f} Q320 205 {u:.1f} {v:.1f}" fill="none" stroke="#1f77b4" '
                f'stroke-opacity="0.5" stroke-width="{0.2 + 3.8 * share:.2f}"/>')
for number, (x, y) in places.items():
    body.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"><title>{whole.nodes[number].name}</title></circle>')
svg(directory / "fabric.svg", "\n".join(body) + "\n", height=410)

# %% A way, hop by hop
tables = results["dla"][0]
whole = tables.fabric
path = tables.path("H-00000", "H-00071")
print("  H-00000 to H-00071:", " - ".join(whole.nodes[hop.node].name for hop in path), "on VLs", *path.vls)

# %% A cable fails: what changes, and in which rounds new tables may be sent
cable = next(link for link in whole.links if link.peer < whole.n_switches)
after = whole.fail([cable]).route("dla", previous=tables)
diff, change = tables.diff(after), tables.change(after)
print(f"  without {whole.nodes[cable.node].name}[{cable.port}]: {diff.lft_entries} LFT entries change, "
      f"{diff.pairs_changed} of {diff.pairs} pairs; "
      + ("at once" if change.is_at_once else f"{len(change.rounds)} rounds")
      + f", {change.pairs_lost} pairs without service; {after.check()}")

# %% Accepted load of uniform traffic
curves = {}
for engine in ("dla", "updn"):
    rows = results[engine][0].sim({"traffic.load": "0.2:1:0.2", "run.warmup": "20us", "run.measure": "100us"})
    curves[engine] = [(0, 0)] + list(zip(rows.column("traffic.load"), rows.column("accepted")))
    print(f"  {engine:8} accepts {rows[-1]['accepted']:.3f} of the links' rate at load {rows[-1]['traffic.load']}, "
          f"latency {rows[0]['latency_mean']:.0f} {rows.units['latency_mean']} at load {rows[0]['traffic.load']}")
chart(directory / "accepted.svg", "Uniform traffic", "offered load", "accepted load", curves, 1, 1)
