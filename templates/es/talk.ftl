# Mensajes entre jugadores.

heading-talk = Conversación
talk-head = { $from } → { $to }:
talk-dated = ({ $at }) { $head }
talk-from = { $who-is ->
    [you] Tú
   *[other] { $who }
  }
talk-from-unnamed = { $who-is ->
    [you] Tú, sin nombre,
   *[other] { $who }
  }
talk-from-somebody = Alguien
talk-from-former = Quien ocupó antes la plaza de { $who }
talk-to-all = todos

# Las primeras líneas de una carta.
talk-said = Lo que dices en tu carta se ha transmitido; abajo está como lo leen los demás.
talk-heard = Abajo hay unas palabras de la mesa para ti.
talk-would = No se ha dicho nada a nadie. Lo que se diría, y a quién, está abajo.
talk-unsaid = Nada de tu carta se ha dicho a nadie.
talk-lost = { $name } dejó la plaza antes de que se pudieran leer tus palabras, así que no se dijeron ahí, y quien venga no las leerá.

# Las normas para los mensajes en una partida.
talk-none = En esta partida no se puede decir nada a otros jugadores por cartas al club.
talk-public-only = En esta partida los jugadores solo hablan a todos a la vez: escribe "decir" y tus palabras.
talk-signed-only = En esta partida nadie habla sin su nombre: quita la palabra "anónimamente".
talk-terms-anonymous = En esta partida los jugadores pueden hablar sin su nombre: "decir anónimamente" y tus palabras.
talk-terms-moderator = En esta partida el moderador puede leer lo que los jugadores se dicen en privado.

# Errores en una línea.
talk-to-whom = Escribe después de "decir a" a quién te refieres, por nombre o plaza, y luego tus palabras. Las plazas son { $seats }.
talk-nobody = En esta partida no hay ningún jugador llamado { $name } a quien decir algo. Las plazas son { $seats }.
talk-seat = { $number } ({ $name })
talk-which = { $name } podría ser más de un jugador: escribe el número de la plaza, como en "decir a 2".
talk-colon = No está claro a quién se dice: pon dos puntos tras aquellos a quienes dices algo, como en "decir a ann, bob: hola".
talk-to-yourself = Esto se te diría solo a ti. Una línea que empieza por "decir a" va a otros jugadores.
talk-seat-open = Nadie ocupa ahora la plaza de { $who }, y quien venga no leerá lo que se dijo antes.
talk-seat-new = { $who } ha ocupado esa plaza después de que escribieras tu carta. Escribe otra vez, por favor, si tus palabras son para { $who }.
talk-empty = No hay palabras que transmitir. Escríbelas detrás, o en las líneas de abajo hasta una línea "fin".
talk-private = Lo que dirías contiene una dirección de correo, o la marca por la que se conoce la respuesta a una de tus cartas, así que no se dijo nada: nadie más debe tenerlas. Si las puso ahí un programa de correo, escribe una línea "fin" bajo tus palabras.
talk-cut = Desde la línea { $number } tu carta se tomó por otra que cita, así que lo que hay ahí no se transmitió a nadie.
talk-too-long = Una carta puede decir como máximo { $characters } caracteres en { $lines } líneas.
talk-too-often = Has dicho algo en { $count } cartas de las últimas 24 horas, que es el máximo. Escribe otra vez más tarde, por favor.
talk-order-inside = Esta línea se lee como algo para nosotros y está dentro de lo que dices a otros, así que no se hizo nada. Si es para nosotros, pon encima una línea "fin"; si no, escríbela con otras palabras.
talk-say-name = "decir" habla a todos los jugadores, y esto parece para uno. Así que no se dijo ni se hizo nada. Para decírselo solo a ese jugador, envía esta línea. Para decírselo a todos, quita los dos puntos o la "a".
talk-order-behind = Este mensaje para otros lleva lo que parece una orden. Así que no se dijo ni se hizo nada. Si quieres que se cumpla la orden, envíala en una línea aparte:
talk-ended-here = Lo que dices a otros terminó encima de esta línea, porque se lee como una para nosotros. Para decir más de una línea, escribe "decir:" solo en una línea, luego tus palabras, y luego una línea "fin".
