# Deadlines, vacations and time.

clock-moment = { $weekday } { $day } { $month } { $year } { $time } { $zone }
# Short forms: for a time within a week, and for a later one.
clock-moment-soon = { $weekday } { $time }
clock-moment-later = { $weekday } { $day } { $month }
clock-date = { $day } { $month } { $year }
clock-days = { $count ->
    [one] a day
   *[other] { $count } days
  }
clock-hours = { $count ->
    [one] an hour
   *[other] { $count } hours
  }

# Durations and clock rules.
length-days = { $count ->
    [one] { $count } day
   *[other] { $count } days
  }
length-hours = { $count ->
    [one] { $count } hour
   *[other] { $count } hours
  }
length-minutes = { $count ->
    [one] { $count } minute
   *[other] { $count } minutes
  }
deadline-weekly = { $days } { $time } { $zone }
rule-deadline = deadline { $deadline }
rule-nmr = nmr { $nmr }
rule-grace = grace { $length }
rule-bank = bank { $length }

# The deadline of a turn.
clock-yours = Please send your orders by { $by }.
clock-bank = Your time bank holds { $left } besides; what you are late by is taken from it.
clock-then-absent = If nothing of yours has come by { $end }, you count as absent, and the game does for you what it has for absent players.
clock-then-stand-in = If nothing of yours has come by { $end }, another member may play for you until you are back.
clock-then-open = This would be turn { $count } in a row that you miss: your seat is then open to a substitute.
clock-seat-open-yours = Your seat is open to a substitute, as you have missed too many turns in a row. A turn of yours makes it yours again, if nobody has taken it over.
clock-seat-open = { $count ->
    [one] The seat of { $who } is
   *[other] The seats of { $who } are
  } open to a substitute.
clock-overdue = Your orders have not come. The game waits for them.
clock-others = The orders of { $who } are due by { $by }.
clock-others-overdue = The orders of { $who } were due by { $by } and have not come. The game waits for them.
clock-others-away = No time is counted for { $who } up to { $until }, for a vacation; that is why this deadline is later.
seat-lost = The game waits for { $who }, to whom no letter can be delivered at the moment.
clock-others-lost = Letters to { $who } come back, so that no time runs there until one can be delivered. The moderator knows of it.
clock-paused = The clock of this game stands still, and no time runs.

# The reasons for a letter about the clock.
clock-reminder = This is a reminder.
clock-would-do = As things stand, what would be done for you is: { $line }
clock-set-right = The clock of our post office was wrong for a while, and so were the times in our last letters. What stands here is right; nobody has lost any time by it.
clock-extended = Our post office was closed for a while. That must not cost you anything, so you have { $span } more.
clock-absent = { $who-is ->
    [you] No orders of yours had come, so what the game has for absent players was done for you:
   *[other] No orders of { $who } had come, so what the game has for absent players was done:
  }
clock-moderated-extended = { $by ->
    [players] By vote of the players ({ $reason }) the deadline is put off by { $span }.
   *[moderator] The moderator has put the deadline off by { $span }: { $reason }
  }
clock-moderated-paused = { $by ->
    [players] By vote of the players ({ $reason }) the clock of this game stands still.
   *[moderator] The moderator has stopped the clock of this game: { $reason }
  }
clock-moderated-resumed = { $by ->
    [players] By vote of the players ({ $reason }) the clock of this game runs again.
   *[moderator] The moderator lets the clock of this game run again: { $reason }
  }
clock-moderated-rules = The moderator has set the clock of this game anew: { $reason }
clock-none = This game has no clock: it waits for ever. "set 12 deadline 3 days because ..." gives it a deadline.

# Club commands.
zone-kept = Your time zone is now { $zone }, where it is { $now }. All times in your letters are given in it.
zone-unknown = There is no time zone called { $zone }. Write one like "zone Europe/Madrid" or "zone America/New_York".
vacation-kept = You are on vacation from { $from } to { $to }. Games that pause for vacations do not count these days; "no vacation" takes them back.
vacation-off = Your vacations from today on are taken back.
vacation-unread = A vacation is written like "vacation 2026-12-20 to 2027-01-03"; "no vacation" takes it back.
vacation-backwards = This vacation ends before it begins.
vacation-past = A vacation cannot begin before today.
vacation-far = A vacation cannot reach further ahead than two years.
vacation-spent = A year holds { $allowed } days of vacation at most, and you have { $left } of { $year } left.

# An entry in a player's calendar.
calendar-summary = { $game }: your orders are due

# To the moderator.
report-outage = No pass ran since { $since }, for { $span }, or none that could fetch the letters. The deadlines that fell into that time, or would fall into the next day, are put off by as much, and to a day from now at least, in { $count ->
    [one] one game
   *[other] { $count } games
  }; who is waited for is told.
report-clock-ahead = A pass ran at { $seen }, but now it is { $now }: the clock of this machine was ahead. What was reckoned by it is put right, in { $count ->
    [one] one game
   *[other] { $count } games
  }, whose players are told; nobody's time is over within a day. Please see that the clock is kept right.
report-closed = Nothing could be posted since { $since }, for { $span }. The deadlines that fell into that time, or would fall into the next day, are put off by as much, and to a day from now at least, in { $count ->
    [one] one game
   *[other] { $count } games
  }; who is waited for is told.
report-often-absent = { $who } has been absent for { $count } turns of game { $number }, which were taken without orders.
report-seat-open = { $who } has missed so many turns of game { $number } in a row that seat { $seat } is open to a substitute.
report-missed = { $who } has missed the deadline in game { $number }, which waits on.

weekday-mon = Mon
weekday-tue = Tue
weekday-wed = Wed
weekday-thu = Thu
weekday-fri = Fri
weekday-sat = Sat
weekday-sun = Sun
month-jan = Jan
month-feb = Feb
month-mar = Mar
month-apr = Apr
month-may = May
month-jun = Jun
month-jul = Jul
month-aug = Aug
month-sep = Sep
month-oct = Oct
month-nov = Nov
month-dec = Dec

# The pace of a game.
pace-new = it has just begun
pace = a turn takes about { $span }
pace-end = { $pace }, so that it is likely to end about { $end }
pace-asked = So far { $pace }.
pace-unknown = No turn has been played yet, so nobody can say how fast this game goes.
