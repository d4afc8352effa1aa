"""Jobs with their metric and SQL files: base folder, prefix, variables, folders, and every problem at once."""

from __future__ import annotations

import json

import pytest

from airflow_metorikku.config.base_folder import find_base
from airflow_metorikku.config.interpolation import LITERAL_DOLLAR
from airflow_metorikku.config.load import read_job, read_job_text
from airflow_metorikku.errors import ConfigError
from airflow_metorikku.plan.jobs import require_sound

METRIC = "steps:\n- {dataFrameName: t, sql: SELECT 1 AS x}\n"


@pytest.fixture
def write(tmp_path, monkeypatch):
    """`write(path=text, ...)` in an empty working folder, `__` for a slash."""
    monkeypatch.chdir(tmp_path)

    def write_files(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write_files


def problems_of(file="job.yaml", **options):
    return [str(problem) for problem in read_job(file, environ={}, **options).problems]


def load_job(file, **options):
    reading = read_job(file, **options)
    assert reading.problems == ()
    return reading.job


def test_job(write):
    root = write({
        "job.yaml": "metrics: [one.v2.yaml]\nappName: ${app:-x}\n",
        "one.v2.yaml": METRIC + "output:\n- {dataFrameName: t, outputType: File, format: orc, protectFromEmptyOutput: true, outputOptions: {path: o}}\n",
    })  # fmt: skip
    job = load_job("job.yaml", environ={"app": "movies"})
    assert (job.name, job.file, job.base) == (root.name, "job.yaml", str(root))
    assert job.settings.app_name == "movies"
    (metric,) = job.metrics
    assert (metric.name, metric.file, metric.steps[0].sql) == (
        "one.v2",
        "one.v2.yaml",
        "SELECT 1 AS x",
    )
    options = metric.output[0].output_options
    assert (options.format, options.protect_from_empty_output) == ("orc", True)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("movies/job.yaml", "movies"),
        ("movies/job.json", "movies"),
        ("movies/../movies/job.yml", "movies"),
        ("movies/daily.yaml", "daily"),
        ("movies/daily.v2.yaml", "daily.v2"),
        (f"{'0a' * 20}/job.yaml", "job"),
    ],
)
def test_job_is_named_by_its_file_or_by_the_folder_of_a_file_called_job(write, file, name):
    metrics = '{"metrics": ["m.yaml"]}'
    first, last = file.split("/")[0], file.split("/")[-1]
    write({f"{first}/{last}": metrics, f"{first}/m.yaml": METRIC})
    assert load_job(file, environ={}).name == name


def test_sql_file_is_beside_the_metric_and_interpolated(write):
    write({
        "job.yaml": "metrics: [m/one.yaml]\n",
        "m/one.yaml": "steps:\n- {dataFrameName: t, file: q.sql}\n- {dataFrameName: u, sql: SELECT 2, file: none.sql}\n",
        "m/q.sql": "SELECT '${ds}', ${v}, '$${x}', '${HOME_DIR}' -- ${other}\n",
    })  # fmt: skip
    job = load_job(
        "job.yaml", variables={"v": "1"}, texts={"ds": "2024-01-02"}, environ={"HOME_DIR": "/home"}
    )
    first, second = job.metrics[0].steps
    assert (
        first.sql
        == f"SELECT '2024-01-02', ${{v}}, '{LITERAL_DOLLAR}{{x}}', '/home' -- ${{other}}\n"
    )
    assert (first.file, second.sql) == ("q.sql", "SELECT 2")


def test_folder_of_metrics_is_read_by_name(write):
    write({
        "job.yaml": "metrics: [all]\n",
        "all/b.yaml": METRIC, "all/a.json": json.dumps({"steps": [{"dataFrameName": "a", "sql": "SELECT 1"}]}), "all/c.yml": METRIC,
        "all/README.md": "no", "all/deeper/d.yaml": METRIC,
    })  # fmt: skip
    assert [metric.name for metric in load_job("job.yaml", environ={}).metrics] == ["a", "b", "c"]


def test_folder_without_metrics(write):
    write({"job.yaml": "metrics: [all]\n", "all/README.md": "no"})
    assert problems_of() == [
        "job.yaml:1: metrics[0]: all: no metric file (*.json, *.yaml, *.yml) in the folder"
    ]


def test_yaml_in_a_metric_named_json_is_read_as_metorikku_does(write):
    write({"job.yaml": "metrics: [m.json]\n", "m.json": "# a comment\n" + METRIC})
    assert load_job("job.yaml", environ={}).metrics[0].steps[0].data_frame_name == "t"


def test_given_variables(write):
    write(
        {
            "job.yaml": "metrics: [m.yaml]\nappName: '${a}'\nvariables: {a: 1, b: 2}\nfailedDFLocationPrefix: ${c}\n",
            "m.yaml": METRIC,
        }
    )
    job = load_job(
        "job.yaml", variables={"a": "it's", "c": 7, "d": True}, environ={"a": "environment"}
    )
    assert job.settings.app_name == "it's"
    assert job.settings.variables == {"a": "it's", "b": "2", "c": "7", "d": "true"}
    assert job.settings.failed_df_location_prefix == "7"


def test_given_variables_in_a_circle(write):
    write({"job.yaml": "metrics: [m.yaml]\n", "m.yaml": METRIC})
    assert problems_of(variables={"a": "${a}"}) == [
        "job.yaml: variables: ${a} names itself: a > a; expected a value without a circle"
    ]


def test_names_that_stand_for_nothing_are_kept_for_the_run(write):
    write(
        {
            "job.yaml": "metrics: [m.yaml]\nvariables: {v: '${w}'}\nappName:\n  ${day}\n",
            "m.yaml": METRIC.replace("1 AS x}", "${v}, params: {a: '${ds}'}}"),
        }
    )
    found = [str(problem) for problem in load_job("job.yaml", environ={}).undefined]
    assert found == [
        "job.yaml:4: appName: ${day} is undefined; give a variable, an environment variable, or a default as ${day:-text} (variables of the job file are for SQL)",
        "m.yaml:2: steps[0].params.a: ${ds} is undefined: this run has no logical date; use ${run_after}, or a default as ${ds:-2024-01-01}",
    ]
    known = {"texts": {"ds": "2024-01-02"}, "variables": {"day": "x"}}
    assert load_job("job.yaml", environ={}, **known).undefined == ()


def test_metric_that_depends_on_what_is_not_known(write):
    write({"job.yaml": "metrics: ['${which}.yaml']\n", "m.yaml": METRIC})
    (problem,) = problems_of()
    assert problem.startswith("job.yaml:1: metrics[0]: ${which} stands for nothing here")
    assert load_job("job.yaml", variables={"which": "m"}, environ={}).metrics[0].name == "m"
    assert load_job("job.yaml", environ={"which": "m"}).metrics[0].name == "m"


def test_keys_from_the_environment(write):
    write({"job.yaml": "metrics: [m.yaml]\ncheckpointStorageLocation: mine\n", "m.yaml": METRIC})
    environ = {
        "CONFIG_FAILED_DF_PATH_PREFIX": "failed",
        "CONFIG_CHECKPOINT_STORAGE_LOCATION": "theirs",
    }
    settings = load_job("job.yaml", environ=environ).settings
    assert (settings.failed_df_location_prefix, settings.checkpoint_storage_location) == (
        "failed",
        "mine",
    )


def test_prefix_is_put_before_job_and_metric_as_it_stands(write):
    root = write(
        {
            "x/job.yaml": "metrics: [m/m.yaml]\n",
            "x/m/m.yaml": "steps:\n- {dataFrameName: t, file: q.sql}\n",
            "x/m/q.sql": "SELECT 1",
        }
    )
    job = load_job("job.yaml", environ={"CONFIG_FILES_PATH_PREFIX": f"{root}/x/"})
    assert job.metrics[0].steps[0].sql == "SELECT 1"


def test_job_as_text_is_not_interpolated(write):
    write({"m.yaml": METRIC.replace("1 AS x", "'${E}'")})
    text = json.dumps({"metrics": ["m.yaml"], "appName": "a ${E}", "variables": {"v": "${E}"}})
    job = read_job_text(text, environ={"E": "e"}).job
    assert (job.name, job.settings.variables, job.metrics[0].steps[0].sql) == (
        "job",
        {"v": "${E}"},
        "SELECT 'e'",
    )


def test_job_as_text_with_a_mistake():
    (problem,) = read_job_text("metrics: [m.yaml]", environ={}).problems
    assert str(problem) == "--job:1: not JSON: got 'm', expected a value, texts in double quotes"


def test_job_file_named_json_is_json(write):
    write({"job.json": "metrics: [m.yaml]\n", "m.yaml": METRIC})
    assert problems_of("job.json") == [
        "job.json:1: not JSON: got 'm', expected a value, texts in double quotes"
    ]


def test_problems_of_all_files_in_order_each_once(write):
    write({
        "job.yaml": "metrics:\n- two.yaml\n- one.yaml\n- none.yaml\n- two.yaml\nexplain: 7\n",
        "one.yaml": "steps:\n- {dataFrameName: a, file: none.sql}\n- {dataFrameName: b, sql: 'SELECT 1', cahce: true}\n",
        "two.yaml": "steps: [\n",
    })  # fmt: skip
    assert [problem.split(": ")[0] for problem in problems_of()] == [
        "job.yaml:4",
        "job.yaml:6",
        "two.yaml:1",
        "one.yaml:2",
        "one.yaml:3",
    ]


def test_reading_of_a_broken_job_knows_what_is_declared(write):
    write({
        "job.yaml": "metrics: [one.yaml]\ninputs: {i: {kafka: {topic: x}}}\nexplain: 7\n",
        "one.yaml": "steps:\n- {dataFrameName: a, sqll: x}\n- {dataFrameName: b, sql: SELECT * FROM a}\n",
    })  # fmt: skip
    reading = read_job("job.yaml", environ={})
    assert reading.declared == {"i", "a", "b"}
    assert reading.complete
    assert [step.data_frame_name for step in reading.job.metrics[0].steps] == ["b"]
    assert len(reading.problems) == 3


@pytest.mark.parametrize("metric", ["none.yaml", "bad.yaml", "nameless.yaml"])
def test_reading_that_cannot_know_what_is_declared_says_so(write, metric):
    write(
        {
            "job.yaml": f"metrics: [{metric}]\n",
            "bad.yaml": "steps: [",
            "nameless.yaml": "steps: [{sql: SELECT 1}]\n",
        }
    )
    assert not read_job("job.yaml", environ={}).complete


def test_metric_without_a_name(write):
    write({"job.yaml": 'metrics: [""]\n'})
    assert problems_of() == [
        "job.yaml:1: metrics[0]: got an empty text, expected a metric file or folder"
    ]


@pytest.mark.parametrize(
    ("variables", "says"),
    [({"x": "${y}", "y": "${x}"}, "names itself"), ({"x": "a\0b"}, "x: character U+0000"), ({"x": "\udcff"}, "x: character U+DCFF")],
)  # fmt: skip
def test_variables_that_cannot_be_used_are_problems_of_files_and_texts(write, variables, says):
    write({"job.yaml": "metrics: [m.yaml]\n", "m.yaml": METRIC})
    for reading in (
        read_job("job.yaml", variables=variables, environ={}),
        read_job_text('{"metrics": ["m.yaml"]}', variables=variables, environ={}),
    ):
        (problem,) = reading.problems
        assert says in str(problem)


def test_connection_in_sql_is_one_problem(write):
    write({"job.yaml": "metrics: [m.yaml]\n", "m.yaml": "steps:\n- dataFrameName: t\n  sql: SELECT '${conn.db.host}'\n"})  # fmt: skip
    reading = read_job("job.yaml", environ={})
    with pytest.raises(ConfigError) as caught:
        require_sound(reading, final=True)
    assert [problem.path for problem in caught.value.problems] == ["steps[0].sql"]


def test_a_link_to_nothing_in_a_folder_of_metrics_is_not_passed_by(write):
    root = write({"job.yaml": "metrics: [all]\n", "all/m.yaml": METRIC})
    (root / "all/n.yaml").symlink_to("nothing")
    assert problems_of() == ["job.yaml:1: metrics[0]: all/n.yaml: no such file"]


def test_metric_with_a_name_that_no_file_can_have(write):
    write({"job.yaml": f"metrics: [{'x' * 5000}]\n"})
    (problem,) = problems_of()
    assert problem.startswith("job.yaml:1: metrics[0]: ")
    assert ": cannot be read: " in problem


BASES = {
    "beside the job": ({"a/b/job.yaml", "a/b/m.yaml"}, ["m.yaml"], "a/b"),
    "as Metorikku's examples": ({"a/b/job.yaml", "a/b/m.yaml"}, ["b/m.yaml"], "a"),
    "from the working folder": ({"a/b/job.yaml", "a/b/m.yaml"}, ["a/b/m.yaml"], ""),
    "the most": (
        {"a/b/job.yaml", "a/b/m.yaml", "a/b/n.yaml", "a/m.yaml"},
        ["b/m.yaml", "b/n.yaml", "m.yaml"],
        "a",
    ),
    "ties to the nearest": ({"a/b/job.yaml", "a/b/m.yaml", "a/m.yaml"}, ["m.yaml"], "a/b"),
    "none exists": ({"a/b/job.yaml"}, ["m.yaml"], "a/b"),
}


@pytest.mark.parametrize("case", BASES)
def test_base(case, write):
    files, metrics, base = BASES[case]
    root = write(dict.fromkeys(files, ""))
    assert find_base(root / "a/b/job.yaml", metrics) == root / base


def test_base_search_ends_where_it_is_told(write):
    root = write({"a/b/job.yaml": "", "a/b/m.yaml": ""})
    assert find_base(root / "a/b/job.yaml", ["a/b/m.yaml"], ends=[root / "a"]) == root / "a/b"
    assert find_base(root / "a/b/job.yaml", ["b/m.yaml"], ends=[root / "a"]) == root / "a"
    assert (
        find_base(root / "a/b/job.yaml", ["b/m.yaml"], ends=[root / "elsewhere", root / "a"])
        == root / "a"
    )


def test_base_search_stays_in_the_job_s_folder_outside_of_all_ends(write, monkeypatch):
    root = write({"a/b/job.yaml": "", "a/b/m.yaml": "", "w/x": ""})
    monkeypatch.chdir(root / "w")
    assert find_base(root / "a/b/job.yaml", ["b/m.yaml"]) == root / "a/b"


def test_base_that_is_given(write):
    root = write(
        {"a/job.yaml": "metrics: [c/m.yaml]\nbase: ..\n", "c/m.yaml": METRIC, "d/c/m.yaml": METRIC}
    )
    assert load_job("a/job.yaml", environ={}).base == str(root)
    assert load_job("a/job.yaml", base="../d", environ={}).base == str(root / "d")
