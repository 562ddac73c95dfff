# SPDX-License-Identifier: Apache-2.0
"""
Plans, applies and verifies a losslessctl policy; see losslessctl(8).

Every function returns what losslessctl printed, and its exit code:
``{"exit_code": 0, "report": {...}, "stderr": "..."}``.
"""

import json
import shutil


def __virtual__():
    if shutil.which("losslessctl"):
        return "losslessctl"
    return False, "losslessctl is not installed"


def _run(verb, policy, ports, **options):
    words = ["losslessctl", "--json", verb]
    for name, value in sorted(options.items()):
        if value is True:
            words.append("--" + name.replace("_", "-"))
        elif value not in (None, False):
            words += ["--" + name.replace("_", "-"), str(value)]
    words += ["--"] + ([policy] if policy else []) + list(ports or [])
    ran = __salt__["cmd.run_all"](words, python_shell=False, ignore_retcode=True)
    try:
        report = json.loads(ran["stdout"])
    except ValueError:
        report = {}
    return {"exit_code": ran["retcode"], "report": report, "stderr": ran["stderr"]}


def plan(policy=None, ports=None, no_link_flap=False, allow_disruption=False):
    """
    Shows what apply would do; exit code 2 if it would change anything.

    .. code-block:: bash

        salt 'gpu-*' losslessctl.plan
    """
    return _run(
        "plan", policy, ports, no_link_flap=no_link_flap, allow_disruption=allow_disruption
    )


def apply_(policy=None, ports=None, no_link_flap=False, allow_disruption=False, lock_timeout=60):
    """
    Sets the ports up, and verifies them.

    .. code-block:: bash

        salt --batch 10% 'gpu-*' losslessctl.apply no_link_flap=True
    """
    return _run(
        "apply",
        policy,
        ports,
        no_link_flap=no_link_flap,
        allow_disruption=allow_disruption,
        lock_timeout=lock_timeout,
    )


def verify(policy=None, ports=None):
    """
    Verifies the ports; exit code 2 on drift, 3 if a setting is unknown.

    .. code-block:: bash

        salt 'gpu-*' losslessctl.verify
    """
    return _run("verify", policy, ports)


__func_alias__ = {"apply_": "apply"}
