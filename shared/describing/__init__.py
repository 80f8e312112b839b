"""What files show and say: the places that know it, one asked after the other, and the model that is asked last."""
