"""The domain of lull: values in the middle, flows over them, adapters at the rim."""
