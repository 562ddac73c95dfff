"""A minion without Salt: call state `applied` once, and print its answer as JSON.

    salt.py [--test] POLICY [PORT]...
"""

import importlib.util
import json
import subprocess
import sys


def run_all(words, python_shell, ignore_retcode):
    assert not python_shell and ignore_retcode
    ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return {"retcode": ran.returncode, "stdout": ran.stdout, "stderr": ran.stderr}


def load(kind, salt, opts):
    path = "packaging/salt/%s/losslessctl.py" % kind
    spec = importlib.util.spec_from_file_location(kind, path)
    module = importlib.util.module_from_spec(spec)
    module.__salt__, module.__opts__ = salt, opts
    spec.loader.exec_module(module)
    assert module.__virtual__() == "losslessctl"
    return module


def main(words):
    opts = {"test": words[0] == "--test"}
    salt = {"cmd.run_all": run_all}
    execution = load("_modules", salt, opts)
    for name in ("plan", "apply_", "verify"):
        salt["losslessctl." + execution.__func_alias__.get(name, name)] = getattr(execution, name)
    policy, *ports = words[opts["test"] :]
    json.dump(load("_states", salt, opts).applied(policy, ports), sys.stdout)


main(sys.argv[1:])
