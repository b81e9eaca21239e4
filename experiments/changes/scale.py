#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What changes of very large fabrics cost OpenSM, what of that is the plug-in's, and what the emulated fabric takes for it.

    experiments/changes/scale.py BUILD FABRIC ENGINE [--rounds N] [--minutes M] [--gib G]

FABRIC is a spec, such as dragonfly:a=20,p=10,h=10 (40,200 hosts, 4,020 switches). ENGINE is heddle's, with the plug-in, as in dla;
OpenSM's own, as in opensm:updn; or floor, which routes nothing (bench/floor.c), or floor-hops, which gives hop counts besides: what
OpenSM takes whoever routes. OpenSM brings the fabric up; then in each round (1) a link between switches fails and returns, and a switch. Prints Markdown. Processor seconds are those of
user and system, of all threads; `tables` is what OpenSM computes between the last MAD before routing and the first Set of LFTs, in each
sweep of the event (bench/first_lft.c). `at most` is the most memory in the event, `at rest` that after it.

The run ends early after M minutes (25), or when both programs have G GiB (14): exit status 1.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
import runs  # noqa: E402
from emulated import Console, Log, find_daemon  # noqa: E402
from opensm import switch_ids, switch_links  # noqa: E402

OURS = {'minhop': 'heddle-minhop', 'updn': 'heddle-updn'}  # in OpenSM, whose own engines have these names
QUIET = 3  # seconds in which OpenSM computes nothing, after which an event is over
TICK = 1 / os.sysconf('SC_CLK_TCK')
COLUMNS = ['event', 'until it is over, s', 'opensm, CPU s', 'tables, CPU s', 'simfabric, CPU s', 'sweeps', 'rounds over',
           'opensm at most, MiB', 'opensm at rest, MiB', 'simfabric at most, MiB']


def processor(process):
    """Seconds of processor time that a process has used."""
    words = pathlib.Path(f'/proc/{process}/stat').read_text(encoding='ascii').rpartition(')')[2].split()
    return (int(words[11]) + int(words[12])) * TICK


def memory(process, what):
    """MiB: VmRSS, or VmHWM, its most so far."""
    lines = pathlib.Path(f'/proc/{process}/status').read_text(encoding='ascii').splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what + ':')) / 1024


def forget_most(process):
    """From now on VmHWM is the most since now."""
    pathlib.Path(f'/proc/{process}/clear_refs').write_text('5', encoding='ascii')


class Large:
    """OpenSM on a fabric without a history, whose writing would take time."""

    def __init__(self, arguments, directory):
        build, engine = arguments.build.absolute(), arguments.engine
        self.end, self.most = time.monotonic() + 60 * arguments.minutes, 1024 * arguments.gib
        self.net, self.times = directory / 'net', directory / 'times'
        runs.run(build / 'heddle', 'topo', arguments.fabric, '-o', self.net)
        preload = directory / 'first_lft.so'
        subprocess.run(['cc', '-shared', '-fPIC', '-O2', '-D_GNU_SOURCE', HERE.parent.parent / 'bench/first_lft.c', '-o', preload, '-ldl'],
                       check=True)
        own = engine.removeprefix('opensm:') if engine.startswith('opensm:') else None
        self.has_no_traps = engine in ('floor', 'floor-hops')  # its tables lead none to OpenSM, which is told to sweep
        plugin = 'floor' if self.has_no_traps else 'osmheddle'
        if plugin == 'floor':
            subprocess.run(['cc', '-shared', '-fPIC', '-O2', '-I/usr/include/infiniband', HERE.parent.parent / 'bench/floor.c', '-o',
                            directory / 'libfloor.so'], check=True)
        lines = ['qos TRUE', 'max_wire_smps 64', 'max_wire_smps2 64', 'sweep_interval 0', 'force_log_flush TRUE',
                 f'routing_engine {own or OURS.get(engine, engine) + ",no_fallback"}']
        if own:
            root = switch_ids(self.net)[0].removeprefix('S-')
            (directory / 'roots').write_text(f'0x{root}\n', encoding='ascii')
            lines.append(f'root_guid_file {directory / "roots"}')
        else:
            lines.append(f'event_plugin_name {plugin}')
        (directory / 'opensm.conf').write_text('\n'.join(lines) + '\n', encoding='ascii')
        for old in 'log', 'times':  # of an earlier run: programs add to them
            (directory / old).unlink(missing_ok=True)
        self.log = Log(directory / 'log')
        environment = dict(os.environ, LD_LIBRARY_PATH=f'{build}:{directory}', OSM_TMP_DIR=str(directory), OSM_CACHE_DIR=str(directory),
                           FIRST_LFT_LOG=str(self.times))
        wrapper = build / 'libsimfabric-umad.so'
        self.said = open(directory / 'said', 'w+', encoding='utf-8')
        self.process = subprocess.Popen(
            [build / 'simfabric/simfabric', '-v', self.net, '--console', directory / 'console', '--wrapper', 'own', '--',
             'env', f'LD_PRELOAD={preload}:{wrapper}', 'opensm', '-F', directory / 'opensm.conf', '-f', self.log.path],
            cwd=directory, env=environment, stdout=subprocess.DEVNULL, stderr=self.said)
        self.console = Console(directory / 'console')
        self.daemon = self.find()
        self.n_times = 0

    def find(self):
        while self.process.poll() is None and time.monotonic() < self.end:
            daemon = find_daemon(self.process.pid)
            if daemon:
                return daemon
            time.sleep(0.05)
        self.process.terminate()
        self.said.seek(0)
        sys.exit(f'no opensm: {self.said.read().strip()}')

    def tables(self):
        """What the preloaded library has written since the last call: processor seconds before each first LFT."""
        lines = self.times.read_text(encoding='ascii').splitlines() if self.times.exists() else []
        found, self.n_times = [float(line.split()[0]) for line in lines[self.n_times:]], len(lines)
        return found

    def wait(self, sweeps, begin):
        """Seconds from @begin until the last line of the log that ends something, once OpenSM rests."""
        last, busy, used = begin, time.monotonic(), 0
        while True:
            time.sleep(0.1)
            now, size = time.monotonic(), self.log.size
            told = self.log.read()
            if self.log.size != size and self.log.is_over:
                last = now
            if processor(self.daemon) > used + 3 * TICK:
                used, busy = processor(self.daemon), now
            if told['sweeps'] > sweeps and self.log.is_over and now - busy > QUIET:
                return last - begin, None
            if now > self.end:
                return now - begin, 'no time is left'
            if memory(self.daemon, 'VmRSS') + memory(self.process.pid, 'VmRSS') > self.most:
                return now - begin, 'too much memory'

    def event(self, name, command=None):
        """Prints the row of an event; returns why the run ends, if it does."""
        # of the bring-up all counts, also what has been logged by now
        before = dict(self.log.read() if command else dict.fromkeys(self.log.counts, 0))
        used = [processor(each) if command else 0 for each in (self.daemon, self.process.pid)]
        begin = time.monotonic()
        if command:
            forget_most(self.daemon)
            self.console.say(command)
        if command and self.has_no_traps:
            os.kill(self.daemon, signal.SIGHUP)
        seconds, end = self.wait(before['sweeps'], begin)
        told = self.log.read()
        daemon, fabric = (processor(each) - u for each, u in zip((self.daemon, self.process.pid), used))
        tables = ' + '.join(f'{each:.2f}' for each in self.tables())
        cells = [name + (f' ({end})' if end else ''), f'{seconds:.1f}', f'{daemon:.2f}', tables, f'{fabric:.2f}',
                 told['sweeps'] - before['sweeps'], told['overs'] - before['overs'],
                 *(f'{memory(self.daemon, what):.0f}' for what in ('VmHWM', 'VmRSS')), f"{memory(self.process.pid, 'VmHWM'):.0f}"]
        print('| ' + ' | '.join(map(str, cells)) + ' |', flush=True)
        return end

    def finish(self):
        """Ends both programs; the lines that simfabric says about MADs, and those of the log about trouble."""
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.said.seek(0)
        lines = [line.strip() for line in self.said if 'MADs' in line]
        lines += [f'{name}: {self.log.counts[name]}' for name in ('stopped', 'unproved', 'unscheduled', 'refusals') if self.log.counts[name]]
        return lines


def study(arguments, directory):
    rng = random.Random(1)
    print('| ' + ' | '.join(COLUMNS) + ' |\n|---' + '|---:' * (len(COLUMNS) - 1) + '|', flush=True)
    at = Large(arguments, directory)
    try:
        end = at.event('bring-up')
        links, switches = switch_links(at.net), switch_ids(at.net)
        for _ in range(arguments.rounds):
            link = rng.choice(rng.choice(links))
            for what, place in ('link', f'"S-{link[1]}"[{link[2]}]'), ('switch', f'"{rng.choice(switches[1:])}"'):
                for command, word in ('Down', 'fails'), ('Up', 'returns'):
                    end = end or at.event(f'{what} {word}', f'{command} {place}')
    finally:
        print('\n'.join(at.finish()))
    return end


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that both programs end, too
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rounds', type=int, default=1)
    parser.add_argument('--minutes', type=float, default=25)
    parser.add_argument('--gib', type=float, default=14)
    parser.add_argument('--keep', type=pathlib.Path, help='a directory for the log and the rest, which stays')
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('fabric')
    parser.add_argument('engine')
    arguments = parser.parse_args()
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
        sys.exit(bool(study(arguments, arguments.keep.absolute())))
    with tempfile.TemporaryDirectory() as name:
        sys.exit(bool(study(arguments, pathlib.Path(name))))


if __name__ == '__main__':
    main()
