# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Routes and lanes for InfiniBand fabrics, and the proof that they are free of credit loops.

    import heddle
    tables = heddle.fabric("cluster.net").route("heddle")
    print(tables.check())            # sound: 1 SL, 1 VL, ...
    print(tables.load().busiest)     # flows of the busiest link between switches

Fabrics and tables do not change: what changes a fabric gives another one. Nodes and ports are numbers, nodes from 0,
switches first, ports from 0 over all nodes; lists of nodes and ports are in that order. Many numbers at once are numpy
arrays where numpy is there, else array.array. The package is a layer over libheddle.so.0, by ctypes; libheddle(3) and
docs/library.md say more. Functions may be called from several threads, which then run at the same time.
"""
from __future__ import annotations

import array as _array
import ctypes as _c
import enum as _enum
import importlib as _importlib
import math as _math
import weakref as _weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass as _dataclass
from os import PathLike, fsencode as _fsencode
from typing import Any, NamedTuple, Optional, Union, overload

from . import _native

__all__ = [
    "Change", "Channel", "Check", "Diff", "Engine", "Error", "Fabric", "Failure", "Hop", "Link", "Load", "Node",
    "NodeType", "Path", "Port", "Round", "Rows", "Shape", "ShapeKind", "Speed", "Status", "Tables", "engines",
    "fabric", "from_networkx", "make", "sim", "tables", "version",
]

try:
    _numpy: Any = _importlib.import_module("numpy")
except ImportError:
    _numpy = None

Name = Union[str, "PathLike[str]"]
Cell = Union[float, bool, str, None]


class Status(_enum.IntEnum):
    """Why a function failed."""

    NO = 1
    BAD_INPUT = 2
    NO_MEMORY = 3
    IO = 4
    NOT_FOUND = 5
    REFUSED = 6
    RANGE = 7


class Error(Exception):
    """What went wrong: a line for people, and in `status`, `file` and `line` what programs can use."""

    def __init__(self, status: int, text: str, file: str = "", line: int = 0) -> None:
        super().__init__(text)
        self.status: Union[Status, int] = Status(status) if status in list(Status) else status
        self.file = file
        self.line = line


class NodeType(_enum.IntEnum):
    SWITCH = 0
    HOST = 1
    ROUTER = 2


class Speed(_enum.IntEnum):
    """Signalling rate of a lane."""

    UNKNOWN = 0
    SDR = 1
    DDR = 2
    QDR = 3
    FDR10 = 4
    FDR = 5
    EDR = 6
    HDR = 7
    NDR = 8
    XDR = 9


class ShapeKind(_enum.IntEnum):
    NONE = 0
    TRIVIAL = 1
    DRAGONFLY = 2
    DRAGONFLY_PLUS = 3
    FAT_TREE = 4
    GRID = 5
    SLIM_FLY = 6
    POLARFLY = 7


class Failure(_enum.IntEnum):
    """What a check found first."""

    SOUND = 0
    NO_ROUTE = 1
    FORWARD_LOOP = 2
    DROPPED = 3
    STARVED = 4
    CREDIT_LOOP = 5
    NOT_COVERED = 6


class Node(NamedTuple):
    """A switch or host. `lid` is its base LID, 0 for none; `n_ports` the highest port number."""

    number: int
    name: str
    guid: int
    type: NodeType
    first_port: int
    n_ports: int
    lid: int


class Port(NamedTuple):
    """A port. `id` counts ports over all nodes; `peer` is the id of the other end, or None.

    `width` is in lanes, 0 for not known; `vls` counts data VLs."""

    id: int
    node: int
    number: int
    guid: int
    peer: Optional[int]
    lid: int
    lmc: int
    width: int
    speed: Speed
    vls: int


class Link(NamedTuple):
    """A link, by nodes and port numbers at both ends. `width` is in lanes."""

    node: int
    port: int
    peer: int
    peer_port: int
    width: int
    speed: Speed


@_dataclass(frozen=True)
class Shape:
    """The shape of a fabric. `sizes`: of a dragonfly a, p, h and groups; of a Dragonfly+ leaves, spines, hosts, h and
    groups; of a fat tree the switches of each level, leaves first; of a grid the switches along each dimension."""

    kind: ShapeKind
    sizes: tuple[int, ...]
    is_perfect: bool
    text: str

    def __str__(self) -> str:
        return self.text


class Engine(NamedTuple):
    """A routing engine, its default layer rule, and the LMC that its routes make use of."""

    name: str
    summary: str
    layers: str
    lmc: int


class Channel(NamedTuple):
    """A channel of a credit loop: the port that sends into it, its VL, and a flow that holds it while it waits for the
    next one (port, destination LID, SL)."""

    port: int
    vl: int
    source: int
    lid: int
    sl: int


@_dataclass(frozen=True)
class Check:
    """What a proof found; true where the tables are sound.

    `sls` and `vls` count those in use, `max_hops` links between switches on the longest way, `channels` and
    `dependencies` nodes and edges of the channel dependency graph. `cycle` is a shortest credit loop, if any."""

    failure: Failure
    text: str
    sls: int
    vls: int
    max_hops: int
    channels: int
    dependencies: int
    cycle: tuple[Channel, ...]

    def __bool__(self) -> bool:
        return self.failure is Failure.SOUND

    def __str__(self) -> str:
        return self.text


@_dataclass(frozen=True)
class Load:
    """How many flows leave by each port, one flow for every ordered pair of hosts' ports.

    `flows[port]` counts flows (numpy.ndarray of uint32, or array.array); `busiest` is the most on a link between
    switches, which `busiest_port` sends into (None: there is no such link); `mean_hops` counts links between switches."""

    flows: Any
    n_flows: int
    n_lost: int
    mean_hops: float
    max_hops: int
    busiest: int
    busiest_port: Optional[int]


class Hop(NamedTuple):
    """A node on the way of a packet; `in_port` is 0 at the source, `out_port` at the destination. `vl` is that of the
    link that leaves by `out_port`."""

    node: int
    in_port: int
    out_port: int
    vl: int


class Path(Sequence[Hop]):
    """The way of a flow, source and destination included. `is_complete`: packets arrive; else `text` says why not."""

    def __init__(self, hops: Sequence[Hop], text: str = "") -> None:
        self._hops = tuple(hops)
        self.text = text
        self.is_complete = not text

    @overload
    def __getitem__(self, index: int) -> Hop: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Hop, ...]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Hop, tuple[Hop, ...]]:
        return self._hops[index]

    def __len__(self) -> int:
        return len(self._hops)

    def __repr__(self) -> str:
        return f"<heddle.Path of {len(self)} nodes{': ' + self.text if self.text else ''}>"

    @property
    def nodes(self) -> Any:
        """Numbers of nodes, an array."""
        return _numbers([hop.node for hop in self._hops])

    @property
    def vls(self) -> Any:
        """VLs of the links on the way, an array; one fewer than nodes where the path is complete."""
        return _numbers([hop.vl for hop in (self._hops[:-1] if self.is_complete else self._hops)])


@_dataclass(frozen=True)
class Diff:
    """What differs; true where anything does. Pairs are ordered pairs of hosts' ports that both fabrics have."""

    nodes_added: int
    nodes_removed: int
    links_added: int
    links_removed: int
    lids_changed: int
    vlarb_ports: int
    pairs: int
    pairs_path: int
    pairs_sl: int
    pairs_vl: int
    pairs_changed: int
    pairs_lost: int
    pairs_gained: int
    lft_entries: int
    lft_blocks: int
    sl2vl_rows: int
    differs: bool

    def __bool__(self) -> bool:
        return self.differs


class Round(NamedTuple):
    """What changes in a round, in any order: LFT entries, SL2VL rows, those that lead nowhere from then on, pairs of
    hosts without service behind it, nodes with any change, and whether hosts may take new path SLs; of tables for
    adaptive routing, entries that lose or get port sets, entries of private LFTs, rows of maps to these and of
    VL2VL."""

    entries: int
    rows: int
    dropped_entries: int
    dropped_rows: int
    pairs_lost: int
    nodes: int
    path_sls: bool
    port_sets: int
    private_entries: int
    map_rows: int
    vl2vl_rows: int


@_dataclass(frozen=True)
class Change:
    """In which rounds new tables may be sent; every round is proved.

    `is_at_once`: the order does not matter. `old_loops`: the old tables loop by themselves, so the first round is not
    proved. `pairs_lost`: the most pairs of hosts without service behind any round."""

    rounds: tuple[Round, ...]
    is_at_once: bool
    old_loops: bool
    pairs_lost: int


class Rows(Sequence[Mapping[str, Cell]]):
    """Results of a simulation: a row for every combination of values and every seed, a mapping of columns to cells.

    A cell is the text of a key of the scenario, a number, a flag, or None where nothing was measured. `units[name]` is
    the unit of a column ("ns", "" for none), `help[name]` a line on it. `notes`: lines on what a user should know."""

    def __init__(self, rows: Sequence[Mapping[str, Cell]], units: Mapping[str, str], help_: Mapping[str, str],
                 notes: str) -> None:
        self._rows = tuple(rows)
        self.units = dict(units)
        self.help = dict(help_)
        self.notes = notes

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Cell]: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Mapping[str, Cell], ...]: ...

    def __getitem__(self, index: Union[int, slice]) -> Union[Mapping[str, Cell], tuple[Mapping[str, Cell], ...]]:
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def columns(self) -> list[str]:
        """Names of the columns: keys with several values, "seed", then what was measured."""
        return list(self.units)

    def column(self, name: str) -> Any:
        """A column as an array of doubles, NaN where a cell is no number or was not measured."""
        if name not in self.units:
            raise KeyError(name)
        values = [_number(row[name]) for row in self._rows]
        return _numpy.array(values) if _numpy else _array.array("d", values)


def _number(cell: Cell) -> float:
    try:
        return _math.nan if cell is None else float(cell)
    except ValueError:
        return _math.nan


def _numbers(values: Sequence[int]) -> Any:
    return _numpy.array(values, dtype=_numpy.uint32) if _numpy else _array.array("I", values)


def _raise(error: _native.Error) -> None:
    raise Error(error.status, error.text.decode(errors="replace"), error.file.decode(errors="replace"), error.line)


def _ask(function: str, *arguments: Any) -> tuple[bool, str]:
    """Calls a function that answers yes or no: the answer, and why not."""
    error = _native.Error()
    status = getattr(_native.lib, function)(*arguments, _c.byref(error))
    if status not in (_native.OK, _native.NO):
        _raise(error)
    return status == _native.OK, error.text.decode(errors="replace")


def _call(function: str, *arguments: Any) -> None:
    error = _native.Error()
    if getattr(_native.lib, function)(*arguments, _c.byref(error)) != _native.OK:
        _raise(error)


def _make(function: str, *arguments: Any) -> _c.c_void_p:
    """Calls a function that makes something."""
    handle = _c.c_void_p()
    _call(function, *arguments, _c.byref(handle))
    return handle


def _bytes(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else text.encode(errors="surrogateescape")


def _text(data: Optional[bytes]) -> str:
    return (data or b"").decode(errors="surrogateescape")


def _members(struct: _c.Structure, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in names}


def version() -> str:
    """The version of the library."""
    return _text(_native.lib.heddle_version())


def engines() -> list[Engine]:
    """The routing engines, by name."""
    found = []
    engine = _native.Engine()
    while _ask("heddle_engine_next", _c.byref(engine))[0]:
        found.append(Engine(_text(engine.name), _text(engine.summary), _text(engine.layers), engine.lmc))
    return found


class Fabric:
    """Nodes, ports, links and LIDs. Made by fabric(), make() and from_networkx()."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._free = _weakref.finalize(self, _native.lib.heddle_fabric_free, handle)
        info = _native.FabricInfo()
        _call("heddle_fabric_info", handle, _c.byref(info))
        self.n_nodes = int(info.n_nodes)
        self.n_switches = int(info.n_switches)
        self.n_ports = int(info.n_ports)
        self.n_links = int(info.n_links)
        self.top_lid = int(info.top_lid)
        self.notes = _text(info.notes)
        self._nodes: Optional[list[Node]] = None
        self._ports: Optional[list[Port]] = None

    def __repr__(self) -> str:
        return f"<heddle.Fabric of {self.n_switches} switches and {self.n_nodes - self.n_switches} hosts>"

    @property
    def nodes(self) -> list[Node]:
        """All nodes, by number: switches, then hosts."""
        if self._nodes is None:
            node = _native.Node()
            self._nodes = []
            for number in range(self.n_nodes):
                _call("heddle_fabric_node", self._handle, number, _c.byref(node))
                self._nodes.append(Node(number, _text(node.name), node.guid, NodeType(node.type), node.first_port,
                                        node.n_ports, node.lid))
        return self._nodes

    @property
    def switches(self) -> list[Node]:
        """The switches."""
        return self.nodes[:self.n_switches]

    @property
    def hosts(self) -> list[Node]:
        """All nodes but the switches."""
        return self.nodes[self.n_switches:]

    @property
    def ports(self) -> list[Port]:
        """All ports, by id: those of node 0 from port 0 on, then those of node 1."""
        if self._ports is None:
            port = _native.Port()
            self._ports = []
            for index in range(self.n_ports):
                _call("heddle_fabric_port", self._handle, index, _c.byref(port))
                self._ports.append(Port(index, port.node, port.number, port.guid,
                                        None if port.peer == _native.NONE else port.peer, port.lid, port.lmc,
                                        port.width, Speed(port.speed), port.vls))
        return self._ports

    @property
    def links(self) -> list[Link]:
        """All links, each once."""
        ports = self.ports
        return [Link(port.node, port.number, ports[port.peer].node, ports[port.peer].number, port.width, port.speed)
                for port in ports if port.peer is not None and port.peer > port.id]

    def find(self, what: str) -> Node:
        """The node with a name, GUID ("0x...") or LID. Error: none, or several."""
        number = _c.c_uint32()
        _call("heddle_fabric_find", self._handle, _bytes(what), _c.byref(number))
        return self.nodes[number.value]

    def port(self, node: Union[str, int, Node], number: int) -> Port:
        """Port `number` of a node."""
        at = self._node(node)
        if not 0 <= number <= at.n_ports:
            raise Error(Status.RANGE, f"{at.name} has no port {number}")
        return self.ports[at.first_port + number]

    def _node(self, what: Union[str, int, Node]) -> Node:
        if isinstance(what, str):
            return self.find(what)
        return self.nodes[what.number if isinstance(what, Node) else what]

    def shape(self) -> Optional[Shape]:
        """The shape by links alone; None where none is recognised."""
        shape = _native.Shape()
        if not _ask("heddle_shape_find", self._handle, _c.byref(shape))[0]:
            return None
        return Shape(ShapeKind(shape.kind), tuple(shape.sizes[:shape.n_sizes]), bool(shape.is_perfect),
                     _text(shape.text))

    def assign_lids(self, lmc: int = 0, sm: Optional[str] = None) -> Fabric:
        """The fabric with LIDs as OpenSM assigns them, 2^lmc for each host; `sm` names the subnet manager's node."""
        request = _native.LidRequest(lmc=lmc, sm=_bytes(sm))
        return Fabric(_make("heddle_fabric_assign_lids", self._handle, _c.byref(request)))

    def fail(self, links: Iterable[Union[int, Port, Link]] = (),
             switches: Iterable[Union[str, int, Node]] = ()) -> Fabric:
        """The fabric without some links (a port of each, by id, or a Link) and switches.

        GUIDs and LIDs stay; numbers of nodes and ports may be others."""
        ports = [self.port(link.node, link.port).id if isinstance(link, Link)
                 else link.id if isinstance(link, Port) else link for link in links]
        nodes = [self._node(switch).number for switch in switches]
        request = _native.FailRequest(links=(_c.c_uint32 * len(ports))(*ports), n_links=len(ports),
                                      switches=(_c.c_uint32 * len(nodes))(*nodes), n_switches=len(nodes))
        return Fabric(_make("heddle_fabric_fail", self._handle, _c.byref(request)))

    def write(self, path: Name) -> None:
        """Writes a netfile."""
        _call("heddle_fabric_write", self._handle, _fsencode(path))

    def route(self, engine: Optional[str] = None, *, options: Optional[Mapping[str, object]] = None,
              layers: Optional[str] = None, queues: Optional[str] = None, classes: Optional[Name] = None,
              vlarb: Optional[str] = None, vlarb_cap: int = 0, max_vls: int = 0,
              previous: Optional[Tables] = None) -> Tables:
        """Tables by an engine; without one, by that whose busiest link has fewest flows.

        `queues` is a queue rule and its number of queues, "xordet:4"; `classes` a file of service classes;
        `vlarb_cap` counts entries of VL arbitration tables, `max_vls` data VLs. With `previous`, tables from before a
        change of the fabric, path SLs stay where they serve. A fabric without LIDs gets some: see Tables.fabric.
        Error with status REFUSED: the engine does not serve the fabric."""
        pairs = None if options is None else " ".join(f"{key}={value}" for key, value in options.items())
        request = _native.RouteRequest(
            engine=_bytes(engine), options=_bytes(pairs), layers=_bytes(layers), queues=_bytes(queues),
            classes=None if classes is None else _fsencode(classes), vlarb=_bytes(vlarb), vlarb_cap=vlarb_cap,
            max_vls=max_vls, previous=None if previous is None else previous._handle)
        return Tables(_make("heddle_route", self._handle, _c.byref(request)))

    def to_networkx(self) -> Any:
        """A networkx.MultiGraph. Nodes are numbers with `name`, `guid`, `type` ("switch", "host", "router") and `lid`;
        edges have `ports` (a port number for each end), `width` (lanes) and `speed` ("HDR")."""
        graph = _importlib.import_module("networkx").MultiGraph()
        for node in self.nodes:
            graph.add_node(node.number, name=node.name, guid=node.guid, type=node.type.name.lower(), lid=node.lid)
        for link in self.links:
            graph.add_edge(link.node, link.peer, ports={link.node: link.port, link.peer: link.peer_port},
                           width=link.width, speed=link.speed.name)
        return graph


class Tables:
    """What a subnet manager programs: LFTs, SL2VL tables, path SLs, VL arbitration. Made by Fabric.route() and
    tables()."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._free = _weakref.finalize(self, _native.lib.heddle_tables_free, handle)
        self.fabric = Fabric(_c.c_void_p(_native.lib.heddle_tables_fabric(handle)))
        info = _native.TablesInfo()
        _call("heddle_tables_info", handle, _c.byref(info))
        self.engine = _text(info.engine)
        self.layers = _text(info.layers)
        self.queues = _text(info.queues)
        self.options = _text(info.options)
        self.notes = _text(info.notes)
        self.lanes_are_kept = bool(info.lanes_are_kept)

    def __repr__(self) -> str:
        return f"<heddle.Tables by {self.engine or 'somebody'} for {self.fabric!r}>"

    def write(self, directory: Name) -> None:
        """Writes a snapshot; a directory that exists has to be empty or a snapshot."""
        _call("heddle_tables_write", self._handle, _fsencode(directory))

    def _get(self, table: int, **where: int) -> int:
        value = _c.c_uint32()
        _call("heddle_tables_get", self._handle, _c.byref(_native.TableQuery(table=table, **where)), _c.byref(value))
        return value.value

    def entry(self, node: Union[str, int, Node], lid: int) -> Optional[int]:
        """The port by which a switch forwards packets for a LID; None: nowhere."""
        port = self._get(0, node=self.fabric._node(node).number, lid=lid)
        return None if port == _native.NO_PATH else port

    def vl(self, node: Union[str, int, Node], in_port: int, out_port: int, sl: int) -> Optional[int]:
        """The VL that a switch sends packets of an SL on, from one port to another; of a host by `out_port` alone.
        None: they are dropped."""
        vl = self._get(1, node=self.fabric._node(node).number, in_port=in_port, out_port=out_port, sl=sl)
        return None if vl == 15 else vl

    def path_sl(self, source: int, lid: int) -> Optional[int]:
        """The SL of path records from the port with LID `source` to another LID; None: there is none."""
        port = next((port.id for port in self.fabric.ports
                     if port.lid and port.lid <= source < port.lid + (1 << port.lmc)), _native.NONE)
        sl = self._get(2, port=port, lid=lid)
        return None if sl == 255 else sl

    def lft(self, node: Union[str, int, Node]) -> Any:
        """The LFT of a switch, an array by LID (uint8); 255: nowhere."""
        n = self.fabric.top_lid + 1
        ports = (_c.c_uint8 * n)()
        _call("heddle_tables_lft", self._handle, self.fabric._node(node).number, ports, n)
        return _numpy.frombuffer(ports, dtype=_numpy.uint8) if _numpy else _array.array("B", bytes(ports))

    def lfts(self) -> Any:
        """All LFTs, [switch][LID]: a matrix of numpy, or a list of arrays."""
        rows = [self.lft(switch) for switch in range(self.fabric.n_switches)]
        return _numpy.array(rows) if _numpy else rows

    def path(self, source: Union[str, int, Node], destination: Union[str, int, Node],
             sl: Optional[int] = None) -> Path:
        """The way from one node to another (their base LIDs; an int is a LID), by the path SL or another one."""
        ends = [what if isinstance(what, int) else self.fabric._node(what).lid for what in (source, destination)]
        capacity = self.fabric.n_switches + 2
        hops = (_native.Hop * capacity)()
        n = _c.c_size_t()
        arrives, text = _ask("heddle_path", self._handle, ends[0], ends[1], _native.PATH_SL if sl is None else sl,
                             hops, capacity, _c.byref(n))
        return Path([Hop(hop.node, hop.in_port, hop.out_port, hop.vl) for hop in hops[:n.value]],
                    "" if arrives else text)

    def check(self, *, hosts_only: bool = False, all_sls: bool = False, reversed_sl: bool = False, max_vls: int = 0,
              before: Optional[Tables] = None) -> Check:
        """Proves that every flow arrives and no packets wait for one another in a circle.

        `hosts_only`: flows of hosts alone; `all_sls`: a flow may use any SL; `reversed_sl`: also that of the opposite
        direction; `max_vls`: data VLs. `before`: all mixtures with these tables, which nodes may still hold."""
        request = _native.CheckRequest(hosts_only=hosts_only, all_sls=all_sls, reversed_sl=reversed_sl,
                                       max_vls=max_vls, before=None if before is None else before._handle)
        cycle = (_native.Channel * 4096)()
        result = _native.CheckResult(cycle=cycle, cycle_capacity=len(cycle))
        _ask("heddle_check", self._handle, _c.byref(request), _c.byref(result))
        channels = tuple(Channel(channel.port, channel.vl, channel.source, channel.lid, channel.sl)
                         for channel in cycle[:min(result.n_cycle, len(cycle))])
        return Check(Failure(result.failure), _text(result.text), result.sls, result.vls, result.max_hops,
                     result.channels, result.dependencies, channels)

    def load(self) -> Load:
        """How many flows leave by each port."""
        n = self.fabric.n_ports
        flows = (_c.c_uint32 * n)()
        result = _native.LoadResult()
        _call("heddle_load", self._handle, flows, n, _c.byref(result))
        return Load(_numpy.frombuffer(flows, dtype=_numpy.uint32) if _numpy else _array.array("I", flows),
                    result.n_flows, result.n_lost,
                    result.total_hops / result.n_flows if result.n_flows else _math.nan, result.max_hops,
                    result.busiest, None if result.busiest_port == _native.NONE else result.busiest_port)

    def diff(self, after: Tables) -> Diff:
        """What differs in `after`; nodes are the same by their GUIDs."""
        result = _native.DiffResult()
        is_equal = _ask("heddle_diff", self._handle, after._handle, _c.byref(result))[0]
        names = [name for name in Diff.__dataclass_fields__ if name != "differs"]
        return Diff(differs=not is_equal, **_members(result, names))

    def change(self, after: Tables) -> Change:
        """In which rounds nodes may get from these tables to `after`. Error with status NO: there are no such
        rounds."""
        rounds = (_native.Round * _native.MAX_ROUNDS)()
        sets = (_native.RoundSets * _native.MAX_ROUNDS)()
        result = _native.ChangeResult(rounds=rounds, rounds_capacity=len(rounds), round_sets=sets)
        _call("heddle_change_plan", self._handle, after._handle, _c.byref(result))
        return Change(tuple(Round(r.entries, r.rows, r.dropped_entries, r.dropped_rows, r.pairs_lost, r.nodes,
                                  bool(r.path_sls), a.port_sets, a.private_entries, a.map_rows, a.vl2vl_rows)
                            for r, a in zip(rounds[:result.n_rounds], sets)),
                      bool(result.is_at_once), bool(result.old_loops), result.pairs_lost)

    def sim(self, scenario: Union[str, Mapping[str, object]], jobs: int = 1) -> Rows:
        """Simulates traffic on these tables: see sim()."""
        return _simulate(scenario, self, jobs)


def fabric(what: Name, *, strict: bool = False, node_name_map: Optional[Name] = None) -> Fabric:
    """The fabric that a netfile, a snapshot directory or a spec ("dragonfly:a=4,p=2,h=2") describes.

    What exists as a file is no spec. `strict` refuses files that are odd; else Fabric.notes tells."""
    request = _native.OpenRequest(strict=strict,
                                  node_name_map=None if node_name_map is None else _fsencode(node_name_map))
    return Fabric(_make("heddle_fabric_open", _fsencode(what), _c.byref(request)))


def tables(directory: Name, netfile: Optional[Name] = None, *, strict: bool = False) -> Tables:
    """The tables of a snapshot, or of a directory of OpenSM's dumps beside a netfile."""
    request = _native.OpenRequest(strict=strict, netfile=None if netfile is None else _fsencode(netfile))
    return Tables(_make("heddle_tables_open", _fsencode(directory), _c.byref(request)))


def make(nodes: Sequence[Mapping[str, Any]], links: Sequence[Mapping[str, Any]]) -> Fabric:
    """A fabric from lists.

    A node has `name`, `type` (NodeType), and perhaps `guid`, `n_ports` and `lid`. A link has `node` and `peer`, places
    in the list of nodes, and perhaps `port`, `peer_port` (numbers; else the next ones), `width` (lanes), `speed`
    (Speed) and `vls` (data VLs)."""
    native_nodes = (_native.NewNode * len(nodes))()
    native_links = (_native.NewLink * len(links))()
    for entry, node in zip(native_nodes, nodes):
        for key, value in node.items():
            setattr(entry, key, _bytes(value) if key == "name" else int(value))
    for entry, link in zip(native_links, links):
        for key, value in link.items():
            setattr(entry, key, int(value))
    return Fabric(_make("heddle_fabric_make", native_nodes, len(nodes), native_links, len(links)))


def _type_of(graph: Any, node: Any) -> NodeType:
    kind = graph.nodes[node].get("type")
    if kind is None:
        return NodeType.HOST if graph.degree(node) == 1 else NodeType.SWITCH
    return NodeType[str(kind).upper()]


def from_networkx(graph: Any) -> Fabric:
    """The fabric of a networkx graph or multigraph, with the attributes that Fabric.to_networkx() gives, all of them
    optional: a node without `type` is a host where it has one edge, and a switch otherwise."""
    place = {node: i for i, node in enumerate(graph.nodes)}
    nodes = [{"name": str(data.get("name", node)), "type": _type_of(graph, node), "guid": data.get("guid", 0),
              "lid": data.get("lid", 0)} for node, data in graph.nodes(data=True)]
    links = []
    for node, peer, data in graph.edges(data=True):
        ports = data.get("ports", {})
        links.append({"node": place[node], "peer": place[peer], "port": ports.get(node, 0),
                      "peer_port": ports.get(peer, 0), "width": data.get("width", 0),
                      "speed": Speed[data.get("speed", "UNKNOWN")]})
    return make(nodes, links)


def _scenario(scenario: Union[str, Mapping[str, object]]) -> str:
    """The text of a scenario given as {"traffic.load": "0.1:1:0.1", "run.seeds": [1, 2]}."""
    if isinstance(scenario, str):
        return scenario
    sections: dict[str, list[str]] = {}
    for name, value in scenario.items():
        section, _, key = name.partition(".")
        if isinstance(value, (list, tuple)):
            value = ", ".join(str(each) for each in value)
        sections.setdefault(section, []).append(f"{key} = {value}\n")
    return "".join(f"[{section}]\n{''.join(lines)}" for section, lines in sections.items())


def _cells(handle: Any, row: int, columns: Sequence[tuple[str, bool, bool]]) -> Iterator[tuple[str, Cell]]:
    value = _c.c_double()
    for i, (name, is_text, is_flag) in enumerate(columns):
        text = _text(_native.lib.heddle_sim_cell(handle, row, i, _c.byref(value)))
        if is_text:
            yield name, text
        elif _math.isnan(value.value):
            yield name, None
        else:
            yield name, bool(value.value) if is_flag else value.value


def _simulate(scenario: Union[str, Mapping[str, object]], on: Optional[Tables], jobs: int) -> Rows:
    request = _native.SimRequest(scenario=_bytes(_scenario(scenario)), tables=None if on is None else on._handle,
                                 jobs=jobs)
    handle = _make("heddle_sim_run", _c.byref(request))
    try:
        column = _native.Column()
        columns: list[tuple[str, bool, bool]] = []
        units, helps = {}, {}
        while _ask("heddle_sim_column", handle, len(columns), _c.byref(column))[0]:
            name = _text(column.name)
            columns.append((name, bool(column.is_text), bool(column.is_flag)))
            units[name] = _text(column.unit)
            helps[name] = _text(column.help)
        rows = [dict(_cells(handle, row, columns)) for row in range(column.n_rows)]
        return Rows(rows, units, helps, _text(_native.lib.heddle_sim_notes(handle)))
    finally:
        _native.lib.heddle_sim_free(handle)


def sim(scenario: Union[str, Mapping[str, object]], jobs: int = 1) -> Rows:
    """Simulates what a scenario says, fabric and engine included: text of heddle-scenario(5), or a mapping of keys to
    values, {"fabric.topology": "tree:k=4,n=2", "traffic.load": [0.2, 0.4]}.

    Times are in ns or cycles, as the unit of each column says; `jobs` threads compute them. A deadlock is a result: cell
    "deadlock" is True."""
    return _simulate(scenario, None, jobs)
