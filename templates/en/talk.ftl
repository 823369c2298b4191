# Messages between players.

heading-talk = Talk
talk-head = { $from } to { $to }:
talk-dated = ({ $at }) { $head }
talk-from = { $who-is ->
    [you] You
   *[other] { $who }
  }
talk-from-unnamed = { $who-is ->
    [you] You, unnamed,
   *[other] { $who }
  }
talk-from-somebody = Somebody
talk-from-former = Whoever sat there before { $who }
talk-to-all = all

# The first lines of a letter.
talk-said = What you say in your letter has been passed on; it stands below as the others read it.
talk-heard = There is a word from the table for you, below.
talk-would = Nothing has been said to anybody. What would be said, and to whom, stands below.
talk-unsaid = Nothing of your letter has been said to anybody.
talk-lost = { $name } has left the seat before your words could be read, so they were not told there, and who comes there does not read them.

# The rules for messages in a game.
talk-none = In this game nothing can be said to other players by letters to the club.
talk-public-only = In this game players speak only to all at once: write "say" and your words.
talk-signed-only = In this game nobody speaks without his name: leave the word "anonymously" out.
talk-terms-anonymous = In this game players may speak without their names: "say anonymously" and your words.
talk-terms-moderator = In this game the moderator can read what players tell each other in private.

# Errors in a line.
talk-to-whom = Write after "tell" whom you mean, by name or seat, and then your words. The seats are { $seats }.
talk-nobody = There is no player called { $name } in this game to be told something. The seats are { $seats }.
talk-seat = { $number } ({ $name })
talk-which = More than one player could be meant by { $name }: write the number of the seat, as in "tell 2".
talk-colon = It is not clear who is told: put a colon behind those whom you tell something, as in "tell ann, bob: hello".
talk-to-yourself = Only you would be told this. A line that begins with "tell" goes to other players.
talk-seat-open = Nobody sits on the seat of { $who } now, and who comes there does not read what was told before.
talk-seat-new = { $who } has taken over that seat after your letter was written. Please write again if your words are for { $who }.
talk-empty = There are no words to pass on. Write them behind it, or in the lines below it up to a line "end".
talk-private = What you would say holds an e-mail address, or the mark by which a reply to one of your letters is known, so nothing was said: nobody else should have those. If a mail program put it there, please write a line "end" below your words.
talk-cut = From line { $number } on your letter was taken for another one that it quotes, so what stands there was passed on to nobody.
talk-too-long = A letter can say { $characters } characters in { $lines } lines at most.
talk-too-often = You have said something in { $count } letters of the last 24 hours, which is the most. Please write again later.
talk-order-inside = This line reads like something for us and stands inside of what you say to others, so nothing was done. If it is for us, put a line "end" above it; if it is not, please write it in other words.
talk-say-name = "say" tells all players, and this seems to be for one. So nothing was said or done. To tell only that player, send this line. To tell all, leave the colon or the "to" out.
talk-order-behind = This message to others holds what reads like an order. So nothing was said or done. If you want the order carried out, send it as a line of its own:
talk-ended-here = What you say to others ended above this line, because the line reads like one for us. To say more than one line, write "say:" alone on a line, then your words, and then a line "end".
