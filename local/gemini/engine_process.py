"""The engine's own process: llama.cpp with one model, on a loopback port that wants a key.

Apart from the server, because loading a model holds the interpreter for seconds, and so that a crash of native code
takes nothing else with it. It ends when its standard input does: it never outlives the server, however that ends.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import threading

import xllamacpp

#: prompt tokens read in one go; a caller that hung up is noticed between two (256: as fast as 2,048, and 3 s to notice)
BATCH_TOKENS = 256


def main() -> None:
    """Load the model, say in one JSON line where it listens, and stay until standard input closes."""
    parser = argparse.ArgumentParser(prog="python -m local.gemini.engine_process")
    parser.add_argument("model_file")
    parser.add_argument("--context", type=int, required=True, help="tokens of prompt and answer together")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--states", required=True, help="the folder for the states of prompts")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends this process
    threading.Thread(target=_end_with_the_server, args=(args.states,), daemon=True).start()
    engine = _load(args)
    print(json.dumps({"address": engine.listening_address}), flush=True)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nobody reads more of the output; complaints are read
    threading.Event().wait()


def _load(args: argparse.Namespace) -> xllamacpp.Server:
    params = xllamacpp.CommonParams()
    params.model.path = args.model_file
    params.n_ctx = args.context
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cache_ram_mib = 0  # which prompts stay is decided by who asks (slot.py): the engine's own cache loses some
    params.slot_save_path = f"{args.states}{os.sep}"
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = args.threads
    params.use_jinja = True
    params.warmup = False
    params.ui = False
    params.verbosity = 1
    params.hostnames = ["127.0.0.1"]
    params.api_keys = [os.environ["LULL_ENGINE_KEY"]]
    return xllamacpp.Server(params)


def _end_with_the_server(states: str) -> None:
    sys.stdin.buffer.read()
    shutil.rmtree(states, ignore_errors=True)  # they hold what people wrote
    os._exit(0)  # nothing to save, and native threads would hold an orderly exit up


if __name__ == "__main__":
    main()
