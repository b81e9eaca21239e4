# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The Python package, with numpy and networkx where they are and without (HEDDLE_TEST_WITHOUT="numpy networkx")."""
import array
import importlib.util
import math
import os
import sys
import tempfile
import threading
import unittest

for name in os.environ.get("HEDDLE_TEST_WITHOUT", "").split():
    sys.modules[name] = None

import heddle  # noqa: E402

SHORT = {"run.warmup": "10us", "run.measure": "50us"}


def has(module):
    return sys.modules.get(module, 0) is not None and importlib.util.find_spec(module) is not None


class Fabrics(unittest.TestCase):
    def test_counts_nodes_and_links(self):
        fabric = heddle.fabric("tree:k=4,n=2")
        self.assertEqual((fabric.n_switches, len(fabric.hosts), fabric.n_links), (8, 16, 32))
        self.assertEqual(len(fabric.links), fabric.n_links)
        host = fabric.find("H-00003")
        self.assertEqual((host.type, host.lid, fabric.nodes[host.number]), (heddle.NodeType.HOST, 0, host))
        port = fabric.port(host, 1)
        self.assertEqual((port.id, port.width, port.speed), (host.first_port + 1, 4, heddle.Speed.HDR))
        self.assertEqual(fabric.ports[port.peer].peer, port.id)

    def test_shapes(self):
        shape = heddle.fabric("torus:5x4").shape()
        self.assertEqual((shape.kind, shape.sizes, str(shape)), (heddle.ShapeKind.GRID, (5, 4), "torus 5x4"))
        shape = heddle.fabric("slimfly:q=5").shape()
        self.assertEqual((shape.kind, shape.sizes, str(shape)), (heddle.ShapeKind.SLIM_FLY, (5, 4), "Slim Fly q=5 p=4"))
        tree = heddle.fabric("tree:k=4,n=2")
        self.assertIsNone(tree.fail(switches=["L1S0", "L1S1", "L1S2", "L1S3"]).shape())

    def test_what_fails_is_gone(self):
        fabric = heddle.fabric("tree:k=4,n=2")
        link = next(link for link in fabric.links if link.peer < fabric.n_switches)
        ports = fabric.port(link.node, link.port)
        self.assertEqual(fabric.fail([link]).n_links, 31)
        self.assertEqual(fabric.fail([ports]).n_links, 31)
        self.assertEqual(fabric.fail([ports.id]).n_links, 31)
        self.assertEqual(fabric.fail(switches=[fabric.find("L0S0")]).n_nodes, 24 - 1 - 4)

    def test_lids_and_files(self):
        fabric = heddle.fabric("tree:k=4,n=2").assign_lids(lmc=1, sm="H-00005")
        self.assertEqual(fabric.find("H-00005").lid, 2)
        with tempfile.TemporaryDirectory() as directory:
            fabric.write(directory + "/net")
            self.assertEqual(heddle.fabric(directory + "/net").nodes, fabric.nodes)

    def test_from_lists(self):
        fabric = heddle.make([{"name": "a", "type": heddle.NodeType.HOST},
                              {"name": "s", "type": heddle.NodeType.SWITCH, "guid": 5},
                              {"name": "b", "type": heddle.NodeType.HOST, "lid": 9}],
                             [{"node": 0, "peer": 1}, {"node": 1, "peer": 2, "speed": heddle.Speed.NDR, "port": 7}])
        self.assertEqual(fabric.find("s").guid, 5)
        self.assertEqual(fabric.find("9").name, "b")
        self.assertEqual({link.speed.name: link.width for link in fabric.links}, {"HDR": 4, "NDR": 4})
        self.assertEqual(fabric.nodes[fabric.ports[fabric.port("s", 7).peer].node].name, "b")

    def test_errors(self):
        with self.assertRaisesRegex(heddle.Error, "No such file") as caught:
            heddle.fabric("/no/such/file")
        self.assertEqual((caught.exception.status, caught.exception.file), (heddle.Status.IO, "/no/such/file"))
        with self.assertRaisesRegex(heddle.Error, "no node|nobody") as caught:
            heddle.fabric("tree:k=4,n=2").find("nobody")
        self.assertEqual(caught.exception.status, heddle.Status.NOT_FOUND)
        with self.assertRaises(heddle.Error):
            heddle.fabric("tree:k=4,n=2").port("L0S0", 99)


class Routes(unittest.TestCase):
    def setUp(self):
        self.fabric = heddle.fabric("dragonfly:a=4,p=2,h=2")
        self.tables = self.fabric.route("dla")

    def test_proof(self):
        check = self.tables.check()
        self.assertTrue(check)
        self.assertEqual((check.failure, check.sls, check.vls, check.max_hops), (heddle.Failure.SOUND, 1, 2, 3))
        unsound = heddle.fabric("torus:4x4").route("minhop").check()
        self.assertFalse(unsound)
        self.assertEqual((unsound.failure, len(unsound.cycle)), (heddle.Failure.CREDIT_LOOP, 4))
        self.assertIn("credit loop", str(unsound))

    def test_load(self):
        load = self.tables.load()
        self.assertEqual((load.n_flows, load.n_lost, load.busiest), (72 * 71, 0, 68))
        self.assertEqual(load.flows[load.busiest_port], 68)
        self.assertEqual(len(load.flows), self.tables.fabric.n_ports)
        self.assertIs(type(load.flows).__module__ == "numpy", has("numpy"))

    def test_paths_follow_entries(self):
        fabric = self.tables.fabric
        path = self.tables.path("H-00000", "H-00071")
        self.assertTrue(path.is_complete)
        self.assertEqual([fabric.nodes[n].name for n in path.nodes], ["H-00000", "G0S0", "G8S3", "H-00071"])
        destination = fabric.find("H-00071").lid
        for hop in path[1:-1]:
            self.assertEqual(self.tables.entry(hop.node, destination), hop.out_port)
            self.assertEqual(self.tables.vl(hop.node, hop.in_port, hop.out_port, 0), hop.vl)
            self.assertEqual(self.tables.lft(hop.node)[destination], hop.out_port)
        self.assertEqual(self.tables.path_sl(fabric.find("H-00000").lid, destination), 0)
        self.assertEqual(len(self.tables.lfts()), fabric.n_switches)
        self.assertEqual(len(path.vls), len(path) - 1)
        with self.assertRaises(heddle.Error):
            self.tables.path(0, destination)

    def test_refusals(self):
        with self.assertRaisesRegex(heddle.Error, "engine hdor refuses") as caught:
            self.fabric.route("hdor")
        self.assertEqual(caught.exception.status, heddle.Status.REFUSED)
        with self.assertRaisesRegex(heddle.Error, "no option"):
            self.fabric.route("dla", options={"nothing": 1})

    def test_engine_is_chosen(self):
        self.assertEqual(self.fabric.route().engine, "dla")
        self.assertIn("dla", [engine.name for engine in heddle.engines()])

    def test_lanes_and_options(self):
        tables = self.fabric.route("dla", queues="xordet:4")
        self.assertEqual((tables.queues, tables.check().sls, tables.check().vls), ("xordet:4", 4, 8))

    def test_snapshots(self):
        with tempfile.TemporaryDirectory() as directory:
            self.tables.write(directory + "/tables")
            again = heddle.tables(directory + "/tables")
            self.assertFalse(self.tables.diff(again))
            self.assertEqual(again.engine, "dla")

    def test_change(self):
        whole = self.tables.fabric
        less = whole.fail([whole.port("G0S0", 4)])
        after = less.route("dla", previous=self.tables)
        self.assertTrue(after.lanes_are_kept)
        diff = self.tables.diff(after)
        self.assertTrue(diff)
        self.assertEqual((diff.links_removed, diff.pairs), (1, 72 * 71))
        change = self.tables.change(after)
        self.assertGreaterEqual(len(change.rounds), 1)
        self.assertEqual(sum(each.entries for each in change.rounds) > 0, True)
        with self.assertRaises(heddle.Error):
            heddle.fabric("torus:4x4").route("hdor").change(self.tables)

    def test_tables_outlive_the_fabric(self):
        del self.fabric
        self.assertEqual(self.tables.fabric.n_switches, 36)

    def test_threads(self):
        checks = []
        threads = [threading.Thread(target=lambda: checks.append(bool(self.tables.check()))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(checks, [True] * 4)


class Simulations(unittest.TestCase):
    def test_rows(self):
        tables = heddle.fabric("tree:k=4,n=2").route("dmodc")
        rows = tables.sim({"traffic.load": [0.2, 0.4], **SHORT}, jobs=2)
        self.assertEqual([row["traffic.load"] for row in rows], ["0.2", "0.4"])
        self.assertAlmostEqual(rows[1]["accepted"], 0.4, delta=0.03)
        self.assertIs(rows[0]["deadlock"], False)
        self.assertIsNone(rows[0]["makespan"])
        self.assertEqual((rows.units["latency_mean"], rows.columns[:2]), ("ns", ["traffic.load", "seed"]))
        self.assertEqual(list(rows.column("traffic.load")), [0.2, 0.4])
        self.assertTrue(math.isnan(rows.column("makespan")[0]))

    def test_scenario_of_its_own(self):
        rows = heddle.sim("[fabric]\ntopology = torus:4x4\n[routing]\nengine = minhop\n[run]\nwarmup = 10us\n"
                          "measure = 50us\n")
        self.assertIn("credit loop", rows.notes)
        with self.assertRaises(heddle.Error) as caught:
            heddle.sim("[traffic]\nnothing = 1\n")
        self.assertEqual(caught.exception.line, 2)


@unittest.skipUnless(has("networkx"), "no networkx")
class Graphs(unittest.TestCase):
    def test_there_and_back(self):
        tables = heddle.fabric("torus:5x5,p=2").route("hdor")
        graph = tables.fabric.to_networkx()
        self.assertEqual(graph.number_of_edges(), tables.fabric.n_links)
        again = heddle.from_networkx(graph)
        self.assertEqual((again.nodes, again.links), (tables.fabric.nodes, tables.fabric.links))
        self.assertFalse(tables.diff(again.route("hdor")))

    def test_any_graph(self):
        import networkx

        graph = networkx.petersen_graph()
        for switch in range(10):
            graph.add_edge(switch, f"host {switch}")
        tables = heddle.from_networkx(graph).route("any")
        self.assertTrue(tables.check())
        self.assertEqual(tables.load().n_flows, 90)


class Arrays(unittest.TestCase):
    def test_types(self):
        lft = heddle.fabric("tree:k=4,n=2").route("dmodc").lft(0)
        self.assertEqual(isinstance(lft, array.array), not has("numpy"))


if __name__ == "__main__":
    unittest.main()
