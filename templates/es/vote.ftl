# Votaciones de los jugadores sobre acciones que de otro modo solo decide el moderador.

# El asunto de una votación.
vote-to-extend = aplazar el plazo { $span }
vote-to-pause = parar el reloj de esta partida
vote-to-resume = hacer correr de nuevo el reloj de esta partida
vote-to-rewind = llevar la partida de vuelta al registro { $to }, antes de la jugada { $who } del registro { $seq }
vote-by = { $who-is ->
    [you] tuya
   *[other] de { $who }
  }
vote-to-rewind-far = llevar la partida de vuelta al registro { $to }
vote-to-abandon = terminar la partida tal como está
vote-majority = más de la mitad de aquellos a quienes llegan cartas
vote-all = todos los jugadores

# Una votación se abre y se contesta.
vote-opened = { $who } propone { $what }. Si estás de acuerdo, contesta con "{ $line }", y si no con "{ $refusal }". Hacen falta { $quorum }, y caduca el { $until }.
vote-yours = Tu propuesta de { $what } se ha presentado a los demás. Hacen falta { $quorum }, y caduca el { $until }; "{ $refusal }" la retira.
vote-counted = { $agrees ->
    [yes] Estás de acuerdo en { $what }.
   *[no] Te niegas a { $what }.
  } { $left ->
    [one] Falta un jugador que esté de acuerdo.
   *[other] Faltan { $left } jugadores que estén de acuerdo.
  }

# Una votación termina sin efecto.
vote-failed = La votación para { $what } ha fracasado; se negó { $no }.
vote-lapsed = La votación para { $what } ha caducado: a tiempo estuvieron de acuerdo demasiado pocos.
vote-void = La votación para { $what } es nula, porque entretanto la partida ha cambiado.
vote-undone = La votación para { $what } ha salido adelante, pero no se puede hacer: { $why }
vote-moot = La partida ha terminado, así que ya no hay nada que votar.

# Vistas previas.
vote-would-open = Propondrías { $what }. No se ha hecho nada.
vote-would-agree = Estarías de acuerdo en { $what }. No se ha hecho nada.
vote-would-refuse = Te negarías a lo que se vota. No se ha hecho nada.

# Errores en una línea.
vote-how = Una votación es una de "votar prórroga 3 días", "votar pausa", "votar reanudar", "votar retroceder" y "votar abandonar"; para estar de acuerdo con lo que propone otro jugador, escribe lo mismo, y para negarte "votar no".
vote-one = Una carta puede llevar una votación.
vote-other = Hay otra votación abierta: { $what }. Contéstala primero, por favor, con "{ $line }" o "votar no".
vote-none-open = No hay ninguna votación a la que te puedas negar.
vote-not-here = En este club los jugadores no votan sobre eso. Pregunta al moderador, por favor.
vote-no-clock = Esta partida no tiene reloj.
vote-stands-still = El reloj de esta partida ya está parado.
vote-runs = El reloj de esta partida está corriendo.
vote-nothing-back = Aún no hay ningún turno que se pudiera deshacer.
vote-which = Hay más de una votación abierta. Di por favor a cuál te niegas: { $lines }.
vote-too-often = Has hecho { $count } propuestas en esta partida en las últimas 24 horas, que es el máximo. Escribe otra vez más tarde, por favor.
vote-again = Ya has propuesto esto en las últimas 24 horas, así que los demás lo leen en sus próximas cartas.
