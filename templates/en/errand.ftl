# Letters that are about no game, and what confirms something.

errand-help = What you would ask of the club, such as "games" or "join 12", stands in a letter of its own; lines about yourself, such as "zone Europe/Madrid", may stand together. The word "help" in a reply to a letter of a game brings the card of all that you can write. Orders of a game belong in a reply to the newest letter of that game.
errand-line-unknown = Line { $number } of your letter is nothing that the club can do without a game, so nothing was done: { $line }
errand-stale = What you answered was to be confirmed within three days, so nothing was done. Please ask for it again.

address-asked = A letter goes to { $address }. Once it has been answered from there, your letters go to that address; until then nothing changes.
address-confirm = { $name } of { $club } says that this is a new address of theirs. If that is you, answer this letter within three days, with the word "yes"; letters then go here. If it is not, do nothing, and nothing happens.
address-kept = Your letters go to { $address } from now on. Orders are taken from your other addresses too.
address-moved = Your letters go to { $address } from now on, as was asked for in a letter of yours. If that was not you, please answer this letter and write to the moderator at once.
address-taken = { $address } belongs to another member, so nothing was changed.
address-unread = { $address } is no address. Write "address ann@example.org", with the new one.
