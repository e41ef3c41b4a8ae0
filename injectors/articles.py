"""Words that are put in the place of others keep the article and the capital letter that stood there."""

import re

from injectors.depictions import in_case


def with_article(written: str, word: str) -> str:
    article = re.match(r"[Aa]n? ", written)
    return f"{article_for(article[0], word)}{word}" if article else in_case(written, word)


def article_for(old: str, word: str) -> str:
    right = "an " if word[0].lower() in "aeiou" else "a "
    return right.capitalize() if old[0].isupper() else right
