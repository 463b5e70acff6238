"""Lowering: from the syntax of a function and the shapes of its arguments to the intermediate form.

Shapes are found on the way: a function is written again and again, each time with what the round before
has shown, until nothing changes. What is written in the last round is what is compiled.
"""
