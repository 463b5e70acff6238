"""Exercises: trees from real positions to be worked through by hand, each answer checked and explained."""

from perfectplay.exercise.exercise import Exercise, Question, Verdict, make_exercise, random_exercise
from perfectplay.exercise.random_trees import RANDOM_KINDS
from perfectplay.exercise.run import KINDS

__all__ = ["KINDS", "RANDOM_KINDS", "Exercise", "Question", "Verdict", "make_exercise", "random_exercise"]
