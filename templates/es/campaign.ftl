# Cartas sobre una campaña.

campaign-subject = Clasificación, ronda { $round }: eres el número { $rank } ({ $campaign })
campaign-lead = Así va { $campaign } en la ronda { $round } de { $rounds }. Eres el número { $rank } de { $players }. La flecha marca tu línea.
campaign-open = { $count ->
    [0] No queda ninguna partida en curso.
    [one] Una partida sigue en curso y no cuenta.
   *[other] { $count } partidas siguen en curso y no cuentan.
}
campaign-legend = Partidas: terminadas. Victorias: quedaste en primer lugar, solo o con otros. Parte: suma de tu puntuación dividida por la mejor de cada mesa. Rivales: los puntos de todos tus rivales.
campaign-figures = Puntos: { $points }. Partidas: { $games }. Victorias: { $wins }. Parte: { $share }. Rivales: { $opponents }.
campaign-column-rank = N.º
campaign-column-name = Nombre
campaign-column-points = Puntos
campaign-column-games = Part.
campaign-column-wins = Vict.
campaign-column-share = Parte
campaign-column-opponents = Rivales
