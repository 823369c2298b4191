# El sitio web del club.

# Un jugador cuyo nombre no se muestra.
site-seat = Asiento { $number }
site-game = Partida { $number }: { $kind }
site-games = Partidas
site-open = Partidas que buscan jugadores
site-running = Partidas en curso
site-finished = Partidas terminadas
site-none = Todavía no hay partidas.
site-forming = Partida { $number }, { $kind }: se han apuntado { $joined } de { $seats } jugadores. Espera hasta el { $until }.
site-join = Para jugar, escribe a { $address }. No hace falta ninguna cuenta. En tu primer correo basta con escribir "partidas".
site-players = Jugadores por asiento
site-history = Jugada a jugada
# Los mandos para recorrer las jugadas.
site-steps = Recorrer la partida
site-first = Primera jugada
site-back = Jugada anterior
site-next = Jugada siguiente
site-last = Última jugada
site-move = Jugada
site-all = Todas las jugadas
site-taken-back = deshecha
site-own-board = Esta partida usa un tablero propio del club, que aquí no se muestra.
site-record = Descargar el registro de la partida, para "postrider verify record.json"
site-proof = Cómo comprobar esta partida
# El motivo no se publica.
site-rewound = { $by ->
    [players] Los jugadores han votado que la partida retroceda a la jugada { $to }.
   *[moderator] El moderador ha hecho retroceder la partida a la jugada { $to }.
  }
site-ended = { $by ->
    [players] Los jugadores han votado terminar la partida.
   *[moderator] El moderador ha terminado la partida.
  }
# La página de un jugador.
site-place = Puesto { $rank } de { $seats }
site-rating = { $count ->
    [one] Valoración tras una partida de este sitio: { $rating } (como mínimo { $least }). Se empieza con 25.
   *[other] Valoración tras { $count } partidas de este sitio: { $rating } (como mínimo { $least }). Se empieza con 25.
  }
# Una campaña. Un jugador cuyo nombre no se muestra tiene un número en cada campaña.
site-campaigns = Campañas
site-round = Ronda
site-in-play = en curso
site-entrant = Jugador { $number }
site-campaign-legend = Debajo de cada ronda: el puesto en la partida del jugador; por ejemplo, 2/4 es el segundo de cuatro.
site-feed = Sigue estas partidas con un lector de canales (Atom)
