# Buttons in HTML letters, each of which sends a line. The taps-... sentences are for people. The
# program reads the line-... texts, so each language must use lines that the program understands.

taps-how = A button writes the letter for you, and you send it, from { $from }: from any other address it does nothing. Where no button works, answer this letter with the line that stands on it.
taps-answer = Answer this letter with one of these lines at the top; nothing else of the answer is needed.
taps-vote = An open vote
taps-besides = Besides
taps-anyway = Send the orders without it
line-undo = undo
line-help = help
line-rules = rules
line-games = games
line-join = join { $number }
line-join-club = join club
