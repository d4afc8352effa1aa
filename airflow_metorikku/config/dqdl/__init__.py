"""DQDL, the rule language of AWS Glue and Deequ: text to checks."""
