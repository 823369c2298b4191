# Intervenciones del moderador o de una votación en una partida.

intervention-forced = El moderador hizo ejecutar la orden por defecto de un jugador ausente: { $reason }
intervention-not-awaited = La partida no espera a { $who }, sino a { $awaited }.
intervention-paused-already = El reloj de esta partida ya está parado.
intervention-not-paused = El reloj de esta partida está corriendo.

# Las intervenciones como las muestra el registro de actividad.
minute-extend = aplazar { $by }
minute-pause = parar
minute-resume = reanudar
minute-set = fijar { $rules }
minute-rewind = volver a { $to }
minute-end = terminar
minute-force = forzar la plaza { $seat }
minute-rotate = marcas nuevas de la plaza { $seat }
minute-replace = sustituir en la plaza { $seat } por el miembro { $by }
minute-vacate = la plaza { $seat } está abierta
minute-announce = anunciar
minute-propose = proponer { $kind }
minute-begin = empezar
minute-rotate-member = marcas nuevas del miembro { $member }
minute-accept = dejar entrar la carta { $name }
minute-reject = apartar la carta { $name }
minute-told = { $what }: { $reason }
minute-because = { $what } porque { $reason }
