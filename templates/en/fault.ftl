# Errors in a letter or in the program. Each is a clause that follows a colon, or comes before
# "Nothing has changed."

# Why a letter is in quarantine.
held-senders = it doesn't have exactly one sender, so we can't tell who it's from
held-mark-of-seat = it uses the secret reply address of game { $game }, seat { $seat }, but { $doubt }
held-mark = it uses { $of ->
    [moderator] a secret reply address of the moderator
    [invited] the secret reply address of an invitation
   *[member] a secret reply address of a member
  }, but { $doubt }
doubt-not-the-moderator = { $sender } isn't the moderator's address
doubt-not-the-member = { $sender } isn't an address of the member we gave it to
doubt-unchecked = our mail server didn't check who sent it
doubt-unreadable = we can't read what our mail server found out about it
doubt-no-dmarc = our mail server found no DMARC policy to check it with
doubt-failed = it doesn't pass DMARC, so anyone may have sent it
doubt-other-domain = it passes DMARC for a domain that isn't its sender's

# Why a letter is not answered: a program wrote it.
ignored-club = its sender is the club itself
automatic-own = one of our own e-mails that came back
automatic-bounce = a report that an e-mail wasn't delivered
automatic-system = sent by a mail system
automatic-program = sent by a program
automatic-notice = an out-of-office reply or a receipt
automatic-list = sent over a mailing list
automatic-bulk = sent to many at once
automatic-loop = marked to prevent loops
automatic-no-return = sent without a return address
automatic-unwanted = its sender doesn't want automatic replies

# Why a letter cannot be read.
unreadable-large = it is larger than { $most } KiB
unreadable-parts = it has more than { $most } parts
unreadable-deep = its parts are nested more than { $most } deep
unreadable-hops = it went through more than { $most } servers, as e-mails in a loop do
unreadable-head = its headers are larger than { $most } KiB
unreadable-sender = it doesn't say who it's from
unreadable-form = it isn't an e-mail

# Errors in a game or in the program.
fault-failed = it made the program fail
fault-game = game { $game }: { $why }
fault-no-log = its log is gone
fault-no-game = there's no game { $game }
fault-damage = we can't read what is stored ({ $what }): { $text }
fault-version = this program doesn't play { $game } in version { $version }
fault-later = its log has the form { $form }, of a later version of postrider. Please install that one
fault-definition = the definition in its log isn't valid ("{ $why }")
fault-said = { $what }
fault-record = move { $seq }: { $why }
fault-no-record = line { $seq } of the log isn't a move: { $what }
fault-gap = move { $expected } is missing, and move { $found } is in its place
fault-address = { $address } isn't a valid e-mail address
fault-file = { $path }: { $what }
fault-unlabelled = what is stored doesn't say who it's for

# Errors of a mail transport. A message of another program is quoted without translation.
way-no-file = it isn't a file
way-nonsense = we can't understand the server's answer
way-nothing = the server returns nothing for it
way-line-broke = the connection broke
way-timed-out = it took too long
way-says-more = the server says more than we asked for
way-server-says = the server says: { $what }
way-server-without = { $what ->
    [SMTPUTF8] the server has no SMTPUTF8, so it can't send to an address with characters other than a to z before the @. Another address of this person would work
   *[other] the server has no { $what }
  }
