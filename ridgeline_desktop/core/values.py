"""Value classes that cost nothing to load: dataclasses in all but the making.

The standard library writes and compiles six functions for each frozen dataclass, half a millisecond a class;
`ridgeline run` starts every minute and knows some sixty of them. Here all classes share one set of functions.
To a type checker these are the standard decorator and functions, and `dataclasses.asdict` and the like work.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass, field, replace
else:

    class _Factory:
        __slots__ = ("make",)

        def __init__(self, make):
            self.make = make

    class _StandardFields:
        """What `dataclasses` asks a class for, made when it is first asked."""

        def __get__(self, instance, owner):
            import dataclasses

            model = {"__annotations__": dict.fromkeys(owner.__match_args__, object)}
            for name, default in owner.__value_defaults__.items():
                made = isinstance(default, _Factory)
                model[name] = dataclasses.field(default_factory=default.make) if made else default
            twin = dataclasses.dataclass(frozen=True, kw_only=True)(type(owner.__name__, (), model))
            return twin.__dataclass_fields__

    def field(*, default_factory):
        """A default that is made anew for each value."""
        return _Factory(default_factory)

    def dataclass(*, frozen, slots, kw_only):
        """Make a frozen value class with slots, whose fields are given by name."""
        if not (frozen and slots and kw_only):
            raise TypeError("a value class is frozen, has slots, and takes its fields by name")
        return _value

    def replace(value, /, **changes):
        """The same value with other contents in the fields named."""
        kind = type(value)
        return kind(**{name: getattr(value, name) for name in kind.__match_args__} | changes)

    def _value(cls):
        names = tuple(cls.__dict__.get("__annotations__", ()))  # noqa: RUF063 (inspect loads half the library)
        members = {key: item for key, item in cls.__dict__.items() if key not in ("__dict__", "__weakref__")}
        defaults = {name: members.pop(name) for name in names if name in members}
        shared = {key: item for key, item in _SHARED.items() if key not in members}
        made = {
            **members,
            **shared,
            "__slots__": names,
            "__match_args__": names,
            "__value_defaults__": defaults,
            "__dataclass_fields__": _StandardFields(),
        }
        return type(cls)(cls.__name__, cls.__bases__, made)

    def _init(self, **given):
        kind = type(self)
        defaults = kind.__value_defaults__
        for name in kind.__match_args__:
            if name in given:
                item = given.pop(name)
            elif name in defaults:
                item = defaults[name]
                if isinstance(item, _Factory):
                    item = item.make()
            else:
                raise TypeError(f"{kind.__name__} needs {name}")
            object.__setattr__(self, name, item)
        if given:
            raise TypeError(f"{kind.__name__} has no {', '.join(given)}")

    def _items(self):
        return tuple([getattr(self, name) for name in type(self).__match_args__])

    def _repr(self):
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).__match_args__)
        return f"{type(self).__qualname__}({inside})"

    def _equal(self, other):
        return _items(self) == _items(other) if type(other) is type(self) else NotImplemented

    def _hash(self):
        return hash(_items(self))

    def _refuse(self, *anything):
        raise AttributeError(f"{type(self).__name__} is a value and cannot be changed")

    def _reduce(self):
        return _rebuilt, (type(self), {name: getattr(self, name) for name in type(self).__match_args__})

    def _rebuilt(kind, items):
        return kind(**items)

    _SHARED = {
        "__init__": _init,
        "__repr__": _repr,
        "__eq__": _equal,
        "__hash__": _hash,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__reduce__": _reduce,
    }

__all__ = ["dataclass", "field", "replace"]
