"""What a server counts, for Prometheus; nothing here names a person or a table."""

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

if TYPE_CHECKING:
    from exchequer.table.service import Service

SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)


class Metrics:
    """The numbers of one service."""

    def __init__(self, service: "Service") -> None:
        self.registry = CollectorRegistry()
        self.moves = Counter("exchequer_moves", "Moves written to journals, by people",
                             registry=self.registry)
        self.lesson_steps = Counter("exchequer_lesson_steps", "Steps of lessons that were done",
                                    ["game", "step"], registry=self.registry)
        self.requests = Counter("exchequer_requests", "Answers by method and class of status",
                                ["method", "status"], registry=self.registry)
        self.seconds = Histogram("exchequer_request_seconds", "From request to answer",
                                 buckets=SECONDS, registry=self.registry)
        Gauge("exchequer_streams", "Open streams", registry=self.registry).set_function(
            lambda: service.open_streams)
        Gauge("exchequer_bot_thoughts", "Answers of bots since the start",
              registry=self.registry).set_function(lambda: service.bots.thoughts)
        Gauge("exchequer_games_compiled", "Games with machine code",
              registry=self.registry).set_function(lambda: len(service.precompiler.ready))

    def observe(self, method: str, status: int, seconds: float) -> None:
        known = method if method in ("GET", "POST", "HEAD") else "other"
        self.requests.labels(known, f"{status // 100}xx").inc()
        self.seconds.observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)
