"""Ways in which lull stores data of a person. For each way, such data is stored in a separate database, and then the
person is forgotten.
"""
