# Games that wait for players, changes of players, membership, and observers.

# A seat gets another player.
seat-none = There is no such seat in game { $number }.
seat-already-in = Someone who already plays in game { $number } can't take another seat in it.
seat-open-already = This seat in game { $number } is already open.
seat-open = { $name } has left game { $number }, and the seat is open: { $reason } Any member can take it with "join { $number }".
seat-offered = { $name } of { $club } asks if you'd like to take over a seat in game { $number }, which is in progress: { $game } for { $seats } players.
seat-offered-how = To take the seat, reply within three days with just "{ $yes }" on the first line. We'll send you the board and everything the seat has seen, and your time starts then. Not interested, or didn't expect this? Just ignore this e-mail.
seat-offer-asked = { $name } has never replied to an e-mail from the club, so we've asked them first. They get the seat in game { $number } once they reply, and their time starts then. We'll tell you if three days pass without a reply.
report-seat-offer-over = { $name } didn't reply to our question at { $address } within three days, so { $before } still has the seat in game { $number }. Is the address right? Use "replace" to ask again.
seat-taken-over = { $who } now plays for { $before }: { $reason }
seat-yours-now = You now play for { $before } in game { $number } of { $club }: { $game }, against { $others }. Everything the seat has seen so far is below. We've dropped { $before }'s plans, and your time starts over.
seat-yours-no-more = { $name } now plays for you in game { $number }: { $reason } Replies to its e-mails no longer count. Thank you for playing!
seat-stood-in = You missed the deadline in game { $number }, so { $name } is playing for you. Reply "join { $number }" to get your seat back.
seat-barred = The moderator took you out of game { $number }, so you can't play in it again.
seat-two-hands = You've already had another seat in game { $number }, and nobody may see two hands. You can only go back to that seat.
seat-left-often = You've left game { $number } more than once within a day. Try again tomorrow to take an open seat in it.
seat-removed = The moderator has taken you out of game { $number }: { $reason } Replies to its e-mails no longer count.
report-seat-left = { $name } has left game { $number }, and nobody is waiting for the seat: { $reason } Use "postrider replace" to put in a substitute.
report-bot-failed = { $name } couldn't choose a move in game { $number }, so we played the turn as for an absent player. This is a bug in the computer player. Please report it with the file that "postrider export { $number }" writes.
member-none = We found no member { $who }.
member-similar = We found no member { $who }. Similar members: { $members }.
member-several = More than one member is called { $who }. Use the number or the address: { $members }.
member-choice = { $name } (number { $id }, { $address })
member-gone = Member { $who } has left the club.
substitute-own = { $address } is the club's own address. E-mails to a player there would come straight back to the club.

# Games that wait for players.
lobby-proposed = Your game { $number } is open. It starts as soon as all seats are taken. If they aren't within 30 days, we'll drop it.
lobby-punctual = Only players with at least { $least }% of their turns on time can join. New players can join too.
lobby-how-join = To join, reply "join { $number }" to this or any other e-mail from us. You can add "seat 2", "first" or "last" to wish for a seat. To back out, reply "leave { $number }".
lobby-how-yes = To join, reply within three days with just "{ $yes }" on the first line. Later, or to wish for a seat, reply "join { $number }" to this or any other e-mail from us. You can add "seat 2", "first" or "last". To back out, reply "leave { $number }".
lobby-how-side = The player who is drawn to go first picks their side of the board. Anyone can wish for a side when they join: "join { $number } side east".
lobby-how-own-side = Want a side yourself, but didn't ask for it? Cancel the game and start it again with "side east" at the end of your "new" line.
lobby-how-side-yes = The player who is drawn to go first picks their side of the board. To wish for a side, write it on a line below "{ $yes }", such as "side east". Or reply "join { $number } side east".
lobby-side-none = You can't pick "{ $word }" as a side of the board in this game. In Off the Rails you can write "side north", "side east", "side south" or "side west".
lobby-invited-unread = We couldn't find a clear "{ $yes }" in your reply, so you haven't joined game { $number }. Nothing was done. To play, reply to this e-mail with just "join { $number }".
lobby-member = You're already a member of the club.
lobby-how-invited = Only people you've invited can join. To cancel the game, reply "cancel { $number }".
lobby-joined = You're in! Game { $number } starts as soon as all seats are taken. Until then you can back out with "leave { $number }".
lobby-started = You've taken the last seat, so game { $number } has started. Everyone's first e-mail is on its way.
lobby-took-seat = You now have a seat in game { $number }. An e-mail with everything the seat has seen is on its way.
lobby-left = You're out of game { $number }.
lobby-cancelled = You've cancelled game { $number }. We're telling everyone who had joined.
lobby-cancelled-for-you = Game { $number }, { $game }, won't be played. The player who started it has cancelled it.
lobby-lapsed = Game { $number }, { $game }, didn't find enough players within 30 days, so we've dropped it.
lobby-waits = You're number { $place } on the waiting list of game { $number }. When a seat opens and it's your turn on the list, you get the seat right away. To leave the list, reply "leave { $number }".
lobby-invited = { $name } invites you to play at { $club }, where people play board games by e-mail.

# Refusals.
lobby-alone = This needs an e-mail of its own, without orders or anything else. Nothing in this e-mail was done.
lobby-no-preview = We can't preview this. Nothing was done.
lobby-kind-unknown = We don't have that game here. Write one of these after "new": { $kinds }.
lobby-kind-gone = This club no longer plays that game.
lobby-word-unread = We didn't understand "{ $word }". Write for example "new paris-connection seats 4 deadline 3 days". You can add "private", "invite bob@example.org", "punctual 80", "press public" (or "none", or "all"), "undo 2 hours" (or "off"), "named Lyon", "bots 2 fair", "hints", or an option of the game as "name=value".
lobby-name-unread = A game can't be named "{ $name }". After "named", write one word of { $least } to { $most } letters, such as "named Lyon". It can't be the name of a game or a person, or a word used in orders. Nothing was done.
lobby-deadline-unread = We couldn't read this deadline. Write "deadline 3 days", "deadline 72 hours", "deadline Mon,Thu 20:00 Europe/Madrid" or "deadline none".
lobby-nmr-alone = You can only say what happens after a missed deadline if the game has one. Add a deadline, such as "deadline 3 days".
lobby-invite-unread = After "invite", write the addresses of the people you want to invite.
lobby-invite-no-address = "{ $word }" isn't an e-mail address, so nobody has been invited. After "invite", write the addresses of the people you want to invite.
lobby-invite-many = You can invite at most { $most } people in one e-mail.
lobby-invites-spent = That's more invitations than you can send in one day, so nothing was done. Please try again tomorrow.
lobby-invites-sent = Done: we've invited them to game { $number }.
lobby-invites-limits = We don't write to people who want no invitations, or who get a lot of them. Each gets at most one a week from you, and a few from everyone. If your friends don't hear from us, they can write to us themselves. Or ask the moderator, { $moderator }.
lobby-invites-new = You're new here. Until you've finished your first turn you can invite { $left ->
    [0] nobody else
    [one] one more person
   *[other] { $left } more people
  }, so nothing was done. To invite more, please ask the moderator, { $moderator }.
lobby-invite-unsent = We can't send e-mail to { $who }, so nothing was done and nobody was invited. Please check the address, or invite the others without it.
lobby-line-none = We didn't understand what you'd like from the club's list of games. Try "games", "join 12" or "new paris-connection seats 4".
lobby-join-unread = We couldn't find that seat. After the game's number you can write "seat 2", "first" or "last", and the game must have that seat.
lobby-new-seats = For how many players? Add "seats 4", for example.
lobby-seats = This game is for { $least } to { $most } players.
# Errors in an option. Each follows a colon.
lobby-option-of = it has no option "{ $word }". Choose from: { $known }
lobby-option-wrong = you can't choose "{ $word }" here
lobby-option-choice = you can't choose "{ $word }". Choose from: { $known }
lobby-option = The game can't be played like this: { $why }
lobby-private-alone = A private game needs at least one invitation for each free seat. Invite more people, or leave out "private".
lobby-too-many = You already have { $most } open games waiting for players. Wait until one fills up, or cancel one.
lobby-none = There is no game { $number } to join or watch. Reply "games" for the list.
lobby-in-already = You're already in game { $number }.
lobby-late = Game { $number } is for players with at least { $least }% of their turns on time. You have { $percent }%.
lobby-running = Game { $number } is in progress and has no open seat. Reply "wait { $number }" to get on its waiting list, or "watch { $number }" to watch it.
lobby-begun = Game { $number } has started without you, or it's no longer open.
lobby-founder-leaves = You started game { $number } yourself. To cancel it, reply "cancel { $number }".
lobby-not-in = You have no seat in game { $number } that you can give back, and you aren't on its waiting list. To leave a game in progress, reply "resign" to one of its e-mails.
lobby-not-founder = Only the player who started game { $number } can cancel it or invite people to it, and only while it's still open.
lobby-seat-free = Game { $number } has a free seat for you right now. Reply "join { $number }".
lobby-waits-many = The waiting list of game { $number } is full. Please try again later.

# A player wants to leave a game.
resign-where = Reply "resign" to an e-mail of the game you want to leave. Or add the game's number, as in "resign 12".
resign-sure = Do you really want to leave game { $number }? Someone else would take your seat. To confirm, reply "resign { $number } yes". We'll tell the others anything you write after it as your reason.
resigned = You've left game { $number }. Replies to its e-mails no longer count. Thank you for playing!
reason-resigned = the player resigned.
reason-took-open-seat = the seat was open.

# Computer players.
bot-name = Robo { $number } ({ $level ->
    [easy] easy
    [strong] strong
   *[fair] fair
  })
bots-off = This club has no computer players.
bots-unread = How many computer players, and how strong? Write for example "bots 2 fair". The levels are easy, fair and strong, and you can have up to { $most }.
bots-too-many = That's too many computer players: the game has { $free ->
    [0] no free seat
    [one] one free seat
   *[other] { $free } free seats
  }, and one seat is yours. Nothing was done.
bots-enough-games = You already have { $most } games against computer players. Finish one of them first, or leave it with "resign".
practice-unread = Which game would you like to practise? Write "practice" and the game, such as "practice trick-of-the-rails". You can add "seats 4", and a level: easy, fair or strong. The games are: { $kinds }.
practice-one = You already have a practice game, number { $number }. Finish it first. Or end it: reply "resign { $number }".
practice-rematch = To practise again, write for example "practice trick-of-the-rails".
practice-terms = This is a practice game against computer players. It has no deadline. Write "hint" if you don't know what to do, "undo" to go back to before your last orders, or "resign" to end it.
reason-practice-silent = nobody has played for 14 days.

# Hints.
hint-terms = In this game you can ask what a computer player would do. On your turn, reply "hint".
hint = A computer player of the level "fair" likes these orders best. Behind each is the share of simulated games that it won:
hint-line = { $line } ({ $percent }%)
hint-not-here = This game has no hints. Practice games do: to start one, write for example "practice trick-of-the-rails".
hint-not-your-turn = You can only get a hint on your turn.
hint-again = You've already had a hint for this turn.

# Newcomers.
newcomer-confirm = Someone (we hope it was you) asked to join a game at { $club }, where people play board games by e-mail.
club-confirm = Someone (we hope it was you) asked to become a member of { $club }, where people play board games by e-mail.
club-invited = { $name } invites you to become a member of { $club }, where people play board games by e-mail.
club-how = To become a member, reply within three days with just "{ $yes }" on the first line. To go by a different name than the one in your e-mails, put it on the second line, such as "{ $as } Ann Miller". Not you, or not interested? Just ignore this e-mail.
club-how-name = If your e-mails show no name, the others will know you as { $name }. If they show a different one and you'd like to be { $name }, write "{ $as } { $name }" on the second line.
newcomer-how = To play, reply within three days with just "{ $yes }" on the first line. That also makes you a member of the club. To go by a different name than the one in your e-mails, put it on the second line, such as "{ $as } Ann Miller". Not you, or not interested? Just ignore this e-mail.
newcomer-how-side = The player who is drawn to go first picks their side of the board. To wish for a side, write it on a line below "{ $yes }", such as "side east".
newcomer-unread = We couldn't find a clear "{ $yes }" in your reply, so you haven't joined anything. Nothing was done. To join, reply with just that word on the first line. To go by a different name, put it on the second line, such as "{ $as } Ann Miller".
newcomer-none = There is no game { $number } that you can join.
newcomer-called = We can't use the name in your reply, so you haven't joined anything. Nothing was done. It's too much like a name or word that this club's e-mails already use, or it looks like a web address. Please reply again with just "{ $yes }" on the first line and another name on the second, such as "{ $as } Ann Miller".
newcomer-nameless = The others couldn't see the name in your reply, so you haven't joined anything. Nothing was done. Please reply again with just "{ $yes }" on the first line and a name on the second, such as "{ $as } Ann Miller".
# Words that a newcomer's name may not contain, because letters and "tell" use them for something
# else, and words that it may not contain between others, as in "Bob to all".
names-without = moderator, nobody, somebody, seat, player, anonymously, postrider, postmaster, webmaster, mailer-daemon, administrator
names-whole = The club, club, admin
names-not-between = to
newcomer-welcome = Welcome to { $club }, { $name }! Reply "help" to this e-mail to see what you can ask the club. Reply "help" to an e-mail of a game to see how to write its orders.
newcomer-language = We write to you in the language "{ $language }", because you wrote to us in it. To change that, reply with just { $lines }. You can also put that line in any other e-mail to us.

newcomer-added = { $moderator }, the moderator of { $club }, has made you a member under the name { $name }. We play board games by e-mail.
newcomer-first = Reply "games" to see what there is to play, or "help" for everything you can ask the club. Don't want to be a member? Reply with just "leave club yes", and we'll erase your name and address.

# Letters of people who are not members: the words before a game's number in their letters, and the
# answers to them.
visitor-numbered = join, game, number, no, nr
visitor-hello = Hello from { $club }! We play board games by e-mail. A program answers at this address, and it doesn't know you yet.
visitor-how = How it works: we e-mail you the board and what only you may see. You reply when you have time, with a line such as "build red G23", and everyone gets the new position. Reply "help" to an e-mail of a game to see how to write its orders.
visitor-unread = We couldn't find anything to do in your reply, so nothing was done. To join, write the game, such as "join 4", or "join club" on a line of its own. We'll ask you to confirm with "{ $yes }". You can choose the name that others see then too.
visitor-none = There are no open games right now.
visitor-entry = * { $said }
visitor-join = To take a seat, reply with just "join { $number }", or use another game's number. We'll ask you to confirm.
visitor-club = To become a member first, so that you can start games yourself, reply with just "join club".
visitor-words = Reply "games" to see this list again, or "help" to see how it works. We answer up to three of your e-mails on the first day, and then one a day. To reach a person, write to { $moderator }.

# A letter with a member's reply token from an unknown address.
elsewhere-game = An e-mail from { $address } came to your secret reply address in game { $number }. We don't know { $address } as yours, so nothing in it was done. Was it you? Reply to this e-mail with just "address { $address }", and then send your e-mail again. Not you? Then someone else has read one of our e-mails to you. Reply with just "new marks", and nobody can reply to your older e-mails any more.
elsewhere-club = An e-mail from { $address } came to one of your secret reply addresses. We don't know { $address } as yours, so nothing in it was done. Was it you? Reply to this e-mail with just "address { $address }", and then send your e-mail again. Not you? Then someone else has read one of our e-mails to you. Reply with just "new marks", and nobody can reply to your older e-mails any more.

# The club's list of games.
games-formed = Open games you can join:
games-none-formed = There are no open games right now. To start one, reply "new paris-connection seats 4 deadline 3 days".
games-running = Games in progress you can watch:
games-how = "join 12" takes a seat, "wait 12" puts you on the waiting list, "watch 12" lets you follow a game in progress.
games-entry = * { $said }. So far: { $players }.
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
games-punctual = at least { $least }% on time
games-private = by invitation
games-deadline = with { $deadline } per turn
games-deadline-stand-in = with { $deadline } per turn, then a stand-in plays for you
games-deadline-bot = with { $deadline } per turn, then a computer player plays for you
games-deadline-forfeit = with { $deadline } per turn, then we play your turn for you
games-no-deadline = without deadlines
games-plays = * { $number }: { $game }, with { $players }; { $pace }
games-plays-open = * { $number }: { $game }, with { $players }; { $pace }; a seat is open
punctuality = { $percent }% on time
punctuality-new = new to deadlines
punctuality-left-new = new to deadlines, left { $left ->
    [one] one game
   *[other] { $left } games
  }
punctuality-left = { $percent }% on time, left { $left ->
    [one] one game
   *[other] { $left } games
  }

# Observers.
watching = You're now watching game { $number }. We'll e-mail you each time it moves. To stop, reply "unwatch { $number }".
watched = You're no longer watching game { $number }.

# The unsubscribe button of mail programs: the subjects of its letters, and the answers to them.
stop-watching = Stop watching game { $number }
stop-digests = One e-mail per game
stop-standings = No more standings
stop-invitations = No more invitations
stop-letters = No more e-mails
stop-alone = We ignored the rest of your e-mail, because that address only works for this.
watch-plays = You're playing in game { $number } yourself.
watch-already = You're already watching game { $number }.
watch-not = You aren't watching game { $number }.
watch-many = Game { $number } already has as many people watching as we allow.
watch-footer = You're watching this game, and see what everyone can see. To stop, reply "unwatch { $number }".

# Rematches.
rematch-told = It's a rematch for the players of game { $number }.
rematch-where = Reply "rematch" to the last e-mail of a game that's over.
rematch-running = This game isn't over yet.
rematch-already = The rematch is already open as game { $number }. To play, reply "join { $number }".
rematch-own = This game used the club's own version of the rules, so only the moderator can set up another one.

# A member leaves the club.
leave-club-sure = Do you really want to leave the club for good? You'd resign from all your games and get no more e-mails, and we'd erase your name and addresses. To confirm, reply "leave club yes".
leave-club-done = You've left the club. We've erased your name and addresses, and you'll get no more e-mails. Thank you for playing!
member-former = former member { $number }
reason-absent = the player missed the deadline.
reason-is-back = the player is back.
reason-missed-turns = the player missed too many turns in a row.
reason-left-club = the player left the club.

# The answer to a member whose letter is not for a game.
notice-lobby = To ask the club for something, such as "games" or "join 12", reply to this e-mail. Reply "help" to see everything you can ask.
