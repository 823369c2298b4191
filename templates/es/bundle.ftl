# Resúmenes: una carta sobre varias partidas, para los miembros que la quieren.

bundle-subject = { $waiting ->
    [0] Noticias de { $count } partidas
   *[other] Tu turno en { $waiting } de { $count } partidas
  }{ $timed ->
    [yes] , hasta el { $by }
   *[no] {""}
  } ({ $club })

# El asunto para los miembros que quieren uno constante.
bundle-steady = Tus partidas ({ $club })
bundle-lead = Esta carta trata de { $count } de tus partidas. { $waiting ->
    [0] Ninguna de ellas te espera.
    [one] Una de ellas te espera.
   *[other] { $waiting } de ellas te esperan.
  }
bundle-plain = Una respuesta sin más va a { $game }, la primera de abajo. Para contestar a otra partida, escribe a la dirección que está bajo su nombre, y escribe una carta para cada partida.
bundle-plain-tag = Una respuesta sin más va a { $game }, la primera de abajo. Para contestar a otra partida, pon la marca que está bajo su nombre en el asunto en lugar de la que hay, y escribe una carta para cada partida.

# Para cartas HTML con botones y enlaces, que no muestran ninguna dirección.
bundle-plain-taps = Una respuesta sin más va a { $game }, la primera de abajo. Para contestar a otra partida, usa el enlace que está bajo su nombre, y escribe una carta para cada partida.
bundle-answer-taps = Contestar a esta partida
bundle-answer = Para contestar a esta partida, escribe a:
bundle-answer-tag = Para contestar a esta partida, pon esto en el asunto:

unread-between = la línea { $number } está debajo de texto citado, y lo que contestas trata de varias partidas, así que podría ser para cualquiera de ellas. Escribe por favor las órdenes para una partida arriba del todo, y una carta para cada partida.
