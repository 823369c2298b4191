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
talk-from-former = The player before { $who }
talk-to-all = all

# The first lines of a letter.
talk-said = We've sent your message. Below is what the others read.
talk-heard = You have a message, below.
talk-would = We haven't sent any messages. Below is what we'd send, and to whom.
talk-unsaid = We haven't sent any message from your e-mail.
talk-lost = { $name } left the seat before your message could be read, so we haven't delivered it. The next player in that seat won't see it either.

# The rules for messages in a game.
talk-none = In this game, players can't write to each other through the club.
talk-public-only = In this game, messages go to all players. Write "say" and your message.
talk-signed-only = In this game, messages always show who wrote them. Please leave out "anonymously".
talk-terms-anonymous = In this game, you can write without your name. Write "say anonymously" and your message.
talk-terms-moderator = In this game, the moderator can read private messages.

# Errors in a line.
talk-to-whom = After "tell", write who your message is for, by name or seat. Then write your message. The seats are { $seats }.
talk-nobody = There's no player called { $name } in this game. The seats are { $seats }.
talk-seat = { $number } ({ $name })
talk-which = { $name } could be more than one player. Write the number of the seat, as in "tell 2".
talk-colon = We can't tell who this is for. Put a colon after the names, as in "tell ann, bob: hello".
talk-to-yourself = Only you would get this message. A line that begins with "tell" goes to other players.
talk-seat-open = Nobody has { $who }'s seat right now, and the next player in it won't see older messages.
talk-to-bot = { $who } is a computer player and can't read messages.
talk-seat-new = { $who } took over that seat after you wrote your e-mail. If your message is for { $who }, please send it again.
talk-empty = There's no message here. Write it on the same line, or on the lines below up to a line "end".
talk-private = Your message has an e-mail address or one of your secret reply addresses in it, and nobody else should see those. So we haven't sent it. If your mail program put it there, please write a line "end" below your message.
talk-cut = From line { $number } on, your e-mail seems to quote another one. We haven't sent that part to anyone.
talk-too-long = Messages in one e-mail can have { $characters } characters and { $lines } lines at most.
talk-too-often = You've sent messages in { $count } e-mails in the last 24 hours, and that's the limit. Please try again later.
talk-order-inside = This line is inside your message to others, but it looks like one for us. So nothing was done. If it's for us, put a line "end" above it. If it isn't, please put it in other words.
talk-say-name = "say" goes to all players, and this seems to be for one. So nothing was sent or done. To write only to that player, send this line. To write to all, leave out the colon or the "to".
talk-order-behind = There seems to be an order in this message to others. So nothing was sent or done. If you want us to carry out the order, send it on its own line:
talk-ended-here = We ended your message to others above this line, because the line looks like one for us. To send several lines, write "say:" alone on a line, then your message, and then a line "end".
