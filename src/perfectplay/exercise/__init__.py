"""Exercises: trees from real positions to be worked through by hand, each answer checked and explained."""

from perfectplay.exercise.exercise import Exercise, Question, Verdict, make_exercise
from perfectplay.exercise.run import KINDS

__all__ = ["KINDS", "Exercise", "Question", "Verdict", "make_exercise"]
