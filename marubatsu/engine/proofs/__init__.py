"""Smallest proofs of a game's value: sets of classes, and the trees that alpha-beta must visit."""
