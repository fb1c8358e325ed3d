"""The question how long a job is to be paused, and why."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from PySide6.QtCore import QDate, QDateTime, QTime, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDateTimeEdit,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.ports import Clock
from ridgeline_desktop.gui.kit.cards import plain_label

MORNING = 8
LATEST = QDate(2999, 12, 31)
WIDTH_IN_LETTERS = 62


class PauseDialog(QDialog):
    """Emits `chosen` with the end of the pause (UTC; None = until somebody resumes it) and the reason.

    A length of time counts from when it is confirmed; a time of day is the one of `zone`.
    """

    chosen = Signal(object, str)

    def __init__(self, *, title: str, clock: Clock, zone: ZoneInfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._clock, self._zone = clock, zone
        self._opened = clock.now().astimezone(zone)
        self.setWindowTitle(self.tr("Pause a job"))
        self.setModal(True)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * WIDTH_IN_LETTERS)
        self.choices = QButtonGroup(self)
        layout = QVBoxLayout(self)
        layout.addWidget(plain_label(self.tr("Pause “{job}” until when?").format(job=title), is_bold=True))
        layout.addWidget(
            plain_label(self.tr("While it is paused its scheduled starts are left out. Run now still works."))
        )
        for number, text in enumerate(self._texts()):
            button = QRadioButton(text, self)
            self.choices.addButton(button, number)
            layout.addWidget(button)
        self.until = QDateTimeEdit(self)
        self.until.setCalendarPopup(True)
        self.until.setMaximumDate(LATEST)
        self.until.setDisplayFormat("ddd d MMM yyyy HH:mm")
        self.until.setAccessibleName(self.tr("Paused until"))
        self.until.setDateTime(_wall(self._morning(7)))
        self.until.dateTimeChanged.connect(self._chose_time)
        layout.addWidget(self.until)
        self.reason = QLineEdit(self)
        self.reason.setAccessibleName(self.tr("Why"))
        self.reason.setPlaceholderText(self.tr("for example: the shop is closed for the holidays"))
        form = QFormLayout()
        form.addRow(self.tr("&Why:"), self.reason)
        layout.addLayout(form)
        self._problem = plain_label()
        self._problem.hide()
        layout.addWidget(self._problem)
        layout.addWidget(self._buttons())
        self.choices.button(0).setChecked(True)

    def _texts(self) -> tuple[str, ...]:
        morning = self._morning(1)
        return (
            self.tr("For &1 hour"),
            self.tr("Until tomorrow &morning, {time}").format(time=f"{morning:%H:%M}"),
            self.tr("Until somebody &resumes it"),
            self.tr("Until this &time ({zone}):").format(zone=self._zone.key),
        )

    def _buttons(self) -> QDialogButtonBox:
        buttons = QDialogButtonBox(self)
        self.confirm = buttons.addButton(self.tr("&Pause it"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.tr("&Leave it as it is"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self._confirm)
        buttons.rejected.connect(self.reject)
        return buttons

    def _morning(self, days: int) -> datetime:
        day = self._opened + timedelta(days=days)
        return day.replace(hour=MORNING, minute=0, second=0, microsecond=0, fold=0)

    def _chose_time(self) -> None:
        self.choices.button(3).setChecked(True)

    def _end(self, now: datetime) -> datetime | None:
        match self.choices.checkedId():
            case 0:
                return now.astimezone(UTC) + timedelta(hours=1)
            case 1:
                return self._morning(1).astimezone(UTC)
            case 2:
                return None
        wall = self.until.dateTime()
        date, time = wall.date(), wall.time()
        chosen = datetime(
            date.year(), date.month(), date.day(), time.hour(), time.minute(), tzinfo=self._zone
        )
        first, second = (chosen.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
        # When clocks go back a time comes twice, and only the second may still lie ahead.
        return second if first <= now < second else first

    def _confirm(self) -> None:
        now = self._clock.now()
        end = self._end(now)
        if end is not None and end <= now:
            self._problem.setText(self.tr("That time has passed already. Choose one in the future."))
            self._problem.show()
            return
        self.accept()
        self.chosen.emit(end, self.reason.text().strip())


def _wall(moment: datetime) -> QDateTime:
    date = QDateTime.currentDateTime()
    date.setDate(date.date().fromString(f"{moment:%Y-%m-%d}", "yyyy-MM-dd"))
    date.setTime(QTime(moment.hour, moment.minute))
    return date
