# Buttons in HTML letters, each of which sends a line. The taps-... sentences are for people. The
# program reads the line-... texts, so each language must use lines that the program understands.

taps-how = Tap a button and send the e-mail, from { $from }. Or reply with its text.
taps-answer = Reply with one of these lines at the top. That's all we need.
taps-vote = An open vote
taps-besides = More
taps-anyway = Send this instead
line-undo = undo
line-help = help
line-legal = legal
line-rules = rules
line-games = games
line-join = join { $number }
line-join-club = join club
