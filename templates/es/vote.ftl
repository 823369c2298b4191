# Votaciones de los jugadores sobre acciones que de otro modo solo decide el moderador.

# El asunto de una votación.
vote-to-extend = prorrogar el plazo { $span }
vote-to-pause = parar el reloj de esta partida
vote-to-resume = poner otra vez en marcha el reloj de esta partida
vote-to-rewind = retroceder a la jugada { $to }, antes de la jugada { $seq } ({ $who })
vote-by = { $who-is ->
    [you] tuya
   *[other] de { $who }
  }
vote-to-rewind-far = retroceder a la jugada { $to }
vote-to-abandon = terminar la partida como está
vote-majority = más de la mitad de los jugadores que reciben nuestros correos
vote-all = todos los jugadores

# Una votación se abre y se contesta.
vote-opened = { $who } propone { $what }. Contesta "{ $line }" para votar a favor o "{ $refusal }" para votar en contra. Sale adelante si votan a favor { $quorum }. Caduca el { $until }.
vote-yours = Hemos preguntado a los demás por tu propuesta: { $what }. Sale adelante si votan a favor { $quorum }. Caduca el { $until }. Para retirarla, contesta "{ $refusal }".
vote-counted = { $agrees ->
    [yes] Has votado a favor de { $what }.
   *[no] Has votado en contra de { $what }.
  } { $left ->
    [one] Falta un voto a favor.
   *[other] Faltan { $left } votos a favor.
  }

# Una votación termina sin efecto.
vote-failed = La votación para { $what } no ha salido adelante. En contra: { $no }.
vote-lapsed = La votación para { $what } ha caducado. No hubo a tiempo suficientes votos a favor.
vote-void = Hemos anulado la votación para { $what }, porque la partida ha cambiado desde entonces.
vote-undone = La votación para { $what } ha salido adelante, pero no podemos hacerlo: { $why }
vote-moot = La partida ha terminado, así que ya no hay nada que votar.

# Vistas previas.
vote-would-open = Propondrías { $what }. No hemos hecho nada.
vote-would-agree = Votarías a favor de { $what }. No hemos hecho nada.
vote-would-refuse = Votarías en contra. No hemos hecho nada.

# Errores en una línea.
vote-how = Puedes proponer "votar prórroga 3 días", "votar pausa", "votar reanudar", "votar retroceder" o "votar abandonar". Para votar a favor de lo que propone otro jugador, escribe lo mismo. Para votar en contra, escribe "votar no".
vote-one = En un correo solo cabe una votación.
vote-other = Hay otra votación abierta: { $what }. Contesta primero a esa, por favor, con "{ $line }" o "votar no".
vote-none-open = No hay ninguna votación abierta en la que puedas votar en contra.
vote-not-here = En este club los jugadores no votan sobre eso. Pregunta al moderador, por favor.
vote-no-clock = Esta partida no tiene reloj.
vote-stands-still = El reloj de esta partida ya está parado.
vote-runs = El reloj de esta partida ya está en marcha.
vote-nothing-back = Todavía no hay ningún turno que deshacer.
vote-which = Hay más de una votación abierta. Di en cuál votas en contra, por favor: { $lines }.
vote-too-often = Has hecho { $count } propuestas en esta partida en las últimas 24 horas, y ese es el máximo. Prueba otra vez más tarde, por favor.
vote-again = Ya lo has propuesto en las últimas 24 horas, así que los demás lo leerán en su próximo correo.
