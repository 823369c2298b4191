# Notes to the moderator about members whose letters come back.
report-undeliverable = Letters to { $name } ({ $address }) come back, with status { $status }. Nothing more is written there until { $name } writes again or has another address. { $name } plays in no game at present.
report-undeliverable-plays = Letters to { $name } ({ $address }) come back, with status { $status }. Nothing more is written there until { $name } writes again or has another address. { $name } plays in { $games }; none of these waits for { $name } now.
report-undeliverable-waits = Letters to { $name } ({ $address }) come back, with status { $status }. Nothing more is written there until { $name } writes again or has another address. { $name } plays in { $games }; waiting for { $name } now, and no time runs there: { $waiting }. "postrider member" gives a new address, "postrider replace" gives the seat to somebody else, "postrider end" ends a game.
report-undeliverable-again = Letters to { $name } ({ $address }) come back once more, with status { $status }. Nothing more is written there until { $name } writes again or has another address. { $name } plays in { $games }; waiting for { $name } now: { $waiting }. Time stood still for { $name } because of that on { $before } already, so this time it runs, and what you think of that is yours to do: "postrider clock" pauses a game or puts a deadline off, "postrider replace" gives the seat to somebody else.
report-lost-runs = Game { $number } has waited for { $names } for as long as for a vacation, as letters come back. Time runs there again.
report-slow-letters = No letter but this one could be posted since { $since }: { $why }. { $count ->
    [one] One letter waits
   *[other] { $count } letters wait
} and will be tried on, less and less often.
report-waits-for-lost = Game { $number } still waits for { $names }, who cannot be reminded because letters come back.
report-refused-by-rule = The rules of mail servers have refused letters to { $count } members within a day, the last one to { $address } with status { $status }. That is not their fault: look at what your own server or provider says of these letters, whether its address stands on a list, and whether SPF, DKIM and DMARC hold for your domain.
