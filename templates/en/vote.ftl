# Votes of the players about actions that otherwise only the moderator can take.

# The subject of a vote.
vote-to-extend = to put the deadline off by { $span }
vote-to-pause = to stop the clock of this game
vote-to-resume = to let the clock of this game run again
vote-to-rewind = to take the game back to record { $to }, before what { $who } did in record { $seq }
vote-by = { $who-is ->
    [you] you
   *[other] { $who }
  }
vote-to-rewind-far = to take the game back to record { $to }
vote-to-abandon = to end the game as it stands
vote-majority = more than half of those who can be reached
vote-all = all players

# A vote is opened and answered.
vote-opened = { $who } proposes { $what }. If you agree, reply with "{ $line }", and else with "{ $refusal }". It needs { $quorum } and lapses at { $until }.
vote-yours = Your proposal { $what } has been put to the others. It needs { $quorum } and lapses at { $until }; "{ $refusal }" takes it back.
vote-counted = { $agrees ->
    [yes] You agree { $what }.
   *[no] You refuse { $what }.
  } { $left ->
    [one] One more player must agree.
   *[other] { $left } more players must agree.
  }

# A vote ends without effect.
vote-failed = The vote { $what } has failed; { $no } refused.
vote-lapsed = The vote { $what } has lapsed: in its time too few agreed.
vote-void = The vote { $what } is void, because the game has been changed meanwhile.
vote-undone = The vote { $what } has carried, but it cannot be done: { $why }
vote-moot = The game is over, so there is nothing left to vote on.

# Previews.
vote-would-open = You would propose { $what }. Nothing has been done.
vote-would-agree = You would agree { $what }. Nothing has been done.
vote-would-refuse = You would refuse what is voted on. Nothing has been done.

# Errors in a line.
vote-how = A vote is one of "vote extend 3 days", "vote pause", "vote resume", "vote rewind" and "vote abandon"; to agree with what another player proposes, write the same, and to refuse it "vote no".
vote-one = A letter can hold one vote.
vote-other = Another vote is open: { $what }. Please answer it first, with "{ $line }" or "vote no".
vote-none-open = There is no vote that you could refuse.
vote-not-here = In this club players do not vote on that. Please ask the moderator.
vote-no-clock = This game has no clock.
vote-stands-still = The clock of this game stands still already.
vote-runs = The clock of this game is running.
vote-nothing-back = There is no turn yet that could be taken back.
vote-which = More than one vote is open. Please say which you refuse: { $lines }.
vote-too-often = You have made { $count } proposals in this game within the last 24 hours, which is the most. Please write again later.
vote-again = You have proposed this within the last 24 hours already, so the others read of it in their next letters.
