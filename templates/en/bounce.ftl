# Notes to the moderator about members whose letters come back.
report-undeliverable = Letters to { $name } ({ $address }) come back, with status { $status }. Nothing more is written there until { $name } writes again or has another address. { $name } plays in no game at present.
report-undeliverable-plays = Letters to { $name } ({ $address }) come back, with status { $status }. Nothing more is written there until { $name } writes again or has another address. { $name } plays in { $games }; none of these waits for { $name } now.
report-undeliverable-waits = Letters to { $name } ({ $address }) come back, with status { $status }. Nothing more is written there until { $name } writes again or has another address. { $name } plays in { $games }; waiting for { $name } now: { $waiting }. "postrider member" gives a new address, "postrider end" ends a game.
report-waits-for-lost = Game { $number } still waits for { $names }, who cannot be reminded because letters come back.
