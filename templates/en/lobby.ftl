# Games that are being formed, seats that change hands, and who watches.

# Seats that change hands.
seat-none = Game { $number } has no such seat.
seat-already-in = Whoever plays game { $number } already cannot take another seat of it.
seat-open-already = This seat of game { $number } is open already.
seat-open = { $name } has left game { $number }, and the seat is open: { $reason } Any member who writes "join { $number }" plays on there.
seat-taken-over = { $who } plays on for { $before }: { $reason }
seat-yours-now = You play on for { $before } in game { $number } of { $club }: { $game }, against { $others }. Everything that the seat has seen so far stands below; what { $before } had planned is gone, and your time begins now.
seat-yours-no-more = { $name } plays on for you in game { $number }: { $reason } Replies to its letters do nothing any more. Thank you for having played.
report-seat-open = { $name } has left game { $number }, and nobody waits for the seat: { $reason } "postrider replace" puts a substitute there.
member-none = There is no member { $who }.
