# Partidas que esperan jugadores, cambios de jugadores, miembros y observadores.

# Una plaza pasa a otro jugador.
seat-none = La partida { $number } no tiene esa plaza.
seat-already-in = Quien ya juega la partida { $number } no puede ocupar otra plaza en ella.
seat-open-already = Esa plaza de la partida { $number } ya está libre.
seat-open = { $name } ha dejado la partida { $number } y su plaza queda libre: { $reason } Cualquier miembro puede ocuparla si escribe "unirme a { $number }".
seat-offered = { $name }, de { $club }, te ofrece una plaza en la partida { $number }, que ya está en curso: { $game } para { $seats }.
seat-offered-how = Si quieres jugar, contesta a este correo y pon solo "{ $yes }" en la primera línea. Tienes tres días. Después te enviaremos el tablero y todo lo que ha visto esa plaza, y entonces empezará tu tiempo. Si no te apetece o no esperabas esto, ignora este correo y no pasará nada.
seat-offer-asked = { $name } nunca ha contestado a un correo del club, así que antes le preguntamos. La plaza de la partida { $number } será suya cuando conteste, y entonces empezará su tiempo. Te avisaremos si pasan tres días sin respuesta.
report-seat-offer-over = { $name } no ha contestado en tres días a la pregunta que enviamos a { $address }. La plaza de la partida { $number } sigue siendo de { $before }. ¿Es correcta la dirección? Con "replace" volvemos a preguntar.
seat-taken-over = { $who } juega ahora en lugar de { $before }: { $reason }
seat-yours-now = Ahora juegas en lugar de { $before } en la partida { $number } de { $club }: { $game }, contra { $others }. Abajo tienes todo lo que ha visto esa plaza hasta ahora. Los planes de { $before } se han borrado, y tu tiempo empieza de cero.
seat-yours-no-more = { $name } juega ahora en tu lugar en la partida { $number }: { $reason } Contestar a los correos de esa partida ya no tiene efecto. ¡Gracias por jugar!
seat-stood-in = Se te ha pasado el plazo en la partida { $number }, y { $name } juega por ti como suplente. Escribe "unirme a { $number }" y la plaza vuelve a ser tuya.
seat-barred = El moderador te ha sacado de la partida { $number }, así que ya no puedes jugar en ella.
seat-two-hands = Ya has tenido otra plaza en la partida { $number }, y nadie puede ver dos manos. Solo puedes recuperar aquella plaza.
seat-left-often = Has dejado la partida { $number } más de una vez en un día. Mañana podrás volver a ocupar una plaza libre.
seat-removed = El moderador te ha sacado de la partida { $number }: { $reason } Contestar a los correos de esa partida ya no tiene efecto.
report-seat-left = { $name } ha dejado la partida { $number }, y nadie espera esa plaza: { $reason } Con "postrider replace" puedes poner a un sustituto.
report-bot-failed = { $name } no encontró ninguna jugada en la partida { $number }, así que jugamos como por un jugador ausente. Es un error del bot. Avisa, por favor, y adjunta el archivo que escribe "postrider export { $number }".
member-none = No hay ningún miembro que coincida con { $who }.
member-similar = No hay ningún miembro que coincida con { $who }. Parecidos: { $members }.
member-several = Hay varios miembros que coinciden con { $who }. Usa el número o la dirección: { $members }.
member-choice = { $name } (número { $id }, { $address })
member-gone = El miembro { $who } ha dejado el club.
substitute-own = { $address } es la dirección del propio club. Los correos a un jugador de ahí volverían al club.

# Partidas que esperan jugadores.
lobby-proposed = Tu partida { $number } está abierta. Empieza en cuanto se ocupen todas las plazas. Si no se ocupan en treinta días, la retiramos.
lobby-punctual = Solo pueden unirse jugadores con al menos un { $least } % de turnos a tiempo. Los nuevos también pueden.
lobby-how-join = Para unirse basta con contestar "unirme a { $number }" a este o a cualquier otro correo nuestro. Detrás se puede pedir plaza: "plaza 2", "primera" o "última". Para salirse, "dejar { $number }".
lobby-how-yes = Para unirte, contesta a este correo y pon solo "{ $yes }" en la primera línea. Tienes tres días. Si se te pasan, o si quieres pedir plaza, contesta "unirme a { $number }" a este o a cualquier otro correo nuestro. Detrás puedes añadir "plaza 2", "primera" o "última". Para salirte, escribe "dejar { $number }".
lobby-how-side = El jugador al que le toca empezar elige su lado del tablero. Los demás pueden decir cuál prefieren al unirse: "unirme a { $number } lado este".
lobby-how-own-side = Si tú también prefieres uno y no lo has escrito, anula la partida y empieza otra con "lado este" al final de tu línea "nueva".
lobby-how-side-yes = El jugador al que le toca empezar elige su lado del tablero. Si prefieres uno, escríbelo debajo de "{ $yes }", por ejemplo "lado este". También puedes contestar "unirme a { $number } lado este".
lobby-side-none = En esta partida no puedes elegir "{ $word }" como lado del tablero. En Off the Rails puedes escribir "lado norte", "lado este", "lado sur" o "lado oeste".
lobby-invited-unread = No hemos visto un "{ $yes }" claro en tu respuesta, así que no te has unido a la partida { $number }. Si quieres jugar, contesta a este correo solo con "unirme a { $number }".
lobby-member = Ya eres miembro del club.
lobby-how-invited = Solo pueden unirse las personas que has invitado. Para anular la partida, escribe "anular { $number }".
lobby-joined = ¡Ya estás dentro! La partida { $number } empieza en cuanto se ocupen todas las plazas. Si cambias de idea antes, escribe "dejar { $number }".
lobby-started = Contigo, la partida { $number } está completa y ya ha empezado. Su primer correo va de camino a todos.
lobby-took-seat = Ya tienes plaza en la partida { $number }. Te llegará otro correo con todo lo que ha visto esa plaza.
lobby-left = Te hemos borrado de la partida { $number }.
lobby-cancelled = Has anulado la partida { $number }. Avisamos a quienes se habían unido.
lobby-cancelled-for-you = La partida { $number }, { $game }, no se jugará. La ha anulado quien la empezó.
lobby-lapsed = La partida { $number }, { $game }, no ha reunido bastantes jugadores en treinta días, así que la hemos retirado.
lobby-waits = Eres el número { $place } en la lista de espera de la partida { $number }. Cuando quede una plaza libre y te toque, será tuya enseguida. Para borrarte de la lista, escribe "dejar { $number }".
lobby-invited = { $name } te invita a jugar en { $club }, un club de juegos de mesa por correo electrónico.

# Negativas.
lobby-alone = Esto tiene que ir solo en un correo, sin órdenes ni nada más. No hemos hecho nada de lo que pide este correo.
lobby-no-preview = Esto no tiene vista previa. No hemos hecho nada.
lobby-kind-unknown = Aquí no tenemos ese juego. Después de "nueva" escribe uno de estos: { $kinds }.
lobby-kind-gone = El club ya no ofrece ese juego.
lobby-word-unread = No hemos entendido "{ $word }". Escribe por ejemplo "nueva paris-connection plazas 4 plazo 3 días". Detrás puedes añadir "privada", "invitar a bob@example.org", "puntual 80", "charla pública" (o "ninguna", o "toda"), "deshacer 2 horas" (u "off"), "llamada Lyon", "bots 2 normal", "pistas" o una opción del juego, como "nombre=valor".
lobby-name-unread = Una partida no puede llamarse "{ $name }". Después de "llamada" escribe una sola palabra de { $least } a { $most } letras, como "llamada Lyon". No puede ser el nombre de un juego ni de una persona, ni una palabra de las órdenes. No hemos hecho nada.
lobby-deadline-unread = Ese plazo no vale. Escribe "plazo 3 días", "plazo 72 horas", "plazo lunes,jueves 20:00 Europe/Madrid" o "plazo ninguno".
lobby-nmr-alone = Para decir qué pasa cuando a alguien se le pasa el plazo, la partida necesita uno. Añade, por ejemplo, "plazo 3 días".
lobby-invite-unread = Después de "invitar a" escribe las direcciones de las personas que quieres invitar.
lobby-invite-no-address = "{ $word }" no es una dirección, así que no hemos invitado a nadie. Después de "invitar a" escribe las direcciones de las personas que quieres invitar.
lobby-invite-many = Un correo puede invitar a { $most } personas como máximo.
lobby-invites-spent = Son demasiadas invitaciones para un solo día, así que no podemos invitar a tanta gente. Prueba otra vez mañana.
lobby-invites-sent = Hecho: esas personas están invitadas a la partida { $number }.
lobby-invites-limits = Nadie recibe de ti más de una invitación por semana, ni más de unas pocas entre todos. Tampoco escribimos a quien no quiere invitaciones. Si tus amigos no reciben nada, pueden escribirnos ellos, o puedes preguntar al moderador, { $moderator }.
lobby-invites-new = Acabas de llegar, así que hasta que termines tu primer turno { $left ->
    [0] no puedes invitar a nadie más
    [one] solo puedes invitar a una persona más
   *[other] solo puedes invitar a { $left } personas más
  }. No hemos hecho nada. Si quieres invitar a más gente, pregunta al moderador, { $moderator }.
lobby-invite-unsent = No podemos escribir a { $who }, porque no es una dirección de correo válida. No hemos hecho nada ni invitado a nadie. Revisa la dirección, o invita a los demás sin ella.
lobby-line-none = No entendemos qué quieres hacer en la lista de partidas del club. Prueba con "partidas", "unirme a 12" o "nueva paris-connection plazas 4".
lobby-join-unread = No hemos encontrado esa plaza. Después del número de la partida puedes poner "plaza 2", "primera" o "última", y la partida debe tener esa plaza.
lobby-new-seats = ¿Para cuántos jugadores? Añade, por ejemplo, "plazas 4".
lobby-seats = Este juego es para { $least } a { $most } jugadores.

# Errores en una opción. Cada uno va detrás de dos puntos.
lobby-option-of = no existe ninguna opción "{ $word }"; hay: { $known }
lobby-option-wrong = aquí no se puede elegir "{ $word }"
lobby-option-choice = no se puede elegir "{ $word }"; hay: { $known }
lobby-option = La partida no se puede jugar así: { $why }
lobby-private-alone = Una partida privada necesita al menos tantos invitados como plazas libres. Invita a más personas o quita "privada".
lobby-too-many = Ya tienes { $most } partidas abiertas que esperan jugadores. Espera a que se llene una, o anula una.
lobby-none = No hay ninguna partida { $number } a la que puedas unirte o que puedas observar. Contesta "partidas" para ver la lista.
lobby-in-already = Ya estás en la partida { $number }.
lobby-late = La partida { $number } es para jugadores con al menos un { $least } % de turnos a tiempo. Tú llevas un { $percent } %.
lobby-running = La partida { $number } está en curso y no tiene ninguna plaza libre. "esperar { $number }" te apunta a su lista de espera, y "observar { $number }" te deja observarla.
lobby-begun = La partida { $number } ha empezado sin ti, o ya no está abierta.
lobby-founder-leaves = La partida { $number } la empezaste tú. Para retirarla, escribe "anular { $number }".
lobby-not-in = La partida { $number } no es una partida abierta en la que tengas plaza, ni estás en su lista de espera. Para dejar una partida en curso, contesta "renunciar" a uno de sus correos.
lobby-not-founder = Solo quien empezó la partida { $number } puede anularla o invitar a más gente, y solo mientras está abierta.
lobby-seat-free = La partida { $number } tiene una plaza libre para ti. Escribe "unirme a { $number }".
lobby-waits-many = La lista de espera de la partida { $number } está llena. Prueba otra vez más adelante.

# Un jugador quiere dejar una partida.
resign-where = Contesta "renunciar" a un correo de la partida que quieres dejar. O escribe también su número, como "renunciar 12".
resign-sure = ¿Seguro que quieres dejar la partida { $number } para siempre? Otra persona jugaría en tu plaza. Para confirmarlo, contesta "renunciar { $number } sí". Lo que escribas detrás se lo diremos a los demás como tu motivo.
resigned = Has dejado la partida { $number }. Contestar a sus correos ya no tiene efecto. ¡Gracias por jugar!
reason-resigned = el jugador ha renunciado.
reason-took-open-seat = la plaza estaba libre.

# Computer players.
bot-name = Robo { $number } ({ $level ->
    [easy] fácil
    [strong] fuerte
   *[fair] normal
  })
bots-off = En este club no hay bots.
bots-unread = ¿Cuántos bots y de qué nivel? Escribe, por ejemplo, "bots 2 normal". Los niveles son fácil, normal y fuerte, y puede haber hasta { $most }.
bots-too-many = Son demasiados bots: { $free ->
    [0] no queda ninguna plaza libre
    [one] queda una plaza libre
   *[other] quedan { $free } plazas libres
  }, y una plaza es la tuya. No se ha hecho nada.
bots-enough-games = Ya tienes { $most } partidas contra bots. Acaba antes alguna de ellas, o déjala con "renunciar".
practice-unread = ¿Qué juego quieres practicar? Escribe "practicar" y el juego, por ejemplo "practicar trick-of-the-rails". Puedes añadir "plazas 4" y un nivel: fácil, normal o fuerte. Los juegos son: { $kinds }.
practice-one = Ya tienes una partida de práctica, la { $number }. Acábala antes, o ciérrala: contesta "renunciar { $number }".
practice-rematch = Para practicar otra vez, escribe por ejemplo "practicar trick-of-the-rails".
practice-terms = Esta es una partida de práctica contra bots. No tiene plazo. Escribe "pista" si no sabes qué hacer, "deshacer" para volver a antes de tus últimas órdenes, o "renunciar" para terminarla.
reason-practice-silent = nadie ha jugado en 14 días.

# Pistas.
hint-terms = En esta partida puedes preguntar qué haría un bot. Contesta "pista" en tu turno.
hint = Estas son las jugadas que prefiere un bot de nivel normal. Detrás de cada una está la parte de las partidas simuladas que ganó:
hint-line = { $line } ({ $percent } %)
hint-not-here = En esta partida no hay pistas. En las de práctica sí: para empezar una, escribe por ejemplo "practicar trick-of-the-rails".
hint-not-your-turn = Solo puedes pedir una pista en tu turno.
hint-again = Ya has recibido una pista para este turno.

# Personas nuevas.
newcomer-confirm = Alguien (esperamos que tú) ha pedido unirse a una partida en { $club }, un club de juegos de mesa por correo electrónico.
club-confirm = Alguien (esperamos que tú) ha pedido hacerse miembro de { $club }, un club de juegos de mesa por correo electrónico.
club-invited = { $name } te invita a hacerte miembro de { $club }, un club de juegos de mesa por correo electrónico.
club-how = Para hacerte miembro, contesta a este correo y pon solo "{ $yes }" en la primera línea. Tienes tres días. Los demás verán el nombre que llevan tus correos. Si prefieres otro, escríbelo en la segunda línea, por ejemplo "{ $as } Ana Molina". Si no lo has pedido tú o no te interesa, ignora este correo y no pasará nada.
club-how-name = Si tus correos no llevan ningún nombre, los demás te conocerán como { $name }. Si llevan otro y prefieres este, escribe "{ $as } { $name }" en la segunda línea.
newcomer-how = Para jugar, contesta a este correo y pon solo "{ $yes }" en la primera línea. Tienes tres días. Con eso te haces también miembro del club. Los demás verán el nombre que llevan tus correos. Si prefieres otro, escríbelo en la segunda línea, por ejemplo "{ $as } Ana Molina". Si no lo has pedido tú o no te interesa, ignora este correo y no pasará nada.
newcomer-how-side = El jugador al que le toca empezar elige su lado del tablero. Si prefieres uno, escríbelo debajo de "{ $yes }", por ejemplo "lado este".
newcomer-unread = No hemos visto un "{ $yes }" claro en tu respuesta, así que no te has unido a nada. Si quieres unirte, contesta y pon solo esa palabra en la primera línea. En la segunda puedes decir con qué nombre quieres que te conozcan los demás, por ejemplo "{ $as } Ana Molina".
newcomer-none = No hay ninguna partida { $number } a la que puedas unirte.
newcomer-called = No podemos usar el nombre de tu respuesta, así que no te has unido a nada. O se parece demasiado a otro que usan los correos de este club, o podría tomarse por una dirección web. Contesta otra vez y pon solo "{ $yes }" en la primera línea y otro nombre en la segunda, por ejemplo "{ $as } Ana Molina".
newcomer-nameless = Los demás no podrían ver el nombre de tu respuesta, así que no te has unido a nada. Contesta otra vez y pon solo "{ $yes }" en la primera línea y un nombre en la segunda, por ejemplo "{ $as } Ana Molina".
# Palabras que el nombre de una persona nueva no puede contener, porque las cartas y "decir a" las
# usan para otra cosa, y palabras que no puede contener entre otras, como en "Bob a todos".
names-without = moderador, moderadora, nadie, alguien, plaza, postrider, administrador, administradora
names-whole = El club, club
names-not-between = a
newcomer-welcome = ¡Te damos la bienvenida a { $club }, { $name }! Contesta "ayuda" a este correo para ver todo lo que puedes pedir al club. Si contestas "ayuda" a un correo de una partida, verás sus órdenes.
newcomer-language = Te escribimos en el idioma "{ $language }", el de tu correo. Para cambiarlo, contesta a este correo solo con { $lines }. También puedes poner esa línea en cualquier otro correo.

newcomer-added = { $moderator }, que modera { $club }, te ha hecho miembro con el nombre de { $name }. Somos un club de juegos de mesa por correo electrónico.
newcomer-first = Contesta a este correo solo con "partidas" para ver a qué se puede jugar, o con "ayuda" para ver todo lo que puedes pedir al club. ¿No quieres ser miembro? Contesta solo "dejar el club sí" y borraremos tu nombre y tu dirección.

# Cartas de personas que no son miembros: las palabras que van delante del número de una partida, y
# las respuestas.
visitor-numbered = unirme, unirme a, partida, juego, número, núm
visitor-hello = ¡Hola! Esto es { $club }, un club de juegos de mesa por correo electrónico. En esta dirección contesta un programa que todavía no te conoce.
visitor-how = Así funciona: te enviamos un correo con el tablero y lo que solo tú puedes ver. Contestas cuando tienes tiempo, con una línea como "construir rojo G23", y todos reciben la nueva posición. Si contestas "ayuda" a un correo de una partida, verás cómo se escriben sus órdenes.
visitor-unread = No hemos encontrado en tu respuesta nada que podamos hacer, así que no hemos hecho nada. Escribe sola en una línea la partida a la que quieres unirte, por ejemplo "unirme a 4", o "unirme al club". Te pediremos que lo confirmes con "{ $yes }". Entonces también podrás decir con qué nombre quieres que te conozcan los demás.
visitor-none = Ahora mismo no hay ninguna partida abierta.
visitor-entry = * { $said }
visitor-join = Para ocupar una plaza, contesta a este correo solo con "unirme a { $number }", o con el número de otra partida. Te pediremos que lo confirmes.
visitor-club = Si antes quieres hacerte miembro y poder empezar partidas, contesta solo "unirme al club".
visitor-words = "partidas" te muestra otra vez esta lista, y "ayuda" te explica cómo funciona. El primer día contestamos a tres de tus correos, y después a uno al día. Si prefieres hablar con una persona, escribe a { $moderator }.

# Una carta con la dirección de respuesta secreta de un miembro, desde una dirección desconocida.
elsewhere-game = Desde { $address } ha llegado un correo a tu dirección secreta de respuesta de la partida { $number }. Esa dirección no consta aquí como tuya, así que no hemos hecho nada. ¿Eras tú? Contesta a este correo solo con "dirección { $address }" y después envía otra vez tu correo. ¿No eras tú? Entonces otra persona ha leído un correo que era para ti. Contesta solo "marcas nuevas", y ya nadie podrá contestar a tus correos anteriores.
elsewhere-club = Desde { $address } ha llegado un correo a una dirección secreta de respuesta tuya. Esa dirección no consta aquí como tuya, así que no hemos hecho nada. ¿Eras tú? Contesta a este correo solo con "dirección { $address }" y después envía otra vez tu correo. ¿No eras tú? Entonces otra persona ha leído un correo que era para ti. Contesta solo "marcas nuevas", y ya nadie podrá contestar a tus correos anteriores.

# La lista de partidas del club.
games-formed = Partidas abiertas a las que puedes unirte:
games-none-formed = Ahora mismo no hay ninguna partida abierta. Para empezar una, escribe "nueva paris-connection plazas 4 plazo 3 días".
games-running = Partidas en curso que puedes observar:
games-how = "unirme a 12" ocupa una plaza, "esperar 12" te apunta a la lista de espera, y "observar 12" te deja seguir una partida en curso.
games-entry = * { $said }. Por ahora: { $players }.
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
games-punctual = al menos un { $least } % a tiempo
games-private = por invitación
games-deadline = con { $deadline } por turno
games-deadline-stand-in = con { $deadline } por turno; después, un suplente juega tu turno
games-deadline-bot = con { $deadline } por turno; después juega un bot por ti
games-deadline-forfeit = con { $deadline } por turno; después, jugamos tu turno por ti
games-no-deadline = sin plazos
games-plays = * { $number }: { $game }, con { $players }; { $pace }
games-plays-open = * { $number }: { $game }, con { $players }; { $pace }; hay una plaza libre
punctuality = { $percent } % a tiempo
punctuality-new = sin plazos hasta ahora
punctuality-left-new = sin plazos hasta ahora, ha dejado { $left ->
    [one] una partida
   *[other] { $left } partidas
  }
punctuality-left = { $percent } % a tiempo, ha dejado { $left ->
    [one] una partida
   *[other] { $left } partidas
  }

# Observadores.
watching = Desde ahora observas la partida { $number }. Te enviamos un correo cada vez que avanza. Para dejarlo, escribe "dejar de observar { $number }".
watched = Ya no observas la partida { $number }.

# El botón de los programas de correo para dejar de recibir cartas: los asuntos de sus cartas, y las
# respuestas.
stop-watching = Dejar de observar la partida { $number }
stop-digests = Cada partida por separado
stop-standings = No más clasificaciones
stop-invitations = No más invitaciones
stop-letters = No más correos
stop-alone = No hemos leído nada más de tu correo, porque esa dirección solo sirve para esto.
watch-plays = Tú ya juegas la partida { $number }.
watch-already = Ya observas la partida { $number }.
watch-not = No observas la partida { $number }.
watch-many = La partida { $number } ya tiene el máximo de observadores.
watch-footer = Observas esta partida y ves lo que todos pueden ver. Para dejarlo, contesta "dejar de observar { $number }".

# Revanchas.
rematch-told = Es una revancha para quienes jugaron la partida { $number }.
rematch-where = Contesta "revancha" al último correo de una partida que ha terminado.
rematch-running = La partida aún no ha terminado.
rematch-already = La revancha ya está abierta: es la partida { $number }. Para jugarla, escribe "unirme a { $number }".
rematch-own = Esta partida se jugó con una versión propia del club, así que solo el moderador puede preparar otra.

# Un miembro deja el club.
leave-club-sure = ¿Seguro que quieres dejar el club para siempre? Renunciarías a todas tus partidas y no recibirías más correos, y borraríamos tu nombre y tus direcciones. Para confirmarlo, contesta "dejar el club sí".
leave-club-done = Has dejado el club. Hemos borrado tu nombre y tus direcciones, y no recibirás más correos. ¡Gracias por jugar!
member-former = antiguo miembro { $number }
reason-absent = al jugador se le ha pasado el plazo.
reason-is-back = el jugador ha vuelto.
reason-missed-turns = el jugador ha dejado pasar demasiados turnos seguidos.
reason-left-club = el jugador ha dejado el club.

# La respuesta a un miembro cuya carta no es para ninguna partida.
notice-lobby = Si quieres pedir algo al club, como "partidas" o "unirme a 12", contesta a este correo. Con "ayuda" verás todo lo que puedes pedir.
