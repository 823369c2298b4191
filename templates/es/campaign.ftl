# Cartas sobre una campaña.

campaign-subject = Clasificación, ronda { $round }: eres el número { $rank } ({ $campaign })
campaign-lead = Así está { $campaign } en la ronda { $round } de { $rounds }. Eres el número { $rank } de { $players }; tu línea lleva una flecha.
campaign-open = { $count ->
    [0] Todas las partidas empezadas han terminado.
    [one] Una partida no ha terminado y no cuenta.
   *[other] { $count } partidas no han terminado y no cuentan.
}
campaign-legend = Partidas: las terminadas. Victorias: partidas en las que nadie quedó por delante. Parte: la puntuación propia dividida por la mejor de la mesa, sumada. Rivales: los puntos de todos los rivales.
campaign-figures = Puntos: { $points }. Partidas: { $games }. Victorias: { $wins }. Parte: { $share }. Rivales: { $opponents }.
campaign-column-rank = N.º
campaign-column-name = Nombre
campaign-column-points = Puntos
campaign-column-games = Part.
campaign-column-wins = Vict.
campaign-column-share = Parte
campaign-column-opponents = Rivales
