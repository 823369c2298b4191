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
refusal-how = To get no more letters from this club, answer with the word "stop" alone.

errand-help = What you would ask of the club, such as "games" or "join 12", stands in a letter of its own; lines about yourself, such as "zone Europe/Madrid", may stand together. The word "help" alone brings all that you can ask. Orders of a game belong in a reply to the newest letter of that game.
errand-card = You can ask this of the club, each in a letter of its own:
errand-card-games = * "games": which games are being formed, and which are played
errand-card-new = * "new paris-connection seats 4 deadline 3 days": puts a game on the table; after it there may stand "private", "punctual 80", "press public" (or "none", or "all") and "invite bob@example.org"
errand-card-join = * "join 12", "leave 12": takes a seat of a game that is being formed, or gives it back; in answer to an invitation "yes" alone does so too
errand-card-wait = * "wait 12", "watch 12", "unwatch 12": puts you on the waiting list of a full game; shows you a game each time it has moved, or no more
errand-card-founder = * "cancel 12", "invite 12 bob@example.org": for who put the game on the table
errand-card-leave = * "leave club": leaves all of it for good
errand-card-marks = * "new marks": if somebody else has read your letters; no letter that you have got before can be answered then
errand-card-own = What you say about yourself may stand together, such as "zone Europe/Madrid", "letters text" or "address new@example.org"; "settings" shows all of it, and how to change it.
errand-card-game = How a game is played stands in the answer to the word "help" in a reply to a letter of that game.
errand-line-unknown = Line { $number } of your letter is nothing that the club can do without a game, so nothing was done: { $line }
errand-moderator = What you ask as the moderator begins with its word, such as "pause 12 because ..."; "help" alone, in a reply to a letter that came to you as the moderator, brings all of these.
errand-used = What you answered was answered once before, and counts once, so nothing was done.
errand-stale = What you answered was to be confirmed within three days, so nothing was done. Please ask for it again.

# Reply tokens that become invalid.
marks-renewed = The marks in all letters that you have got so far are void: nobody can write in your name by answering one of them. This letter can be answered, and each of your running games sends you one that can.
marks-rotated = The marks in all letters that you have got so far are void: nobody can write in your name by answering one of them. This letter can be answered, and each of your running games sends you one that can. The reason: { $reason }
marks-many = You can have new marks { $most } times a day, so nothing was done. Please write again tomorrow, or to the moderator.
seat-marks-asked = As you asked, your older letters of this game can be answered no more. This one can.
reason-marks = letters may have fallen into wrong hands.

address-asked = A letter goes to { $address }. Once it has been answered from there, your letters go to that address; until then nothing changes. If it isn't there tomorrow, look among the spam, then ask the moderator: we don't write to people who have asked us not to, or who get such letters often.
address-spent = We can't ask at { $address } now, so nothing was done: you named it within the last week, or it is no address that letters can go to. If our letter is there, answer it. If it never came, please ask the moderator.
address-no-yes = Your answer was not a clear "{ $yes }", so nothing was done. If this is your new address, answer with that word alone.
address-confirm = { $name } of { $club } says that this is a new address of theirs. If that is you, answer this letter within three days, with the word "{ $yes }" alone on the first line; letters then go here. If it is not, do nothing, and nothing happens.
address-kept = Your letters go to { $address } from now on. Orders are taken from your other addresses too.
address-moved = Your letters go to { $address } from now on, as was asked for in a letter of yours. If that was not you, please answer this letter and write to the moderator at once.
address-taken = { $address } belongs to another member, so nothing was changed.
address-many = You can name { $most } addresses a day, so nothing was done. Please write again tomorrow.
address-unread = { $address } is no address. Write "address ann@example.org", with the new one.
