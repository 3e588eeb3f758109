"""Work for the study's runner, in a place that other processes can import by name."""

from __future__ import annotations

from dataclasses import dataclass

from study.runner import Row, generator, text


@dataclass(frozen=True)
class Toss:
    number: int

    @property
    def key(self) -> str:
        return f"toss {self.number}"


def toss(task: Toss) -> list[Row]:
    value = generator(1, task.key).random()
    return [text(number=task.number, value=value), text(number=task.number, value=1 - value)]


def generated(task: Toss) -> list[Row]:
    return [text(value=generator(1, task.key).random())]
