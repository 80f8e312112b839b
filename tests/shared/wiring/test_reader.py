"""The reader's parts are put together from its settings, and nothing that could do harm is among them."""

from tests.shared.wiring.program import BASE, run, run_alone


def test_it_starts_with_the_settings_of_every_function_and_no_more() -> None:
    code = "from shared.wiring.reader import page_reader; print(page_reader().fetcher.rules.private)"
    done = run(code, BASE | {"LULL_READER_PRIVATE_HOSTS": "wiki.lan"})
    assert (done.returncode, done.stdout.strip()) == (0, "frozenset({'wiki.lan'})"), done.stderr


def test_it_imports_no_client_of_google() -> None:
    found = "[name for name in sys.modules if name.startswith(('google.auth', 'google.cloud.', 'grpc'))]"
    code = f"import sys, shared.wiring.reader; print({found})"
    done = run_alone(code, BASE)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_what_decodes_files_is_imported_by_their_processes_alone() -> None:
    found = "[name for name in sys.modules if name in ('av', 'PIL', 'thorvg_python', 'pypdfium2')]"
    done = run_alone(f"import sys, shared.wiring.reader as r; r.preparer(); print({found})", BASE)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
