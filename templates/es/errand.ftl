# Cartas que no tratan de ninguna partida, y confirmaciones.

# La palabra que da consentimiento si está sola en la primera línea de una respuesta, las que pueden
# acompañarla si la respuesta no dice nada más, y la que va delante del nombre que elige una persona
# nueva en la segunda línea.
consent-yes = sí
consent-polite = por favor, porfa, gracias, muchas gracias, mil gracias, con gusto, con mucho gusto, con placer, encantado, encantada, claro, claro que sí, por supuesto, desde luego, cómo no, me encantaría, me gustaría, me encantaría jugar, me gustaría jugar, quiero, quiero jugar, cuenta conmigo, contad conmigo, cuenten conmigo, genial, estupendo, perfecto, qué bien, nos vemos, hasta pronto, saludos, un saludo, un abrazo, abrazos
consent-name = nombre

# Las palabras con que una persona rechaza todas las cartas: las que empiezan esa respuesta, las que
# pueden ir delante de ellas, y las que bastan en una respuesta breve, en cualquier posición.
refusal-first = basta, bórrame, bórrenme, bórradme, quítame, no me escribas, no me escriban, no me escribáis, no escribas, no escriban, no más cartas, no más correos, deja de escribir, dejen de escribir, dejad de escribir, déjame en paz, déjenme en paz, darme de baja, quiero darme de baja, cancelar suscripción
refusal-before = no, por, favor, ya, y, hola
refusal-anywhere = baja
refusal-how = Para no recibir más cartas de este club, responde solo con la palabra "basta".

errand-help = Lo que quieras pedir al club, como "partidas" o "unirme a 12", va en una carta propia; las líneas sobre ti, como "zona Europe/Madrid", pueden ir juntas. La palabra "ayuda" sola trae todo lo que puedes pedir. Las órdenes de una partida van en una respuesta a la carta más reciente de esa partida.
errand-card = Puedes pedir esto al club, cada cosa en una carta propia:
errand-card-games = * "partidas": qué partidas se están formando, y cuáles se juegan
errand-card-new = * "nueva paris-connection plazas 4 plazo 3 días": pone una partida sobre la mesa; después puede ir "privada", "puntual 80", "charla pública" (o "ninguna", o "toda") y "invitar a bob@example.org"
errand-card-join = * "unirme a 12", "dejar 12": toma una plaza de una partida que se está formando, o la devuelve; en respuesta a una invitación basta también con "sí" solo
errand-card-wait = * "esperar 12", "observar 12", "dejar de observar 12": te pone en la lista de espera de una partida completa; te muestra una partida cada vez que se ha movido, o ya no
errand-card-founder = * "anular 12", "invitar 12 bob@example.org": para quien puso la partida sobre la mesa
errand-card-leave = * "dejar el club": deja todo para siempre
errand-card-marks = * "marcas nuevas": si otra persona ha leído tus cartas; entonces ya no se puede contestar a ninguna carta que hayas recibido antes
errand-card-own = Lo que dices sobre ti puede ir junto, como "zona Europe/Madrid", "cartas texto" o "dirección nueva@example.org"; "ajustes" lo muestra todo, y cómo cambiarlo.
errand-card-game = Cómo se juega una partida está en la respuesta a la palabra "ayuda" en una respuesta a una carta de esa partida.
errand-line-unknown = La línea { $number } de tu carta no es nada que el club pueda hacer sin una partida, así que no se hizo nada: { $line }
errand-moderator = Lo que pides como moderador empieza por su palabra, como "pause 12 because ..."; "help" solo, en respuesta a una carta que te llegó como moderador, trae todas ellas.
errand-used = A lo que contestas ya se contestó una vez, y cuenta una sola vez, así que no se hizo nada.
errand-stale = Lo que contestas había que confirmarlo en tres días, así que no se hizo nada. Pídelo otra vez, por favor.

# Direcciones de respuesta secretas que dejan de valer.
marks-renewed = Las marcas de todas las cartas que has recibido hasta ahora ya no valen: nadie puede escribir en tu nombre contestando a una de ellas. A esta carta se puede contestar, y cada una de tus partidas en marcha te envía una a la que también.
marks-rotated = Las marcas de todas las cartas que has recibido hasta ahora ya no valen: nadie puede escribir en tu nombre contestando a una de ellas. A esta carta se puede contestar, y cada una de tus partidas en marcha te envía una a la que también. El motivo: { $reason }
marks-many = Puedes tener marcas nuevas { $most } veces al día, así que no se hizo nada. Escribe por favor otra vez mañana, o al moderador.
seat-marks-asked = Como pediste, a tus cartas anteriores de esta partida ya no se puede contestar. A esta sí.
reason-marks = puede que haya cartas en malas manos.

address-asked = Va una carta a { $address }. Cuando se haya contestado desde ahí, tus cartas van a esa dirección; hasta entonces no cambia nada. Si mañana no está, mira en el correo no deseado y pregunta luego al moderador: no escribimos a quien nos ha pedido que no lo hagamos, ni a quien recibe a menudo cartas así.
address-spent = Ahora no podemos preguntar en { $address }, así que no se hizo nada: ya la nombraste en la última semana, o no es una dirección a la que puedan ir cartas. Si nuestra carta está ahí, contéstala. Si no llegó nunca, pregunta por favor al moderador.
address-no-yes = Tu respuesta no era un "{ $yes }" claro, así que no se hizo nada. Si esta es tu nueva dirección, contesta solo con esa palabra.
address-confirm = { $name }, de { $club }, dice que esta es una nueva dirección suya. Si eres tú, contesta a esta carta en tres días, con la palabra "{ $yes }" sola en la primera línea; entonces las cartas van aquí. Si no, no hagas nada, y no pasa nada.
address-kept = Tus cartas van a { $address } desde ahora. También se aceptan órdenes de tus otras direcciones.
address-moved = Tus cartas van a { $address } desde ahora, como se pidió en una carta tuya. Si no fuiste tú, contesta por favor a esta carta y escribe enseguida al moderador.
address-taken = { $address } pertenece a otro miembro, así que no se cambió nada.
address-many = Puedes nombrar { $most } direcciones al día, así que no se hizo nada. Escribe por favor otra vez mañana.
address-unread = { $address } no es ninguna dirección. Escribe "dirección ana@example.org", con la nueva.
