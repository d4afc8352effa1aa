"""What Airflow asks every provider for; imported before Airflow's own configuration is ready."""

from __future__ import annotations

from typing import Any

NAME = "Metorikku"


def get_provider_info() -> dict[str, Any]:
    """Describe this provider, by Airflow's provider_info.schema.json."""
    return {
        "package-name": "airflow-metorikku",
        "name": NAME,
        "description": "Metorikku jobs in YAML as Airflow tasks on Spark, with data quality and control measure gates.",
        "integrations": [
            {
                "integration-name": NAME,
                "external-doc-url": "https://github.com/YotpoLtd/metorikku",
                "tags": ["software"],
            }
        ],
        "operators": [
            {
                "integration-name": NAME,
                "python-modules": [
                    "airflow_metorikku.operators.metorikku",
                    "airflow_metorikku.operators.data_quality",
                ],
            }
        ],
        "sensors": [
            {
                "integration-name": NAME,
                "python-modules": [
                    "airflow_metorikku.sensors.data_quality",
                    "airflow_metorikku.sensors.control_measures",
                ],
            }
        ],
        "triggers": [
            {"integration-name": NAME, "python-modules": ["airflow_metorikku.triggers.info_file"]}
        ],
        "notifications": [
            "airflow_metorikku.notifications.slack.SlackNotifier",
            "airflow_metorikku.notifications.email.EmailNotifier",
            "airflow_metorikku.notifications.custom.CustomNotifier",
        ],
        # Airflow loads plugins from entry points only, unless lazy discovery is off: both are declared.
        "plugins": [
            {"name": "metorikku", "plugin-class": "airflow_metorikku.plugin.MetorikkuPlugin"}
        ],
        "config": {
            "metorikku": {
                "description": "Metorikku jobs.",
                "options": {
                    "results_path": {
                        "description": "Where the results of runs are kept: a folder that all workers see, or any "
                        "address that ObjectStoragePath knows. Default: metorikku/results in AIRFLOW_HOME.",
                        "version_added": "0.1.0",
                        "type": "string",
                        "example": "s3://aws_default@bucket/metorikku/results",
                        "default": "",
                    }
                },
            }
        },
    }
