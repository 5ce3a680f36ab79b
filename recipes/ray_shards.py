"""Runs the shards of locket-wasm run --seeds or explore --map as Ray tasks, and merges their reports.

    pip install ray
    python ray_shards.py --shards 64 --output whole.json -- run pause.json --seeds 1000000

Every machine of the cluster needs Ray and the program locket-wasm. Files that the command names
travel with the tasks. Ray runs a task again if its worker is lost. Reports of finished shards stay
in a folder, so the same call later runs only the missing shards.
"""

import argparse
import hashlib
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import ray

RETRIES = 5


class Killed(Exception):
    """A signal ended the program, for example for lack of memory. Ray runs the shard again."""


class Refused(Exception):
    """The program refused the shard. It would refuse it again."""


@ray.remote(num_cpus=1, max_retries=RETRIES, retry_exceptions=[Killed])
def run_shard(program, command, files, shard):
    """The report of one shard. The folder of the run is gone afterwards, also after a failure."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            pathlib.Path(folder, name).write_bytes(content)
        call = [*program, *command, "--shard", shard, "--output", "report.json"]
        done = subprocess.run(call, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode < 0:
            raise Killed(f"signal {-done.returncode} ended locket-wasm")
        if done.returncode != 0:
            raise Refused(done.stderr.strip() or f"exit code {done.returncode}")
        return pathlib.Path(folder, "report.json").read_bytes()


def main():
    options = parse_options()
    command, files = with_files(options.command)
    folder = folder_of(options, command, files)
    reports = {index: folder / f"shard-{index}.json" for index in range(1, options.shards + 1)}
    missing = [index for index, path in reports.items() if not path.exists()]
    progress = Progress(options.shards)
    for index, path in reports.items():
        if index not in missing:
            progress.add(path.read_bytes())
    if missing:
        # Without an address, Ray takes RAY_ADDRESS, a cluster on this machine, or starts one.
        local = {"address": "local", "num_cpus": options.cpus, "include_dashboard": False} if options.cpus else {}
        ray.init(log_to_driver=False, **local)
        common = [ray.put(it) for it in (options.program, command, files)]
        running = {run_shard.remote(*common, f"{index}/{options.shards}"): index for index in missing}
        while running:
            [done], _ = ray.wait(list(running), num_returns=1)
            index = running.pop(done)
            try:
                report = ray.get(done)
            except ray.exceptions.RayError as error:
                # The text of Ray's error has the traceback of the worker before the cause.
                cause = getattr(error, "cause", error)
                sys.exit(f"shard {index}/{options.shards}: {cause}\nFinished shards stay in {folder}; the same call runs the others.")
            write_whole(reports[index], report)
            progress.add(report)
    merge = [*options.program, "merge", *map(str, reports.values())]
    return subprocess.run(merge + (["--output", options.output] if options.output else [])).returncode


def parse_options():
    parser = argparse.ArgumentParser(description="Run a locket-wasm command in shards on Ray.")
    parser.add_argument("--shards", type=int, required=True, help="how many shards; some per core")
    parser.add_argument("--cpus", type=int, help="start a Ray on this machine with so many cores")
    parser.add_argument("--folder", default="shards", help="where reports of shards are kept")
    parser.add_argument("--output", help="write the merged report to this file")
    parser.add_argument("--program", type=shlex.split, default=["locket-wasm"], help="such as 'npx locket-wasm'")
    parser.add_argument("command", nargs="+", help="-- run FILE --seeds N ..., or -- explore --map ...")
    return parser.parse_args()


def with_files(command):
    """The command for another folder, and the files that it needs there by name."""
    files = {}
    words = []
    for index, word in enumerate(command):
        if index > 0 and os.path.isfile(word):
            name = f"input-{index}{pathlib.Path(word).suffix}"
            files[name] = pathlib.Path(word).read_bytes()
            words.append(name)
        else:
            words.append(word)
    return words, files


def folder_of(options, command, files):
    """A folder for exactly this work, since another command may not take its reports."""
    version = subprocess.run([*options.program, "--version"], capture_output=True, check=True).stdout
    parts = [version, json.dumps([options.shards, command]).encode(), *files.values()]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()
    folder = pathlib.Path(options.folder, digest[:16])
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write_whole(path, content):
    """Writes the file whole or not at all."""
    unfinished = path.with_suffix(f".{os.getpid()}.tmp")
    unfinished.write_bytes(content)
    unfinished.replace(path)


class Progress:
    """Prints the sum of the reports so far."""

    def __init__(self, shards):
        self.shards, self.done, self.units, self.failed = shards, 0, 0, 0

    def add(self, report):
        part = json.loads(report)
        result = part["result"]
        self.done += 1
        if part["kind"] == "seeds":
            self.units += result["runs"]
            self.failed += len(result["failed"])
            text = f"{counted(self.units, 'run')}, {self.failed} failed"
        elif part["kind"] == "map":
            self.units += sum(len(row["cells"]) for row in result)
            text = counted(self.units, "cell")
        else:
            self.units += len(result)
            self.failed += sum(answer["verdict"] == "unsafe" for answer in result)
            text = f"{counted(self.units, 'question')}, {self.failed} unsafe"
        print(f"{self.done} of {self.shards} shards: {text}", file=sys.stderr, flush=True)


def counted(count, noun):
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


if __name__ == "__main__":
    sys.exit(main())
