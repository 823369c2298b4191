"""Checks the feeds of a web site with feedparser: they are well formed and complete, and each entry
has a title, a time and an address of its own that leads to an anchor of a page."""

import pathlib
import sys

import feedparser

# The only named player of the site.
NAME = "Wil <i>helmina"

site = pathlib.Path(sys.argv[1])
faults = []
feeds = sorted(site.rglob("feed.xml"))
for path in feeds:
    name = str(path.relative_to(site))
    feed = feedparser.parse(str(path))

    def check(is_right, what):
        if not is_right:
            faults.append(f"{name}: {what}")

    check(not feed.bozo, f"not well formed: {feed.get('bozo_exception')}")
    check(feed.version == "atom10", f"its version is {feed.version}")
    root = feed.feed.get("id", "").removesuffix(name)
    check(root.startswith("https://"), f"its ID is {feed.feed.get('id')}")
    check(name.startswith("player/") == (feed.feed.get("title") == NAME), "its title")
    check(feed.feed.get("updated_parsed"), "it has no time")
    ids = [entry.get("id") for entry in feed.entries]
    check(1 <= len(ids) <= 30, f"it has {len(ids)} entries")
    check(len(ids) == len(set(ids)), "two entries have one ID")
    for entry in feed.entries:
        what = entry.get("id")
        check(entry.get("title") and entry.get("updated_parsed"), f"{what}: no title or time")
        check(entry.get("link") == what, f"{what}: its link differs")
        page, _, anchor = entry.get("id", "").removeprefix(root).partition("#")
        text = (site / page).read_text() if (site / page).is_file() else ""
        check(f'id="{anchor}"' in text, f"{entry.get('id')} is not there")
    # The records of a game are in the order of their numbers, even if a clock was wrong.
    order = [entry.updated_parsed for entry in feed.entries]
    if name.startswith("game/"):
        order = [int(what.partition("#")[2]) for what in ids]
    check(order == sorted(order, reverse=True), "the newest entry is not the first")
if len(feeds) < 5:
    faults.append(f"only {len(feeds)} feeds")
print("\n".join(faults) or f"{len(feeds)} feeds are right")
sys.exit(bool(faults))
