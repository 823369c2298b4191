# Cartas entre el moderador y el club.

# Errores en una línea del moderador.
moderator-unknown = Esto no es nada que un moderador pueda pedir. Una carta con la palabra "help" sola trae una lista de lo que sí.
moderator-wrong-form = No se entiende. Escríbelo así, en una línea: { $form }
moderator-no-reason = Di por qué: el motivo va al final de la línea. Escríbelo así, en una línea: { $form }
moderator-no-length = "{ $what }" no es ninguna duración. Escríbela como 3 days, 12 hours o 90 minutes.
moderator-no-deadline = "{ $what }" no es ningún plazo. Escríbelo como 3 days, 72 hours, o Mon,Thu 20:00 Europe/Madrid.
moderator-no-nmr = "{ $what }" no es nada que se pueda hacer con los ausentes. Escribe wait, forfeit o stand-in.
moderator-no-rule = No hay ninguna regla del reloj llamada "{ $what }". Hay deadline, grace, bank y nmr.
moderator-no-day-left = Con este plazo no queda ningún día en que jugar.
moderator-private = A los jugadores se les diría la dirección de un miembro, o la marca por la que se conoce la respuesta a una carta. Quítala, por favor.
moderator-no-game = No hay partida { $game }.
moderator-no-seat = La partida { $game } no tiene plaza { $seat }.
moderator-game-broken = La partida { $game } no se puede seguir jugando: { $why }
moderator-why = { $why }

# Las primeras líneas de una respuesta.
moderator-unmarked = Tu carta vino de la dirección del moderador, pero una dirección se puede falsificar, así que no se hizo nada. Contesta por favor a esta carta: de una respuesta a ella se sabe que es tuya. También de una respuesta a cualquier otra carta que el club escriba a su moderador.
moderator-preview = Esto es una vista previa: no se ha hecho nada. Sin esa palabra tu carta llevaría a esto:
moderator-refused = No se ha hecho nada, porque una línea no puede ser:
moderator-help = Lo que puedes escribir, una petición por línea; "preview" en una línea propia dice lo que se haría, y no hace nada:
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
form-set-also = o grace, bank, nmr
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
moderator-extended = El plazo de la partida { $game } se aplaza { $span }: { $reason }
moderator-rewound = La partida { $game } vuelve al registro { $to }: { $reason }
moderator-ended = La partida { $game } termina: { $reason }
moderator-forced = En la partida { $game } se cumple la orden por defecto de { $who }: { $reason }
moderator-set = El reloj de la partida { $game } cambia ({ $rules }): { $reason }
moderator-rotated = A las cartas que { $who } ha recibido sobre la partida { $game } ya no se puede contestar, y se envía una nueva: { $reason }
moderator-marks-rotated = A ninguna carta que { $who } ha recibido se puede contestar ya; las marcas de las nuevas, que se envían, valen: { $reason }
moderator-marks-renewed = A ninguna carta anterior del club a ti, el moderador, se puede contestar ya. A esta sí.
moderator-replaced = En la partida { $game } { $who } sigue jugando por { $before }: { $reason }
moderator-removed = { $before } está fuera de la partida { $game }, y la plaza está abierta: { $reason }
invite-sent = Una carta pregunta en { $address } si quien la lee quiere ser miembro; lo es en cuanto se conteste con "{ $yes }", en tres días.
invite-sent-name = Una carta pregunta a { $name }, en { $address }, si quiere hacerse miembro; lo es en cuanto se conteste con "{ $yes }", en tres días.
invite-own = No se invita a nadie en { $address }, que es la dirección del propio club.
invite-member = No hace falta invitar a nadie en { $address }, que es del miembro { $number }: { $name }.
invite-name = { $name } es, o se parece demasiado a, el nombre de otra persona, o de algo que hay en las cartas. Da otro, por favor, o solo la dirección.
invite-spent = Ahora no va ninguna carta a { $address }: has invitado ahí tres veces en un día. Mañana se puede.
invite-refused = No escribimos a { $address }: quien la lee ha pedido al club no recibir más cartas. Si al final quiere jugar, puede escribir al club, o "postrider member add" le hace miembro.
invite-no-address = { $address } no es una dirección a la que puedan ir cartas.
moderator-announced = A { $who }, de la partida { $game }: { $reason }
moderator-announced-to-all = { $count ->
    [one] Al único miembro que juega
   *[other] A los { $count } miembros que juegan
  }: { $text }
moderator-noted = Anotado solo para tus ojos, sobre la partida { $game }: { $text }
moderator-state = La partida { $waits }.

# El estado de las partidas.
moderator-list = { $count ->
    [0] No hay ninguna partida en marcha.
    [one] Hay una partida en marcha:
   *[other] Hay { $count } partidas en marcha:
  }
moderator-game = La partida { $game } ({ $kind }) { $waits }.
moderator-waits-over = ha terminado
moderator-waits-won = ha terminado; el primer puesto es de { $who }
moderator-waits-since = espera a { $who } desde el { $since }
moderator-waits-paused = está parada, y espera a { $who }
moderator-waits-until = espera a { $who } hasta el { $by }
moderator-waits-lost = espera a { $who }, y no corre el tiempo, porque las cartas vuelven
moderator-waits-late = espera a { $who }, cuyas órdenes debían llegar antes del { $by }
moderator-more = Y { $count } más.

# El registro de una partida.
moderator-log = Partida { $game }, registro a registro{ $skipped ->
    [0] { "" }
   *[other] , sin los primeros { $skipped }
  }:
moderator-entry = { $at }: { $what }
moderator-record = registro { $number }, { $what }
moderator-record-founded = la partida empieza
moderator-record-orders = órdenes de { $who }
moderator-record-absent = { $who } estuvo ausente
moderator-record-undone = { $who } deshizo sus últimas órdenes
moderator-record-rewound = de vuelta al registro { $to }
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
    [0] No hay ninguna carta en cuarentena.
    [one] Hay una carta en cuarentena:
   *[other] Hay { $count } cartas en cuarentena:
  }
letter-held = { $name }, de { $came }, de { $from }: { $why }
letter-came-once = un momento que su nombre no dice
letter-why-forgotten = ya no se sabe por qué
letter-from = De: { $from }
letter-to = Para: { $to }
letter-subject = Asunto: { $subject }
letter-id = Message-ID: { $id }
letter-mark-of-seat = Lleva la marca de respuesta de la partida { $game }, plaza { $seat }.
letter-mark-of-member = Lleva la marca de una carta a un miembro, sobre ninguna partida.
letter-mark-none = No lleva ninguna marca que valga.
letter-line = | { $line }
letter-rest = ... y { $count ->
    [one] una línea más.
   *[other] { $count } líneas más.
  }
letter-rejected = La carta { $name } se aparta; no se contesta a nadie.
letter-carried-out = La carta { $name } se deja entrar, y lo que ordena se hace.
letter-planned = La carta { $name } se deja entrar, y se guarda como planes para más tarde.
letter-answered = La carta { $name } se deja entrar; no cambia nada, y su miembro recibe una respuesta que dice por qué.
letter-still-held = Aun dejada entrar va a cuarentena: { $why }
letter-of-another = La carta lleva la marca de respuesta de la partida { $game }, plaza { $seat }, y no se puede tomar por otra.
letter-for-nobody = La carta no lleva ninguna marca de plaza que valga. Di de quién es: letters accept NAME for 12 seat 2 because ...
letter-of-several = { $count } cartas en cuarentena llevan "{ $name }" en sus nombres. Escribe más de él.
letter-not-held = Ninguna carta en cuarentena lleva "{ $name }" en su nombre.
letter-no-letter = No se puede leer como carta: { $why }

# Las cartas de un miembro.
member-letters = { $count ->
    [0] No se conoce ninguna carta de { $who }.
   *[other] Cartas de { $who }, primero la más antigua{ $skipped ->
        [0] { "" }
       *[other] , sin las { $skipped } primeras
      }:
  }
member-letter = { $at }: { $what } Respuesta: { $id }
member-letter-unanswered = { $at }: { $what } Ninguna carta la contestó.
member-letters-unproven = { $count ->
    [one] Llegó una carta más sin prueba de que fuera suya.
   *[other] Llegaron { $count } cartas más sin prueba de que fueran suyas.
  }
outcome-in-game = partida { $game }: { $what }
outcome-carried-out = se cumplió como registro { $number }.
outcome-planned = las órdenes se guardaron como planes.
outcome-said = solo se tomaron mensajes o votos.
outcome-refused = se rechazó.
outcome-answered = se contestaron preguntas o se cambiaron ajustes.
outcome-empty = no encontramos nada en ella.
outcome-automatic = una respuesta automática, como un aviso de vacaciones.
outcome-unproven = llegó sin prueba de que fuera suya.
outcome-rejected = el moderador la rechazó.
outcome-no-record = no dejó ningún registro. Llevaba preguntas, mensajes, votos, planes o nada para nosotros, o se rechazó.

# El resumen de la mañana.
digest-subject = { $club }: la mañana del { $at }
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
digest-lost = Vuelven las cartas de { $count ->
    [one] un miembro que juega:
   *[other] { $count } miembros que juegan:
  }
digest-lost-one = { $who } <{ $address }>, desde el { $since }; juega en { $games }.
digest-held = { $count ->
    [one] Hay una carta en cuarentena; "letters show NOMBRE" la muestra, vale cualquier parte de su nombre:
   *[other] Hay { $count } cartas en cuarentena; "letters show NOMBRE" muestra una, vale cualquier parte de su nombre:
  }
digest-strangers = { $count ->
    [one] Una carta a alguien que no es miembro espera
   *[other] { $count } cartas a gente que no es miembro esperan
  }. Salen primero las más antiguas, unas pocas cada día:
digest-stranger = { $to }
digest-unposted = Hay cartas que aún no se pudieron enviar, y se intentan otra vez:
digest-unposted-to = { $to }: { $count ->
    [one] una carta
   *[other] { $count } cartas
  }, { $tries ->
    [one] intentada una vez
   *[other] intentada { $tries } veces
  }

# A los jugadores.
seat-announced = El moderador anuncia: { $text }
seat-rotated = A tus cartas anteriores de esta partida ya no se puede contestar; contesta por favor a esta. El moderador dice por qué: { $reason }
