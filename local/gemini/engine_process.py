"""The engine's process: llama.cpp with one model, on a loopback port that requires a key.

It is separate from the server, because loading a model blocks the interpreter for seconds, and so that a crash of
native code does not end the server. The process ends when its standard input closes, so it never outlives the server,
even if the server is killed.
"""

import argparse
import json
import os
import shutil
import signal
import sys
import threading

import xllamacpp

#: batch size in prompt tokens; a cancelled call is noticed between two batches (256 is as fast as 2,048, which takes 3
#: s to notice)
BATCH_TOKENS = 256


def main() -> None:
    """Load the model, print the server's address as one JSON line, and run until standard input closes."""
    parser = argparse.ArgumentParser(prog="python -m local.gemini.engine_process")
    parser.add_argument("model_file")
    parser.add_argument("--context", type=int, required=True, help="tokens of prompt and answer together")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--states", required=True, help="the folder for the states of prompts")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the server, which then ends this process
    threading.Thread(target=_end_with_the_server, args=(args.states,), daemon=True).start()
    engine = _load(args)
    print(json.dumps({"address": engine.listening_address}), flush=True)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the server reads no further output, only errors
    threading.Event().wait()


def _load(args: argparse.Namespace) -> xllamacpp.Server:
    params = xllamacpp.CommonParams()
    params.model.path = args.model_file
    params.n_ctx = args.context
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cache_ram_mib = 0  # slot.py decides which prompts are retained, since the engine's own cache loses some
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
    shutil.rmtree(states, ignore_errors=True)  # the files contain messages of people
    os._exit(0)  # there is nothing to save, and native threads would delay an orderly exit


if __name__ == "__main__":
    main()
