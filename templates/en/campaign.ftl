# Letters about a campaign.

campaign-subject = Standings, round { $round }: you are number { $rank } ({ $campaign })
campaign-lead = This is how { $campaign } stands in round { $round } of { $rounds }. You are number { $rank } of { $players }; your line is marked with an arrow.
campaign-open = { $count ->
    [0] All games that were begun are over.
    [one] One game is not over yet and does not count.
   *[other] { $count } games are not over yet and do not count.
}
campaign-legend = Games: that are over. Wins: games in which nobody was ahead. Share: own score divided by the best of the table, summed. Met: the points of everyone met.
campaign-figures = Points: { $points }. Games: { $games }. Wins: { $wins }. Share: { $share }. Met: { $opponents }.
campaign-column-rank = No.
campaign-column-name = Name
campaign-column-points = Points
campaign-column-games = Games
campaign-column-wins = Wins
campaign-column-share = Share
campaign-column-opponents = Met
