# Votes of the players about actions that otherwise only the moderator can take.

# The subject of a vote.
vote-to-extend = to extend the deadline by { $span }
vote-to-pause = to stop the clock of this game
vote-to-resume = to start the clock of this game again
vote-to-rewind = to rewind the game to move { $to }, before what { $who } did in move { $seq }
vote-by = { $who-is ->
    [you] you
   *[other] { $who }
  }
vote-to-rewind-far = to rewind the game to move { $to }
vote-to-abandon = to end the game now
vote-majority = more than half of the players we can reach
vote-all = all players

# A vote is opened and answered.
vote-opened = { $who } proposes { $what }. To vote for it, reply "{ $line }". To vote against it, reply "{ $refusal }". It needs { $quorum } to agree, and expires { $until }.
vote-yours = Your proposal { $what } is up for a vote. It needs { $quorum } to agree, and expires { $until }. To take it back, reply "{ $refusal }".
vote-counted = { $agrees ->
    [yes] You voted for the proposal { $what }.
   *[no] You voted against the proposal { $what }.
  } { $left ->
    [one] One more player must agree.
   *[other] { $left } more players must agree.
  }

# A vote ends without effect.
vote-failed = The vote { $what } has failed: { $no } voted no.
vote-lapsed = The vote { $what } has expired. Too few players agreed in time.
vote-void = The vote { $what } no longer counts, because the game has changed.
vote-undone = The vote { $what } has passed, but we can't do it: { $why }
vote-moot = The game is over, so there is nothing left to vote on.

# Previews.
vote-would-open = You'd propose { $what }. Nothing has been done.
vote-would-agree = You'd vote for the proposal { $what }. Nothing has been done.
vote-would-refuse = You'd vote against the proposal. Nothing has been done.

# Errors in a line.
vote-how = You can write "vote extend 3 days", "vote pause", "vote resume", "vote rewind" or "vote abandon". To agree with another player's proposal, write the same. To vote against it, write "vote no".
vote-one = You can only vote on one thing per e-mail.
vote-other = Another vote is open: { $what }. Please answer it first, with "{ $line }" or "vote no".
vote-none-open = There's no open vote that you could vote against.
vote-not-here = In this club, players don't vote on that. Please ask the moderator.
vote-no-clock = This game has no clock.
vote-stands-still = The clock of this game is already stopped.
vote-runs = The clock of this game is running.
vote-nothing-back = There's no turn to rewind yet.
vote-which = More than one vote is open. Please say which one you vote against: { $lines }.
vote-too-often = You've made { $count } proposals in this game in the last 24 hours, and that's the limit. Please try again later.
vote-again = You've already proposed this in the last 24 hours, so the others will read about it in their next e-mails.
