"""Every character is seen and none does anything."""

from annotation.screen.escaping import escape


def test_letters_without_a_shape_are_spelled_out() -> None:
    assert escape("a\u200bb\u202ec\x00d") == "a⟨U+200B⟩b⟨U+202E⟩c⟨U+0000⟩d"


def test_lines_and_tabs_stay_and_marks_of_html_are_escaped() -> None:
    assert escape("a\r\nb\t<i class='x'>&amp;\"") == "a\nb\t&lt;i class=&#x27;x&#x27;&gt;&amp;amp;&quot;"
