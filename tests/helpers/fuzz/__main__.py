"""`python -m tests.helpers.fuzz [READER...]`: look for texts that a reader does not answer, led by what they reach in the code.

FUZZ_SECONDS (60) is for each reader.  A run begins with the edits in `tests/helpers/fuzz/corpus/READER.txt` and with what the runs
before it have reached, and writes below `build/fuzz` alone: the shortest edits that reached something new, a line each, and the
texts that were not answered.  `--keep` copies both to where the tests find them: the corpus, and `tests/hostile/READER`.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.helpers.fuzz.mutate import mutated

ROOT = Path(__file__).parents[3]
CORPUS = Path(__file__).parent / "corpus"
HOSTILE = ROOT / "tests" / "hostile"
REACHED = ROOT / "build" / "fuzz" / "corpus"
UNANSWERED = ROOT / "build" / "fuzz" / "hostile"
KEPT = 100  # inputs of a corpus
SECONDS = "FUZZ_SECONDS"


def main() -> int:
    """Each reader in a process of its own, since libFuzzer leaves the process at its end."""
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], Path(sys.argv[3]))
        return 0
    if sys.argv[1:] == ["--keep"]:
        for made, kept in ((REACHED, CORPUS), (UNANSWERED, HOSTILE)):
            if made.is_dir():
                shutil.copytree(made, kept, dirs_exist_ok=True)
        return 0
    from tests.helpers.fuzz.targets import TARGETS

    failed = []
    for name in sys.argv[1:] or TARGETS:
        with tempfile.TemporaryDirectory(prefix="rulespec-corpus-") as folder:
            unpack(name, Path(folder))
            if subprocess.call([sys.executable, "-m", "tests.helpers.fuzz", "--one", name, folder]):
                failed.append(name)
            pack(name, Path(folder))
    for name in failed:
        print(f"{name}: a text is not answered, see {UNANSWERED / name}; --keep makes a test of it")
    return 1 if failed else 0


def unpack(name: str, folder: Path) -> None:
    """Put the corpus of a reader into a folder, as libFuzzer has it."""
    files = [place / f"{name}.txt" for place in (CORPUS, REACHED)]
    lines = [line for file in files if file.is_file() for line in file.read_text(encoding="ascii").split()]
    for number, line in enumerate(lines):
        (folder / str(number)).write_bytes(bytes.fromhex(line))


def pack(name: str, folder: Path) -> None:
    """Keep the shortest inputs of a folder."""
    inputs = sorted(
        {path.read_bytes() for path in folder.iterdir() if path.is_file()}, key=lambda data: (len(data), data)
    )
    REACHED.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{data.hex()}\n" for data in inputs[:KEPT] if data)
    (REACHED / f"{name}.txt").write_text(lines, encoding="ascii")


def one(name: str, corpus: Path) -> None:
    """Fuzz a reader; the code is not 0 where a text is not answered."""
    import atheris

    with atheris.instrument_imports(include=["rulespec", "interpreter"]):
        from tests.helpers.fuzz.targets import TARGETS

    read, seeds = TARGETS[name]
    texts = seeds()

    def test(data: bytes) -> None:
        text = mutated(texts, data)
        try:
            read(text)
        except Exception:
            keep(name, text)
            raise

    seconds = os.environ.get(SECONDS, "60")
    atheris.Setup(
        [
            sys.argv[0],
            f"-max_total_time={seconds}",
            "-max_len=25",
            "-timeout=20",
            "-rss_limit_mb=2048",
            "-reduce_inputs=1",
            f"-artifact_prefix={corpus}/",
            "-print_final_stats=1",
            "-verbosity=0",
            str(corpus),
        ],
        test,
    )
    atheris.Fuzz()


def keep(name: str, text: str) -> None:
    """Write a text that is not answered."""
    data = text.encode("utf-8", "surrogatepass")
    path = UNANSWERED / name / hashlib.sha256(data).hexdigest()[:16]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
