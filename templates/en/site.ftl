# The club's web site.

# A player whose name is not shown.
site-seat = Seat { $number }
site-game = Game { $number }: { $kind }
site-games = Games
site-open = Games that need players
site-running = Games in progress
site-finished = Finished games
site-none = There are no games yet.
site-forming = Game { $number }, { $kind }: { $joined } of { $seats } players have joined. It waits until { $until }.
site-join = To play, write to { $address }. You need no account. Your first e-mail can just say "games".
site-players = Players by seat
site-history = Move by move
# The controls that step through the moves.
site-steps = Step through the game
site-first = First move
site-back = Previous move
site-next = Next move
site-last = Last move
site-move = Move
site-all = All moves
site-taken-back = taken back
site-own-board = This game uses the club's own board, which isn't shown here.
site-record = Download the record of the game, for "postrider verify record.json"
site-proof = How to check this game
# The reason isn't published.
site-rewound = { $by ->
    [players] The players voted to rewind the game to move { $to }.
   *[moderator] The moderator rewound the game to move { $to }.
  }
site-ended = { $by ->
    [players] The players voted to end the game.
   *[moderator] The moderator ended the game.
  }
# A player's own page.
site-place = Rank { $rank } of { $seats }
site-rating = { $count ->
    [one] Rating after one game on this site: { $rating } (at least { $least }). New players begin at 25.
   *[other] Rating after { $count } games on this site: { $rating } (at least { $least }). New players begin at 25.
  }
# A campaign. A player whose name is not shown has a number in each campaign.
site-campaigns = Campaigns
site-round = Round
site-in-play = in play
site-entrant = Player { $number }
site-campaign-legend = Under each round: the rank in the player's game, such as 2/4 for second of four players.
site-feed = Follow these games in a feed reader (Atom)
