"""What differs from Deequ on purpose, and why; the documentation's tables are made of it."""

from __future__ import annotations

_EXACT = "sums are exact; Deequ's wrap at 64 bits"
_TYPES = (
    "bytes, dates and timestamps have a type, and their values are counted, as those of decimals"
)
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
DIFFERENCES_PROFILES: list[tuple[str, str]] = [
    *dict.fromkeys(
        (f"profile of a column as `{column}`: `{key}`", why)
        for column, key, _, why in PROFILE_VALUES
    ),
    *dict.fromkeys(
        (f"suggestion of {rule}, {who}", why) for _, who, rule, why in SUGGESTED_OTHERWISE
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
