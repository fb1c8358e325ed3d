"""The command `ridgeline`. A run is sent on its way before anything heavy is loaded."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    position = _command_position(arguments)
    if arguments[position : position + 1] == ["run"]:
        from ridgeline_desktop.wiring.one_run import run_command

        return run_command([*arguments[:position], *arguments[position + 1 :]])
    from ridgeline_desktop.cli.demo import make_demo
    from ridgeline_desktop.cli.in_app import make_in_app
    from ridgeline_desktop.cli.main import build, run_group
    from ridgeline_desktop.wiring.headless import open_desk
    from ridgeline_desktop.wiring.in_app import in_app_program
    from ridgeline_desktop.wiring.sample import open_sample_shop

    more = (make_demo(open_sample_shop), make_in_app(in_app_program))
    return run_group(build(open_desk, more), arguments)


def _command_position(arguments: Sequence[str]) -> int:
    """Where the command's name stands: only --home may come before it."""
    if arguments[:1] == ["--home"]:
        return 2
    return 1 if arguments and arguments[0].startswith("--home=") else 0


if __name__ == "__main__":
    sys.exit(main())
