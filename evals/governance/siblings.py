"""A thousand payloads that look alike and are all different: a correct product keeps every one as a new note.

Within a template two payloads differ in what the rule is about (service, environment, path, language, region,
direction, version …), never in the value alone: that would be a conflict. No two templates are about the same thing.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

SEED = 20
HOW_MANY = 1000
SERVICES = (
    *("order-api", "cart-api", "stock-api", "price-api", "user-center", "login-gate", "mail-worker", "sms-worker"),
    *("search-web", "search-index", "media-store", "image-resize", "invoice-job", "ledger-core", "risk-engine"),
    *("coupon-api", "member-api", "route-planner", "label-printer", "audit-sink", "report-batch", "feed-import"),
)
ENVIRONMENTS = ("production", "staging", "the load test environment", "local development")
CHINESE_ENVIRONMENTS = ("生产环境", "预发环境", "测试环境", "压测环境")
REGIONS = ("eu-west-1", "eu-central-1", "us-east-1", "us-west-2", "ap-southeast-1", "sa-east-1")
COUNTRIES = ("德国", "法国", "日本", "巴西", "加拿大", "新加坡", "波兰", "墨西哥", "泰国", "荷兰", "瑞典", "智利")
GOODS = ("生鲜", "家电", "图书", "服装", "玩具", "药品", "家具")
PACKAGES = ("libs/auth", "libs/money", "libs/dates", "apps/kiosk", "apps/courier", "apps/admin", "tools/release")
LANGUAGES = ("Python", "Go", "TypeScript", "Kotlin", "Rust", "Java")
LIBRARIES = ("react-router", "django", "spring-boot", "sqlalchemy", "vite", "protobuf", "log4net", "kafka-clients")
TOPICS = ("orders.created", "orders.paid", "stock.moved", "users.merged", "prices.changed", "parcels.lost")
CODES = tuple(f"E{number}" for number in range(4101, 4199, 7))
CHINESE_CODES = tuple(f"F{number}" for number in range(5203, 5301, 7))


@dataclass(frozen=True)
class Template:
    """A scene and a choice with places, what the scene may be about, and what the choice may say."""

    scene: str
    choice: str
    about: tuple[tuple[object, ...], ...]
    values: tuple[object, ...]
    kind: str


def _all(*columns: Iterable[object]) -> tuple[tuple[object, ...], ...]:
    return tuple(product(*columns))


TEMPLATES = (
    Template(
        "port of {0} in {1}",
        "it listens on port {v}",
        _all(SERVICES, ENVIRONMENTS),
        tuple(range(8000, 8990)),
        "reference",
    ),
    Template("replicas of {0} in {1}", "run {v} replicas", _all(SERVICES, REGIONS), tuple(range(2, 40)), "tech"),
    Template(
        "calls from {0} to {1} time out",
        "give up after {v} ms, do not retry",
        tuple(permutations(SERVICES[:12], 2)),
        tuple(range(200, 5000, 150)),
        "pattern",
    ),
    Template(
        "upgrading {0} from {1[0]} to {1[1]}",
        "run the codemod of release {v} first, then fix the types",
        _all(LIBRARIES, tuple((each, each + 1) for each in range(3, 17))),
        tuple(f"{major}.{minor}" for major in range(1, 9) for minor in range(12)),
        "pattern",
    ),
    Template(
        "test coverage of {1} code in {0}",
        "keep it above {v} percent",
        _all(PACKAGES, LANGUAGES),
        tuple(range(50, 99)),
        "principle",
    ),
    Template(
        "{0} answers with error {1}",
        "the cause is a stale entry in shard {v}: restart that shard",
        _all(SERVICES, CODES),
        tuple(range(1, 400)),
        "troubleshooting",
    ),
    Template(
        "where {0} writes its logs in {1}",
        "under /var/log/{0}/{v}, never to the console",
        _all(SERVICES, ENVIRONMENTS),
        ("current", "daily", "main", "out", "json"),
        "reference",
    ),
    Template(
        "{1}中 {0} 的连接池大小",
        "最大连接数设为 {v}",
        _all(SERVICES, CHINESE_ENVIRONMENTS),
        tuple(range(5, 200)),
        "tech",
    ),
    Template("{0}用户购买{1}的退货期限", "{v} 天内可以退货", _all(COUNTRIES, GOODS), tuple(range(3, 60)), "business"),
    Template(
        "{0} 报错 {1} 的处理",
        "先清理第 {v} 号分片的缓存，再重启",
        _all(SERVICES, CHINESE_CODES),
        tuple(range(1, 400)),
        "troubleshooting",
    ),
    Template(
        "{1}里 {0} 的日志级别",
        "只打印 {v} 及以上级别",
        _all(SERVICES, CHINESE_ENVIRONMENTS),
        ("DEBUG", "INFO", "WARN", "ERROR"),
        "principle",
    ),
    Template("topic {0} 在 {1} 的保留时间", "保留 {v} 小时", _all(TOPICS, REGIONS), tuple(range(6, 400, 2)), "tech"),
    Template(
        "从 {0} 迁移数据到 {1}",
        "每批 {v} 条，先双写再切读",
        tuple(permutations(SERVICES[10:], 2)),
        tuple(range(100, 9000, 100)),
        "pattern",
    ),
)


def siblings(how_many: int = HOW_MANY, seed: int = SEED) -> list[dict[str, Any]]:
    """Return that many payloads, the same for the same seed, no two with the same scene."""
    dice = random.Random(seed)
    queues = [(template, dice.sample(template.about, len(template.about))) for template in TEMPLATES]
    made: list[dict[str, Any]] = []
    while len(made) < how_many:
        queues = [(template, about) for template, about in queues if about]
        for template, about in queues:
            made.append(_payload(template, about.pop(), dice.choice(template.values)))
    made = made[:how_many]
    dice.shuffle(made)
    return made


def _payload(template: Template, about: tuple[object, ...], value: object) -> dict[str, Any]:
    choice = template.choice.format(*about, v=value)
    return {
        "scene": template.scene.format(*about),
        "principles": [choice],
        "choice": choice,
        "source": "remember",
        "kind": template.kind,
    }
