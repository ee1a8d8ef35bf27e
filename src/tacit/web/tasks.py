"""Running tasks with their working memory, and finished ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.errors import TaskNotFound
from tacit.messages import on_page
from tacit.web import markdown
from tacit.web.markup import EMPTY, Safe, h, joined, link, quiet
from tacit.web.visit import View, badge, moment, pages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.formats.episode import Episode
    from tacit.tasks.working import Loaded, Task
    from tacit.web.visit import Visit

PER_PAGE = 50
_SHOWN_ENTRIES = 200


def show(visit: Visit) -> View:
    """Return the tasks that are there and the episodes, the last first."""
    running = sorted(visit.bank.tasks.list(), key=lambda task: (task.updated, task.id), reverse=True)
    episodes = visit.bank.episodes()
    start = visit.start(len(episodes), PER_PAGE)
    main = h(
        "<h1>{title}</h1><section><h2>{running_title}</h2>{running}</section>"
        "<section><h2>{ended_title}</h2>{ended}{pages}</section>",
        title=on_page("part.tasks"),
        running_title=on_page("tasks.running"),
        running=_list([_task(task) for task in running], "tasks.none"),
        ended_title=on_page("tasks.episodes"),
        ended=_list([_episode(each) for each in episodes[start : start + PER_PAGE]], "tasks.no_episodes"),
        pages=pages(visit, len(episodes), PER_PAGE, "/tasks?"),
    )
    return View(title=on_page("part.tasks"), main=main, here="tasks")


def one(visit: Visit) -> View:
    """Return a task with what it found, or an episode, whole."""
    wanted = visit.names["task"]
    episode = next((each for each in visit.bank.episodes() if each.id == wanted), None)
    if episode is not None:
        main = h(
            '<article class="note"><header><p class="meta"><code>{id}</code> {when}</p><h1>{title}</h1></header>'
            '<div class="text">{body}</div></article>',
            id=episode.id,
            when=moment(episode.finished),
            title=episode.title,
            body=markdown.render(episode.body),
        )
        return View(title=episode.title, main=main, here="tasks")
    if not wanted:
        raise TaskNotFound(task=wanted, nearest="")
    task = visit.bank.tasks.show(wanted)
    main = h(
        '<article class="note"><header><p class="meta">{state} <code>{id}</code> {when}</p><h1>{title}</h1></header>'
        '{proposals}<section><h2>{entries_title}</h2><ol class="entries">{entries}</ol></section>'
        "<section><h2>{loaded_title}</h2><ul>{loaded}</ul></section></article>",
        state=badge("task", task.state),
        id=task.id,
        when=moment(task.updated),
        title=task.title,
        proposals=_proposals(task),
        entries_title=on_page("tasks.entries", count=len(task.entries)),
        entries=joined(
            h(
                '<li><p class="meta">{kind} {when}</p><p class="pre">{text}</p></li>',
                kind=badge("entry", entry.kind),
                when=moment(entry.ts),
                text=entry.text,
            )
            for entry in task.entries[::-1][:_SHOWN_ENTRIES]
        ),
        loaded_title=on_page("tasks.loaded", count=len(task.core) + len(task.notes)),
        loaded=_loaded((*task.core, *task.notes)),
    )
    return View(title=task.title, main=main, here="tasks")


def _list(items: Sequence[Safe], none: str) -> Safe:
    if not items:
        return quiet(on_page(none))
    return h('<ol class="notes">{items}</ol>', items=joined(items))


def _task(task: Task) -> Safe:
    return h(
        '<li><a data-row href="{address}"><span class="title">{title}</span></a>'
        '<span class="meta">{state} <code>{id}</code> {entries} {when}</span></li>',
        address=link("/tasks", task.id),
        title=task.title,
        state=badge("task", task.state),
        id=task.id,
        entries=on_page("tasks.count", count=len(task.entries)),
        when=moment(task.updated),
    )


def _episode(episode: Episode) -> Safe:
    return h(
        '<li><a data-row href="{address}"><span class="title">{title}</span><span class="line">{summary}</span></a>'
        '<span class="meta"><code>{id}</code> {when}</span></li>',
        address=link("/tasks", episode.id),
        title=episode.title,
        summary=episode.summary,
        id=episode.id,
        when=moment(episode.finished),
    )


def _proposals(task: Task) -> Safe:
    if not task.proposals:
        return EMPTY
    links = joined((h('<a href="{a}">{id}</a>', a=link("/inbox", each), id=each) for each in task.proposals), ", ")
    return h("<p>{text} {links}</p>", text=on_page("tasks.proposals"), links=links)


def _loaded(loaded: Sequence[Loaded]) -> Safe:
    return joined(h('<li><a href="{a}">{id}</a></li>', a=link("/notes", each.id), id=each.id) for each in loaded)
