"""The inputs of the schedule form: shows a draft, gives it back, and puts each problem at its field."""

from typing import Any

from PySide6.QtCore import QDate
from PySide6.QtWidgets import QComboBox, QLineEdit, QVBoxLayout

from ridgeline_desktop.core.drafts import DraftProblem, Repeat, ScheduleDraft
from ridgeline_desktop.core.schedules import Weekday
from ridgeline_desktop.core.values import replace
from ridgeline_desktop.gui.kit.draft_form import DraftForm
from ridgeline_desktop.gui.kit.forms import beside, hint_label
from ridgeline_desktop.gui.kit.zone_box import ZoneBox
from ridgeline_desktop.gui.schedules.inputs import DateInput, DaysInput, EveryInput
from ridgeline_desktop.gui.schedules.limits import DeadlineInput, GraceInput, SilenceInput
from ridgeline_desktop.gui.schedules.starter import StarterInput
from ridgeline_desktop.gui.schedules.texts import arrives_word, kept_lines, repeat_words
from ridgeline_desktop.gui.schedules.times import BetweenInput, TimesInput

_WORKDAYS = (Weekday.MON, Weekday.TUE, Weekday.WED, Weekday.THU, Weekday.FRI)
_TIMED = (Repeat.DAILY, Repeat.WEEKLY, Repeat.MONTHLY_DAY, Repeat.MONTHLY_NTH)
_BY_CLOCK = (*_TIMED, Repeat.EVERY, Repeat.CUSTOM)
_BETWEEN_DATES = 4  # letters
_SHOWN_FOR = {
    "every": (Repeat.EVERY,),
    "between": (Repeat.EVERY,),
    "every_days": (Repeat.EVERY,),
    "weekly_days": (Repeat.WEEKLY,),
    "month_day": (Repeat.MONTHLY_DAY,),
    "nth": (Repeat.MONTHLY_NTH,),
    "times": _TIMED,
    "cron": (Repeat.CUSTOM,),
    "zone": _BY_CLOCK,
    "starts": _BY_CLOCK,
    "expect": (Repeat.BY_HAND,),
    "grace": (*_BY_CLOCK, Repeat.ARRIVES),
}


class ScheduleForm(DraftForm[ScheduleDraft]):
    """The inputs of all kinds of repeating; those of the kind that is chosen are shown."""

    def __init__(self) -> None:
        super().__init__(ScheduleDraft())
        self._make_inputs()
        self._kept = hint_label("")
        self._lay_out()
        self._connect()
        self._settle_inputs()

    def set_draft(self, draft: ScheduleDraft, *, shop_zone: str, today: QDate) -> None:
        """Show a draft. What is not touched comes back from `draft()` just as it was here."""
        self._begin_filling(draft)
        self._offer_arrivals(draft.repeat is Repeat.ARRIVES)
        self.repeat.setCurrentIndex(self.repeat.findData(draft.repeat))
        self.every.set_text(draft.every)
        self.between.set_between(draft.between)
        is_every = draft.repeat is Repeat.EVERY
        self.every_days.set_days((draft.days if is_every else ()) or tuple(Weekday))
        self.weekly_days.set_days((() if is_every else draft.days) or _WORKDAYS)
        self.times.set_times(draft.times)
        self.month_day.setCurrentIndex(self.month_day.findData(draft.month_day))
        self.nth.setCurrentIndex(self.nth.findData(draft.nth))
        self.weekday.setCurrentIndex(self.weekday.findData(draft.weekday))
        self.cron.setText(draft.cron)
        self.zone.set_usual(self.tr("Shop time ({0})").format(shop_zone))
        self.zone.set_zone(draft.zone)
        self.starts.set_text(draft.starts, today=today)
        self.ends.set_text(draft.ends, today=today)
        self.expect.set_text(draft.expect)
        self.grace.set_text(draft.grace)
        self.deadline.set_text(draft.deadline)
        self.starter.set_backend(draft.backend)
        self._end_filling()
        self._show_kind()

    def draft(self) -> ScheduleDraft:
        """What the form says now. What was not touched is just as it was in the draft that it shows."""
        touched = self.touched()
        if "repeat" in touched:
            # The fields of another kind were never shown before; all of them are meant as they stand now.
            touched = self._read()
        return replace(self._draft, **touched)

    def own_problems(self) -> tuple[DraftProblem, ...]:
        """What only the form can know: that no day is ticked, which a draft reads as all days."""
        if self._kind() is Repeat.EVERY and not self.every_days.days():
            return (DraftProblem(field="days", message=self.tr("Tick at least one day.")),)
        return ()

    def use_time(self, old: str, new: str) -> None:
        """Take another time of day for one of those shown."""
        self.times.replace(old, new)

    def _kind(self) -> Repeat:
        return Repeat(self.repeat.currentData())

    def _read(self) -> dict[str, Any]:
        """What stands in the inputs. A choice that is hidden now is none: it is not written unseen."""
        days = self._days_input().days()
        every_day = self._kind() is Repeat.EVERY and len(days) == len(Weekday)
        return {
            "repeat": self._kind(),
            "every": self.every.text(),
            "between": self.between.between(),
            "days": () if every_day else days,
            "times": self.times.times(),
            "month_day": str(self.month_day.currentData()),
            "nth": str(self.nth.currentData()),
            "weekday": Weekday(self.weekday.currentData()),
            "cron": self.cron.text().strip(),
            "zone": self.zone.zone(),
            "starts": self.starts.text(),
            "ends": self.ends.text(),
            "expect": self.expect.text() if self._kind() is Repeat.BY_HAND else "",
            "backend": self.starter.backend() if self._kind() in _BY_CLOCK else self._draft.backend,
            "grace": self.grace.text(),
            "deadline": self.deadline.text(),
        }

    def _days_input(self) -> DaysInput:
        return self.every_days if self._kind() is Repeat.EVERY else self.weekly_days

    def _place_of(self, field: str) -> str:
        days = "every_days" if self._days_input() is self.every_days else "weekly_days"
        expect = "expect" if self._kind() is Repeat.BY_HAND else "repeat"
        places = {"days": days, "weekday": "nth", "ends": "starts", "arrives": "repeat", "expect": expect}
        return places.get(field, field)

    def _make_inputs(self) -> None:
        self.repeat, self.every, self.between = QComboBox(), EveryInput(), BetweenInput()
        self.every_days, self.weekly_days, self.times = DaysInput(), DaysInput(), TimesInput()
        self.month_day, self.nth, self.weekday = QComboBox(), QComboBox(), QComboBox()
        self.cron, self.zone = QLineEdit(), ZoneBox()
        self.starts = DateInput(self.tr("from"), name=self.tr("First day"))
        self.ends = DateInput(self.tr("until"), name=self.tr("Last day"))
        self.expect, self.grace, self.deadline = SilenceInput(), GraceInput(), DeadlineInput()
        self.starter = StarterInput()
        allowances = (self.expect.kind, self.grace.kind, self.deadline.kind)
        widest = max(allowance.sizeHint().width() for allowance in allowances)
        for allowance in allowances:
            allowance.setMinimumWidth(widest)
        for kind, word in repeat_words().items():
            self.repeat.addItem(word, kind)
        for day in range(1, 32):
            self.month_day.addItem(self.tr("day {0}").format(day), str(day))
        self.month_day.addItem(self.tr("the last day"), "last")
        ordinals = (self.tr("first"), self.tr("second"), self.tr("third"), self.tr("fourth"), self.tr("last"))
        for word, value in zip(ordinals, ("1", "2", "3", "4", "last"), strict=True):
            self.nth.addItem(self.tr("the {0}").format(word), value)
        names = (
            self.tr("Monday"), self.tr("Tuesday"), self.tr("Wednesday"), self.tr("Thursday"),
            self.tr("Friday"), self.tr("Saturday"), self.tr("Sunday"),
        )  # fmt: skip
        for name, weekday in zip(names, Weekday, strict=True):
            self.weekday.addItem(name, weekday)
        self.weekday.setAccessibleName(self.tr("Day of the week"))

    def _lay_out(self) -> None:
        box, rows = QVBoxLayout(self), self._rows
        box.setContentsMargins(0, 0, 0, 0)
        dates = beside(self.starts, self.ends, None)
        dates.setSpacing(self.fontMetrics().averageCharWidth() * _BETWEEN_DATES)
        rows.add("repeat", self.tr("&Repeat"), beside(self.repeat, None), buddy=self.repeat)
        rows.add("cron", self.tr("E&xpression"), self.cron, hint=self._cron_hint())
        rows.add("every", self.tr("&Every"), self.every)
        rows.add("between", self.tr("Time of &day"), self.between)
        rows.add("every_days", self.tr("&On"), self.every_days)
        rows.add("weekly_days", self.tr("&On"), self.weekly_days)
        rows.add("month_day", self.tr("&On"), beside(self.month_day, None), buddy=self.month_day)
        rows.add("nth", self.tr("&On"), beside(self.nth, self.weekday, None), buddy=self.nth)
        rows.add("times", self.tr("&At"), self.times)
        rows.add("zone", self.tr("Time &zone"), self.zone)
        rows.add("starts", self.tr("Da&tes"), dates, buddy=self.starts.box)
        rows.add("expect", self.tr("&Warn when silent\nfor longer than"), self.expect)
        rows.add("grace", self.tr("&Warn when late by"), self.grace)
        rows.add("deadline", self.tr("&Give up after"), self.deadline)
        for wide in (self._kept, self._elsewhere, self.starter):
            rows.add_wide(wide)
        box.addWidget(rows)

    def _cron_hint(self) -> str:
        return self.tr(
            "Minute, hour, day, month, weekday. Leave it as it is unless you know how to read it; the other "
            "choices under Repeat are easier."
        )

    def _connect(self) -> None:
        self.repeat.currentIndexChanged.connect(self._kind_changed)
        for box in (self.month_day, self.nth, self.weekday):
            box.currentIndexChanged.connect(self._tell)
        self.cron.textChanged.connect(self._tell)
        for one in (self.every, self.between, self.every_days, self.weekly_days, self.times):
            one.changed.connect(self._tell)
        for other in (self.zone, self.starts, self.ends, self.expect, self.grace, self.deadline):
            other.changed.connect(self._tell)
        self.starter.changed.connect(self._kind_changed)

    def _kind_changed(self) -> None:
        if not self._filling:
            self._show_kind()
            self._tell()

    def _show_kind(self) -> None:
        kind = self._kind()
        for field, kinds in _SHOWN_FOR.items():
            self._rows.set_shown(field, kind in kinds)
        self.starter.setVisible(kind in _BY_CLOCK)
        kept = kept_lines(self._draft, kind, self.starter.backend())
        self._kept.setText("\n".join(kept))
        self._kept.setVisible(bool(kept))

    def _offer_arrivals(self, offer: bool) -> None:
        place = self.repeat.findData(Repeat.ARRIVES)
        if offer and place < 0:
            self.repeat.addItem(arrives_word(), Repeat.ARRIVES)
        elif not offer and place >= 0:
            self.repeat.removeItem(place)
