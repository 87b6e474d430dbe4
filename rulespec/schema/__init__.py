"""The JSON Schemas of the language, generated from its definitions, and the validation of a game against them."""

from rulespec.schema.build import bot_schema, cases_schema, game_schema, study_schema, variant_schema
from rulespec.schema.files import coverage_schema, save_schema, transcript_schema
from rulespec.schema.own import own_bot_schema, own_schema
from rulespec.schema.table import table_schema
from rulespec.schema.validate import respelt, validate, validate_bot, validate_cases, validate_study, validate_variant

__all__ = [
    "bot_schema", "cases_schema", "coverage_schema", "game_schema", "own_bot_schema", "own_schema", "respelt", "save_schema",
    "study_schema", "table_schema", "transcript_schema", "validate", "validate_bot", "validate_cases", "validate_study",
    "validate_variant", "variant_schema",
]  # fmt: skip
