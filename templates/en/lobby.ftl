# Games that wait for players, changes of players, membership, and observers.

# A seat gets another player.
seat-none = Game { $number } has no such seat.
seat-already-in = Whoever plays game { $number } already cannot take another seat of it.
seat-open-already = This seat of game { $number } is open already.
seat-open = { $name } has left game { $number }, and the seat is open: { $reason } Any member who writes "join { $number }" plays on there.
seat-offered = { $name } of { $club } asks whether you'd take over a seat in game { $number }: { $game } for { $seats } players, which is being played.
seat-offered-how = To take the seat, answer this letter within three days with the word "{ $yes }" alone on the first line. A letter with the board and everything that the seat has seen follows, and your time begins with it. If you'd rather not play, or didn't expect this, do nothing, and nothing happens.
seat-offer-asked = { $name } has never answered a letter of the club, so we ask by letter first. The seat in game { $number } is theirs once they answer, and their time begins then. You'll hear from us if three days pass without an answer.
report-seat-offer-over = { $name } hasn't answered our question at { $address } within three days, so { $before } still has the seat in game { $number }. Is the address right? "replace" asks again.
seat-taken-over = { $who } plays on for { $before }: { $reason }
seat-yours-now = You play on for { $before } in game { $number } of { $club }: { $game }, against { $others }. Everything that the seat has seen so far stands below; what { $before } had planned is gone, and your time begins anew.
seat-yours-no-more = { $name } plays on for you in game { $number }: { $reason } Replies to its letters do nothing any more. Thank you for having played.
seat-stood-in = You have missed the deadline in game { $number }, and { $name } plays for you. As soon as you write "join { $number }", the seat is yours again.
seat-barred = The moderator has taken you out of game { $number }, so you cannot play on there.
seat-two-hands = You have sat in another seat of game { $number }, and nobody sees two hands: you can take back that seat alone.
seat-left-often = You have left game { $number } more than once within a day. You can take an open seat of it tomorrow.
seat-removed = The moderator has taken you out of game { $number }: { $reason } Replies to its letters do nothing any more.
report-seat-left = { $name } has left game { $number }, and nobody waits for the seat: { $reason } "postrider replace" puts a substitute there.
member-none = We found no member { $who }.
member-similar = We found no member { $who }. Similar: { $members }.
member-several = Several members are called { $who }. Use the number or the address: { $members }.
member-choice = { $name } (number { $id }, { $address })
member-gone = Member { $who } has left the club.
substitute-own = { $address } is the club's own address: letters to a player there would come back as letters to the club.

# Games that wait for players.
lobby-proposed = Your game { $number } is on the table. It begins by itself as soon as all seats are taken, and is taken away if they are not within thirty days.
lobby-punctual = Only who had at least { $least } of a hundred turns in time can join; who is new can.
lobby-how-join = To join, write "join { $number }" in a reply to this or any other letter of ours; "seat 2", "first" or "last" after it is a wish. "leave { $number }" takes it back.
lobby-how-yes = To join, answer this letter within three days with the word "{ $yes }" alone on the first line. Later, or if you wish for a seat, write "join { $number }" in a reply to this or any other letter of ours; "seat 2", "first" or "last" after it is that wish. "leave { $number }" takes it back.
lobby-how-side = The player who is drawn to go first chooses their side of the board. Others can wish for one as they join: "join { $number } side east".
lobby-how-own-side = If you want one and did not write it, cancel the game and propose it again with "side east" at the end of your "new" line.
lobby-how-side-yes = The player who is drawn to go first chooses their side of the board. If you have a wish, write it on a line below the word "{ $yes }", such as "side east"; or join with "join { $number } side east".
lobby-side-none = "{ $word }" is no side of the board that can be chosen in this game. In Off the Rails you can write "side north", "side east", "side south" or "side west".
lobby-invited-unread = Your answer was not a clear "{ $yes }", so you have not joined game { $number }, and nothing was done. If you would like to play, write "join { $number }" alone in a reply to this letter.
lobby-member = You are a member of the club already.
lobby-how-invited = Only those whom you have invited can join. "cancel { $number }" takes the game away.
lobby-joined = You are in: game { $number } begins by itself as soon as all seats are taken. Until then "leave { $number }" takes it back.
lobby-started = With you game { $number } is full, and it has begun: its first letter is on its way to everyone.
lobby-took-seat = You have a seat in game { $number } now; a letter with everything that it has seen is on its way.
lobby-left = You are out of game { $number }.
lobby-cancelled = Your game { $number } is off the table; who was in is told.
lobby-cancelled-for-you = Game { $number }, { $game }, will not be played: who proposed it took it back.
lobby-lapsed = Game { $number }, { $game }, did not find enough players within thirty days and is off the table.
lobby-waits = You are number { $place } on the waiting list of game { $number }. When a seat opens and your turn has come, it is yours at once. "leave { $number }" takes you off the list.
lobby-invited = { $name } invites you to play at { $club }, a club that plays board games by e-mail.

# Refusals.
lobby-alone = This belongs in a letter of its own, without orders or anything else, so nothing in this letter was done.
lobby-no-preview = This cannot be previewed, and nothing was done.
lobby-kind-unknown = There is no such game here. After "new" write the name of one: { $kinds }.
lobby-kind-gone = This club does not play that game any more.
lobby-word-unread = "{ $word }" was not understood. Write for example "new paris-connection seats 4 deadline 3 days", and after it, if you like, "private", "invite bob@example.org", "punctual 80", "press public" (or "none", or "all"), "undo 2 hours" (or "off"), "named Lyon", or an option of the game as "name=value".
lobby-name-unread = "{ $name }" is no name for a game. After "named" write one word of { $least } to { $most } letters, such as "named Lyon", that is not the name of a game, of somebody, or a word of the orders. Nothing was done.
lobby-deadline-unread = This is no deadline. Write "deadline 3 days", "deadline 72 hours", "deadline Mon,Thu 20:00 Europe/Madrid" or "deadline none".
lobby-nmr-alone = What happens to absent players needs a deadline.
lobby-invite-unread = After "invite" write the addresses of those you invite.
lobby-invite-no-address = "{ $word }" is no address, so nobody has been invited. After "invite" write the addresses of those you invite.
lobby-invite-many = At most { $most } can be invited by one letter.
lobby-invites-spent = You have invited so many people today that no more can be asked before tomorrow.
lobby-invites-sent = Those whom you named are invited to game { $number }.
lobby-invites-limits = Our letter doesn't go to people who want no invitations, or who get many: one a week from you at most, and a few from everybody. If your friends don't hear from us, they can write to us themselves, or you can ask the moderator, { $moderator }.
lobby-invites-new = You are new here. Until you have finished your first turn you can invite { $left ->
    [0] nobody else
    [one] one more person
   *[other] { $left } more people
  }, so nothing was done. If you'd like to invite more, please ask the moderator, { $moderator }.
lobby-invite-unsent = We can't write to { $who }, which is no address that letters can go to. So nothing was done, and nobody was invited. Please check the address, or invite the others without it.
lobby-line-none = This is nothing that can be asked of the club's table of games; try "games", "join 12" or "new paris-connection seats 4".
lobby-join-unread = After the game's number there may stand "seat 2", "first" or "last", and the game must have that seat.
lobby-new-seats = For how many? Add "seats 4", say.
lobby-seats = This game is for { $least } to { $most } players.
# Errors in an option. Each follows a colon.
lobby-option-of = it has no option "{ $word }"; there is: { $known }
lobby-option-wrong = "{ $word }" is nothing that can be chosen here
lobby-option-choice = "{ $word }" is no choice; there is: { $known }
lobby-option = The game cannot be played so: { $why }
lobby-private-alone = A private game needs as many invited as it has seats for others.
lobby-too-many = You have { $most } games on the table that wait for players already.
lobby-none = There is no game { $number } that you could join or watch. "games" brings the list.
lobby-in-already = You are in game { $number } already.
lobby-late = Who joins game { $number } must have had { $least } of a hundred turns in time; you had { $percent }.
lobby-running = Game { $number } is being played, and no seat of it is open. "wait { $number }" puts you on its waiting list, "watch { $number }" lets you watch.
lobby-begun = Game { $number } has begun without you, or is off the table.
lobby-founder-leaves = You proposed game { $number }. "cancel { $number }" takes it off the table.
lobby-not-in = You are neither in game { $number }, as long as it is being formed, nor on its waiting list. To leave a game that has begun, write "resign" in a reply to one of its letters.
lobby-not-founder = Only who proposed game { $number } can take it off the table, and only before it begins.
lobby-seat-free = Game { $number } has a seat for you at once: write "join { $number }".
lobby-waits-many = So many wait for a seat of game { $number } that no more are put on the list.

# A player wants to leave a game.
resign-where = Write "resign" in a reply to a letter of the game that you would leave, or its number after it, as in "resign 12".
resign-sure = You would leave game { $number } for good, and somebody else would play on in your seat. If that is what you want, answer with "resign { $number } yes"; what you write after it is told to the others as your reason.
resigned = You have left game { $number }. Thank you for having played; your replies to its letters do nothing any more.
reason-resigned = the player resigned.
reason-took-open-seat = the seat was open.

# Newcomers.
newcomer-confirm = Somebody, we hope you, asked to join a game at { $club }, a club that plays board games by e-mail.
club-confirm = Somebody, we hope you, asked to become a member of { $club }, a club that plays board games by e-mail.
club-invited = { $name } invites you to become a member of { $club }, a club that plays board games by e-mail.
club-how = To become a member, answer this letter within three days with the word "{ $yes }" alone on the first line. If the others shall know you by another name than your letters show, write it on the second line, such as "{ $as } Ann Miller". If you would not, or did not ask, do nothing, and nothing happens.
club-how-name = If your letters show no name, the others will know you as { $name }. If they show another name, let the second line be "{ $as } { $name }" to be known as { $name }.
newcomer-how = To play, answer this letter within three days with the word "{ $yes }" alone on the first line. If the others shall know you by another name than your letters show, write it on the second line, such as "{ $as } Ann Miller". You become a member of the club by it. If you would not play, or did not ask, do nothing, and nothing happens.
newcomer-how-side = The player who is drawn to go first chooses their side of the board. If you have a wish, write it on a line below the word "{ $yes }", such as "side east".
newcomer-unread = Your answer was not a clear "{ $yes }", so you have joined nothing, and nothing was done. If you would like to join, answer with that word alone on the first line. On the second line you can say how the others will know you, such as "{ $as } Ann Miller".
newcomer-none = There is no game { $number } that you could join.
newcomer-called = The name in your answer is, or is too like, one that this club's letters have for somebody or something else, or it could be taken for a web address, so you have joined nothing, and nothing was done. Please answer with the word "{ $yes }" alone on the first line and another name on the second, such as "{ $as } Ann Miller".
newcomer-nameless = The others could not see the name in your answer, so you have joined nothing, and nothing was done. Please answer with the word "{ $yes }" alone on the first line and a name on the second, such as "{ $as } Ann Miller".
# Words that a newcomer's name may not contain, because letters and "tell" use them for something
# else, and words that it may not contain between others, as in "Bob to all".
names-without = moderator, nobody, somebody, seat, player, anonymously, postrider, postmaster, webmaster, mailer-daemon, administrator
names-whole = The club, club, admin
names-not-between = to
newcomer-welcome = Welcome to { $club }, { $name }! The word "help" in a reply to this letter brings all that you can ask of the club, and in a reply to a letter of a game the card of its orders.
newcomer-language = Letters to you are written in the language "{ $language }", as your own letter was. To change it, write { $lines } alone in a reply to this letter; any letter of yours may hold that line.

newcomer-added = { $moderator }, who moderates { $club }, a club that plays board games by e-mail, has made you a member of it by the name of { $name }.
newcomer-first = Write "games" alone in a reply to this letter for what there is to play, "help" for all that you can ask of the club. If you would be no member, "leave club yes" alone erases your name and your address.

# Letters of people who are not members: the words before a game's number in their letters, and the
# answers to them.
visitor-numbered = join, game, number, no, nr
visitor-hello = This is { $club }, which plays board games by e-mail. A program reads what comes to this address, and does not know yours yet.
visitor-how = How it works: a letter shows you the board and what only you may see. You answer it when you have time, with a line such as "build red G23", and a letter shows everyone the new position. "help" in a reply to a letter of a game brings its rules of writing.
visitor-unread = The program found nothing in your answer that it could do, so nothing was done. First write which game you would join, or "join club", alone on a line. You are then asked whether that is so; to that letter "{ $yes }" is the answer, and there you can also say how the others shall know you.
visitor-none = No game waits for players at present.
visitor-entry = * { $said }
visitor-join = To take a seat, write "join { $number }" alone in a reply to this letter, or another game's number. You are asked once more before you are in.
visitor-club = To be a member first, who can put games on the table himself, write "join club" alone.
visitor-words = "games" alone brings this list anew, "help" how it works. Of what you answer three letters are answered within the first day, and then one a day. A person reads what you write to { $moderator }.

# A letter with a member's reply token from an unknown address.
elsewhere-game = A letter with the mark of your seat in game { $number } came from { $address }, which is no address of yours here, so nothing of it was done. If that was you, write "address { $address }" alone in a reply to this letter, and then your letter once more. If it was not, somebody else has read a letter that went to you: write "new marks" alone, and none of your older letters can be answered any more.
elsewhere-club = A letter with a mark of yours came from { $address }, which is no address of yours here, so nothing of it was done. If that was you, write "address { $address }" alone in a reply to this letter, and then your letter once more. If it was not, somebody else has read a letter that went to you: write "new marks" alone, and none of your older letters can be answered any more.

# The club's list of games.
games-formed = On the table, for you to join:
games-none-formed = No game waits for players at present. "new paris-connection seats 4 deadline 3 days" puts one on the table.
games-running = Being played, for you to watch:
games-how = "join 12" takes a seat, "wait 12" waits for one, "watch 12" shows a game that is being played.
games-entry = * { $said }. In so far: { $players }.
games-player = { $name } ({ $how })
games-named = { $number } { $name }
games-said = { $number }: { $game } for { $seats }, { $free ->
    [0] full
    [one] one seat free
   *[other] { $free } seats free
  }, { $time }
games-said-options = { $number }: { $game } for { $seats }, { $free ->
    [0] full
    [one] one seat free
   *[other] { $free } seats free
  }, { $time }, with { $options }
games-punctual = from { $least } of a hundred turns in time on
games-private = by invitation
games-deadline = with { $deadline } a turn
games-deadline-stand-in = with { $deadline } a turn, and then a stand-in plays for who is absent
games-deadline-forfeit = with { $deadline } a turn, and then the game goes on without who is absent
games-no-deadline = without deadlines
games-plays = * { $number }: { $game }, played by { $players }; { $pace }
games-plays-open = * { $number }: { $game }, played by { $players }; { $pace }; a seat is open
punctuality = { $percent } of a hundred turns in time
punctuality-new = new to deadlines
punctuality-left-new = new to deadlines, { $left ->
    [one] one game
   *[other] { $left } games
  } left
punctuality-left = { $percent } of a hundred turns in time, { $left ->
    [one] one game
   *[other] { $left } games
  } left

# Observers.
watching = You watch game { $number } from now on: a letter shows it each time it has moved. "unwatch { $number }" ends it.
watched = You watch game { $number } no more.

# The unsubscribe button of mail programs: the subjects of its letters, and the answers to them.
stop-watching = Watch game { $number } no more
stop-digests = Each game by itself
stop-standings = No more standings
stop-invitations = No more invitations
stop-letters = No more letters
stop-alone = Nothing else in your letter was read, as that address is for this alone.
watch-plays = You play game { $number } yourself.
watch-already = You watch game { $number } already.
watch-not = You do not watch game { $number }.
watch-many = So many watch game { $number } that no more can.
watch-footer = You watch this game and see what everyone may see. "unwatch { $number }" in a reply ends it.

# Rematches.
rematch-told = It is a rematch: those who played game { $number } would meet once more.
rematch-where = Write "rematch" in a reply to the last letter of a game that is over.
rematch-running = The game is not over yet.
rematch-already = Game { $number } is proposed for this table already: write "join { $number }".
rematch-own = This game was played with a definition of the club's own, so only the moderator can set up another one.

# A member leaves the club.
leave-club-sure = You would leave the club for good: you would resign from all your games, get no more letters, and your name and addresses would be erased. If that is what you want, answer with "leave club yes".
leave-club-done = You have left the club. Your name and addresses are erased, and no more letters come. Thank you for having played.
member-former = former member { $number }
reason-absent = the player has missed the deadline.
reason-is-back = the player is back.
reason-missed-turns = the player has missed too many turns in a row.
reason-left-club = the player left the club.

# The answer to a member whose letter is not for a game.
notice-lobby = What you would ask of the club itself, such as "games" or "join 12", write in a reply to this letter; "help" brings all of it.
