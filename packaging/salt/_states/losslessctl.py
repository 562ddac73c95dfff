# SPDX-License-Identifier: Apache-2.0
"""
Keeps ports in sync with a losslessctl policy.

.. code-block:: yaml

    losslessctl:
      pkg.installed:
        - reload_modules: true

    /etc/losslessctl/policy.json:
      file.managed:
        - source: salt://losslessctl/policy.json
        - user: root
        - group: root
        - mode: "0644"
        - makedirs: true
        - check_cmd: losslessctl check
        - require:
          - pkg: losslessctl
      losslessctl.applied:
        - require:
          - file: /etc/losslessctl/policy.json

    # A running agent pauses repairs after the apply, until it reloads the policy.
    systemctl try-reload-or-restart losslessctl.service:
      cmd.run:
        - onchanges:
          - file: /etc/losslessctl/policy.json
          - losslessctl: /etc/losslessctl/policy.json
        - require:
          - losslessctl: /etc/losslessctl/policy.json
"""

# Outcomes with changes: a port that was rolled back has not changed.
WRITTEN = ("planned", "applied", "rollback_failed")


def __virtual__():
    return "losslessctl" if "losslessctl.plan" in __salt__ else False


def _changes(report):
    return {
        port["port"]: {
            setting: {"old": change["from"], "new": change["to"]}
            for step in port["steps"]
            if step.get("status") != "not_attempted"
            for setting, change in step["changes"].items()
        }
        for port in report.get("ports", [])
        if port.get("outcome", "planned") in WRITTEN and port["steps"]
    }


def _sentence(error):
    words = [error.get("where"), error.get("message"), error.get("fix")]
    return ": ".join(word for word in words if word)


def _why(ran):
    """Explains the failure in losslessctl's words."""
    report = ran["report"]
    found = [_sentence(report)] if "message" in report else []
    found += [refusal["message"] for refusal in report.get("refusals", [])]
    for port in report.get("ports", []):
        for refusal in port.get("refusals", []):
            found.append("%s: %s: %s" % (port["port"], refusal["subject"], refusal["message"]))
        if "error" in port:
            found.append(_sentence(port["error"]))
        for setting in port.get("not_rolled_back", []):
            found.append("%s: %s was not rolled back" % (port["port"], setting["setting"]))
    said = "; ".join(found) or ran["stderr"].strip() or "losslessctl reported nothing"
    return "losslessctl exited with %d: %s" % (ran["exit_code"], said)


def applied(name, ports=None, no_link_flap=False, allow_disruption=False, lock_timeout=60):
    """
    name
        The policy, a file on the minion that only root can change.
    ports
        Interfaces to set up; without any, all that a rule of the policy matches.
    no_link_flap, allow_disruption, lock_timeout
        As losslessctl(8) has them.
    """
    options = {"no_link_flap": no_link_flap, "allow_disruption": allow_disruption}
    if __opts__["test"]:
        ran = __salt__["losslessctl.plan"](name, ports, **options)
    else:
        ran = __salt__["losslessctl.apply"](name, ports, lock_timeout=lock_timeout, **options)
    ret = {"name": name, "changes": _changes(ran["report"]), "result": False, "comment": ""}
    if ran["exit_code"] == 0:
        ret["result"] = True
        ret["comment"] = "Verified: in sync."
    elif ran["exit_code"] == 2 and __opts__["test"]:
        ret["result"] = None
        ret["comment"] = "%d settings would change." % ran["report"]["change_count"]
    else:
        ret["comment"] = _why(ran)
    return ret
