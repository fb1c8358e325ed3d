"""The windows and the tray. Qt is loaded by the modules of this room, and by nothing outside it."""
