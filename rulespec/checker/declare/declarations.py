"""All declarations of a game, in an order that lets each refer to those before it."""

from __future__ import annotations

from rulespec.checker.declare.functions import FunctionSections
from rulespec.checker.declare.procedures import ProcedureSections
from rulespec.checker.declare.repetition import RepetitionSection
from rulespec.checker.declare.rules import RuleSections
from rulespec.checker.declare.state import StateSections
from rulespec.checker.declare.tables import TableSections


class Declarations(StateSections, TableSections, FunctionSections, ProcedureSections, RuleSections, RepetitionSection):
    """Declares all sections but the finite types; bodies are checked later."""

    def declare(self) -> None:
        """Make the symbols of all sections; faults are reported."""
        context = self.context
        self.views()
        self.procedures()
        self.state(context.section("state"), None)
        self.zones(context.section("zones"), None)
        self.scopes()
        self.repetition()
        self.tables()
        self.functions()
        self.values()
        self.conditions()
        self.graphs()
        self.events()
        self.menus()
        self.lastings()
        self.rules()
