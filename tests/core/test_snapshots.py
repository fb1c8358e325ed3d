"""What a view of the jobs is made of."""

from ridgeline_desktop.core.snapshots import Banner, BannerKind


def test_a_banner_says_what_to_type_where_there_is_something():
    text = "This computer runs none of the shop's jobs."
    plain = Banner(kind=BannerKind.NEVER_REGISTERED, text=text)
    assert plain.with_commands() == text
    typed = Banner(kind=BannerKind.NEVER_REGISTERED, text=text, commands="ridgeline register --all")
    assert typed.with_commands() == f"{text} ridgeline register --all"
