# Letters about a campaign.

campaign-subject = Standings, round { $round }: you are number { $rank } ({ $campaign })
campaign-lead = Here are the standings of { $campaign } in round { $round } of { $rounds }. You're number { $rank } of { $players }. An arrow marks your line.
campaign-open = { $count ->
    [0] All games that have started are over.
    [one] One game isn't over yet and doesn't count.
   *[other] { $count } games aren't over yet and don't count.
}
campaign-legend = Games: games that are over. Wins: finished first or tied for first. Share: your score divided by the best in the game, added up. Met: the points of everyone you met.
campaign-figures = Points: { $points }. Games: { $games }. Wins: { $wins }. Share: { $share }. Met: { $opponents }.
campaign-column-rank = No.
campaign-column-name = Name
campaign-column-points = Points
campaign-column-games = Games
campaign-column-wins = Wins
campaign-column-share = Share
campaign-column-opponents = Met
