"""Checks of questions, answers and sets of them, on rows that hold one defect each."""

from linting.answer_checks import check_answers
from linting.balance_checks import check_balance
from linting.blind_checks import check_blindness
from linting.checking import lint
from linting.duplicate_checks import check_duplicates
from linting.findings import BlindFinding, Finding, ImbalanceFinding, Kind, Severity, WordFinding
from linting.picture_checks import check_pictures
from linting.rows import DataSet, LintRow, PictureRef
from linting.text_checks import check_texts
from sources.near_texts import NearTexts
from sources.text_keys import TextKey


def _by_kind(findings: list[Finding]) -> dict[Kind, Finding]:
    assert len({finding.kind for finding in findings}) == len(findings)
    return {finding.kind: finding for finding in findings}


def _balanced(count: int, cue: str = "") -> list[LintRow]:
    """Every second row is flawed; `cue` opens the flawed ones."""
    nouns = ("cat", "dog", "boat", "tree", "lamp", "cup", "road")
    return [
        LintRow(
            f"r{number}",
            "data",
            f"{cue if number % 2 else 'The'} {nouns[number // 2 % 7]} stands near item {number // 2}?".strip(),
            number % 2 == 0,
            "one",
        )
        for number in range(count)
    ]


def test_line_breaks_are_found_but_not_those_of_the_source() -> None:
    rows = [
        LintRow("a", "data", "A cat.\nWhat is it?"),
        LintRow("b", "data", "What is it?\n"),
        LintRow("c", "data", "A\nB", source_text="A\nC"),
    ]
    assert _by_kind(check_texts("data", rows))[Kind.NEWLINE].ids == ("a",)


def test_words_of_another_language_are_found_and_citations_are_not() -> None:
    english = [LintRow(str(number), "data", f"What is item {number} on the table?") for number in range(40)]
    leaks = [
        LintRow("leak", "data", "What does the dog do to 引起 its attention?"),
        LintRow("kana", "data", "Where is the ねこ?"),
    ]
    cited = [
        LintRow("quoted", "data", 'What does the sign "出口" stand for?'),
        LintRow("premise", "data", "The train to 新宿 leaves, when?", premise="新宿"),
    ]
    found = _by_kind(check_texts("data", [*english, *leaks, *cited]))
    assert set(found) == {Kind.LANGUAGE_LEAK}
    assert found[Kind.LANGUAGE_LEAK].ids == ("leak", "kana")
    chinese = [LintRow(f"z{number}", "data", f"图中第{number}个物体是什么？") for number in range(40)]
    slip = LintRow("slip", "data", "图中的狗正在做什么 while the other one sleeps？")
    assert _by_kind(check_texts("data", [*chinese, slip]))[Kind.LANGUAGE_LEAK].ids == ("slip",)
    assert check_texts("data", [*english, *chinese]) == []


def test_an_answer_that_speaks_of_the_correct_premise_quotes_its_hint() -> None:
    rows = [
        LintRow("a", "data", "?", False, answer="<answer>The correct premise is boat.</answer>"),
        LintRow("b", "data", "?", False, answer="That is an Incorrect Premise, since it is a boat."),
        LintRow("c", "data", "?", False, answer="The question wrongly assumes a car; it is a boat."),
        LintRow("d", "data", "?", False, answer='The provided "correct_premise" is boat.'),
        LintRow("e", "data", "?", False),
    ]
    found = _by_kind(check_answers("data", rows))
    assert found[Kind.HINT_QUOTE].ids == ("a", "b")
    assert found[Kind.ANSWER_DEBRIS].ids == ("d",)


def test_rows_without_a_picture_are_right_in_a_release_whose_source_has_such() -> None:
    shown = (PictureRef("1.png"),)
    rows = [LintRow(str(n), "test", f"{n}?", pictures=shown, pair=str(n), source_text="?") for n in range(60)]
    bare = LintRow("bare", "test", "Who?", False, pair="x", source_text="Who is it?")
    token = bare._replace(id="token", question="Who is in <image 1>?", pair="y")
    lost = bare._replace(id="lost", pair="1")
    foreign = bare._replace(id="foreign", source_text=None)
    (finding,) = check_pictures("test", [*rows, bare, token, lost, foreign])
    assert (finding.kind, finding.ids) == (Kind.PICTURE_MISSING, ("token", "lost", "foreign"))


def test_repeated_questions_are_counted_without_the_first_and_pairs_are_no_repetition() -> None:
    rows = [
        LintRow("a", "data", "What is the colour of the long train?", True, pair="p"),
        LintRow("b", "data", "What is the  colour of the long train?", False, pair="q"),
        LintRow("c", "data", "What is the colour of the long train?", False, pair="p"),
        LintRow("d", "data", "what is the colour of the long train", True, pair="r"),
        LintRow("e", "data", "What is the colour of the long plane?", True, pair="s"),
        LintRow("f", "data", "", True),
        LintRow("g", "data", "", True),
    ]
    found = _by_kind(check_duplicates("data", rows, with_pictures=False))
    assert found[Kind.DUPLICATE_QUESTION].ids == ("b", "c")  # c repeats b, which is of another pair
    assert found[Kind.NEAR_DUPLICATE].ids == ("d",)


def test_thousands_of_questions_from_one_template_are_not_all_compared() -> None:
    text = "What is the {} beside the other one in this photograph of a room on the last day of a long summer here"
    texts = [TextKey(text.format(f"thing{chr(97 + n // 26)}{chr(97 + n % 26)}"), frozenset(), None) for n in range(500)]
    near, all_of_them = NearTexts(texts, crowd=10), NearTexts(texts)
    assert max(len(all_of_them.of(key.text)) for key in texts) > 300
    assert max(len(near.of(key.text)) for key in texts) < 150
    rows = [LintRow(str(n), "data", f"{key.text} {n % 499}?") for n, key in enumerate(texts)]
    again = rows[7]._replace(id="again", question=f"{rows[7].question} Now.")
    found = _by_kind(check_duplicates("data", [*rows, again], with_pictures=False))
    assert found[Kind.NEAR_DUPLICATE].ids == ("again",)  # numbers tell the others apart


def test_one_text_with_two_pictures_is_two_questions_where_pictures_count() -> None:
    rows = [
        LintRow(name, "data", "What is this thing here?", True, pictures=(PictureRef(f"{name}.png"),)) for name in "ab"
    ]
    assert check_duplicates("data", rows, with_pictures=True) == []
    assert len(check_duplicates("data", rows, with_pictures=False)) == 1


def test_labels_out_of_balance_are_told_by_subtype() -> None:
    rows = [LintRow(f"a{number}", "data", f"q{number}", number < 27, "state") for number in range(75)]
    rows += [LintRow(f"b{number}", "data", f"p{number}", number % 2 == 0, "scene") for number in range(100)]
    finding = _by_kind(check_balance("data", rows))[Kind.LABEL_IMBALANCE]
    assert isinstance(finding, ImbalanceFinding)
    assert [(one.subtype, one.flawed, one.sound) for one in finding.subtypes] == [("state", 48, 27)]


def test_words_and_first_words_of_one_label_are_found_and_others_are_not() -> None:
    finding = _by_kind(check_balance("data", _balanced(120, "Might the")))[Kind.ONE_SIDED_WORD]
    assert isinstance(finding, WordFinding)
    assert {(one.word, one.place) for one in finding.words} == {
        ("might", "anywhere"),
        ("might", "first"),
        ("the", "first"),
    }
    assert len(finding.ids) == 120
    assert check_balance("data", _balanced(120, "The")) == []


def test_words_where_a_picture_was_named_are_no_trace_of_our_flaws() -> None:
    source = "See <image 1>. How heavy is it?"
    flawed = [
        LintRow(f"{at}", "test", "See the drawing. How heavy is it?", False, "missing_image", pair=f"{at}")._replace(
            source_text=source
        )
        for at in range(40)
    ]
    sound = [LintRow(f"{at}", "twins", source, True, pair=f"{at}", source_text=source) for at in range(40)]
    assert Kind.ONE_SIDED_WORD not in _by_kind(check_balance("test+twins", [*flawed, *sound]))
    unpaired = [row._replace(source_text=None) for row in [*flawed, *sound]]
    assert Kind.ONE_SIDED_WORD in _by_kind(check_balance("test+twins", unpaired))


def test_words_of_the_more_frequent_label_are_not_one_sided_for_that() -> None:
    rows = [LintRow(str(n), "data", f"{('What', 'Where', 'Who')[n % 3]} is it?", n % 10 == 0) for n in range(300)]
    assert Kind.ONE_SIDED_WORD not in _by_kind(check_balance("data", rows))


def test_the_blind_baseline_is_an_error_above_the_limit_and_a_measure_below() -> None:
    (bad,), _ = check_blindness("data", _balanced(200, "Might the"))
    assert isinstance(bad, BlindFinding)
    assert (bad.severity, bad.accuracy, bad.auc) == (Severity.ERROR, 1.0, 1.0)
    (good,), _ = check_blindness(
        "data", [row._replace(pair=str(n // 2)) for n, row in enumerate(_balanced(400, "The"))]
    )
    assert good.severity is Severity.INFO
    findings, skipped = check_blindness("data", _balanced(10, "The"))
    assert findings == []
    assert "10 rows" in skipped[0].reason


def test_large_data_are_measured_on_a_sample_of_whole_groups_that_keeps_the_rarer_label() -> None:
    rows = [LintRow(f"r{n}", "data", "a" if n % 400 else "", n % 400 != 0, pair=str(n // 4)) for n in range(20_400)]
    (finding,), _ = check_blindness("data", rows)
    assert ([finding], []) == check_blindness("data", rows[::-1])
    assert isinstance(finding, BlindFinding)
    assert 10_000 < finding.count < 10_300
    assert finding.of_rows == 20_400
    assert f"on {finding.count:,} of 20,400 rows" in finding.message
    assert finding.majority == round(1 - 51 / finding.count, 4)


def test_flaws_in_the_pictures_and_missing_texts_are_not_measured_beside_their_twins() -> None:
    sound = [row._replace(pair=row.id, source_text=row.question, subtype=None) for row in _balanced(200, "The")]
    twins = [row._replace(label=True) for row in sound]
    blurred = [row._replace(id=f"b{row.id}", label=False, question=f"<image 1> {row.question}") for row in sound[:100]]
    emptied = [row._replace(id=f"e{row.id}", label=False, question="") for row in sound[100:]]
    findings, skipped = check_blindness("data", [*twins, *blurred, *emptied])
    assert findings == []
    assert len(skipped) == 1
    vague = [row._replace(id=f"v{row.id}", label=False, question=f"Perhaps {row.question}") for row in sound[:100]]
    (finding,), _ = check_blindness("data", [*twins, *blurred, *emptied, *vague])
    assert isinstance(finding, BlindFinding)
    assert (finding.accuracy, finding.count) == (1.0, 200)


def test_findings_come_worst_first_and_name_their_split() -> None:
    parts = {
        "train": [LintRow("a", "train", "A cat.\nOutput: what is it?"), LintRow("b", "train", "Who is there now?")],
        "test": [LintRow("c", "test", "Who is there now?"), LintRow("d", "test", "Who is there now?")],
    }
    report = lint(DataSet("x", parts))
    assert [finding.severity for finding in report.findings] == sorted(
        (finding.severity for finding in report.findings), key=[Severity.ERROR, Severity.WARNING].index
    )
    found = {finding.kind: finding for finding in report.findings}
    assert found[Kind.SHARED_QUESTION].ids == ("c", "d")
    assert found[Kind.PROMPT_DEBRIS].split == "train"
    assert found[Kind.DUPLICATE_QUESTION].split == "test"
    assert report.splits == {"train": 2, "test": 2}
    assert report.worst() is Severity.ERROR
