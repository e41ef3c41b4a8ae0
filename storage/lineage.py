"""The lineage of all builds of one data folder: the one door through which flows and commands write and read it. Each
call is one transaction on the file, which is free again at its end."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from core.premises import PremiseAnswer, Split
from core.recipe import Recipe
from core.records import Decision, FlawedSample, Sample, Stage
from core.votes import Vote
from storage.chains import Node, build_chain
from storage.database import Database
from storage.funnel import Funnel, QuarantinedRow, count_funnel, find_quarantined
from storage.ingestion import find_ledger_keys, forget_shards, ingest_parts
from storage.membership import (
    BuildSummary,
    ItemKind,
    Member,
    find_builds,
    find_members,
    remove_overruled,
    store_members,
)
from storage.parts import Part
from storage.premises import (
    PlacedQuestion,
    find_answers,
    find_premise_validators,
    find_questions,
    store_splits,
)
from storage.questions import QueryResult, run_query
from storage.retrieval import (
    BuildRecipes,
    find_candidates,
    find_decisions,
    find_filtered_candidates,
    find_picture_hashes,
    find_recipes,
    find_samples,
)
from storage.runs import Outcome, ReleaseInfo, RunInfo, end_run, store_recipe, store_release, store_run
from storage.spending import (
    CallFilter,
    CallList,
    CostLine,
    find_calls,
    find_panels,
    find_prompts,
    find_twins,
    find_used_replies,
    find_votes,
    sum_costs,
)


class Lineage:
    """`file` is made with the first write. `lock_timeout_seconds`: how long to wait while another process has it.

    Every method raises StorageError when the file is held, damaged, newer than the code, or cannot be written; reading
    methods also when there is none."""

    def __init__(self, file: Path, lock_timeout_seconds: float) -> None:
        self._database = Database(file, lock_timeout_seconds)

    def add_recipe(self, recipe: Recipe) -> str:
        """Returns the recipe's id; a recipe that is there stays."""
        with self._database.writing() as connection:
            return store_recipe(connection, recipe)

    def start_run(self, run: RunInfo) -> str:
        """Returns the run's id."""
        with self._database.writing() as connection:
            return store_run(connection, run)

    def finish_run(self, run_id: str, outcome: Outcome, finished: datetime) -> None:
        with self._database.writing() as connection:
            end_run(connection, run_id, outcome, finished)

    def ingest(self, parts: Sequence[Part]) -> int:
        """All rows of the parts and their ledger rows, or nothing; parts that the ledger has are left out, rows
        whose id is there are left alone. Returns how many parts were new. One call with many parts is much faster
        than many."""
        with self._database.writing() as connection:
            return ingest_parts(connection, parts)

    def ledger_keys(self) -> set[str]:
        """The keys of all shards that are done; empty where there is no file yet."""
        if not self._database.file.exists():
            return set()
        with self._database.reading() as connection:
            return find_ledger_keys(connection)

    def forget_shards(self, keys: Iterable[str]) -> None:
        """So that they can be ingested anew, without the calls that were not answered."""
        with self._database.writing() as connection:
            forget_shards(connection, keys)

    def set_members(self, build: str, kind: ItemKind, items: Iterable[Member], *, replace: bool) -> None:
        """`replace`: the build has exactly these items of the kind afterwards; else they are added where absent."""
        with self._database.writing() as connection:
            store_members(connection, build, kind, items, replace=replace)

    def remove_overruled(self, build: str) -> None:
        """Of a build that has grown, decisions on items on which another run decided again: one stays for each item
        and stage, a keep where there is one."""
        with self._database.writing() as connection:
            remove_overruled(connection, build)

    def members(self, build: str, kind: ItemKind) -> list[Member]:
        """In the order of their rank; empty for a build that has none."""
        with self._database.reading() as connection:
            return find_members(connection, build, kind)

    def candidates(self, build: str) -> list[FlawedSample]:
        """Those of a build, in its own order; empty where there is no such build."""
        with self._database.reading() as connection:
            return find_candidates(connection, build)

    def samples(self, ids: Iterable[str]) -> dict[str, Sample]:
        """By id; ids that are not there are left out."""
        with self._database.reading() as connection:
            return find_samples(connection, ids)

    def picture_hashes(self) -> dict[str, int]:
        """Perceptual hashes of 64 bits by SHA-256, of all pictures that were read."""
        with self._database.reading() as connection:
            return find_picture_hashes(connection)

    def recipes(self, build: str) -> BuildRecipes:
        with self._database.reading() as connection:
            return find_recipes(connection, build)

    def add_release(self, release: ReleaseInfo, items: Sequence[str]) -> str:
        """`items` are the ids of the published candidates. Returns the release's id; one that is there stays."""
        with self._database.writing() as connection:
            store_release(connection, release, items)
            member = Member(release.id, None, 0)
            store_members(connection, release.build, ItemKind.RELEASE, [member], replace=False)
        return release.id

    def builds(self) -> list[BuildSummary]:
        """Last run first."""
        with self._database.reading() as connection:
            return find_builds(connection)

    def funnel(self, build: str, source: str | None = None) -> Funnel:
        """`source`: of its questions alone; premise pairs are not told apart by source. Raises StorageError when there
        is no build of that name, or no such source in it."""
        with self._database.reading() as connection:
            return count_funnel(connection, build, source)

    def quarantined(self, build: str, source: str | None = None, reason: str | None = None) -> list[QuarantinedRow]:
        """Rows that could not be used, sorted. Raises StorageError when there is no build of that name."""
        with self._database.reading() as connection:
            return find_quarantined(connection, build, source, reason)

    def calls(self, wanted: CallFilter) -> CallList:
        with self._database.reading() as connection:
            return find_calls(connection, wanted)

    def costs(self, build: str) -> list[CostLine]:
        """By stage, model and subtype; empty for a build that asked no model."""
        with self._database.reading() as connection:
            return sum_costs(connection, build)

    def used_replies(self, build: str) -> set[str]:
        """The keys in the reply store of what the calls of a build got."""
        with self._database.reading() as connection:
            return find_used_replies(connection, build)

    def votes(self, build: str) -> list[Vote]:
        """On the candidates of a build that passed the programmatic filters, by item."""
        with self._database.reading() as connection:
            return find_votes(connection, build)

    def panels(self, build: str) -> dict[str, str]:
        """The models that voted on each candidate and each judged sample of a build, joined by `+`."""
        with self._database.reading() as connection:
            return find_panels(connection, build)

    def prompts(self, build: str) -> tuple[str, ...]:
        """`name@version` of what its models were asked with, sorted; empty for a build that asked none."""
        with self._database.reading() as connection:
            return find_prompts(connection, build)

    def twins(self, build: str) -> dict[str, bool]:
        """Whether each sample that the validators judged is a valid twin (M-43)."""
        with self._database.reading() as connection:
            return find_twins(connection, build)

    def filtered_candidates(self, build: str) -> list[FlawedSample]:
        """Those of a build that passed the programmatic filters, by id."""
        with self._database.reading() as connection:
            return find_filtered_candidates(connection, build)

    def decisions(self, build: str, stage: Stage) -> list[Decision]:
        """Those of a build at one stage, in its own order."""
        with self._database.reading() as connection:
            return find_decisions(connection, build, stage)

    def set_splits(self, build: str, splits: Mapping[str, Split]) -> None:
        """Of the premise questions of a build, by id: it has exactly these afterwards."""
        with self._database.writing() as connection:
            store_splits(connection, build, splits)

    def premise_questions(self, build: str) -> list[PlacedQuestion]:
        """Those of a build, in its own order; empty where there is no such build."""
        with self._database.reading() as connection:
            return find_questions(connection, build)

    def premise_answers(self, build: str) -> dict[str, PremiseAnswer]:
        """What is to be answered to the questions of a build, by question."""
        with self._database.reading() as connection:
            return find_answers(connection, build)

    def premise_validators(self, build: str) -> dict[str, str]:
        """The models that verified each item of a build, joined by `+`; items that none did are left out."""
        with self._database.reading() as connection:
            return find_premise_validators(connection, build)

    def chain(self, item: str) -> Node:
        """What an item of any stage came from and what came of it; `item` is an id or at least its first 8 characters.

        Raises StorageError when it names no item or several."""
        with self._database.reading() as connection:
            return build_chain(connection, item)

    def query(self, sql: str, limit: int | None = None) -> QueryResult:
        """The user's own SQL: read-only, without access to other files; at most `limit` rows.

        Raises StorageError with DuckDB's message."""
        with self._database.reading_alone() as connection:
            return run_query(connection, sql, limit)
