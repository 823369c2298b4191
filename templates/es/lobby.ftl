# Partidas que esperan jugadores, cambios de jugadores, miembros y observadores.

# Una plaza pasa a otro jugador.
seat-none = La partida { $number } no tiene esa plaza.
seat-already-in = Quien ya juega la partida { $number } no puede tomar otra plaza de ella.
seat-open-already = Esta plaza de la partida { $number } ya está abierta.
seat-open = { $name } ha dejado la partida { $number }, y la plaza está abierta: { $reason } Cualquier miembro que escriba "unirme a { $number }" sigue jugando ahí.
seat-offered = { $name }, de { $club }, pregunta si quieres ocupar una plaza en la partida { $number }: { $game } para { $seats }, que ya está en juego.
seat-offered-how = Para ocuparla, contesta a esta carta en tres días con la palabra "{ $yes }" sola en la primera línea. Entonces te llega una carta con el tablero y todo lo que la plaza ha visto, y empieza tu tiempo. Si no quieres jugar, o no esperabas esto, no hagas nada, y no pasa nada.
seat-offer-asked = { $name } nunca ha contestado a una carta del club, así que antes preguntamos por carta. La plaza en la partida { $number } será suya cuando conteste, y entonces empieza su tiempo. Te avisaremos si pasan tres días sin respuesta.
report-seat-offer-over = { $name } no ha contestado en tres días a nuestra pregunta en { $address }, así que la plaza de la partida { $number } sigue siendo de { $before }. ¿Es correcta la dirección? "replace" vuelve a preguntar.
seat-taken-over = { $who } sigue jugando por { $before }: { $reason }
seat-yours-now = Sigues jugando por { $before } en la partida { $number } de { $club }: { $game }, contra { $others }. Todo lo que la plaza ha visto hasta ahora está abajo; lo que { $before } tenía planeado ya no está, y tu tiempo empieza de nuevo.
seat-yours-no-more = { $name } sigue jugando por ti en la partida { $number }: { $reason } Las respuestas a sus cartas ya no hacen nada. Gracias por haber jugado.
seat-stood-in = No has cumplido el plazo en la partida { $number }, y { $name } juega por ti. En cuanto escribas "unirme a { $number }", la plaza vuelve a ser tuya.
seat-barred = El moderador te ha sacado de la partida { $number }, así que no puedes seguir jugando ahí.
seat-two-hands = Has ocupado otra plaza de la partida { $number }, y nadie ve dos manos: solo puedes recuperar esa plaza.
seat-left-often = Has dejado la partida { $number } más de una vez en un día. Mañana puedes tomar una plaza abierta de ella.
seat-removed = El moderador te ha sacado de la partida { $number }: { $reason } Las respuestas a sus cartas ya no hacen nada.
report-seat-left = { $name } ha dejado la partida { $number }, y nadie espera la plaza: { $reason } "postrider replace" pone ahí a un sustituto.
member-none = No encontramos ningún miembro { $who }.
member-similar = No encontramos ningún miembro { $who }. Parecidos: { $members }.
member-several = Varios miembros se llaman { $who }. Usa el número o la dirección: { $members }.
member-choice = { $name } (número { $id }, { $address })
member-gone = El miembro { $who } ha dejado el club.
substitute-own = { $address } es la dirección del propio club: las cartas a un jugador de ahí volverían como cartas al club.

# Partidas que esperan jugadores.
lobby-proposed = Tu partida { $number } está sobre la mesa. Empieza por sí sola en cuanto todas las plazas estén ocupadas, y se retira si no lo están en treinta días.
lobby-punctual = Solo puede unirse quien haya jugado a tiempo al menos { $least } de cada cien turnos; quien es nuevo puede.
lobby-how-join = Para unirte, escribe "unirme a { $number }" en respuesta a esta o a cualquier otra carta nuestra; "plaza 2", "primera" o "última" detrás es un deseo. "dejar { $number }" lo retira.
lobby-how-yes = Para unirte, contesta a esta carta en tres días con la palabra "{ $yes }" sola en la primera línea. Más tarde, o si deseas una plaza, escribe "unirme a { $number }" en respuesta a esta o a cualquier otra carta nuestra; "plaza 2", "primera" o "última" detrás es ese deseo. "dejar { $number }" lo retira.
lobby-how-side = El jugador al que le toca empezar elige su lado del tablero. Los demás pueden pedir uno al unirse: "unirme a { $number } lado este".
lobby-how-own-side = Si quieres uno y no lo escribiste, anula la partida y proponla de nuevo con "lado este" al final de tu línea "nueva".
lobby-how-side-yes = El jugador al que le toca empezar elige su lado del tablero. Si prefieres uno, escríbelo en una línea debajo de la palabra "{ $yes }", por ejemplo "lado este"; o únete con "unirme a { $number } lado este".
lobby-side-none = "{ $word }" no es un lado del tablero que se pueda elegir en esta partida. En Off the Rails puedes escribir "lado norte", "lado este", "lado sur" o "lado oeste".
lobby-invited-unread = Tu respuesta no era un "{ $yes }" claro, así que no te has unido a la partida { $number }, y no se hizo nada. Si quieres jugar, escribe solo "unirme a { $number }" en respuesta a esta carta.
lobby-member = Ya eres miembro del club.
lobby-how-invited = Solo pueden unirse aquellos a quienes has invitado. "anular { $number }" retira la partida.
lobby-joined = Estás dentro: la partida { $number } empieza por sí sola en cuanto todas las plazas estén ocupadas. Hasta entonces "dejar { $number }" lo retira.
lobby-started = Contigo la partida { $number } está completa, y ha empezado: su primera carta va de camino a todos.
lobby-took-seat = Tienes ahora una plaza en la partida { $number }; va de camino una carta con todo lo que ha visto.
lobby-left = Estás fuera de la partida { $number }.
lobby-cancelled = Tu partida { $number } ya no está sobre la mesa; se avisa a quienes estaban en ella.
lobby-cancelled-for-you = La partida { $number }, { $game }, no se jugará: quien la propuso la ha retirado.
lobby-lapsed = La partida { $number }, { $game }, no encontró bastantes jugadores en treinta días y ya no está sobre la mesa.
lobby-waits = Eres el número { $place } en la lista de espera de la partida { $number }. Cuando se abra una plaza y te toque, es tuya al momento. "dejar { $number }" te quita de la lista.
lobby-invited = { $name } te invita a jugar en { $club }, un club que juega a juegos de mesa por correo electrónico.

# Negativas.
lobby-alone = Esto va en una carta propia, sin órdenes ni nada más, así que no se hizo nada de esta carta.
lobby-no-preview = De esto no hay vista previa, y no se hizo nada.
lobby-kind-unknown = Aquí no hay ese juego. Después de "nueva" escribe el nombre de uno: { $kinds }.
lobby-kind-gone = Este club ya no juega a ese juego.
lobby-word-unread = No se entendió "{ $word }". Escribe por ejemplo "nueva paris-connection plazas 4 plazo 3 días", y detrás, si quieres, "privada", "invitar a bob@example.org", "puntual 80", "charla pública" (o "ninguna", o "toda"), "deshacer 2 horas" (u "off"), "llamada Lyon", o una opción del juego como "nombre=valor".
lobby-name-unread = "{ $name }" no es nombre para una partida. Después de "llamada" escribe una palabra de { $least } a { $most } letras, como "llamada Lyon", que no sea el nombre de un juego, de alguien, ni una palabra de las órdenes. No se hizo nada.
lobby-deadline-unread = Esto no es ningún plazo. Escribe "plazo 3 días", "plazo 72 horas", "plazo lunes,jueves 20:00 Europe/Madrid" o "plazo ninguno".
lobby-nmr-alone = Lo que pasa con los ausentes necesita un plazo.
lobby-invite-unread = Después de "invitar a" escribe las direcciones de quienes invitas.
lobby-invite-no-address = "{ $word }" no es ninguna dirección, así que no se ha invitado a nadie. Después de "invitar a" escribe las direcciones de quienes invitas.
lobby-invite-many = Una carta puede invitar a { $most } como máximo.
lobby-invites-spent = Hoy has invitado a tantos que hasta mañana no se puede preguntar a más.
lobby-invites-sent = Aquellos a quienes nombraste están invitados a la partida { $number }.
lobby-invites-limits = Nuestra carta no va a quien no quiere invitaciones, ni a quien recibe muchas: una por semana de tu parte como máximo, y unas pocas entre todos. Si tus amigos no saben nada de nosotros, pueden escribirnos ellos mismos, o puedes preguntar al moderador, { $moderator }.
lobby-invites-new = Acabas de llegar. Hasta que termines tu primer turno puedes invitar { $left ->
    [0] a nadie más
    [one] a una persona más
   *[other] a { $left } personas más
  }, así que no se hizo nada. Si quieres invitar a más, pregunta por favor al moderador, { $moderator }.
lobby-invite-unsent = No podemos escribir a { $who }: no es una dirección a la que puedan ir cartas. Así que no se hizo nada, y no se invitó a nadie. Comprueba la dirección, o invita a los demás sin ella.
lobby-line-none = Esto no es nada que se pueda pedir a la mesa de partidas del club; prueba con "partidas", "unirme a 12" o "nueva paris-connection plazas 4".
lobby-join-unread = Después del número de la partida puede ir "plaza 2", "primera" o "última", y la partida debe tener esa plaza.
lobby-new-seats = ¿Para cuántos? Añade "plazas 4", por ejemplo.
lobby-seats = Este juego es para { $least } a { $most } jugadores.

# Errores en una opción. Cada uno va detrás de dos puntos.
lobby-option-of = no tiene ninguna opción "{ $word }"; hay: { $known }
lobby-option-wrong = "{ $word }" no es nada que se pueda elegir aquí
lobby-option-choice = "{ $word }" no se puede elegir; hay: { $known }
lobby-option = La partida no se puede jugar así: { $why }
lobby-private-alone = Una partida privada necesita tantos invitados como plazas tiene para otros.
lobby-too-many = Ya tienes { $most } partidas sobre la mesa que esperan jugadores.
lobby-none = No hay ninguna partida { $number } a la que pudieras unirte o que pudieras observar. "partidas" trae la lista.
lobby-in-already = Ya estás en la partida { $number }.
lobby-late = Quien se une a la partida { $number } debe haber jugado a tiempo al menos { $least } de cada cien turnos; tú jugaste { $percent }.
lobby-running = La partida { $number } se está jugando, y no tiene ninguna plaza abierta. "esperar { $number }" te pone en su lista de espera, "observar { $number }" te deja observarla.
lobby-begun = La partida { $number } ha empezado sin ti, o ya no está sobre la mesa.
lobby-founder-leaves = Tú propusiste la partida { $number }. "anular { $number }" la retira de la mesa.
lobby-not-in = No estás ni en la partida { $number }, mientras se forma, ni en su lista de espera. Para dejar una partida que ha empezado, escribe "renunciar" en respuesta a una de sus cartas.
lobby-not-founder = Solo quien propuso la partida { $number } puede retirarla de la mesa, y solo antes de que empiece.
lobby-seat-free = La partida { $number } tiene una plaza para ti al momento: escribe "unirme a { $number }".
lobby-waits-many = Tantos esperan una plaza de la partida { $number } que no se pone a más en la lista.

# Un jugador quiere dejar una partida.
resign-where = Escribe "renunciar" en respuesta a una carta de la partida que quieres dejar, o su número detrás, como en "renunciar 12".
resign-sure = Dejarías la partida { $number } para siempre, y otra persona seguiría jugando en tu plaza. Si es lo que quieres, contesta con "renunciar { $number } sí"; lo que escribas detrás se dice a los demás como tu motivo.
resigned = Has dejado la partida { $number }. Gracias por haber jugado; tus respuestas a sus cartas ya no hacen nada.
reason-resigned = el jugador renunció.
reason-took-open-seat = la plaza estaba abierta.

# Personas nuevas.
newcomer-confirm = Alguien, esperamos que tú, pidió unirse a una partida en { $club }, un club que juega a juegos de mesa por correo electrónico.
club-confirm = Alguien, esperamos que tú, pidió hacerse miembro de { $club }, un club que juega a juegos de mesa por correo electrónico.
club-invited = { $name } te invita a hacerte miembro de { $club }, un club que juega a juegos de mesa por correo electrónico.
club-how = Para hacerte miembro, contesta a esta carta en tres días con la palabra "{ $yes }" sola en la primera línea. Si los demás han de conocerte por otro nombre que el que muestran tus cartas, escríbelo en la segunda, como "{ $as } Ana Molina". Si no quieres, o no lo pediste, no hagas nada, y no pasa nada.
club-how-name = Si tus cartas no muestran ningún nombre, los demás te conocerán como { $name }. Si muestran otro, que la segunda línea sea "{ $as } { $name }" para que te conozcan como { $name }.
newcomer-how = Para jugar, contesta a esta carta en tres días con la palabra "{ $yes }" sola en la primera línea. Si los demás han de conocerte por otro nombre que el que muestran tus cartas, escríbelo en la segunda, como "{ $as } Ana Molina". Con ello te haces miembro del club. Si no quieres jugar, o no lo pediste, no hagas nada, y no pasa nada.
newcomer-how-side = El jugador al que le toca empezar elige su lado del tablero. Si prefieres uno, escríbelo en una línea debajo de la palabra "{ $yes }", por ejemplo "lado este".
newcomer-unread = Tu respuesta no era un "{ $yes }" claro, así que no te has unido a nada, y no se hizo nada. Si quieres unirte, contesta con esa palabra sola en la primera línea. En la segunda puedes decir cómo han de conocerte los demás, como "{ $as } Ana Molina".
newcomer-none = No hay ninguna partida { $number } a la que pudieras unirte.
newcomer-called = El nombre de tu respuesta es, o se parece demasiado a, uno que las cartas de este club tienen para otra persona o cosa, o se puede tomar por una dirección web, así que no te has unido a nada, y no se hizo nada. Contesta por favor con la palabra "{ $yes }" sola en la primera línea y otro nombre en la segunda, como "{ $as } Ana Molina".
newcomer-nameless = Los demás no podrían ver el nombre de tu respuesta, así que no te has unido a nada, y no se hizo nada. Contesta por favor con la palabra "{ $yes }" sola en la primera línea y un nombre en la segunda, como "{ $as } Ana Molina".
# Palabras que el nombre de una persona nueva no puede contener, porque las cartas y "decir a" las
# usan para otra cosa, y palabras que no puede contener entre otras, como en "Bob a todos".
names-without = moderador, moderadora, nadie, alguien, plaza, postrider, administrador, administradora
names-whole = El club, club
names-not-between = a
newcomer-welcome = ¡Te damos la bienvenida a { $club }, { $name }! La palabra "ayuda" en respuesta a esta carta trae todo lo que puedes pedir al club, y en respuesta a una carta de una partida la tarjeta de sus órdenes.
newcomer-language = Las cartas a ti van en el idioma "{ $language }", como iba la tuya. Para cambiarlo, escribe solo { $lines } en respuesta a esta carta; cualquier carta tuya puede llevar esa línea.

newcomer-added = { $moderator }, que modera { $club }, un club que juega a juegos de mesa por correo electrónico, te ha hecho miembro con el nombre de { $name }.
newcomer-first = Escribe "partidas" solo en respuesta a esta carta para ver a qué se puede jugar, "ayuda" para todo lo que puedes pedir al club. Si no quieres ser miembro, "dejar el club sí" solo borra tu nombre y tu dirección.

# Cartas de personas que no son miembros: las palabras que van delante del número de una partida, y
# las respuestas.
visitor-numbered = unirme, unirme a, partida, juego, número, núm
visitor-hello = Esto es { $club }, que juega a juegos de mesa por correo electrónico. Un programa lee lo que llega a esta dirección, y aún no conoce la tuya.
visitor-how = Así funciona: una carta te muestra el tablero y lo que solo tú puedes ver. La contestas cuando tienes tiempo, con una línea como "construir rojo G23", y una carta muestra a todos la nueva posición. "ayuda" en respuesta a una carta de una partida trae cómo se escribe.
visitor-unread = El programa no encontró en tu respuesta nada que pudiera hacer, así que no se hizo nada. Escribe primero a qué partida te unirías, o "unirme al club", solo en una línea. Entonces se te pregunta si es así; a esa carta la respuesta es "{ $yes }", y ahí puedes decir también cómo han de conocerte los demás.
visitor-none = Por ahora ninguna partida espera jugadores.
visitor-entry = * { $said }
visitor-join = Para tomar una plaza, escribe solo "unirme a { $number }" en respuesta a esta carta, o el número de otra partida. Se te pregunta una vez más antes de que estés dentro.
visitor-club = Para ser primero miembro, que puede poner partidas sobre la mesa, escribe solo "unirme al club".
visitor-words = "partidas" solo trae de nuevo esta lista, "ayuda" cómo funciona. De lo que contestas se responden tres cartas el primer día, y después una al día. Una persona lee lo que escribes a { $moderator }.

# Una carta con la dirección de respuesta secreta de un miembro, desde una dirección desconocida.
elsewhere-game = Una carta con la marca de tu plaza en la partida { $number } vino de { $address }, que aquí no es dirección tuya, así que no se hizo nada de ella. Si fuiste tú, escribe solo "dirección { $address }" en respuesta a esta carta, y después tu carta otra vez. Si no, otra persona ha leído una carta que iba a ti: escribe solo "marcas nuevas", y a ninguna de tus cartas anteriores se podrá contestar.
elsewhere-club = Una carta con una marca tuya vino de { $address }, que aquí no es dirección tuya, así que no se hizo nada de ella. Si fuiste tú, escribe solo "dirección { $address }" en respuesta a esta carta, y después tu carta otra vez. Si no, otra persona ha leído una carta que iba a ti: escribe solo "marcas nuevas", y a ninguna de tus cartas anteriores se podrá contestar.

# La lista de partidas del club.
games-formed = Sobre la mesa, para que te unas:
games-none-formed = Por ahora ninguna partida espera jugadores. "nueva paris-connection plazas 4 plazo 3 días" pone una sobre la mesa.
games-running = Se juegan, para que las observes:
games-how = "unirme a 12" toma una plaza, "esperar 12" espera una, "observar 12" muestra una partida que se juega.
games-entry = * { $said }. Hasta ahora: { $players }.
games-player = { $name } ({ $how })
games-named = { $number } { $name }
games-said = { $number }: { $game } para { $seats }, { $free ->
    [0] completa
    [one] una plaza libre
   *[other] { $free } plazas libres
  }, { $time }
games-said-options = { $number }: { $game } para { $seats }, { $free ->
    [0] completa
    [one] una plaza libre
   *[other] { $free } plazas libres
  }, { $time }, con { $options }
games-punctual = desde { $least } de cada cien turnos a tiempo
games-private = por invitación
games-deadline = con { $deadline } por turno
games-deadline-stand-in = con { $deadline } por turno, y después alguien juega por quien está ausente
games-deadline-forfeit = con { $deadline } por turno, y después la partida sigue sin quien está ausente
games-no-deadline = sin plazos
games-plays = * { $number }: { $game }, la juegan { $players }; { $pace }
games-plays-open = * { $number }: { $game }, la juegan { $players }; { $pace }; hay una plaza abierta
punctuality = { $percent } de cada cien turnos a tiempo
punctuality-new = sin plazos hasta ahora
punctuality-left-new = sin plazos hasta ahora, { $left ->
    [one] una partida dejada
   *[other] { $left } partidas dejadas
  }
punctuality-left = { $percent } de cada cien turnos a tiempo, { $left ->
    [one] una partida dejada
   *[other] { $left } partidas dejadas
  }

# Observadores.
watching = Observas la partida { $number } desde ahora: una carta la muestra cada vez que se ha movido. "dejar de observar { $number }" lo termina.
watched = Ya no observas la partida { $number }.

# El botón de los programas de correo para dejar de recibir cartas: los asuntos de sus cartas, y las
# respuestas.
stop-watching = No observar más la partida { $number }
stop-digests = Cada partida por separado
stop-standings = No más clasificaciones
stop-invitations = No más invitaciones
stop-letters = No más cartas
stop-alone = No se leyó nada más de tu carta, pues esa dirección es solo para esto.
watch-plays = Tú mismo juegas la partida { $number }.
watch-already = Ya observas la partida { $number }.
watch-not = No observas la partida { $number }.
watch-many = Tantos observan la partida { $number } que no pueden más.
watch-footer = Observas esta partida y ves lo que todos pueden ver. "dejar de observar { $number }" en una respuesta lo termina.

# Revanchas.
rematch-told = Es una revancha: quienes jugaron la partida { $number } se encontrarían otra vez.
rematch-where = Escribe "revancha" en respuesta a la última carta de una partida que ha terminado.
rematch-running = La partida aún no ha terminado.
rematch-already = Para esta mesa ya está propuesta la partida { $number }: escribe "unirme a { $number }".
rematch-own = Esta partida se jugó con una definición propia del club, así que solo el moderador puede montar otra.

# Un miembro deja el club.
leave-club-sure = Dejarías el club para siempre: renunciarías a todas tus partidas, no recibirías más cartas, y tu nombre y tus direcciones se borrarían. Si es lo que quieres, contesta con "dejar el club sí".
leave-club-done = Has dejado el club. Tu nombre y tus direcciones están borrados, y no vienen más cartas. Gracias por haber jugado.
member-former = antiguo miembro { $number }
reason-absent = el jugador no cumplió el plazo.
reason-is-back = el jugador ha vuelto.
reason-missed-turns = el jugador perdió demasiados turnos seguidos.
reason-left-club = el jugador dejó el club.

# La respuesta a un miembro cuya carta no es para ninguna partida.
notice-lobby = Lo que quieras pedir al club mismo, como "partidas" o "unirme a 12", escríbelo en respuesta a esta carta; "ayuda" lo trae todo.
