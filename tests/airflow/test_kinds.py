"""What every kind must do in Airflow: an alerter of each kind becomes a callback, or says what fails a gate."""

from __future__ import annotations

import json

import made_kinds
import pytest
import yaml

from airflow_metorikku.notifications.attach import alerters_of, failing_levels, notifiers_of


@pytest.mark.parametrize("kind", made_kinds.ALERTERS)
def test_every_alerter_is_a_callback_or_fails_the_gate(kind):
    given = json.loads(json.dumps(yaml.safe_load(made_kinds.ALERTERS[kind])))
    alerters = alerters_of([{kind: given}])
    notifiers = notifiers_of(alerters)
    if kind == "exception":
        assert notifiers == []
        assert failing_levels(alerters) == {"warning", "critical"}
    else:
        assert [getattr(notifier, "kind", None) for notifier in notifiers] == [kind]
