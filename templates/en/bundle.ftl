# Digests: one letter about several games, for members who want that.

bundle-subject = { $waiting ->
    [0] News from { $count } games
   *[other] Your turn in { $waiting } of { $count } games
  }{ $timed ->
    [yes] , by { $by }
   *[no] {""}
  } ({ $club })
# The subject for members who want a constant one.
bundle-steady = Your games ({ $club })
bundle-lead = This e-mail is about { $count } of your games. { $waiting ->
    [0] None of them is waiting for you.
    [one] One of them is waiting for you.
   *[other] { $waiting } of them are waiting for you.
  }
bundle-plain = A plain reply goes to { $game }, the first one below. For another game, write to the address under its name. Send one e-mail per game.
bundle-plain-tag = A plain reply goes to { $game }, the first one below. For another game, replace the code in the subject with the one under its name. Send one e-mail per game.
# For HTML letters with buttons and links, which show no address.
bundle-plain-taps = A plain reply goes to { $game }, the first one below. For another game, use the link under its name. Send one e-mail per game.
bundle-answer-taps = Reply to this game
bundle-answer = To reply to this game, write to:
bundle-answer-tag = To reply to this game, put this in the subject:

unread-between = line { $number } is below quoted text, and you replied to an e-mail about several games, so we don't know which game it's for. Please write the orders for one game at the very top, and send one e-mail per game.
