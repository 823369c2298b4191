# Cartas entre el moderador y el club.

# Errores en una línea del moderador.
moderator-unknown = Un moderador no puede pedir eso. Contesta solo "help" para ver todo lo que puedes pedir.
moderator-wrong-form = No lo hemos entendido. Escríbelo así, en una línea: { $form }
moderator-no-reason = Falta el motivo, que va al final de la línea. Escríbelo así, en una línea: { $form }
moderator-no-length = "{ $what }" no es una duración. Escribe, por ejemplo, 3 days, 12 hours o 90 minutes.
moderator-no-deadline = "{ $what }" no es un plazo. Escribe, por ejemplo, 3 days, 72 hours o Mon,Thu 20:00 Europe/Madrid.
moderator-no-nmr = "{ $what }" no dice qué pasa cuando a alguien se le pasa el plazo. Escribe wait, forfeit o stand-in.
moderator-no-rule = El reloj no tiene ninguna regla "{ $what }". Tiene deadline, grace, bank, increment y nmr.
moderator-no-day-left = Con este plazo no queda ningún día para jugar.
moderator-private = Los jugadores verían la dirección de un miembro o una dirección secreta de respuesta. Quítala, por favor.
moderator-no-game = No hay ninguna partida { $game }.
moderator-no-seat = La partida { $game } no tiene ninguna plaza { $seat }.
moderator-game-broken = La partida { $game } no puede continuar: { $why }
moderator-why = { $why }

# Las primeras líneas de una respuesta.
moderator-unmarked = Tu correo vino de la dirección del moderador, pero una dirección se puede falsificar, así que no hemos hecho nada. Contesta a este correo, o a cualquier otro que el club te haya escrito como moderador. Así sabemos que eres tú.
moderator-preview = Esto es una vista previa: no hemos hecho nada. Sin esa palabra, pasaría esto:
moderator-refused = No hemos hecho nada, porque una línea no se puede cumplir:
moderator-help = Puedes escribir esto, una petición por línea. Con "preview" en una línea aparte ves qué pasaría, sin hacer nada:
moderator-form = { $form }
moderator-form-also = { $form } ({ $also })

# Ejemplos de líneas que el moderador puede escribir, en inglés. Una línea se puede devolver tal
# como está, salvo el texto, el nombre o el motivo que contiene.
form-pause = pause 12 because ...
form-resume = resume 12 because ...
form-extend = extend 12 by 3 days because ...
form-rewind = rewind 12 to 37 because ...
form-force = force 12 seat 2 because ...
form-end = end 12 because ...
form-replace = replace 12 seat 2 by ann@example.org because ...
form-remove = remove 12 seat 2 because ...
form-rotate = rotate 12 seat 2 because ...
form-rotate-member = rotate member ann@example.org because ...
form-new-marks = new marks
form-invite = invite Ana Molina <ana@example.org>
form-set = set 12 deadline 3 days because ...
form-set-also = o grace, bank, increment, nmr
form-announce = announce 12 TEXTO
form-announce-also = o: announce all TEXTO
form-note = note 12 TEXTO
form-log = log 12
form-list = list
form-letters-list = letters list
form-letters-show = letters show NOMBRE
form-letters-accept = letters accept NOMBRE because ...
form-letters-accept-also = o: accept NOMBRE for 12 seat 2
form-letters-accept-for = letters accept NOMBRE for 12 seat 2 because ...
form-letters-reject = letters reject NOMBRE because ...
form-letters-from = letters from ann@example.org
form-letters = letters list, from QUIEN, show NOMBRE, accept NOMBRE because ..., reject NOMBRE

# Acciones que se llevaron a cabo.
moderator-paused = El reloj de la partida { $game } está parado: { $reason }
moderator-resumed = El reloj de la partida { $game } vuelve a correr: { $reason }
moderator-extended = El plazo de la partida { $game } se prorroga { $span }: { $reason }
moderator-rewound = La partida { $game } retrocede a la jugada { $to }: { $reason }
moderator-ended = La partida { $game } termina: { $reason }
moderator-forced = En la partida { $game } se ejecuta la orden por defecto de { $who }: { $reason }
moderator-set = El reloj de la partida { $game } cambia ({ $rules }): { $reason }
moderator-rotated = Enviamos a { $who } un correo nuevo de la partida { $game }. A los anteriores ya nadie puede contestar: { $reason }
moderator-marks-rotated = Enviamos a { $who } correos nuevos. A los anteriores ya nadie puede contestar: { $reason }
moderator-marks-renewed = Ya nadie puede contestar a los correos anteriores que el club te escribió como moderador. A este sí puedes contestar.
moderator-replaced = En la partida { $game }, { $who } juega ahora en lugar de { $before }: { $reason }
moderator-removed = { $before } ya no está en la partida { $game }, y su plaza queda libre: { $reason }
invite-sent = Hemos preguntado en { $address } si alguien quiere hacerse miembro. Lo será en cuanto conteste "{ $yes }", en un plazo de tres días.
invite-sent-name = Hemos preguntado a { $name }, en { $address }, si quiere hacerse miembro. Lo será en cuanto conteste "{ $yes }", en un plazo de tres días.
invite-own = No invitamos a nadie en { $address }, porque es la dirección del propio club.
invite-member = No hace falta invitar a nadie en { $address }. Es la dirección del miembro { $number }: { $name }.
invite-name = { $name } es igual o se parece demasiado al nombre de otra persona, o a algo que aparece en los correos. Da otro nombre, o solo la dirección.
invite-spent = Ahora no escribimos a { $address }, porque has invitado ahí tres veces en un día. Prueba otra vez mañana.
invite-refused = No escribimos a { $address }, porque esa persona ha pedido al club que no le envíe más correos. Si al final quiere jugar, puede escribir al club, o puedes hacerla miembro con "postrider member add".
invite-no-address = { $address } no es una dirección de correo válida.
moderator-announced = A { $who }, de la partida { $game }: { $reason }
moderator-announced-to-all = { $count ->
    [one] Al único miembro que juega
   *[other] A los { $count } miembros que juegan
  }: { $text }
moderator-noted = Nota solo para ti, sobre la partida { $game }: { $text }
moderator-state = La partida { $waits }.

# El estado de las partidas.
moderator-list = { $count ->
    [0] No hay ninguna partida en curso.
    [one] Hay una partida en curso:
   *[other] Hay { $count } partidas en curso:
  }
moderator-game = La partida { $game } ({ $kind }) { $waits }.
moderator-waits-over = ha terminado
moderator-waits-won = ha terminado, y el primer puesto es de { $who }
moderator-waits-since = espera a { $who } desde el { $since }
moderator-waits-paused = está parada y espera a { $who }
moderator-waits-until = espera a { $who } hasta el { $by }
moderator-waits-lost = espera a { $who } con el reloj parado, porque los correos vuelven
moderator-waits-late = espera a { $who }, cuyo plazo acabó el { $by }
moderator-more = Y { $count } más.

# El registro de una partida.
moderator-log = Partida { $game }, jugada a jugada{ $skipped ->
    [0] { "" }
   *[other] , sin las primeras { $skipped }
  }:
moderator-entry = { $at }: { $what }
moderator-record = jugada { $number }, { $what }
moderator-record-founded = la partida empieza
moderator-record-orders = órdenes de { $who }
moderator-record-absent = a { $who } se le pasó el plazo
moderator-record-bot = jugada de un bot ({ $level ->
    [easy] fácil
    [strong] fuerte
   *[fair] normal
  }) por { $who }
moderator-record-undone = { $who } deshizo sus últimas órdenes
moderator-record-rewound = la partida retrocede a la jugada { $to }
moderator-record-ended = terminada
moderator-did-plain = { $by }: { $what }
moderator-did = { $by }: { $what } ({ $reason })
moderator-note = tu nota: { $text }
moderator-said = { $who } dijo a todos: { $text }
moderator-said-former = quien ocupó antes la plaza de { $who } dijo: { $text }
moderator-said-unsigned = alguien dijo a todos: { $text }
moderator-told = { $who } dijo a { $whom }: { $text }
moderator-somebody = alguien
moderator-former = quien ocupó antes la plaza de { $who }
moderator-moderator = el moderador
moderator-house = el club

# Cartas en cuarentena.
letter-list = { $count ->
    [0] No hay ningún correo en cuarentena.
    [one] Hay un correo en cuarentena:
   *[other] Hay { $count } correos en cuarentena:
  }
letter-held = { $name } ({ $came }), de { $from }: { $why }
letter-came-once = fecha desconocida
letter-why-forgotten = ya no se sabe por qué
letter-from = De: { $from }
letter-to = Para: { $to }
letter-subject = Asunto: { $subject }
letter-id = Message-ID: { $id }
letter-mark-of-seat = Lleva la dirección secreta de respuesta de la partida { $game }, plaza { $seat }.
letter-mark-of-member = Lleva una dirección secreta de respuesta de un miembro, que no es de ninguna partida.
letter-mark-none = No lleva ninguna dirección secreta de respuesta válida.
letter-line = | { $line }
letter-rest = ... y { $count ->
    [one] una línea más.
   *[other] { $count } líneas más.
  }
letter-rejected = Hemos rechazado el correo { $name }. No contestamos a nadie.
letter-carried-out = Hemos admitido el correo { $name } y hecho lo que pide.
letter-planned = Hemos admitido el correo { $name } y guardado sus órdenes como planes.
letter-answered = Hemos admitido el correo { $name }. No cambia nada, y su miembro recibe una respuesta que dice por qué.
letter-still-held = No podemos admitirlo, porque volvería a la cuarentena: { $why }
letter-of-another = El correo lleva la dirección secreta de respuesta de la partida { $game }, plaza { $seat }, y no puede valer para otra.
letter-for-nobody = El correo no lleva ninguna dirección secreta de respuesta válida de una plaza. Di de quién es: letters accept NOMBRE for 12 seat 2 because ...
letter-of-several = { $count } correos en cuarentena llevan "{ $name }" en su nombre. Escribe algo más del nombre.
letter-not-held = Ningún correo en cuarentena lleva "{ $name }" en su nombre.
letter-no-letter = No se puede leer como correo: { $why }

# Las cartas de un miembro.
member-letters = { $count ->
    [0] No conocemos ningún correo de { $who }.
   *[other] Correos de { $who }, primero el más antiguo{ $skipped ->
        [0] { "" }
       *[other] , sin los { $skipped } primeros
      }:
  }
member-letter = { $at }: { $what } Respuesta: { $id }
member-letter-unanswered = { $at }: { $what } No lo contestamos.
member-letters-unproven = { $count ->
    [one] Llegó un correo más sin prueba de que fuera suyo.
   *[other] Llegaron { $count } correos más sin prueba de que fueran suyos.
  }
outcome-in-game = partida { $game }: { $what }
outcome-carried-out = se ejecutó como jugada { $number }.
outcome-planned = guardamos las órdenes como planes.
outcome-said = solo llevaba mensajes o votos.
outcome-refused = lo rechazamos.
outcome-answered = contestamos preguntas o cambiamos ajustes.
outcome-empty = no encontramos nada en él.
outcome-automatic = una respuesta automática, como un aviso de vacaciones.
outcome-unproven = llegó sin prueba de que fuera suyo.
outcome-rejected = el moderador lo rechazó.
outcome-no-record = no dejó ninguna jugada. Llevaba preguntas, mensajes, votos, planes o nada para nosotros, o lo rechazamos.

# El resumen de la mañana.
digest-subject = { $club }: resumen del { $at }
digest-late = { $count ->
    [one] Una partida va con retraso:
   *[other] { $count } partidas van con retraso:
  }
digest-paused = { $count ->
    [one] El reloj de una partida está parado:
   *[other] Los relojes de { $count } partidas están parados:
  }
digest-ended = { $count ->
    [one] Una partida ha terminado desde el último resumen:
   *[other] { $count } partidas han terminado desde el último resumen:
  }
digest-lost = Vuelven los correos a { $count ->
    [one] un miembro que juega:
   *[other] { $count } miembros que juegan:
  }
digest-lost-one = { $who } <{ $address }>, desde el { $since }; juega en { $games }.
digest-held = { $count ->
    [one] Hay un correo en cuarentena. Para verlo, escribe "letters show NOMBRE" con cualquier parte de su nombre:
   *[other] Hay { $count } correos en cuarentena. Para ver uno, escribe "letters show NOMBRE" con cualquier parte de su nombre:
  }
digest-strangers = { $count ->
    [one] Queda por enviar un correo a alguien que no es miembro
   *[other] Quedan por enviar { $count } correos a gente que no es miembro
  }. Primero salen los más antiguos, unos pocos cada día:
digest-stranger = { $to }
digest-unposted = Todavía no hemos podido enviar estos correos. Seguimos intentándolo:
digest-unposted-to = { $to }: { $count ->
    [one] un correo
   *[other] { $count } correos
  }, { $tries ->
    [one] un intento
   *[other] { $tries } intentos
  }

# A los jugadores.
seat-announced = El moderador anuncia: { $text }
seat-rotated = Ya nadie puede contestar a tus correos anteriores de esta partida. Contesta a este. El moderador dice por qué: { $reason }
