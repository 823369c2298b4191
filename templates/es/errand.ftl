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
refusal-how = Si no quieres recibir más correos de este club, contesta solo con la palabra "basta".

errand-help = Lo que pides al club, como "partidas" o "unirme a 12", va solo en un correo. Las líneas sobre ti, como "zona Europe/Madrid", pueden ir juntas. Contesta "ayuda" para ver todo lo que puedes pedir. Las órdenes de una partida van en una respuesta al correo más reciente de esa partida.
errand-card = Puedes pedir esto al club, cada cosa en un correo aparte:
errand-card-games = * "partidas": qué partidas están abiertas, y cuáles están en curso
errand-card-new = * "nueva paris-connection plazas 4 plazo 3 días": empieza una partida; detrás puedes añadir "privada", "puntual 80", "charla pública" (o "ninguna", o "toda"), "bots 2 normal", "pistas" e "invitar a bob@example.org"
errand-card-practice = * "practicar trick-of-the-rails": empieza una partida de práctica contra bots; puedes añadir "plazas 4" y "fácil", "normal" o "fuerte"
errand-card-join = * "unirme a 12", "dejar 12": ocupa una plaza de una partida abierta, o la deja libre; si contestas a una invitación, basta con "sí"
errand-card-wait = * "esperar 12", "observar 12", "dejar de observar 12": te apunta a la lista de espera de una partida completa; te envía una partida cada vez que avanza, o deja de hacerlo
errand-card-founder = * "anular 12", "invitar 12 bob@example.org", "invitar 12 bot normal": solo para quien empezó la partida
errand-card-leave = * "dejar el club": dejas el club y todas tus partidas para siempre
errand-card-marks = * "marcas nuevas": por si otra persona ha leído tus correos; ya no se podrá contestar a ninguno de los que recibiste antes
errand-card-own = Las líneas sobre ti pueden ir juntas, como "zona Europe/Madrid", "cartas texto" o "dirección nueva@example.org". "ajustes" las muestra todas y dice cómo cambiarlas.
errand-card-game = Para ver cómo se juega una partida, contesta "ayuda" a un correo de esa partida.
errand-line-unknown = Fuera de una partida no sabemos qué hacer con esta línea, así que no hemos hecho nada. Línea { $number }: { $line }
errand-moderator = Lo que pides como moderador empieza por un comando en inglés, como "pause 12 because ...". Para verlos todos, contesta solo "help" a un correo que te haya llegado como moderador.
errand-used = Ese correo ya se había contestado, y solo cuenta la primera respuesta. No hemos hecho nada.
errand-stale = Esa pregunta ha caducado, porque solo vale tres días. No hemos hecho nada. Pídelo otra vez, por favor.

# Direcciones de respuesta secretas que dejan de valer.
marks-renewed = Hemos anulado las direcciones secretas de respuesta de todos los correos que has recibido hasta ahora. Nadie puede escribir en tu nombre contestando a uno de ellos. A este correo sí puedes contestar, y cada una de tus partidas en curso te envía otro al que también.
marks-rotated = Hemos anulado las direcciones secretas de respuesta de todos los correos que has recibido hasta ahora. Nadie puede escribir en tu nombre contestando a uno de ellos. A este correo sí puedes contestar, y cada una de tus partidas en curso te envía otro al que también. El motivo: { $reason }
marks-many = Puedes pedir direcciones secretas nuevas { $most } veces al día, así que no hemos hecho nada. Pídelas otra vez mañana, o escribe al moderador.
seat-marks-asked = Hecho: ya nadie puede contestar a tus correos anteriores de esta partida. A este sí puedes contestar.
reason-marks = puede que otra persona haya leído los correos.

address-asked = Preguntamos en { $address }. Cuando contestes desde ahí, te escribiremos a esa dirección. Hasta entonces no cambia nada. Si mañana no te ha llegado nada, mira en el correo no deseado y después pregunta al moderador. No escribimos a quien nos ha pedido que no lo hagamos, ni a quien recibe a menudo correos así.
address-spent = Ahora no podemos preguntar en { $address }, así que no hemos hecho nada. O ya la nombraste en la última semana, o no es una dirección de correo válida. Si nuestro correo está ahí, contéstalo. Si no llegó nunca, pregunta al moderador.
address-no-yes = No hemos visto un "{ $yes }" claro en tu respuesta, así que no hemos hecho nada. Si esta es tu nueva dirección, contesta solo con esa palabra.
address-confirm = { $name }, de { $club }, dice que esta es su nueva dirección. Si eres tú, contesta a este correo y pon solo "{ $yes }" en la primera línea. Tienes tres días. Después te escribiremos aquí. Si no eres tú, ignora este correo y no pasará nada.
address-kept = Desde ahora te escribimos a { $address }. También aceptamos órdenes desde tus otras direcciones.
address-moved = Desde ahora te escribimos a { $address }, porque se pidió en un correo tuyo. Si no fuiste tú, contesta a este correo y escribe enseguida al moderador.
address-taken = { $address } es de otro miembro, así que no hemos cambiado nada.
address-many = Puedes nombrar { $most } direcciones al día, así que no hemos hecho nada. Prueba otra vez mañana.
address-unread = { $address } no es una dirección de correo. Escribe "dirección ana@example.org", con la nueva.
