"""What the real Deequ does otherwise than this project, and why; the migration page is made of these lists.

Each entry is (what, why). The tests of the oracle name the records that they are about.
"""

from __future__ import annotations

from collections.abc import Iterable

DIFFERENCES_ANOMALIES: list[tuple[str, str]] = [
    (
        "The first runs of an anomaly check, with less history than its strategy needs, are `no_data`: reported, without "
        "effect unless the check says `emptyData`. Deequ fails the first run, and lets the next ones pass.",
        "A check that cannot tell yet is neither good nor bad; the first run of a new job is no incident.",
    ),
    (
        "SimpleThreshold judges the first run too; Deequ asks for a history.",
        "Its bounds are known before any value.",
    ),
    (
        "A value that an anomaly check found anomalous is no history for it; `includeAnomalies: true` is Deequ's way.",
        "One broken load would otherwise make the next good one look strange.",
    ),
    (
        "A rerun of the same Airflow run takes the place of its former values, and is judged by what was before it in time; "
        "Deequ puts a new value after all others.",
        "A repaired day is that day, not a new one.",
    ),
    (
        "A NaN is always an anomaly, and no history; in Deequ it passes most strategies and spoils those after it.",
        "What is no number is not usual.",
    ),
    (
        "RelativeRateOfChange of an order larger than the series finds nothing; Deequ throws.",
        "There is no change to judge.",
    ),
    (
        "OnlineNormal's texts name the bounds that the value was judged by; Deequ's, where it ignores anomalies, those around the mean before it.",
        "The text should explain the verdict.",
    ),
    (
        "Forecasts of HoltWinters differ by up to a ten-thousandth.",
        "Both search for the best parameters, by different programs.",
    ),
    (
        "A history may have a value of the same time as the new one, of another run; Deequ refuses.",
        "Two jobs may run for the same day.",
    ),
]

DIFFERENCES_ROWS: list[tuple[str, str]] = [
    (
        "Of no data there is no value: of a column of nothing but nulls, of a `where` that holds for no row (a minimum, a "
        "deviation, a quantile, a number of zeros or of distinct values), and of a data frame without rows, whatever the "
        "filter. The check is `no_data`, and fails unless `emptyData` says otherwise. Deequ passes what is filtered, and "
        "gives 0 for `hasZerosCount`, `hasApproxCountDistinct` and `hasDataType`.",
        "A check that saw nothing proves nothing.",
    ),
    (
        "`isNonNegative` and `isPositive`: a text that is no number does not obey (`notNumbers: pass` is Deequ's way); dates "
        "and booleans are an error, since they are no numbers. In Deequ words, dates and true pass.",
        "`abc` is not known to be positive.",
    ),
    (
        "`isNonNegative`, `isPositive` and `isContainedIn` of nothing but nulls are `no_data`; in Deequ they pass.",
        "A check that saw nothing proves nothing.",
    ),
    (
        "Names of columns: a flat name with a dot, a blank, a dash or any letter works in every check, with or without "
        "backticks; a field of a struct is `a.b`. In Deequ areComplete and its kin take none of these, isContainedIn and "
        "isNonNegative take only names without backticks, and no check takes a field.",
        "A name is a name.",
    ),
    (
        "`hasColumn` finds a column as SQL does: in any case, unless `spark.sql.caseSensitive` is on, and also in "
        "backticks. Deequ compares exactly.",
        "A check finds the column that all other checks find.",
    ),
    (
        "A `where` on `hasColumnCount` or `hasColumn` is refused; Deequ's check ignores it.",
        "The columns are the same whatever rows are chosen.",
    ),
    (
        "`isLessThan` and its kin compare a text with a number as numbers of any size; in Deequ, where the column beside it "
        "is a whole number, a text beyond that type's range is null.",
        "2147483648 is more than 5.",
    ),
    (
        "`hasDataType` and DataType under a `where` count the rows that it holds for; Deequ counts the others as Unknown.",
        "Rows left out are left out.",
    ),
    (
        "`isContainedIn` with bounds compares whole numbers and decimals exactly, Deequ as doubles.",
        "9007199254740993 is more than 9007199254740992.",
    ),
    (
        "RatioOfSums gives its own ratio beside whatever else is asked, and no data where one of the sums has none; Deequ "
        "reads the sums of other analyzers, and raises for a column of nulls.",
        "A value does not depend on what is asked beside it.",
    ),
    (
        "Sums of whole numbers are exact at any size, and so are means and RatioOfSums; Deequ's wrap at 64 bits. Smallest and "
        "largest values and their range keep all digits of whole numbers and decimals.",
        "9223372036854775807 + 1 is not negative.",
    ),
    (
        "`hasMin` and `hasMax` take dates and timestamps, with assertions as `>= 2024-01-31`; Deequ takes numbers only.",
        "The newest day is what many a check is about.",
    ),
    (
        "A quantile or relative error beyond 0 and 1, bounds in the wrong order, an assertion that always holds or never can "
        "(`>= 80` of a share) and a regular expression with an open bracket are refused before anything runs.",
        "A mistake costs least where it is made.",
    ),
]

DIFFERENCES_KEYS: list[tuple[str, str]] = [
    (
        "Keys and distributions of no data are `no_data`: with no rows in the data frame, whatever the filter, and where all "
        "is null (all null: duplicates, entropy, mutual information, buckets). Deequ gives 0, or 100 buckets from 2147483647 down "
        "to -2147483648.",
        "A check that saw nothing proves nothing.",
    ),
    (
        "A column twice among key columns, a histogram of no bins (`binCount: 0`, an edge twice) and more than 1000 bins are "
        "refused when the file is read.",
        "Each is a slip of the pen.",
    ),
    (
        "What was thrown and ended Deequ's run (a name that does not resolve, a bad filter) is an error of that check alone.",
        "One mistake hides no other check.",
    ),
    (
        "Keys may be complex: arrays and structs are equal or not, as anything else; maps cannot be keys, so "
        "hasDuplicateRowCount without columns says so of a data frame that has one. Deequ refuses all of them.",
        "A duplicate is one whatever its type.",
    ),
    (
        "Names with dots, blanks and in backticks work in histograms, intervals, entropy and mutual information too, and so "
        "do nested fields (`a.b`).",
        "A name is a name.",
    ),
    (
        "Histograms: null's name is `NullValue` as in Deequ; a text that reads so is `'NullValue'`, in quotes, a value of its own.",
        "Deequ counts null and the text together.",
    ),
    (
        "Histograms: both zeros of floating point are one value, `0.0`.",
        "They are equal, and Deequ's own uniqueness takes them for the same.",
    ),
    (
        "Histograms: decimals' text is Spark's of the session's mode; in ANSI mode it has no exponent.",
        "That is how Spark writes it.",
    ),
    (
        "Under a filter the ratios of histograms and intervals are of the rows that the filter keeps; Deequ divides by all rows.",
        "Ratios of a part of the rows add up to 1.",
    ),
    (
        "Intervals and buckets: NaN is in none of them, infinities are in the first and the last; the bounds are those of the "
        "finite numbers. In Deequ one NaN, or both infinities, make every bound NaN.",
        "A bound that is no number bounds nothing.",
    ),
    (
        "Intervals are of numbers: a text column is an error. Deequ gives no bins.",
        "Nothing was measured.",
    ),
    (
        "KLL bounds are the least and the greatest number, and buckets hold as many rows as there are, counted; decimals are "
        "numbers too. In Deequ the bounds of numbers beyond 32 bits are wrong, counts are estimates, and decimals end the run. "
        "The percentiles come from a sketch by Spark's own `percentile_approx`.",
        "An exact count costs no more than Deequ's own pass.",
    ),
    (
        "customSql takes one number, decimals too; a text is an error, and null is `no_data`. Deequ takes both for 0.",
        "Neither is a number.",
    ),
    (
        "doesDatasetMatch: data frames that are not comparable (a key column that is missing, keys that are not unique, unequal "
        "numbers of rows) are an error with the reason; Deequ's value is NaN.",
        "NaN says nothing to who is on call.",
    ),
    (
        "referentialIntegrity is the share of rows whose key is there; Deequ takes off one for each different missing key, "
        "however many rows have it.",
        "A thousand rows without their customer are a thousand.",
    ),
    (
        "rowCountMatch against a data frame without rows is `no_data`; Deequ's Infinity passes `>= 0.99`.",
        "An empty reference proves nothing.",
    ),
    (
        "schemaMatch: a column more on either side lowers the share; in Deequ the value is then 0, and also where there are no rows.",
        "A schema has no need of rows.",
    ),
    (
        "hasHistogramValues, hasHistogramBinnedValues and kllSketchSatisfies of a value, bin or bucket that is not there are "
        "an error that names it, and so is an assertion that cannot be made.",
        "Deequ says as much, with a failure.",
    ),
    (
        "customSql and kllSketchSatisfies take a `where` too.",
        "Deequ's have none.",
    ),
    (
        "hasUniqueValueRatio under a filter that keeps no row passes, as uniqueness does, and of nothing but nulls it is `no_data`; "
        "Deequ divides nothing by nothing there, and fails with an exception.",
        "The three ratios of keys go together.",
    ),
]

DIFFERENCES_WAIMAK: list[tuple[str, str]] = [
    (
        "Lists are trimmed: `a, b` are two labels. Waimak looks for a label `\" b\"`.",
        "Nobody means the blank.",
    ),
    (
        "An unknown parameter, or a threshold that is no share (`80`), is a mistake with its line. Waimak passes over the "
        "first, and the second never holds.",
        "A misspelt threshold would check nothing.",
    ),
    (
        "A completenessCheck without thresholds is a mistake. In Waimak it makes no constraint.",
        "Nothing checked is no pass.",
    ),
    (
        "A label that nothing makes is a mistake, found before anything runs. In Waimak the action never becomes ready.",
        "A typo would be found after hours.",
    ),
    (
        "A semicolon within quotes does not end a predicate of genericSQLCheck; Waimak has no escape for one.",
        "Texts may hold it.",
    ),
    (
        "recentTimestampCheck compares instants, with the Spark session's zone, or `zone`, for what has none; `nowOverride` "
        "takes an offset too. Waimak takes the driver's local time.",
        "A driver's zone is nobody's choice.",
    ),
    (
        "Data without rows, and columns of nothing but nulls, fail a check unless `emptyData` says otherwise.",
        "Deequ's success on no data lets the worst loads pass.",
    ),
    (
        "Alerts go out through Airflow's callbacks when the gate has judged, several constraints of one level and label in one "
        "message, and never twice for a retry. `metorikku run` alone tells nobody.",
        "One broken column should not be ten messages.",
    ),
    (
        "A critical constraint withholds the outputs and fails the gate, with or without the exception alerter.",
        "Who forgot the alerter still must not publish bad data.",
    ),
    (
        "Tokens and passwords of alerters stay out of Spark's settings, plans and results.",
        "Spark shows its settings on a page.",
    ),
    (
        "Two email alerters may have two servers; in Waimak the first one's settings count for all.",
        "Each alerter has its own.",
    ),
    (
        "Stored metrics are one JSON file a run in Deequ's format, a folder for each label; Waimak has a Parquet table for each.",
        "Deequ, gates and reports read the same files.",
    ),
    (
        "Checks cache nothing, neither as Parquet nor in memory, unless `cache` asks for it. Waimak caches each checked label as Parquet.",
        "What is written is checked where it lies.",
    ),
    (
        "Parquet caches lie beside the run's result, or in `cache.folder`, and go when the run ends; Waimak needs a temporary folder.",
        "Nothing is left to clean up.",
    ),
]

DIFFERENCES_PYDEEQU: list[tuple[str, str]] = [
    (
        "Assertions are comparisons with numbers, no Python functions.",
        "They are read, shown and judged anew by gates, far from Spark.",
    ),
    (
        "Nothing is called back from the JVM.",
        "PyDeequ's callback server keeps sessions from ending.",
    ),
]

DIFFERENCES_ROW_LEVEL: list[tuple[str, str]] = [
    (
        "row-level results: one column a constraint, named by its id",
        "Deequ has one a check, named by its description, and loses one of two with the same",
    ),
    (
        "a smallest value that must be `== 10`, or `<= 10`: only smaller values fail, or no row does",
        "Deequ asserts on every value, so that all rows but the smallest fail a check that holds",
    ),
    (
        "quarantine: a constraint that passed puts no row aside",
        "what an assertion tolerates is not wrong; row_results tells such rows all the same",
    ),
]

DIFFERENCES_SCHEMA: list[tuple[str, str]] = [
    (
        "a null in a nullable column with a minimum, maximum, length or pattern: the row is valid",
        "Deequ's predicate is null there, so that the row is in neither output",
    ),
    (
        "a fraction in an int column is invalid, with ANSI on or off",
        "Deequ's cast cuts it off",
    ),
]

DIFFERENCES_COLUMNS: list[tuple[str, str]] = [
    (
        "hasColumns of a data frame without rows has a value",
        "the columns are known without any row; Deequ's comparison of schemas fails there",
    ),
]

DIFFERENCES_DQDL: list[tuple[str, str]] = [
    (
        "ColumnValues is one share of rows, whatever the operator",
        "Deequ makes a minimum, a maximum and a completeness of some, and reports their values",
    ),
    (
        "ColumnValues matches: the pattern must match the whole value, which may be empty",
        "Deequ finds it between `^` and `$`, where an empty match is none and a last line break is passed over",
    ),
    (
        "ColumnValues with a time of the clock: moments are compared",
        "Deequ compares the dates of both, so that `now() - 3 hours` means midnight",
    ),
    (
        "ColumnDataType !=: no value is of the type",
        "in Deequ too, with a threshold as well, which is refused here",
    ),
    (
        "thresholds from earlier runs without an earlier value are `no_data`, which has no effect",
        "DQDL compares with 0 then",
    ),
    (
        "tags, Analyzers, DataSources: refused by name",
        "ids and the history say the same",
    ),
]

_EXACT = "sums are exact; Deequ's wrap at 64 bits"
_TYPES = (
    "bytes, dates and timestamps have a type, and their values are counted, as those of decimals"
)
_COMPLEX = "arrays and structs are profiled too: they are null or not"
_NAMES = (
    "a column has its values counted whatever its name; Deequ leaves out names that it must escape"
)
_DIGITS = "a whole number in a text may have 38 digits and a blank after its sign, as the type Integral allows; to Deequ such numbers are null"
_NULL = "null and the text NullValue are two values"
_NO_VALUE = "of a column without a value there is no number of zeros"
_ALL_NULL = "the values of an all-null column of texts are counted too"
_BOUND = "a text is no number to hasMin: rules that compare numbers suggest nothing of texts, lengths they do"
_COVERED = "values that cover all rows are CategoricalRange's alone; Deequ adds shares in floating point to 0.999..."
_EMPTY = "a shortest length of 0 says nothing"

# Column, key, our value (of a histogram the number of its values), and why.
PROFILE_VALUES: list[tuple[str, str, object, str]] = [
    ("lwrap", "mean", 6148914691236517205, _EXACT),
    ("lwrap", "sum", 110680464442257309690, _EXACT),
    ("by", "dataType", "Integral", _TYPES),
    ("by", "histogram", 5, _TYPES),
    ("dec", "histogram", 22, _TYPES),
    ("dec2", "histogram", 5, _TYPES),
    ("dt", "dataType", "Date", _TYPES),
    ("dt", "histogram", 22, _TYPES),
    ("ts", "dataType", "Timestamp", _TYPES),
    ("ts", "histogram", 21, _TYPES),
    ("s", "histogram", 21, _NULL),
    ("s_null", "histogram", 4, _NULL),
    ("n_s", "histogram", 1, _ALL_NULL),
    ("n_d", "zerosCount", (), _NO_VALUE),
    ("größe", "histogram", 3, _NAMES),
    ("col space", "histogram", 3, _NAMES),
    ("a-b", "histogram", 3, _NAMES),
    ("col.dot", "histogram", 4, _NAMES),
    ("s_int", "mean", 37037036703703703685 / 21, _DIGITS),
    ("s_int", "maximum", 12345678901234567890, _DIGITS),
    ("s_int", "minimum", -4, _DIGITS),
    ("s_int", "range", 12345678901234567894, _DIGITS),
    ("s_int", "interquartileRange", 9.0, _DIGITS),
    ("s_int", "sum", 37037036703703703685, _DIGITS),
    ("s_int", "stdDev", 4.3200876908955387e18, _DIGITS),
    ("s_int", "variance", 1.8663157657027146e37, _DIGITS),
    ("s_int", "skewness", 2.0412414523193143, _DIGITS),
    ("s_int", "kurtosis", 2.166666666666668, _DIGITS),
    ("s_frac", "mean", 3571442856.821571, _DIGITS),
    ("s_frac", "minimum", -4.5, _DIGITS),
    ("s_frac", "interquartileRange", 100002.25, _DIGITS),
    ("s_frac", "stdDev", 8748171820.877834, _DIGITS),
    ("s_frac", "variance", 7.653051020760102e19, _DIGITS),
    ("s_frac", "skewness", 2.0412414522526343, _DIGITS),
    ("s_frac", "kurtosis", 2.1666666665214827, _DIGITS),
]
# Column, who suggests it, rule, and why.
SUGGESTED_OTHERWISE: list[tuple[str, str, str, str]] = [
    ("grp", "only Deequ's", "FractionalCategoricalRange", _COVERED),
    ("by", "only ours", "CategoricalRange", _TYPES),
    ("col space", "only ours", "CategoricalRange", _NAMES),
    ("a-b", "only ours", "CategoricalRange", _NAMES),
    ("col.dot", "only ours", "CategoricalRange", _NAMES),
    ("arr", "only ours", "RetainCompleteness", _COMPLEX),
    ("st", "only ours", "RetainCompleteness", _COMPLEX),
    ("s", "only Deequ's", "HasMinLength", _EMPTY),
    ("s_odd", "only Deequ's", "HasMinLength", _EMPTY),
    *(
        (column, "only Deequ's", rule, _BOUND)
        for column in ("s_int", "s_num")
        for rule in ("HasMin", "HasMax", "HasMean", "HasStandardDeviation")
    ),
    *(
        (column, "only ours", rule, _BOUND)
        for column in ("s_int", "s_num")
        for rule in ("HasMinLength", "HasMaxLength")
    ),
]


def _by_reason(told: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """One line for each reason, with all that it is the reason of, in the order of their first."""
    found: dict[str, dict[str, None]] = {}
    for what, why in told:
        found.setdefault(why, {})[what] = None
    return [(", ".join(what), why) for why, what in found.items()]


DIFFERENCES_PROFILES: list[tuple[str, str]] = [
    *(
        (f"in a profile: {keys}", why)
        for keys, why in _by_reason((f"`{key}`", why) for _, key, _, why in PROFILE_VALUES)
    ),
    *(
        (f"suggested: {rules}", why)
        for rules, why in _by_reason(
            (f"{rule} ({who})", why) for _, who, rule, why in SUGGESTED_OTHERWISE
        )
    ),
    (
        "profile with a sketch: `approxPercentiles`",
        "where a percentile lies just between two numbers it is the lower one; Deequ's is the upper one",
    ),
    (
        "hasMin, hasMax, hasMean, hasStandardDeviation suggested",
        "bounds, not `==`, which the next day's data break; the mean's are of the mean",
    ),
    (
        "hasDataType suggested of texts that are whole numbers and fractions",
        "Numeric: Deequ's Fractional fails on the data that it came from",
    ),
    ("a suggestion that its own data do not satisfy", "is left out, and said to be"),
    (
        "profile of an empty data frame, an all-null column, an array, a struct",
        "is a profile; Deequ raises",
    ),
]
