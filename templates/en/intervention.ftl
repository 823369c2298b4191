# Interventions in a game by the moderator or by a vote.

intervention-forced = A player missed the deadline, and the moderator had the default order carried out: { $reason }
intervention-not-awaited = The game isn't waiting for { $who }. It's waiting for { $awaited }.
intervention-paused-already = The clock of this game is already stopped.
intervention-not-paused = The clock of this game is running.

# Interventions as the activity log shows them.
minute-extend = extend by { $by }
minute-pause = pause
minute-resume = resume
minute-set = set { $rules }
minute-rewind = rewind to { $to }
minute-end = end
minute-force = force seat { $seat }
minute-rotate = rotate seat { $seat }
minute-replace = replace seat { $seat } by member { $by }
minute-vacate = seat { $seat } is open
minute-announce = announce
minute-propose = propose { $kind }
minute-begin = begin
minute-rotate-member = rotate member { $member }
minute-accept = letters accept { $name }
minute-reject = letters reject { $name }
minute-told = { $what }: { $reason }
minute-because = { $what } because { $reason }
