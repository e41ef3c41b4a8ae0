"""Premise pairs (Judge Before Answer, J-1..J-8), one file a stage: what a picture shows, a caption that says so, and
questions that state it rightly or wrongly. Nothing here calls a model."""
