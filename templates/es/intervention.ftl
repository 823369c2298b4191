# Intervenciones del moderador o de una votación en una partida.

intervention-forced = A un jugador se le pasó el plazo, y el moderador ha hecho cumplir la orden por defecto: { $reason }
intervention-not-awaited = La partida no espera a { $who }. Espera a { $awaited }.
intervention-paused-already = El reloj de esta partida ya está parado.
intervention-not-paused = El reloj de esta partida no está parado.

# Las intervenciones como las muestra el registro de actividad.
minute-extend = prorrogar { $by }
minute-pause = parar
minute-resume = reanudar
minute-set = fijar { $rules }
minute-rewind = retroceder a { $to }
minute-end = terminar
minute-force = forzar la plaza { $seat }
minute-rotate = renovar las direcciones de respuesta de la plaza { $seat }
minute-replace = sustituir en la plaza { $seat } por el miembro { $by }
minute-vacate = la plaza { $seat } queda libre
minute-announce = anunciar
minute-propose = proponer { $kind }
minute-begin = empezar
minute-rotate-member = renovar las direcciones de respuesta del miembro { $member }
minute-accept = aceptar el correo { $name }
minute-reject = rechazar el correo { $name }
minute-told = { $what }: { $reason }
minute-because = { $what } porque { $reason }
