#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
"""Sets the ports of a host up by a losslessctl policy."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: policy
short_description: Set the RoCE ports of a host up as a losslessctl policy says
version_added: 0.1.0
description:
  - Runs C(losslessctl apply) and, in check mode, C(losslessctl plan). Settings are read back from
    the kernel, and a port that fails is rolled back.
  - Options have the names and meanings of C(losslessctl)'s; see losslessctl(8).
author:
  - the losslessctl authors (@losslessctl)
requirements:
  - losslessctl on the host
attributes:
  check_mode:
    description: Plans with the kernel's current settings, and writes nothing.
    support: full
  diff_mode:
    description: One diff for each port that changes, with the settings in the policy's words.
    support: full
  platform:
    description: Hosts that it runs on.
    platforms: linux
    support: full
options:
  path:
    description:
      - The policy, a file on the host. Only root may be able to change it, and the
        directories above it.
      - Without I(path) and I(content) it is C(/etc/losslessctl/policy.json).
    type: path
  content:
    description:
      - The policy itself, a mapping or JSON, instead of I(path).
      - Refused by a host that takes signed policies only, but for check mode.
    type: json
  ports:
    description: Interfaces to set up. Without any, all that a rule of the policy matches.
    type: list
    elements: str
    default: []
  no_link_flap:
    description: Refuse changes that flap a link, before anything is written.
    type: bool
    default: false
  allow_disruption:
    description: Take down links that carry the default route, Ansible's own session or RDMA
      connections.
    type: bool
    default: false
  keep_going:
    description: Go on with the other ports after one is refused or fails.
    type: bool
    default: false
  allow_other_netns:
    description: Allow a network namespace other than the host's.
    type: bool
    default: false
  any_driver:
    description: Allow ports of another driver than mlx5_core, for which nothing is proven.
    type: bool
    default: false
  lock_timeout:
    description: Seconds to wait for the lock. Without it the module does not wait.
    type: int
  confirm_within:
    description:
      - Roll back automatically unless C(losslessctl confirm) runs within this many seconds.
      - The outcome is then C(awaiting_confirmation).
    type: int
"""

EXAMPLES = r"""
- name: Set up all ports that the policy matches
  losslessctl.nic.policy:

- name: Set up one port, without a link flap
  losslessctl.nic.policy:
    path: /etc/losslessctl/gpu-backend.json
    ports: [ens1f0np0]
    no_link_flap: true
    lock_timeout: 60

- name: Set up all ports, and roll back after two minutes
  losslessctl.nic.policy:
    confirm_within: 120
  register: ports

- name: Confirm if the host is still reachable
  ansible.builtin.command: losslessctl confirm
  when: ports.outcome == 'awaiting_confirmation'
  changed_when: true
"""

RETURN = r"""
outcome:
  description:
    - The outcome of the worst port. In check mode, the outcome that the plan predicts.
    - C(unchanged), C(applied), C(awaiting_confirmation), C(not_attempted), C(refused),
      C(failed), C(rollback_failed), or C(error) where there is no report.
  type: str
  returned: always
  sample: applied
exit_code:
  description: The exit code of losslessctl.
  type: int
  returned: always
  sample: 0
report:
  description: The JSON document that losslessctl printed; see losslessctl-report(5).
  type: dict
  returned: when it printed one
msg:
  description: The reason of the failure, as losslessctl reports it.
  type: str
  returned: on failure
"""

import json
import os

from ansible.module_utils.basic import AnsibleModule

CHANGED = ("applied", "awaiting_confirmation", "rollback_failed")
WRITTEN = CHANGED + ("planned",)


def argument_spec():
    return dict(
        path=dict(type="path"),
        content=dict(type="json"),
        ports=dict(type="list", elements="str", default=[]),
        no_link_flap=dict(type="bool", default=False),
        allow_disruption=dict(type="bool", default=False),
        keep_going=dict(type="bool", default=False),
        allow_other_netns=dict(type="bool", default=False),
        any_driver=dict(type="bool", default=False),
        lock_timeout=dict(type="int"),
        confirm_within=dict(type="int"),
    )


def command(program, params, check_mode):
    words = [program, "--json", "plan" if check_mode else "apply"]
    flags = ["no_link_flap", "allow_disruption", "allow_other_netns", "any_driver"]
    values = []
    if not check_mode:
        flags += ["keep_going"]
        values += ["lock_timeout", "confirm_within"]
    for name in flags:
        if params[name]:
            words.append("--" + name.replace("_", "-"))
    for name in values:
        if params[name] is not None:
            words += ["--" + name.replace("_", "-"), str(params[name])]
    words.append("--")
    if params["content"] is not None:
        words.append("-")
    elif params["path"] is not None:
        words.append(os.path.abspath(params["path"]))
    return words + params["ports"]


def text(value):
    """Formats a value almost as `losslessctl plan` shows it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return " ".join(text(item) for item in value) or "none"
    if isinstance(value, dict):
        return ranges(value) or "none"
    return "unknown" if value is None else str(value)


def ranges(by_number):
    """Formats {"0": 0, "1": 0, "2": 3} as "0-1:0 2:3", and leaves null values out."""
    runs = []
    for key in sorted(by_number, key=int):
        number, value = int(key), by_number[key]
        if value is None:
            continue
        if runs and runs[-1][1:] == [number - 1, value]:
            runs[-1][1] = number
        else:
            runs.append([number, number, value])
    return " ".join("%s:%s" % ("%d-%d" % (a, b) if a < b else a, value) for a, b, value in runs)


def lines(steps, side):
    return "".join(
        "%s: %s\n" % (setting, text(change[side]))
        for step in steps
        if step.get("status") != "not_attempted"
        for setting, change in step["changes"].items()
    )


def diffs(report):
    """Returns one diff for each changed port; a port that was rolled back has not changed."""
    policy = report.get("policy", {}).get("name") or "the policy"
    return [
        dict(
            before=lines(port["steps"], "from"),
            after=lines(port["steps"], "to"),
            before_header=port["port"],
            after_header="%s by %s" % (port["port"], policy),
        )
        for port in report.get("ports", [])
        if port.get("steps") and port.get("outcome", "planned") in WRITTEN
    ]


def sentence(error):
    words = [error.get("where"), error.get("message"), error.get("fix")]
    return ": ".join(word for word in words if word)


def complaints(report):
    """Lists errors and refusals, each once."""
    found = []
    if "message" in report:
        found.append(sentence(report))
    for refusal in report.get("refusals", []):
        found.append(": ".join(word for word in (refusal["message"], refusal["fix"]) if word))
    for port in report.get("ports", []):
        for refusal in port.get("refusals", []):
            words = [port["port"], refusal.get("subject"), refusal.get("message"), refusal.get("fix")]
            found.append(": ".join(word for word in words if word))
        if "error" in port:
            found.append(sentence(port["error"]))
        for setting in port.get("not_rolled_back", []):
            found.append(
                "%s: %s was not rolled back: it is %s, and was %s"
                % (port["port"], setting["setting"], text(setting["actual"]), text(setting["previous"]))
            )
    if "error" in report:
        found.append(sentence(report["error"]))
    return [one for at, one in enumerate(found) if one not in found[:at]]


def parse(out):
    try:
        report = json.loads(out)
    except ValueError:
        return {}
    return report if isinstance(report, dict) else {}


def foreseen(rc, report, confirm_within):
    """Returns the outcome that a plan predicts."""
    if "ports" not in report or rc not in (0, 1, 2):
        return "error"
    if rc == 1:
        return "refused"
    if rc == 0:
        return "unchanged"
    return "applied" if confirm_within is None else "awaiting_confirmation"


def result_of(rc, report, module):
    if module.check_mode:
        outcome = foreseen(rc, report, module.params["confirm_within"])
        changed = outcome in CHANGED
    else:
        outcome = report.get("outcome", "error")
        changed = any(port.get("outcome") in CHANGED for port in report.get("ports", []))
    result = dict(changed=changed, outcome=outcome, exit_code=rc, diff=diffs(report))
    if report:
        result["report"] = report
    return result


def main():
    module = AnsibleModule(
        argument_spec=argument_spec(),
        mutually_exclusive=[("path", "content")],
        supports_check_mode=True,
    )
    program = module.get_bin_path("losslessctl", required=True)
    words = command(program, module.params, module.check_mode)
    rc, out, err = module.run_command(words, data=module.params["content"])
    report = parse(out)
    result = result_of(rc, report, module)
    if report and rc in ((0, 2) if module.check_mode else (0,)):
        module.exit_json(**result)
    msg = "; ".join(complaints(report)) or err.strip() or "losslessctl reported nothing"
    module.fail_json(msg="losslessctl exited with %d: %s" % (rc, msg), **result)


if __name__ == "__main__":
    main()
