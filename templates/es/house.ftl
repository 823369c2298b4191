# Las frases del club para todos los juegos. Las de un juego están en un archivo con su nombre.

# La dirección en que se escribe el idioma: ltr o rtl.
direction = ltr
marker = === Escribe tus órdenes por encima de esta línea ===
# El marcador para cartas estrechas: 38 columnas como máximo.
marker-narrow = === Órdenes sobre esta línea ===
you = tú
list-more = { $a }, { $b }
list-last = { $a } y { $b }

game-paris-connection = Paris Connection
game-trick-of-the-rails = Trick of the Rails
game-off-the-rails = Off the Rails

## Los asuntos de los correos sobre una partida. Un teléfono muestra unos treinta caracteres, así que
## primero va la partida, y luego lo que se pide al lector. $name es el nombre propio de la partida,
## o el nombre corto de abajo.
short-paris-connection = Paris
short-trick-of-the-rails = Trick
short-off-the-rails = Rails

game-title = [{ $name } { $number }] { $game }
subject = [{ $name } { $number }] Órdenes y noticias
subject-yours = [{ $name } { $number }] Te toca{ $timed ->
    [yes] , plazo { $by }
   *[no] {""}
  }
subject-begins-yours = [{ $name } { $number }] Nueva, te toca{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-done-yours = [{ $name } { $number }] Hecho. Sigues{ $timed ->
    [yes] : plazo { $by }
   *[no] {""}
  }
subject-kept-yours = [{ $name } { $number }] Guardado. Te toca{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-told-yours = [{ $name } { $number }] Mensaje + te toca{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-vote-yours = [{ $name } { $number }] Vota + te toca{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-others = [{ $name } { $number }] { $count ->
    [one] Turno de { $who }
   *[other] Turno de { $count } jugadores
  }
subject-begins-others = [{ $name } { $number }] { $count ->
    [one] Partida nueva, turno de { $who }
   *[other] Partida nueva, turno de { $count } jugadores
  }
subject-done-others = [{ $name } { $number }] { $count ->
    [one] Hecho, turno de { $who }
   *[other] Hecho, turno de { $count } jugadores
  }
subject-kept-others = [{ $name } { $number }] { $count ->
    [one] Planes guardados, turno de { $who }
   *[other] Planes guardados, turno de { $count } jugadores
  }
subject-told = [{ $name } { $number }] Mensaje para ti
subject-vote = [{ $name } { $number }] Vota, por favor
subject-days-left = [{ $name } { $number }] { $count ->
    [one] Queda un día
   *[other] Quedan { $count } días
  }{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-hours-left = [{ $name } { $number }] { $count ->
    [one] Queda una hora
   *[other] Quedan { $count } horas
  }{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-waits = [{ $name } { $number }] Aún te toca
subject-overdue = [{ $name } { $number }] Con retraso: te toca
subject-refused = [{ $name } { $number }] Rechazado{ $timed ->
    [yes] , plazo { $by }
   *[no] {""}
  }
subject-no-order = [{ $name } { $number }] Sin orden{ $timed ->
    [yes] , plazo { $by }
   *[no] {""}
  }
subject-preview = [{ $name } { $number }] Vista previa{ $timed ->
    [yes] , plazo { $by }
   *[no] {""}
  }
subject-preview-refused = [{ $name } { $number }] Vista previa: rechazada
subject-nothing = [{ $name } { $number }] Sin orden{ $timed ->
    [yes] , plazo { $by }
   *[no] {""}
  }
subject-over = [{ $name } { $number }] Fin, { $you ->
    [alone] has ganado
    [among] compartes la victoria
   *[no] { $count ->
        [0] no ha ganado nadie
        [one] ha ganado { $who }
       *[other] { $count } comparten la victoria
    }
  }

# Las primeras líneas de una carta.
welcome = Te damos la bienvenida a la partida { $number } de { $club }: { $game }, jugadores: { $players }.
orders-accepted = Tus órdenes se han cumplido.
orders-refused = Tus órdenes no se han cumplido, y no ha cambiado nada.
no-order-found = No encontramos ninguna orden en tu carta, así que nada ha cambiado.
preview-accepted = Esto es una vista previa: no se ha hecho nada. Envía las órdenes sin "vista previa" para que se cumplan.
preview-refused = Esto es una vista previa: las órdenes se rechazarían.
letter-repeated = Esta carta tuya ya había llegado el { $at }, y se atendió entonces. No se ha hecho nada dos veces.
nothing-written = Tu carta llegó, pero no se encontró ninguna orden en ella. Escríbelas arriba del todo de tu respuesta, una por línea; lo que está en texto citado no se lee nunca.
letter-unread = Tu carta no se leyó: { $why } No ha cambiado nada.
unread-encrypted = está cifrada, o firmada de una forma que oculta su texto. Desactívalo para las cartas a esta dirección y envíala de nuevo, por favor.
unread-too-many-lines = tiene más de 200 líneas. Envía solo las órdenes, por favor.
unread-long-line = la línea { $number } tiene más de 500 caracteres. Pon cada orden en una línea propia, por favor.
reminder = { $days ->
    [0] La partida te espera.
    [one] La partida te espera desde hace un día.
   *[other] La partida te espera desde hace { $days } días.
  } No pasa nada hasta que escribas.
turn-yours = Es tu turno.
lead-yours = Es tu turno. Tienes hasta el { $by }.
lead-overdue = Es tu turno. Tus órdenes debían llegar antes del { $by }.
lead-others = Es el turno de { $who }. Hay tiempo hasta el { $by }.
turn-others = Es el turno de { $awaited }.
turn-over = La partida ha terminado. { $you-alone ->
    [yes] ¡Has ganado!
   *[no] { $count ->
        [0] Has perdido.
        [one] Ha ganado { $winners }.
       *[other] Comparten la victoria { $winners }.
    }
  }

# Encabezados.
heading-orders = Tus órdenes
heading-refused = Lo que falló
heading-preview = Lo que harían tus órdenes
heading-beginning = Cómo empezó
heading-setup = Cómo se preparó la partida
heading-news = Desde tu última carta
heading-more-news = Qué más ha pasado
heading-standings = El resultado
heading-revealed = Lo que tenía cada jugador
heading-board = El tablero
heading-board-previewed = El tablero tras estas órdenes
# El texto que sustituye a la imagen del tablero. $rows es lo que la carta muestra a su lado.
picture-alt = El tablero. { $rows } Responde "tablero" para recibirlo entero en palabras, o "cartas imagen desactivada" para recibirlo así en cada carta.
heading-public = La mesa
heading-private = Tu cartera, solo para tus ojos
heading-deadline = El plazo
heading-choices = Lo que puedes hacer
choices-all = Todo lo que ahora es legal
heading-history = La partida hasta ahora
heading-rules = Las reglas
heading-help = Cómo se escriben las órdenes
heading-house = Cómo se juega por carta

order-form = { $line } - { $does }
refused-line = Línea { $number } de tu carta: { $line }
standing = { $rank }. { $who-is ->
    [you] Tú
   *[other] { $who }
  }: { $score } ({ $parts })
standing-bare = { $rank }. { $who-is ->
    [you] Tú
   *[other] { $who }
  }: { $score }
score-part = { $item }: { $points }
history-entry = { $seq }. ({ $at }) { $told }

campaign-table = Esta partida es la mesa { $table } de la ronda { $round } de { $name }.

footer-how = Contesta con tus órdenes arriba del todo. La palabra "ayuda" sola trae la tarjeta de las órdenes, "vista previa" delante de tus órdenes las juzga sin hacer nada.
footer-place = Partida { $number }, jugada { $seq }, prueba { $chain }.
footer-proof = La prueba abarca todas las jugadas hasta ahora. Todos reciben la misma.
footer-commitment = Todo el azar viene de una semilla secreta, que revelará la última carta. Su SHA-256: { $hash }
footer-seed = La semilla secreta de esta partida era { $seed }. "postrider verify" comprueba con ella la partida entera.

# Cartas que no tratan de ninguna partida.
notice-subject = Tu carta a { $club }
notice-subject-unasked = Una carta de { $club }
invitation-subject = { $name } te invita a jugar a { $game } (partida { $number })
club-invitation-subject = { $name } te invita a { $club }
seat-offer-subject = { $name } te ofrece una plaza en la partida { $number }: { $game }
notice-stranger = Esta dirección es de { $club }, que juega a juegos de mesa por correo electrónico. Tu dirección no se conoce aquí, así que tu carta no se leyó. Para unirte, escribe a { $moderator }.
notice-no-game = Tu carta no dice para qué partida es, así que no se hizo nada. Contesta por favor a la carta más reciente de esa partida: la respuesta lleva una marca que la nombra. Juegas:
notice-game = * { $game }
notice-no-games = Tu carta no es para ninguna partida, y por ahora no juegas ninguna.
notice-bad-token = La marca de tu carta, que nombra la partida y tu plaza, no vale (o ya no vale), así que no se hizo nada. Contesta por favor a la carta más reciente de esa partida.
notice-too-many = Llegaron tantas cartas de tu dirección que durante una hora no se contesta a más. Se guardan, pero escribe por favor al moderador si no las enviaste tú.
notice-too-many-refused = Se rechazaron tantas órdenes de tu dirección que durante un día no se envían más rechazos. Las órdenes que se pueden cumplir se cumplen igual. Escribe por favor al moderador si no las enviaste tú.

# A los jugadores.
restored = Hubo que restaurar el club desde sus copias, y puede haberse perdido una carta para ti, así que aquí está todo lo que puede haber dicho. Si nos has escrito y no ves nada de ello aquí, escríbelo por favor otra vez.

# Notas al moderador.
report-subject = { $club }: { $count ->
    [one] un asunto
   *[other] { $count } asuntos
  } para el moderador
report-quarantined = La carta { $file } fue a cuarentena: { $why }. Una respuesta con "letters show { $file }" la muestra, "help" dice qué se puede hacer con ella.
report-quarantined-more = { $count ->
    [one] Otra carta fue
   *[other] Otras { $count } cartas fueron
  } a cuarentena y { $count ->
    [one] no se nombra
   *[other] no se nombran
  } aquí. Una respuesta con "letters list" dice qué hay ahí.
report-broken-game = La partida { $number } no se puede seguir jugando: { $why }. Sus cartas van a cuarentena hasta que se arregle; todas las demás partidas siguen.
report-withheld = El servidor de correo no entrega una carta de { $folder }, de { $bytes ->
    [unknown] tamaño desconocido
   *[other] { $bytes } bytes
  }, { $when ->
    [unknown] que llegó en un momento desconocido
   *[other] que llegó el { $when }
  }: { $why }. Todas las demás se recogen, y esta se intenta otra vez. { $until ->
    [over] Ningún plazo la espera.
   *[other] Hay plazos que la esperan hasta el { $until }.
  } Quien lleve el servidor puede arreglarlo; o lee la carta ahí, y muévela a otra carpeta.
report-unreadable-file = Lo que se llama { $file } en el buzón de entrada no se puede leer: { $why }. Todas las demás cartas sí.
report-unread-more = { $count ->
    [one] Otra más
   *[other] { $count } más
  } como ella no se puede leer.
report-restored-lost = El club se restauró desde su diario. Cartas a estos no se habían enviado y no se pueden escribir otra vez: { $to }. Lo que pidieron, o se les pidió, hay que pedirlo otra vez.
report-failed-letter = No se pudo enviar una carta a { $to }: { $why }.
report-unworded = No se pudo escribir una carta a { $to }: { $why }. No se envía, y nada más la espera; lo que habría dicho se ha hecho igualmente. Su Message-ID habría sido { $id }.

# Respuestas a las órdenes de cualquier juego.
game-over = La partida ha terminado.
not-your-turn = No es tu turno: la partida espera a { $awaited }.
turn-was-over = Tu turno había terminado antes de esa línea.
turn-passed-on = Tu turno terminó antes de esta línea, así que no se hizo nada de la carta.
rewound-since = El moderador hizo volver atrás la partida después de la carta a la que contestaste. Mira por favor la nueva posición y ordena otra vez.
undone-since = { $who } deshizo la última jugada después de la carta a la que contestaste, así que la posición que viste ya no existe. Mira por favor la nueva y ordena otra vez.
overtaken = Algo que nombra esta orden ha cambiado desde la carta a la que contestaste. Mira por favor la nueva posición y ordena otra vez.
rewind-nowhere = No hay registro { $to } al que volver; el último es { $head }.

# Deshacer.
taken-back = { $who-is ->
    [you] Deshiciste lo que habías ordenado: la partida está como estaba después del registro { $to }.
   *[other] { $who } deshizo lo último que se ordenó: la partida está como estaba después del registro { $to }.
  }
undo-until = ¿Has cambiado de idea? Contesta "deshacer" antes del { $by } y de que juegue otra persona.
undo-yours = Deshecho: { $lines }. Tu tiempo sigue corriendo como si no hubieras ordenado.
undo-plans = Tus planes eran para lo que deshiciste, y se descartan.
undo-plans-of-others = Tus planes eran para la posición que deshizo { $who }, y se descartan.
undo-off = En esta partida las órdenes no se pueden deshacer con una palabra.
undo-over = La partida ha terminado, y sus cartas han mostrado lo que estaba oculto: no se puede deshacer nada.
undo-nothing = No hay órdenes tuyas que se puedan deshacer.
undo-done = Ya has deshecho tus órdenes, y no has ordenado nada desde entonces.
undo-absent = Lo último se hizo porque no había llegado ninguna orden tuya; eso no se puede deshacer.
undo-rewound = La partida volvió atrás desde entonces, y no has ordenado nada después.
undo-followed = Lo que ordenaste no se puede deshacer: { $who } ha jugado desde entonces.
undo-chance = Lo que ordenaste no se puede deshacer: decidió el azar.
undo-turned-up = Lo que ordenaste no se puede deshacer: ha mostrado lo que estaba oculto, como una carta o una acción de una mano.
undo-late = Las órdenes se pueden deshacer hasta { $time } después de cumplirse, y eso ya pasó.
undo-time-over = Tu tiempo para ese turno ya ha terminado, así que lo que ordenaste no se puede deshacer.
undo-forced = Lo último que se hizo era lo único legal, y se haría por ti otra vez.
undo-of-predecessor = Esas órdenes se dieron antes de que llegaras a esta plaza, y no te toca deshacerlas.
undo-often = Has deshecho tus órdenes de este turno { $count } veces, y cada vez se escribe a todos los demás; lo que vale ahora, vale.
undo-first = "deshacer" va encima de las órdenes que sustituyen a las que deshaces. No se hizo nada de tu carta.
undo-once = "deshacer" es solo para tus últimas órdenes; escríbelo una vez.
undo-instead = Escribe "votar retroceder" para pedir a los demás que se deshaga el último turno.
undo-instead-none = Tampoco hay votación sobre eso en esta partida; puedes preguntar al moderador.
undo-term = En esta partida un jugador puede deshacer sus últimas órdenes con "deshacer" hasta { $time } después, mientras nadie haya jugado y nada se haya descubierto con ellas.
undo-term-off = En esta partida las órdenes no se pueden deshacer con "deshacer".

# Acciones del moderador.
rewound = { $by ->
    [players] Por votación de los jugadores ({ $reason }) la partida volvió al registro { $to }.
   *[moderator] El moderador hizo volver la partida al registro { $to }: { $reason }
  }
ended-by-moderator = { $by ->
    [players] Por votación de los jugadores ({ $reason }) la partida terminó.
   *[moderator] El moderador terminó la partida: { $reason }
  }

# Planes.
heading-plans = Lo que has planeado, solo para tus ojos
plans-auto-forced = Lo único legal se hace por ti: al momento donde todos pueden ver que lo es, y si no en un momento antes de tu plazo que nadie puede prever. Sin plazo se te pregunta.
orders-secret = Nadie más puede saber que has ordenado esto, y vale desde ahora: { $lines }.
plans-auto-off = Lo único legal ya no se hace por ti.
plans-would-go = No queda ningún plan tuyo.
plans-kept = Tus planes están guardados.
plan-dropped = Descartado: { $plan }. { $why }
plan-quoted = "{ $plan }"
plan-unnamed = un plan
plan-unreadable = Este programa ya no entiende lo que estaba previsto.
plans-forgotten = Lo que habías planeado ya no está, con la posición para la que era.

cut-short = Lo que salió antes de la línea { $number } no se puede deshacer, así que tu carta se cumplió hasta ahí. Esa línea y lo que la sigue se dejaron fuera: { $line }
preview-open = Lo que viene después lo decide el azar, o lo que no puedes saber{ $line ->
    [0] .
   *[other] ; la línea { $line } y lo que la sigue no se juzgaron.
}
not-an-order = La línea { $number } se tomó como unas palabras para nosotros y no como una orden: { $line }
not-an-order-more = { $count ->
    [one] Otra línea se tomó así.
   *[other] Otras { $count } líneas se tomaron así.
  }
not-of-order = De la línea { $number } esto se tomó como unas palabras para nosotros y no para la orden: { $words }
below-thanks = Esta línea está junto a tus gracias, o debajo de ellas, donde ya no se lee nada, y sin embargo se lee como una para nosotros. Así que no se hizo nada. Escribe por favor todas las líneas para nosotros por encima de tus gracias y de tu nombre, y quita lo que no sea para nosotros.
line-after-talk = Esta línea está debajo de palabras para otros y puede ser de ellas, y puede ser una orden. Así que no se hizo nada.
line-doubt = Esto se lee como una pregunta, o como algo que quizás no se deba hacer, así que no se tomó como una orden.
line-doubt-how = Escribe lo que quieres que se haga y nada más. Para ver a qué llevaría, escribe "vista previa" delante; para decir algo a los demás, escribe "decir" delante.
held-back = Esto se lee como si tus órdenes debieran esperar, o como una pregunta sobre ellas. Así que no se hizo nada.
held-back-how = Para que se cumplan, envía solo esto:
line-to-send = { $line }
letter-means-two = "{ $letter }" puede ser más de una cosa aquí, así que no se hizo nada. Escribe la palabra entera, por favor.
did-you-mean = ¿Querías decir `{ $line }`?
two-orders = Sería una orden más de las que tiene tu turno, y solo se guardaría para más tarde. Una carta da una orden para un turno; si la buena es esta, envíala sola.
words-unsaid = Tomamos esta línea por conversación. Nadie más la ha leído.
words-say = Para decírselo a los demás, escribe: say { $line }
# Lo que alguien quizás pidió con sus propias palabras, con la línea que lo hace.
intent-offer = { $word ->
    [help] Para recibir la lista de órdenes, contesta con `{ $line }`.
    [rules] Para recibir las reglas, contesta con `{ $line }`.
    [vote] Para preguntar a los demás jugadores, contesta con `{ $line }`.
    [vacation] Para parar tus relojes mientras estás fuera, contesta con `{ $line }`, con tus propios días.
    [resign] Para dejar tu asiento, contesta con `{ $line }`. Preguntamos otra vez antes de que pase nada.
    [undo] Para retirar tus últimas órdenes, contesta con `{ $line }`.
    [games] Para ver todas las partidas, contesta con `{ $line }`.
    [leave] Para dejar el club, contesta con `{ $line }`. Preguntamos otra vez antes de que pase nada.
    [language] Para cambiar el idioma de tus cartas, contesta con `{ $line }`.
    [settings] Para ver y cambiar tus ajustes, contesta con `{ $line }`.
   *[other] ¿Es esto lo que quieres? Contesta con `{ $line }`.
  }
intent-offer-game = Para eso, escribe `{ $line }` en una respuesta a la carta más nueva de la partida.
language-how = Puedes recibir tus cartas en español: contesta con la línea "language es".
language-hint = { $how }
words-ask = Para preguntarnos, escribe una palabra sola: "estado" para ver de quién es el turno y cuánto tiempo queda, "jugadas" para lo que puedes hacer, "ayuda" para cómo se escriben las órdenes.

# El primer turno de alguien nuevo.
heading-lesson = Tu primer turno
lesson-sample = Responde con tus órdenes arriba del todo, una por línea. Por ejemplo:
lesson-line = { $line }
lesson-preview = Pon "vista previa" encima de tus órdenes para probarlas.
lesson-talk = Empieza una línea con "decir" para escribir a todos.
lesson-help = Responde "ayuda" para ver todas las órdenes, o "reglas" para las reglas. ¿Te atascas? Escribe a { $moderator }.

# La última carta de una partida.
heading-course = Cómo fueron las puntuaciones
heading-afterwards = Después
picture-alt-plot = Cómo fueron las puntuaciones. { $scores }
course-name = { $who }
course-at = Lo que habrían sido las puntuaciones si la partida hubiera terminado después del registro { $records }:
course-of = { $who-is ->
    [you] Tú
   *[other] { $who }
  }: { $scores }
longest-wait = La espera más larga fue de { $days ->
    [0] { $hours ->
        [one] una hora
       *[other] { $hours } horas
      }
    [one] un día
   *[other] { $days } días
  } ({ $who }), antes del registro { $seq }.
how-to-verify = Cualquiera puede comprobar esta partida: "postrider export { $number }" del moderador da un archivo de ella, y "postrider verify" con ese archivo juzga otra vez cada orden y todo el azar. La prueba de abajo es la misma en las cartas de todos los jugadores.
how-to-rematch = Para jugar otra vez en la misma mesa, contesta a esta carta con "revancha".
