"""The main window: tool bar, menus, the list of jobs beside the details of one, and the line at its foot."""

from datetime import datetime

from PySide6.QtCore import QByteArray, QEvent, QPoint, QSettings, QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from ridgeline_desktop.core.snapshots import JobRow, Snapshot
from ridgeline_desktop.gui.jobs.page import JobsPage
from ridgeline_desktop.gui.kit.cards import Card, Mark, Tone, plain_label
from ridgeline_desktop.gui.kit.feedback import Feedback
from ridgeline_desktop.gui.kit.icons import Shape, app_icon
from ridgeline_desktop.gui.kit.palette import colours_of, dress
from ridgeline_desktop.gui.window_actions import OF_A_JOB, WindowActions
from ridgeline_desktop.gui.window_status import status_text, status_tip

NARROW = 900
FIRST_SIZE = QSize(1240, 700)
LEAST_SIZE = QSize(560, 420)
SIDE_BY_SIDE = (61, 39)
ONE_ABOVE_OTHER = (50, 50)
ICON_SIZE = 18
MARGIN, GAP = 8, 5
TOOLS = ("run", "pause", "resume", "schedule", "runbook", "output", "add")


class _LineLabel(QLabel):
    """A line that ends in dots where there is no room; it is all there for screen readers."""

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Paint as much as fits."""
        painter = QPainter(self)
        rect = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


class MainWindow(QMainWindow):
    """Shows what it is handed, and says what was asked for; it decides nothing.

    `action_asked` carries an action's name and the selected row (None for what concerns no job): run stop
    pause resume schedule edit-job runbook output lock add settings check quit. `close_asked` is the close
    button; the window stays until `allow_close` was called or somebody hides it.
    """

    action_asked = Signal(str, object)
    close_asked = Signal()
    visibility_changed = Signal(bool)

    def __init__(
        self, *, page: JobsPage, detail: QWidget, store: QSettings, feedback: Feedback | None = None
    ) -> None:
        super().__init__()
        self.page, self.detail = page, detail
        self.feedback = feedback or Feedback()
        self._store = store
        self._snapshot: Snapshot | None = None
        self._row: JobRow | None = None
        self._may_close, self._was_shown, self._is_seen = False, False, False
        self.setWindowTitle("Ridgeline")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(LEAST_SIZE)
        self.actions_of = WindowActions(self)
        self._splitter = QSplitter()
        self._status = _LineLabel()
        self._notice: QWidget | None = None
        self._make_center()
        self._make_tool_bar()
        self._make_menus()
        self._make_status_bar()
        self._connect()
        self._paint()
        self._read_shape()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Say in the status bar how many jobs there are and how they are."""
        self._snapshot = snapshot
        self._status.setToolTip(status_tip(snapshot))
        self.set_now(snapshot.taken_at)

    def show_nothing(self) -> None:
        """Say nothing in the status bar: nothing is known."""
        self._snapshot = None
        self._status.setText("")
        self._status.setToolTip("")

    def set_now(self, now: datetime) -> None:
        """Bring the status bar's "3 min ago" up to date."""
        if self._snapshot is not None:
            self._status.setText(status_text(self._snapshot, now=now))

    @Slot(object)
    def show_row(self, row: JobRow | None) -> None:
        """Offer what can be done with this job."""
        self._row = row
        self.actions_of.offer(row)
        self._offer_stop(row is not None and row.running is not None)

    def set_demo_bar(self, bar: QWidget) -> None:
        """Put a strip above everything else in the window."""
        self._column.insertWidget(0, bar)

    def show_notice(self, text: str) -> None:
        """Say something at the top of the window until it is put away, such as that there is no tray here."""
        self.hide_notice()
        card = Card(Tone.BLUE)
        row = QHBoxLayout(card)
        row.setContentsMargins(14, 7, 9, 7)
        words = plain_label(text)
        button = QPushButton(self.tr("Got it"))
        button.clicked.connect(self.hide_notice)
        row.addWidget(Mark(Shape.INFO), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(words, 1)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._notice = card
        self._tops.insertWidget(0, card)

    @Slot()
    def hide_notice(self) -> None:
        """Put the notice away, where there is one."""
        if self._notice is not None:
            self._notice.hide()
            self._notice.deleteLater()
            self._notice = None

    def allow_close(self) -> None:
        """From now on closing the window closes it."""
        self._may_close = True

    @Slot()
    def show_again(self) -> None:
        """Bring the window up, wherever it is: hidden, minimised or behind others."""
        state = self.windowState() & ~Qt.WindowState.WindowMinimized
        self.setWindowState(state | Qt.WindowState.WindowActive)
        self.show()
        self.raise_()
        self.activateWindow()

    def save_shape(self) -> None:
        """Remember size, place, the splitter and the columns."""
        self._store.setValue("window/geometry", self.saveGeometry())
        self._store.setValue(self._splitter_key(), self._splitter.saveState())
        self._store.setValue("list/columns", self.page.table.column_widths())

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Ask what closing means, unless that was answered."""
        self.save_shape()
        if self._may_close:
            event.accept()
            return
        event.ignore()
        self.close_asked.emit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Begin in the list."""
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.page.table.setFocus()
        self._tell_visibility()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Remember the window's shape, for it may not be shown again."""
        super().hideEvent(event)
        self.save_shape()
        self._tell_visibility()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Follow the colours, and notice being minimised."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_column"):
            self._paint()
        if event.type() == QEvent.Type.WindowStateChange:
            self._tell_visibility()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Put the details under the list where there is no room beside it."""
        super().resizeEvent(event)
        self._orient()

    def _make_center(self) -> None:
        center = QWidget()
        self._column = QVBoxLayout(center)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._tops, foot = QVBoxLayout(), QVBoxLayout()
        self._tops.setContentsMargins(MARGIN, GAP, MARGIN, GAP)
        self._tops.setSpacing(GAP)
        foot.setContentsMargins(MARGIN, 0, MARGIN, 0)
        foot.addWidget(self.feedback)
        self._tops.addWidget(self.page.banners)
        self._splitter.addWidget(self.page)
        self._splitter.addWidget(self._detail_frame())
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(MARGIN)
        self._column.addLayout(self._tops)
        self._column.addWidget(self._splitter, 1)
        self._column.addLayout(foot)
        self.setCentralWidget(center)

    def _detail_frame(self) -> QWidget:
        holder = QWidget()
        self._frame = QVBoxLayout(holder)
        self._frame.setContentsMargins(0, 0, MARGIN, MARGIN)
        self._frame.addWidget(self.detail)
        return holder

    def _make_tool_bar(self) -> None:
        bar = self._tools = QToolBar(self.tr("Tools"))
        bar.setObjectName("tools")
        bar.setMovable(False)
        bar.setFloatable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        bar.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        for name in TOOLS:
            bar.addAction(self.actions_of[name])
            if name == "output":
                bar.addSeparator()
        gap = QWidget()
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        bar.addWidget(gap)
        bar.addWidget(self.page.find_box)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, bar)
        for name in TOOLS:
            self._make_reachable(name)

    def _make_reachable(self, name: str) -> None:
        """Have Tab lead to this button of the tool bar, and a screen reader know it."""
        button = self._tools.widgetForAction(self.actions_of[name])
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(self.actions_of[name].text())

    def _make_menus(self) -> None:
        titles = {
            self.tr("&File"): ("add", "settings", "", "quit"),
            self.tr("&Job"): _job_menu(),
            self.tr("&View"): ("find", "all", "", "check"),
            self.tr("&Help"): ("shortcuts", "about"),
        }
        for title, names in titles.items():
            self._fill(self.menuBar().addMenu(title), names)
        self._job_menu = QMenu(self)
        self._fill(self._job_menu, _job_menu())

    def _fill(self, menu: QMenu, names: tuple[str, ...]) -> None:
        menu.setToolTipsVisible(True)
        for name in names:
            if name:
                menu.addAction(self.actions_of[name])
            else:
                menu.addSeparator()

    def _make_status_bar(self) -> None:
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._status.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._status.setContentsMargins(MARGIN, 2, MARGIN, 2)
        self.statusBar().addWidget(self._status, 1)

    def _connect(self) -> None:
        self.actions_of.asked.connect(self._on_action)
        self.page.selected.connect(self.show_row)
        self.page.activated.connect(self._go_to_detail)
        self.page.menu_asked.connect(self._open_job_menu)

    @Slot(str)
    def _on_action(self, name: str) -> None:
        if name == "find":
            self.page.start_finding()
        elif name == "all":
            self.page.show_all()
        elif name in ("shortcuts", "about"):
            self._help(name)
        else:
            self.action_asked.emit(name, self._row if name in OF_A_JOB else None)

    def _help(self, name: str) -> None:
        from ridgeline_desktop.gui.window_help import about_box, shortcuts_box  # it would slow every start

        box = about_box(self) if name == "about" else shortcuts_box(self.actions_of.all(), self)
        box.open()

    @Slot(str)
    def _go_to_detail(self, _job_id: str) -> None:
        self.detail.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(QPoint, str)
    def _open_job_menu(self, place: QPoint, _job_id: str) -> None:
        self._job_menu.popup(place)

    def _offer_stop(self, is_running: bool) -> None:
        stop = self.actions_of["stop"]
        is_there = stop in self._tools.actions()
        if is_running and not is_there:
            self._tools.insertAction(self.actions_of["pause"], stop)
            self._make_reachable("stop")
        elif is_there and not is_running:
            self._tools.removeAction(stop)

    def _paint(self) -> None:
        c = colours_of(self.palette())
        tabs = self.detail.findChildren(QTabWidget)
        dress(c, self._tools, self.menuBar(), self.statusBar(), self.page.table.horizontalHeader(), *tabs)
        self.actions_of.paint(dark=c.is_dark)

    def _orient(self) -> None:
        wanted = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if wanted is self._splitter.orientation():
            return
        self._store.setValue(self._splitter_key(), self._splitter.saveState())
        self._splitter.setOrientation(wanted)
        left = 0 if wanted is Qt.Orientation.Horizontal else MARGIN
        self._frame.setContentsMargins(left, 0, MARGIN, MARGIN)
        self._read_splitter()

    def _splitter_key(self) -> str:
        is_wide = self._splitter.orientation() is Qt.Orientation.Horizontal
        return "window/beside" if is_wide else "window/below"

    def _read_splitter(self) -> None:
        wanted = self._splitter.orientation()
        kept = self._store.value(self._splitter_key())
        if isinstance(kept, QByteArray) and self._splitter.restoreState(kept):
            self._splitter.setOrientation(wanted)
            return
        is_wide = wanted is Qt.Orientation.Horizontal
        length = self.width() if is_wide else self.height()
        shares = SIDE_BY_SIDE if is_wide else ONE_ABOVE_OTHER
        self._splitter.setSizes([length * share // 100 for share in shares])

    def _read_shape(self) -> None:
        kept = self._store.value("window/geometry")
        if not (isinstance(kept, QByteArray) and self.restoreGeometry(kept)):
            self.resize(FIRST_SIZE.boundedTo(self.screen().availableSize()))
        self._read_splitter()
        self.page.table.set_column_widths(self._store.value("list/columns"))

    def _tell_visibility(self) -> None:
        is_seen = self.isVisible() and not self.isMinimized()
        if is_seen is not self._is_seen:
            self._is_seen = is_seen
            self.visibility_changed.emit(is_seen)


def _job_menu() -> tuple[str, ...]:
    return ("run", "stop", "pause", "resume", "", "runbook", "output", "lock", "", "schedule", "edit-job")
