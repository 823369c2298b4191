# Letters that are not about a game, and confirmations.

# The word that gives consent if it is alone on the first line of an answer, the words that may stand
# beside it if the answer says nothing else, and the word before the name that a newcomer chooses on
# the second line.
consent-yes = yes
consent-polite = please, pls, plz, thanks, thank you, thanks a lot, many thanks, thank you very much, thank you so much, thx, cheers, gladly, happily, with pleasure, of course, sure, absolutely, definitely, certainly, by all means, please do, i'd love to, i would love to, i'd like to, i would like to, i'd love to play, i would love to play, i'd like to play, i would like to play, i'd love to join, happy to, happy to play, i'm in, count me in, sign me up, great, that would be great, sounds good, sounds great, looking forward to it, can't wait, see you, see you soon, best, regards, best regards, kind regards, best wishes, 🙂, 😊, 😀, 😃, 👍, 🎉
consent-name = name

# The words by which a person refuses all letters: those that begin such an answer, those that may
# come before them, and those that make a short answer a refusal in any position.
refusal-first = stop, remove, cancel all, don't write, do not write, don't contact, do not contact, don't mail, do not mail, never write, no more letters, no more mail, no more email, no more emails, take me off, leave me alone
refusal-before = no, please, pls, and, just, now, hi, hello
refusal-anywhere = unsubscribe
refusal-how = To get no more e-mails from this club, reply with just "stop".

errand-help = A request to the club, such as "games" or "join 12", needs an e-mail of its own. Lines about yourself, such as "zone Europe/Madrid", can go together. Reply "help" to see everything you can ask. Orders for a game go in a reply to the newest e-mail of that game.
errand-card = You can ask the club for these, each in an e-mail of its own:
errand-card-games = * "games": open games and games in progress
errand-card-new = * "new paris-connection seats 4 deadline 3 days": starts a game; you can add "private", "punctual 80", "press public" (or "none", or "all"), "bots 2 fair", "hints" and "invite bob@example.org"
errand-card-practice = * "practice trick-of-the-rails": starts a practice game against computer players; you can add "seats 4" and "easy", "fair" or "strong"
errand-card-join = * "join 12", "leave 12": takes a seat in an open game, or gives it back; to accept an invitation, "yes" is enough
errand-card-wait = * "wait 12", "watch 12", "unwatch 12": puts you on the waiting list of a full game; e-mails you each time a game moves, or stops that
errand-card-founder = * "cancel 12", "invite 12 bob@example.org", "invite 12 bot fair": for the player who started the game
errand-card-leave = * "leave club": leaves the club and all your games for good
errand-card-marks = * "new marks": if someone else has read your e-mails; nobody can reply to your older ones any more
errand-card-own = Lines about yourself can go together, such as "zone Europe/Madrid", "letters text" or "address new@example.org". Reply "settings" to see them all and how to change them.
errand-card-game = To see how to play a game, reply "help" to an e-mail of that game.
errand-line-unknown = We don't know what to do with line { $number } outside a game, so nothing was done: { $line }
errand-moderator = Requests as the moderator begin with a command, such as "pause 12 because ...". To see them all, reply with just "help" to an e-mail that we sent you as the moderator.
errand-used = That e-mail was already answered, and only the first reply counts. Nothing was done.
errand-stale = That question has expired, because you had three days to reply. Nothing was done. Please ask again.

# Reply tokens that become invalid.
marks-renewed = All the e-mails you've had from us so far are now void. Nobody can write in your name by replying to one of them. You can reply to this one, and we're sending a fresh one for each of your games in progress.
marks-rotated = All the e-mails you've had from us so far are now void. Nobody can write in your name by replying to one of them. You can reply to this one, and we're sending a fresh one for each of your games in progress. The reason: { $reason }
marks-many = You can get new secret reply addresses { $most } times a day, so nothing was done. Please ask again tomorrow, or write to the moderator.
seat-marks-asked = Done: replies to older e-mails of this game no longer count. Please reply to this one.
reason-marks = someone else may have read the e-mails.

address-asked = We're sending an e-mail to { $address }. Once you reply from there, we'll write to that address. Until then nothing changes. If it hasn't arrived by tomorrow, look in your spam folder, then ask the moderator. We don't write to people who have asked us not to, or who often get e-mails like this.
address-spent = We can't write to { $address } right now, so nothing was done. Either you've named it within the last week, or it isn't an address we can send e-mail to. If our e-mail is there, reply to it. If it never came, please ask the moderator.
address-no-yes = We couldn't find a clear "{ $yes }" in your reply, so nothing was done. If this is your new address, reply with just that word.
address-confirm = { $name } of { $club } says this is their new address. If that's you, reply within three days with just "{ $yes }" on the first line. We'll then write to you here. Not you? Just ignore this e-mail.
address-kept = From now on we'll write to { $address }. We still accept orders from your other addresses.
address-moved = From now on we'll write to { $address }, because one of your e-mails asked us to. If that wasn't you, please reply to this e-mail, and write to the moderator right away.
address-taken = { $address } belongs to another member, so nothing has changed.
address-many = You can name { $most } addresses a day, so nothing was done. Please try again tomorrow.
address-unread = { $address } isn't an e-mail address. Write "address ann@example.org", with your new one.
