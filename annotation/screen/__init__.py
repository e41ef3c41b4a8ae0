"""What an annotator sees: one configuration for all items of a language, and one task for each item. Every text of a
source, a model or a person is escaped here; Label Studio lets style sheets and remote pictures through."""
