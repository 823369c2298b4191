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
subject-over = [{ $name } { $number }] Fin: { $you ->
    [alone] has ganado
    [among] compartes la victoria
   *[no] { $count ->
        [0] no ha ganado nadie
        [one] ha ganado { $who }
       *[other] { $count } comparten la victoria
    }
  }

# Las primeras líneas de una carta.
welcome = ¡Empieza la partida { $number } de { $club }! Jugáis a { $game }: { $players }.
orders-accepted = Hecho: hemos cumplido tus órdenes.
orders-refused = No hemos podido cumplir tus órdenes. No ha cambiado nada.
no-order-found = No hemos encontrado ninguna orden en tu correo, así que no ha cambiado nada.
preview-accepted = Esto es una vista previa y no hemos hecho nada. Para jugar estas órdenes, envíalas sin "vista previa".
preview-refused = Esto es una vista previa. No podríamos cumplir estas órdenes.
letter-repeated = Este correo tuyo ya nos llegó el { $at }, y entonces lo atendimos. No hemos hecho nada dos veces.
nothing-written = No hemos encontrado ninguna orden en tu correo. Escribe tus órdenes al principio de tu respuesta, una por línea. El texto citado no lo leemos.
letter-unread = No hemos leído tu correo: { $why } No ha cambiado nada.
unread-encrypted = está cifrado, o firmado de una forma que oculta su texto. Desactiva eso para esta dirección y envíalo otra vez, por favor.
unread-too-many-lines = tiene más de 200 líneas. Envía solo las órdenes, por favor.
unread-long-line = la línea { $number } tiene más de 500 caracteres. Pon cada orden en su propia línea, por favor.
reminder = { $days ->
    [0] La partida te espera.
    [one] La partida te espera desde hace un día.
   *[other] La partida te espera desde hace { $days } días.
  } No seguirá hasta que escribas.
turn-yours = Es tu turno.
lead-yours = Es tu turno. Tienes hasta el { $by }.
lead-overdue = Es tu turno. Tu plazo terminó el { $by }.
lead-others = Es el turno de { $who }. Plazo: { $by }.
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
heading-refused = Qué ha fallado
heading-preview = Qué harían tus órdenes
heading-beginning = Cómo ha empezado
heading-setup = Cómo se ha preparado la partida
heading-news = Desde tu último correo
heading-more-news = Qué más ha pasado
heading-standings = El resultado
heading-revealed = Qué tenía cada jugador
heading-board = El tablero
heading-board-previewed = El tablero tras estas órdenes
# El texto que sustituye a la imagen del tablero. $rows es lo que la carta muestra a su lado.
picture-alt = El tablero. { $rows } Contesta "tablero" para recibirlo entero en palabras, o "cartas imagen desactivada" para recibirlo así en cada correo.
heading-public = La mesa
heading-private = Lo tuyo (solo lo ves tú)
heading-deadline = El plazo
heading-choices = Qué puedes hacer
choices-all = Todas las órdenes legales
heading-history = La partida hasta ahora
heading-rules = Las reglas
heading-help = Cómo se escriben las órdenes
heading-house = Cómo se juega por correo

order-form = { $line } - { $does }
refused-line = Línea { $number } de tu correo: { $line }
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

footer-how = Contesta con tus órdenes al principio. Escribe "ayuda" para ver las órdenes, o "vista previa" encima de ellas para probarlas sin jugarlas.
footer-place = Partida { $number }, jugada { $seq }, comprobación { $chain }.
footer-proof = La comprobación abarca todas las jugadas hasta ahora. Es la misma para todos.
footer-commitment = Todo el azar sale de una semilla secreta, que te enseñaremos en el último correo. Su SHA-256: { $hash }
footer-seed = La semilla secreta de esta partida era { $seed }. Con ella, "postrider verify" comprueba la partida entera.

# Cartas que no tratan de ninguna partida.
notice-subject = Tu correo a { $club }
notice-subject-unasked = Un correo de { $club }
invitation-subject = { $name } te invita a jugar a { $game } (partida { $number })
club-invitation-subject = { $name } te invita a { $club }
seat-offer-subject = { $name } te ofrece una plaza en la partida { $number }: { $game }
notice-stranger = Esta dirección es de { $club }, un club de juegos de mesa por correo electrónico. No conocemos tu dirección, así que no hemos leído tu correo. Si quieres unirte, escribe a { $moderator }.
notice-no-game = Tu correo no dice para qué partida es, así que no hemos hecho nada. Contesta al correo más reciente de esa partida, por favor. Su dirección secreta de respuesta nos dice cuál es. Juegas:
notice-game = * { $game }
notice-no-games = Tu correo no es para ninguna partida, y ahora mismo no juegas ninguna.
notice-bad-token = La dirección secreta de respuesta que has usado no vale, o ya no vale, así que no hemos hecho nada. Contesta al correo más reciente de esa partida, por favor.
notice-too-many = Nos han llegado tantos correos de tu dirección que no contestaremos a más durante una hora. Los guardamos. Si no los has enviado tú, escribe al moderador, por favor.
notice-too-many-refused = Hemos rechazado tantas órdenes de tu dirección que no te avisaremos de más rechazos durante un día. Las órdenes que se puedan cumplir las seguimos cumpliendo. Si no las has enviado tú, escribe al moderador, por favor.

# A los jugadores.
restored = Hemos tenido que restaurar el club desde sus copias, y puede que se haya perdido un correo para ti. Aquí tienes todo lo que pudo decir. Si nos has escrito y no ves nada de eso aquí, escríbelo otra vez, por favor.

# Notas al moderador.
report-subject = { $club }: { $count ->
    [one] un asunto
   *[other] { $count } asuntos
  } para el moderador
report-quarantined = El correo { $file } está en cuarentena: { $why }. Contesta "letters show { $file }" para verlo, o "help" para saber qué puedes hacer con él.
report-quarantined-more = { $count ->
    [one] Hay otro correo
   *[other] Hay otros { $count } correos
  } en cuarentena que no { $count ->
    [one] se nombra
   *[other] se nombran
  } aquí. Contesta "letters list" para ver la lista.
report-broken-game = La partida { $number } no puede seguir: { $why }. Sus correos van a cuarentena hasta que se arregle. Las demás partidas siguen.
report-withheld = El servidor de correo no nos entrega un correo de { $folder }, de { $bytes ->
    [unknown] tamaño desconocido
   *[other] { $bytes } bytes
  }, { $when ->
    [unknown] que llegó en un momento desconocido
   *[other] que llegó el { $when }
  }: { $why }. Todos los demás los recogemos, y este lo seguimos intentando. { $until ->
    [over] Ningún plazo lo espera.
   *[other] Hay plazos que lo esperan hasta el { $until }.
  } Puede arreglarlo quien lleve el servidor. También puedes leer el correo ahí y moverlo a otra carpeta.
report-unreadable-file = No podemos leer { $file } en el buzón de entrada: { $why }. Todos los demás correos sí.
report-unread-more = Y { $count ->
    [one] otro más que tampoco podemos leer.
   *[other] otros { $count } que tampoco podemos leer.
  }
report-restored-lost = Hemos restaurado el club desde su diario. Había correos sin enviar que no podemos escribir otra vez, para: { $to }. Lo que esas personas pidieron, o lo que se les preguntó, hay que pedirlo otra vez.
report-failed-letter = No hemos podido enviar un correo a { $to }: { $why }.
report-unworded = No hemos podido escribir un correo a { $to }: { $why }. No se envía, y todo lo demás sigue. Lo que iba a contar está hecho de todos modos. Su Message-ID habría sido { $id }.

# Respuestas a las órdenes de cualquier juego.
game-over = La partida ha terminado.
not-your-turn = No es tu turno. La partida espera a { $awaited }.
turn-was-over = Tu turno ya había terminado antes de esta línea.
turn-passed-on = Tu turno ya había terminado antes de esta línea, así que no hemos hecho nada de lo que pide tu correo.
rewound-since = El moderador hizo retroceder la partida después del correo al que has contestado. Mira la nueva posición y envía tus órdenes otra vez, por favor.
undone-since = { $who } deshizo la última jugada después del correo al que has contestado, así que la posición ha cambiado. Mira la nueva y envía tus órdenes otra vez, por favor.
overtaken = Algo de esta orden ha cambiado desde el correo al que has contestado. Mira la nueva posición y envía tus órdenes otra vez, por favor.
rewind-nowhere = La partida no puede retroceder a la jugada { $to }, porque no existe. La última es la { $head }.

# Deshacer.
taken-back = { $who-is ->
    [you] Has deshecho tus últimas órdenes. La partida está otra vez como después de la jugada { $to }.
   *[other] { $who } ha deshecho sus últimas órdenes. La partida está otra vez como después de la jugada { $to }.
  }
undo-until = Puedes deshacerlo hasta el { $by }, si nadie juega antes.
undo-yours = Deshecho: { $lines }. Tu tiempo sigue corriendo como si no hubieras enviado órdenes.
undo-plans = Hemos descartado tus planes guardados, porque eran para lo que has deshecho.
undo-plans-of-others = Hemos descartado tus planes guardados, porque eran para la posición que ha deshecho { $who }.
undo-off = En esta partida no puedes deshacer tus órdenes.
undo-over = La partida ha terminado y sus correos ya han mostrado lo que estaba oculto, así que no se puede deshacer nada.
undo-nothing = No hay órdenes tuyas que deshacer.
undo-done = Ya has deshecho tus órdenes, y desde entonces no has enviado otras.
undo-absent = La última jugada la hicimos por ti, porque no había llegado ninguna orden tuya. Eso no se puede deshacer.
undo-rewound = La partida ha retrocedido desde entonces, y después no has enviado órdenes.
undo-followed = Ya no puedes deshacer tus órdenes: { $who } ha jugado después.
undo-chance = No puedes deshacer tus órdenes, porque ha intervenido el azar.
undo-turned-up = No puedes deshacer tus órdenes, porque han mostrado algo oculto, como una carta o una acción de una mano.
undo-late = Las órdenes se pueden deshacer hasta { $time } después de cumplirse, y ese tiempo ya ha pasado.
undo-time-over = Tu tiempo para ese turno ya ha terminado, así que no puedes deshacer tus órdenes.
undo-forced = Tu última jugada era la única legal, y la haríamos por ti otra vez.
undo-of-predecessor = Esas órdenes se dieron antes de que ocuparas esta plaza, así que no puedes deshacerlas.
undo-often = Ya has deshecho tus órdenes de este turno { $count } veces, y cada vez hemos escrito a todos los demás. Tus últimas órdenes se quedan como están.
undo-first = Escribe "deshacer" encima de tus órdenes nuevas. No hemos hecho nada de lo que pide tu correo.
undo-once = "deshacer" solo vale para tus últimas órdenes. Escríbelo una sola vez.
undo-instead = Escribe "votar retroceder" para proponer a los demás que se deshaga el último turno.
undo-instead-none = En esta partida tampoco se vota sobre eso, pero puedes preguntar al moderador.
undo-term = En esta partida puedes deshacer tus últimas órdenes con "deshacer" hasta { $time } después, si nadie ha jugado desde entonces y tus órdenes no han mostrado nada oculto.
undo-term-off = En esta partida no puedes usar "deshacer".

# Acciones del moderador.
rewound = { $by ->
    [players] Los jugadores han votado ({ $reason }) que la partida retroceda a la jugada { $to }.
   *[moderator] El moderador ha hecho retroceder la partida a la jugada { $to }: { $reason }
  }
ended-by-moderator = { $by ->
    [players] Los jugadores han votado ({ $reason }) terminar la partida.
    [club] Hemos terminado la partida: { $reason }
   *[moderator] El moderador ha terminado la partida: { $reason }
  }

# Planes.
heading-plans = Tus planes guardados (solo los ves tú)
plans-auto-forced = Si solo tienes una orden legal, la damos por ti. Lo hacemos enseguida si todos pueden ver que es la única. Si no, lo hacemos antes de tu plazo, en un momento que nadie puede prever. Sin plazo, te preguntamos.
orders-sealed = Nadie verá tus órdenes antes de que todos hayan dado las suyas. Hasta entonces puedes enviar otras, o escribir "deshacer".
orders-secret = Nadie más puede saber que has dado esta orden. Vale desde ahora: { $lines }.
plans-auto-off = Ya no damos por ti la única orden legal.
plans-would-go = No te quedaría ningún plan guardado.
plans-kept = Hemos guardado tus planes.
plan-dropped = Descartado: { $plan }. { $why }
plan-quoted = "{ $plan }"
plan-unnamed = un plan
plan-unreadable = El programa ya no entiende este plan.
plans-forgotten = Hemos descartado tus planes guardados, porque eran para una posición que ya no existe.

cut-short = Lo que ha salido a la luz antes de la línea { $number } no se puede deshacer, así que hemos cumplido tu correo hasta ahí. Hemos omitido esa línea y las siguientes: { $line }
preview-open = Lo que viene después depende del azar, o de algo que no puedes saber{ $line ->
    [0] .
   *[other] . No hemos mirado la línea { $line } ni las siguientes.
}
not-an-order = Hemos tomado la línea { $number } por unas palabras para nosotros, no por una orden: { $line }
not-an-order-more = { $count ->
    [one] Y otra línea más.
   *[other] Y otras { $count } líneas más.
  }
not-of-order = En la línea { $number } no hemos tomado estas palabras por parte de la orden: { $words }
below-thanks = Esta línea parece para nosotros, pero está junto a tus gracias o debajo, donde ya no leemos. No hemos hecho nada. Escribe todo lo que es para nosotros encima de tus gracias y de tu nombre, y quita lo demás, por favor.
line-after-talk = Esta línea está debajo de un mensaje para otros. Puede ser parte de él, o puede ser una orden, así que no hemos hecho nada.
line-doubt = Esto parece una pregunta o una duda, así que no lo hemos tomado por una orden.
line-doubt-how = Escribe solo lo que quieres hacer. Para probarlo antes, escribe "vista previa" delante. Para decir algo a los demás, empieza la línea con "decir".
held-back = Aquí parece que tus órdenes deben esperar, o que preguntas algo sobre ellas. No hemos hecho nada.
held-back-how = Para que las cumplamos, envía solo esto:
line-to-send = { $line }
letter-means-two = "{ $letter }" puede ser aquí más de una cosa, así que no hemos hecho nada. Escribe la palabra entera, por favor.
did-you-mean = ¿Querías decir `{ $line }`?
two-orders = Es una orden más de las que tiene tu turno, y solo la guardaríamos para más tarde. En un correo cabe una orden por turno. Si la buena es esta, envíala sola.
words-unsaid = Hemos tomado esta línea por conversación. No la ha leído nadie más.
words-say = Para decírselo a los demás, escribe: say { $line }
# Lo que alguien quizás pidió con sus propias palabras, con la línea que lo hace.
intent-offer = { $word ->
    [help] Para ver la lista de órdenes, contesta `{ $line }`.
    [rules] Para ver las reglas, contesta `{ $line }`.
    [vote] Para proponerlo a los demás jugadores, contesta `{ $line }`.
    [vacation] Para parar tus relojes mientras estás fuera, contesta `{ $line }` con tus propias fechas.
    [resign] Para dejar tu plaza, contesta `{ $line }`. Antes de hacer nada te pediremos que lo confirmes.
    [undo] Para deshacer tus últimas órdenes, contesta `{ $line }`.
    [games] Para ver todas las partidas, contesta `{ $line }`.
    [leave] Para dejar el club, contesta `{ $line }`. Antes de hacer nada te pediremos que lo confirmes.
    [language] Para cambiar el idioma de tus correos, contesta `{ $line }`.
    [settings] Para ver y cambiar tus ajustes, contesta `{ $line }`.
   *[other] ¿Es esto lo que quieres? Contesta `{ $line }`.
  }
intent-offer-game = Para eso, contesta `{ $line }` al correo más reciente de la partida.
language-how = Puedes recibir tus correos en español. Contesta "language es".
language-hint = { $how }
words-ask = Para preguntarnos algo, escribe una palabra sola. "estado" dice de quién es el turno y cuánto tiempo queda, "jugadas" dice qué puedes hacer y "ayuda" dice cómo se escriben las órdenes.

# El primer turno de alguien nuevo.
heading-lesson = Tu primer turno
lesson-sample = Contesta con tus órdenes al principio, una por línea. Por ejemplo:
lesson-line = { $line }
lesson-preview = Escribe "vista previa" encima de tus órdenes para probarlas sin jugarlas.
lesson-talk = Empieza una línea con "decir" para escribir a todos.
lesson-help = Contesta "ayuda" para ver todas las órdenes, o "reglas" para leer las reglas. ¿No sabes seguir? Escribe a { $moderator }.

# La última carta de una partida.
heading-course = Cómo han ido las puntuaciones
heading-afterwards = Después
picture-alt-plot = Cómo han ido las puntuaciones. { $scores }
course-name = { $who }
course-at = Puntuaciones si la partida hubiera terminado después de la jugada { $records }:
course-of = { $who-is ->
    [you] Tú
   *[other] { $who }
  }: { $scores }
longest-wait = La espera más larga: { $who }, { $days ->
    [0] { $hours ->
        [one] una hora
       *[other] { $hours } horas
      }
    [one] un día
   *[other] { $days } días
  }, antes de la jugada { $seq }.
how-to-verify = Cualquiera puede comprobar esta partida. El moderador te puede dar el archivo que crea "postrider export { $number }". Con ese archivo, "postrider verify" repasa todas las órdenes y todo el azar. La comprobación de abajo es la misma en los correos de todos los jugadores.
how-to-rematch = ¿Otra partida con los mismos jugadores? Contesta "revancha".
how-to-record = Para registrar esta partida, usa este enlace:
