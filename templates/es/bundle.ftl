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
bundle-lead = Este correo trata de { $count } de tus partidas. { $waiting ->
    [0] Ninguna te espera.
    [one] Una te espera.
   *[other] { $waiting } te esperan.
  }
bundle-plain = Si contestas sin más, tu respuesta va a { $game }, la primera de abajo. Para contestar a otra partida, escribe a la dirección que está bajo su nombre. Envía un correo por partida.
bundle-plain-tag = Si contestas sin más, tu respuesta va a { $game }, la primera de abajo. Para contestar a otra partida, cambia el código del asunto por el que está bajo su nombre. Envía un correo por partida.

# Para cartas HTML con botones y enlaces, que no muestran ninguna dirección.
bundle-plain-taps = Si contestas sin más, tu respuesta va a { $game }, la primera de abajo. Para contestar a otra partida, usa el enlace que está bajo su nombre. Envía un correo por partida.
bundle-answer-taps = Contestar a esta partida
bundle-answer = Para contestar a esta partida, escribe a:
bundle-answer-tag = Para contestar a esta partida, pon esto en el asunto:

unread-between = la línea { $number } está debajo de texto citado, y contestas a un correo sobre varias partidas. No sabemos para cuál es. Escribe las órdenes de una partida al principio de tu correo, y envía un correo por partida.
