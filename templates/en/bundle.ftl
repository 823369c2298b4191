# Digests: one letter about several games, for members who want that.

bundle-subject = { $waiting ->
    [0] News of { $count } games
   *[other] Your turn in { $waiting } of { $count } games
  }{ $timed ->
    [yes] , by { $by }
   *[no] {""}
  } ({ $club })
# The subject for members who want a constant one.
bundle-steady = Your games ({ $club })
bundle-lead = This letter is about { $count } of your games. { $waiting ->
    [0] None of them waits for you.
    [one] One of them waits for you.
   *[other] { $waiting } of them wait for you.
  }
bundle-plain = A plain reply goes to { $game }, the first below. To answer another game, write to the address that stands under its name, and write a letter for each game.
bundle-plain-tag = A plain reply goes to { $game }, the first below. To answer another game, put the mark that stands under its name into the subject in place of the one that is there, and write a letter for each game.
# For HTML letters with buttons and links, which show no address.
bundle-plain-taps = A plain reply goes to { $game }, the first below. To answer another game, use the link under its name, and write a letter for each game.
bundle-answer-taps = Answer this game
bundle-answer = To answer this game, write to:
bundle-answer-tag = To answer this game, put this into the subject:

unread-between = line { $number } stands below quoted text, and what you answer is about several games, so it could be meant for any of them. Please write the orders for one game at the very top, and a letter for each game.
