"""What cannot be scheduled as it was proposed."""


class Unusable(ValueError):
    """What the model proposed cannot be scheduled. The text is a sentence for the model, and quotes nobody."""
