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
rule-increment = increment { $length }

# The deadline of a turn.
clock-yours = Orders due { $by }.
clock-bank = You also have { $left } in your time bank. If you're late, we take it from there.
clock-increment = Each turn you play adds { $length } to your time bank.
clock-then-absent = If we don't hear from you by { $end }, we play your turn for you.
clock-then-stand-in = If we don't hear from you by { $end }, another member may play for you until you're back.
clock-then-bot = If we don't hear from you by { $end }, a computer player plays for you until you write again.
clock-then-open = { $count ->
    [one] If you miss this turn, a substitute can take your seat.
   *[other] If you miss this turn, that's { $count } in a row, and a substitute can take your seat.
  }
clock-seat-open-yours = You've missed too many turns in a row, so a substitute can take your seat. Play a turn before that, and it's yours again.
clock-seat-open = { $count ->
    [one] { $who }'s seat is
   *[other] The seats of { $who } are
  } open to a substitute.
clock-overdue = Your orders haven't come. The game is waiting for them.
clock-others = { $who }'s orders are due { $by }.
clock-others-overdue = { $who }'s orders were due { $by } and haven't come. The game is waiting for them.
clock-others-away = { $who }'s time doesn't count until { $until }, because of a vacation. That's why this deadline is later.
seat-lost = The game is waiting for { $who }, but we can't deliver e-mails to them right now.
clock-others-lost = E-mails to { $who } come back to us, so their clock is stopped until one gets through. The moderator knows.
clock-paused = The clock of this game is stopped. Nobody's time is running.

# The reasons for a letter about the clock.
clock-reminder = This is a reminder.
clock-would-do = If nothing changes, we'll play this for you: { $line }
clock-set-right = Our server's clock was wrong for a while, and so were the times in our last e-mails. The times in this one are right. Nobody has lost any time.
clock-extended = Our mail service was down for a while. You shouldn't lose time over that, so you have { $span } more.
clock-absent = { $who-is ->
    [you] You missed the deadline, so we played your turn for you:
   *[other] { $who } missed the deadline, so we played their turn:
  }
clock-bot = { $who-is ->
    [you] You missed the deadline, so a computer player plays for you until you write to the game:
   *[other] { $who } is away, so a computer player plays for them:
  }
clock-moderated-extended = { $by ->
    [players] The players voted ({ $reason }) to extend the deadline by { $span }.
   *[moderator] The moderator has extended the deadline by { $span }: { $reason }
  }
clock-moderated-paused = { $by ->
    [players] The players voted ({ $reason }) to stop the clock of this game.
   *[moderator] The moderator has stopped the clock of this game: { $reason }
  }
clock-moderated-resumed = { $by ->
    [players] The players voted ({ $reason }) to start the clock of this game again.
   *[moderator] The moderator has started the clock of this game again: { $reason }
  }
clock-moderated-rules = The moderator has changed the clock rules of this game: { $reason }
clock-none = This game has no clock, so it waits forever. To give it a deadline, write "set 12 deadline 3 days because ...".

# Club commands.
zone-kept = Your time zone is now { $zone }, where it's { $now }. All times in your e-mails use it.
zone-unknown = We don't know the time zone { $zone }. Write one like "zone Europe/Madrid" or "zone America/New_York".
vacation-kept = You're on vacation from { $from } to { $to }. In games that pause for vacations, these days don't count. To cancel it, write "no vacation".
vacation-off = We've cancelled your vacations from today on.
vacation-unread = Write a vacation like "vacation 2026-12-20 to 2027-01-03". To cancel it, write "no vacation".
vacation-backwards = This vacation ends before it begins. Please check the dates.
vacation-past = A vacation can't begin before today.
vacation-far = A vacation can't end more than two years from now.
vacation-spent = You can take at most { $allowed } days of vacation a year. You have { $left } left in { $year }.

# An entry in a player's calendar.
calendar-summary = { $game }: your orders are due

# To the moderator.
report-outage = No pass ran since { $since }, for { $span }, or none that could fetch e-mails. We've extended the deadlines in that time or on the day after it by as much, and at least to a day from now, in { $count ->
    [one] one game
   *[other] { $count } games
  }. We're telling the players whose turn it is.
report-clock-ahead = A pass ran at { $seen }, but now it's { $now }, so this machine's clock was ahead. We've corrected what it got wrong in { $count ->
    [one] one game
   *[other] { $count } games
  }, and we're telling the players. Nobody's time is over within a day. Please make sure that the clock stays right.
report-closed = We couldn't send any e-mails since { $since }, for { $span }. We've extended the deadlines in that time or on the day after it by as much, and at least to a day from now, in { $count ->
    [one] one game
   *[other] { $count } games
  }. We're telling the players whose turn it is.
report-often-absent = { $who } has missed { $count } turns of game { $number }, so we played them without orders.
report-seat-open = { $who } has missed so many turns of game { $number } in a row that a substitute can take seat { $seat }.
report-missed = { $who } missed the deadline in game { $number }. The game is still waiting.

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
pace-end = { $pace }, so it will probably end around { $end }
pace-asked = So far { $pace }.
pace-unknown = No turn has been played yet, so we can't say how fast this game goes.
