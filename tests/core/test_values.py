import copy
import dataclasses
import pickle

import pytest

from ridgeline_desktop.core.values import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Bean:
    """A value with each kind of field."""

    name: str
    price: int = 3
    origins: tuple[str, ...] = field(default_factory=tuple)
    notes: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{self.name} at {self.price}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Roast:
    """Another class with the same first field."""

    name: str


def test_a_value_has_its_fields_its_defaults_and_its_own_members():
    bean = Bean(name="Sidra")
    assert (bean.name, bean.price, bean.origins, bean.label) == ("Sidra", 3, (), "Sidra at 3")
    assert repr(bean) == "Bean(name='Sidra', price=3, origins=(), notes=[])"


def test_a_default_that_is_made_is_made_anew_for_each_value():
    assert Bean(name="a").notes is not Bean(name="b").notes


def test_values_are_equal_by_class_and_contents_and_hash_alike():
    assert Roast(name="a") == Roast(name="a") != Roast(name="b")
    assert Roast(name="a") != Bean(name="a")
    assert hash(Roast(name="a")) == hash(Roast(name="a"))
    assert len({Roast(name="a"), Roast(name="a")}) == 1


def test_a_value_cannot_be_changed_and_takes_no_stray_attributes():
    bean = Bean(name="a")
    for change in (
        lambda: setattr(bean, "price", 4),
        lambda: delattr(bean, "price"),
        lambda: object.__setattr__(bean, "colour", "green"),
    ):
        with pytest.raises(AttributeError):
            change()


def test_missing_and_unknown_fields_are_refused_by_name():
    with pytest.raises(TypeError, match="Bean needs name"):
        Bean()
    with pytest.raises(TypeError, match="Bean has no colour"):
        Bean(name="a", colour="green")
    with pytest.raises(TypeError):
        Bean("a")


def test_replace_changes_only_the_fields_named():
    bean = Bean(name="a", origins=("Peru",))
    assert replace(bean, price=9) == Bean(name="a", price=9, origins=("Peru",))
    with pytest.raises(TypeError):
        replace(bean, colour="green")


def test_the_standard_librarys_functions_work_on_values():
    bean = Bean(name="a")
    assert dataclasses.asdict(bean) == {"name": "a", "price": 3, "origins": (), "notes": []}
    assert dataclasses.replace(bean, price=4).price == 4
    assert [one.name for one in dataclasses.fields(bean)] == ["name", "price", "origins", "notes"]


def test_values_can_be_copied_and_pickled():
    bean = Bean(name="a", notes=["dark"])
    assert copy.deepcopy(bean) == copy.copy(bean) == pickle.loads(pickle.dumps(bean)) == bean


def test_a_class_that_is_not_meant_as_a_value_is_refused():
    with pytest.raises(TypeError, match="frozen"):
        dataclass(frozen=False, slots=True, kw_only=True)
