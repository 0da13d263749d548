"""Second implementations of the games, deliberately naive: sets, flood fills, everything worked out anew.

They share no code with `arena/games` and are written from the rules pages alone, so that a mistake has to be
made twice, in two ways, to go unseen.
"""
