# Errors in a letter or in the program. Each is a clause that follows a colon, or comes before
# "Nothing has changed."

# Why a letter is in quarantine.
held-senders = it does not have exactly one sender, so nobody can be held to it
held-mark-of-seat = it has the reply token of game { $game } seat { $seat }, but { $doubt }
held-mark = it has { $of ->
    [moderator] a reply token of the moderator
    [invited] the reply token of an invitation
   *[member] a reply token of a member
  }, but { $doubt }
doubt-not-the-moderator = { $sender } is not the moderator's address
doubt-not-the-member = { $sender } is not an address of the member to whom it was given
doubt-unchecked = our mail server did not check who sent it
doubt-unreadable = what our mail server found out about it cannot be read
doubt-no-dmarc = our mail server found no DMARC policy to check it by
doubt-failed = it does not pass DMARC, so anybody may have sent it
doubt-other-domain = it passes DMARC for another domain than its sender's

# Why a letter is not answered: a program wrote it.
ignored-club = its sender is the club itself
automatic-own = a letter of ours that came back
automatic-bounce = a report that a letter was not delivered
automatic-system = sent by a mail system
automatic-program = sent by a program
automatic-notice = a notice of absence or receipt
automatic-list = sent over a mailing list
automatic-bulk = sent to many at once
automatic-loop = marked against loops
automatic-no-return = sent without a return address
automatic-unwanted = its sender wants no automatic answer

# Why a letter cannot be read.
unreadable-large = it is larger than { $most } KiB
unreadable-parts = it has more than { $most } parts
unreadable-deep = its parts are nested more than { $most } deep
unreadable-hops = it went through more than { $most } servers, as letters in a loop do
unreadable-head = its headers are larger than { $most } KiB
unreadable-sender = it does not say whom it is from
unreadable-form = it is not a letter

# Errors in a game or in the program.
fault-failed = the program failed on it
fault-game = game { $game }: { $why }
fault-no-log = its log is gone
fault-no-game = there is no game { $game }
fault-damage = what is stored cannot be read ({ $what }): { $text }
fault-version = this program does not play { $game } in version { $version }
fault-later = its log has the form { $form }, of a later version of postrider; install that one
fault-definition = the definition in its log is refused ("{ $why }")
fault-said = { $what }
fault-record = record { $seq }: { $why }
fault-no-record = line { $seq } of the log is no record: { $what }
fault-gap = record { $expected } is missing: { $found } stands in its place
fault-address = { $address } is no address that a letter can go to
fault-file = { $path }: { $what }
fault-unlabelled = what is stored does not say for whom it is

# Errors of a mail transport. A message of another program is quoted without translation.
way-no-file = it is no file
way-nonsense = the server's answer cannot be understood
way-nothing = the server gives nothing for it
way-line-broke = the line broke
way-timed-out = it took too long
way-says-more = the server says more than it was asked for
way-server-says = the server says: { $what }
way-server-without = { $what ->
    [SMTPUTF8] the server has no SMTPUTF8, so it cannot send to an address that has letters other than a to z before the @. Another address of this person would work
   *[other] the server has no { $what }
  }
