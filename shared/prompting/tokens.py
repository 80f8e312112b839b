"""Estimates of tokens: characters for each token, learned for each chat from what the model reports."""

from math import ceil

#: of a chat that nothing is known of yet. Ids and times, of which headers are full, take a token for each digit: a
#: group in five languages had 2.1 with headers and 2.8 in the compact format, by the vocabulary of Gemma 4
FIRST_CHARACTERS_PER_TOKEN = 2.0

#: a chat of emoji, and one of long English words: what lies beyond was counted wrong
LEAST, MOST = 0.5, 6.0

#: how much a report weighs against what was believed before
WEIGHT = 0.5

#: an estimate that is so near stays as it is: if it moved with every report, so would the place where a prompt is cut
NEAR = 0.05

#: shorter prompts are mostly what the model's own template adds
FEWEST_TOKENS = 100


def learned(characters_per_token: float, characters: int, tokens: int) -> float:
    """The new estimate, from the old one and a prompt of so many characters that the model counted as so many tokens.

    `tokens` are the model's `prompt_tokens`, and `characters` those of the prompt that it counted. What a script needs
    (English about 4, Ukrainian 3, Japanese 1.5) comes in with the first reports.
    """
    if tokens < FEWEST_TOKENS or characters <= 0:
        return characters_per_token
    seen = min(max(characters / tokens, LEAST), MOST)
    if abs(seen - characters_per_token) <= NEAR * characters_per_token:
        return characters_per_token
    return round(characters_per_token + WEIGHT * (seen - characters_per_token), 3)


def tokens_of(characters: int, characters_per_token: float) -> int:
    """How many tokens so many characters are, rounded up."""
    return ceil(characters / characters_per_token)


def characters_in(tokens: int, characters_per_token: float) -> int:
    """How many characters so many tokens hold, rounded down."""
    return int(tokens * characters_per_token)
