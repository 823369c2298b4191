# What is done to a game from outside of its rules.

deed-forced = The moderator had the default order carried out for an absent player: { $reason }
deed-not-awaited = The game does not wait for { $who }, but for { $awaited }.
deed-paused-already = The clock of this game stands still already.
deed-not-paused = The clock of this game is running.
