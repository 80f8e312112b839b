"""The engine's process: llama.cpp with one model, on a loopback port that requires a key.

The model server (`local/model/server.py`) starts it as a separate process, because loading a model blocks the
interpreter for seconds, and because a crash of native code must not end the model server. The process ends when its
standard input closes. So the process never outlives the model server, even if the model server is killed.
"""

import argparse
import json
import os
import signal
import sys
import threading

import xllamacpp

#: batch size in prompt tokens; a cancelled call is noticed between two batches (256 is as fast as 2,048, which takes 3
#: s to notice)
BATCH_TOKENS = 256
#: A request continues the prompt in a slot if both begin alike, for at least this share of the request. Otherwise it
#: takes the slot that was used least recently, and the cached states (`CACHE_MIB`) are searched.
LEAST_ALIKE = 0.3
#: memory for the states of prompts that were replaced by others, so that going back to a chat costs a copy instead of
#: reading again; a state has some 30 MB for a thousand tokens of the downloaded model
CACHE_MIB = 512


def main() -> None:
    """Load the model, print the server's address as one JSON line, and run until standard input closes."""
    parser = argparse.ArgumentParser(prog="python -m local.model.engine_process")
    parser.add_argument("model_file")
    parser.add_argument("--context", type=int, required=True, help="tokens of prompt and answer together")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--slots", type=int, required=True, help="number of prompts to keep in the shared context")
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the server, which then ends this process
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    engine = _load(args)
    print(json.dumps({"address": engine.listening_address}), flush=True)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the server reads no further output, only errors
    threading.Event().wait()


def _load(args: argparse.Namespace) -> xllamacpp.Server:
    params = xllamacpp.CommonParams()
    params.model.path = args.model_file
    params.n_ctx = args.context
    params.n_parallel, params.kv_unified = args.slots, True
    params.slot_prompt_similarity = LEAST_ALIKE
    params.n_batch = params.n_ubatch = BATCH_TOKENS
    params.cache_ram_mib = CACHE_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = args.threads
    params.use_jinja = True
    params.warmup = False
    params.ui = False
    params.verbosity = 1
    params.hostnames = ["127.0.0.1"]
    params.api_keys = [os.environ["LULL_ENGINE_KEY"]]
    return xllamacpp.Server(params)


def _end_with_the_server() -> None:
    sys.stdin.buffer.read()
    os._exit(0)  # there is nothing to save, and native threads would delay an orderly exit


if __name__ == "__main__":
    main()
