# Sourced by quickstart and test: makes .venv with what they need. Nothing is installed twice: a stamp file
# in .venv names the lock file that was installed last.
set -euo pipefail

TORCH_VERSION=2.13.0
TORCH_CPU_INDEX=https://download.pytorch.org/whl/cpu # PyTorch's own index: CPU builds, a tenth of the CUDA ones
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
environment=$project/.venv

fail() {
  printf 'nymlink: %s\n' "$1" >&2
  exit 1
}

find_python() {
  local candidate
  for candidate in "${NYMLINK_PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11; do
    [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 || continue
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    printf '%s\n' "$candidate"
    return
  done
  fail "Python 3.11 or newer was not found. Install it (Debian or Ubuntu: sudo apt install python3 python3-venv), or name one in NYMLINK_PYTHON."
}

make_environment() {
  [ -x "$environment/bin/python" ] && "$environment/bin/python" -c 'import pip' 2>/dev/null && return
  local python
  python=$(find_python) || exit 1
  "$python" -c 'import venv, ensurepip' 2>/dev/null ||
    fail "the venv module of $python is missing. Debian or Ubuntu: sudo apt install python3-venv. Then run this again."
  printf 'Making %s\n' ".venv"
  "$python" -m venv "$environment" || fail "the virtual environment could not be made in .venv; is the disk full or the folder read-only?"
}

# pip with its words kept in a file, which is shown where it fails: warnings about the machine help nobody else.
pip_install() {
  local log=$environment/pip.log
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check "$@" >"$log" 2>&1 && return
  grep -v '^WARNING' "$log" | tail -n 20 >&2
  return 1
}

install_torch() {
  "$environment/bin/python" -c 'import torch' 2>/dev/null && return
  printf 'Installing torch %s\n' "$TORCH_VERSION"
  # The CPU build first: it needs no GPU libraries of several gigabytes. Where that index cannot be reached,
  # the ordinary index may have a build too.
  pip_install --retries 0 --timeout 15 --index-url "$TORCH_CPU_INDEX" "torch==$TORCH_VERSION" 2>/dev/null ||
    pip_install "torch==$TORCH_VERSION" ||
    fail "torch $TORCH_VERSION could not be installed; check the network, then run this again."
}

state_of() {
  cat "$project/requirements/$1.lock" "$project/pyproject.toml" "$project/scripts/environment.sh" | cksum
}

is_installed() {
  [ -x "$environment/bin/nymlink" ] && [ -f "$environment/.installed-$1" ] && [ "$(cat "$environment/.installed-$1")" = "$(state_of "$1")" ]
}

# install run|test: torch, then every other package from the lock file with its hash, then nymlink itself.
install() {
  local lock=$project/requirements/$1.lock
  # The test lock holds all pins of the run lock.
  if is_installed "$1" || is_installed test; then return; fi
  make_environment
  install_torch
  printf 'Installing the packages of requirements/%s.lock\n' "$1"
  # --no-deps: the lock is complete, and torch stands beside it.
  pip_install --no-deps --require-hashes -r "$lock" ||
    fail "the packages could not be installed; check the network and the disk, then run this again."
  pip_install --no-deps --no-build-isolation --editable "$project" ||
    fail "nymlink itself could not be installed from $project."
  state_of "$1" >"$environment/.installed-$1"
}

# install_tools site|release: tools of maintainers, from a lock file of their own, into the same environment.
install_tools() {
  local stamp=$environment/.installed-$1
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(state_of "$1")" ] && return
  printf 'Installing the packages of requirements/%s.lock\n' "$1"
  pip_install --no-deps --require-hashes -r "$project/requirements/$1.lock" ||
    fail "the tools of requirements/$1.lock could not be installed; check the network, then run this again."
  state_of "$1" >"$stamp"
}
