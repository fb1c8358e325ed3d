import hashlib
import subprocess
import sys

import pytest

from ridgeline_desktop.core.digests import first_of, hex_digest


def test_the_digest_is_sha_256():
    assert hex_digest("órders\n") == hashlib.sha256("órders\n".encode()).hexdigest()


def test_a_path_that_is_no_text_has_a_digest_too():
    assert hex_digest("/home/\udcff") == hashlib.sha256(b"/home/\xff").hexdigest()


def test_openssl_is_not_loaded_for_it():
    program = (
        "import sys; from ridgeline_desktop.core.digests import hex_digest; hex_digest(''); "
        "print('_hashlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False"


def test_a_python_without_its_own_takes_that_of_hashlib():
    assert first_of(["_not_built", "hashlib"]) is hashlib.sha256
    with pytest.raises(ImportError):
        first_of(["_not_built"])
