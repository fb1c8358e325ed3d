"""Everything about the selected job: its name, why it is red, and a tab for each subject."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.jobs.why import WhyCard
from ridgeline_desktop.gui.kit.cards import plain_label

MOST_OF_THE_HEIGHT = 0.55


class DetailPane(QWidget):
    """Shows one job. Its tabs belong to other rooms; `step_asked` carries the job's id and the Step."""

    step_asked = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = plain_label(is_selectable=True)
        font = self.title.font()
        font.setPointSizeF(font.pointSizeF() * 1.45)
        font.setBold(True)
        self.title.setFont(font)
        self.about = plain_label(is_selectable=True)
        self.card = WhyCard()
        self.card.step_asked.connect(self.step_asked)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(self.tr("More about this job"))
        self.tabs.setUsesScrollButtons(True)
        self.tabs.setMinimumHeight(self.fontMetrics().height() * 6)
        self.hint = plain_label()
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hint.setForegroundRole(self.hint.palette().ColorRole.PlaceholderText)
        self._job = QWidget()
        box = QVBoxLayout(self._job)
        box.setContentsMargins(0, 0, 0, 0)
        for widget in (self.title, self.about, self.card):
            box.addWidget(widget)
        box.addSpacing(4)
        box.addWidget(self.tabs, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.hint)
        self._stack.addWidget(self._job)

    def add_tab(self, title: str, widget: QWidget) -> None:
        """Add a tab behind the others."""
        self.tabs.addTab(widget, title)

    def show_tab(self, title: str) -> None:
        """Bring a tab to the front; one that is not there changes nothing."""
        for number in range(self.tabs.count()):
            if self.tabs.tabText(number) == title:
                self.tabs.setCurrentIndex(number)
                self.tabs.setFocus(Qt.FocusReason.ShortcutFocusReason)  # which shows that it is there

    def show_row(self, row: JobRow | None, snapshot: Snapshot) -> None:
        """Show this job as the snapshot judges it, or a hint for None."""
        if row is None:
            hint = self.tr("Select a job to see how it is doing, and why.") if snapshot.rows else ""
            self.hint.setText(hint)
            self._stack.setCurrentWidget(self.hint)
            return
        self.title.setText(row.title)
        about = self._about(row)
        self.about.setText(about)
        self.about.setVisible(bool(about))
        self.card.show_row(row, zone=snapshot.zone, now=snapshot.taken_at)
        self._stack.setCurrentWidget(self._job)

    def _about(self, row: JobRow) -> str:
        if row.job is None:
            return ""
        who = row.job.looked_after_by
        by = self.tr("Looked after by {name}.").format(name=who) if who else ""
        return " ".join(part for part in (row.job.about.strip(), by) if part)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """The card leaves room for the tabs."""
        super().resizeEvent(event)
        self.card.set_most_height(round(self.height() * MOST_OF_THE_HEIGHT))
