"""An audit as callers get it: a result that is printed as a report."""

from marubatsu.judge.audit.verdicts import AuditResult


class Audit(AuditResult):
    """The verdicts on one AI, and what they follow from; a notebook shows it as a page."""

    def __str__(self) -> str:
        """Return the text that the command prints."""
        from marubatsu.judge.audit.audit_report import text

        return text(self).removesuffix("\n")

    def _repr_html_(self) -> str:
        """Show the audit as a page in a notebook."""
        from marubatsu.judge.audit.audit_report import page

        return page(self)

    def badge(self) -> str:
        """Return an SVG image of the game and the classes, as ``--badge`` writes it."""
        from marubatsu.judge.audit.badge import badge

        return badge(self.game, self.verdicts)
