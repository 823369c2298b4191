# Off the Rails: todas las frases del juego, con los términos de sus reglas en español.

## Términos

or-board-ours = la reconstrucción del club
or-north = norte
or-east = este
or-south = sur
or-west = oeste
# Vagoneta, mina y ficha son femeninas, y los colores lo son con ellas.
or-red = roja
or-yellow = amarilla
or-green = verde
or-blue = azul
or-white = blanca
or-black = negra
or-rock = roca
or-ruby = rubí
or-emerald = esmeralda
or-gold = oro
or-diamond = diamante
or-shape-straight = una recta
or-shape-corner = una esquina
or-shape-cross = un cruce en cruz
or-split-balanced = en dos montones de valor lo más parecido posible
or-split-together = con las rocas y las joyas de menos valor en un montón
or-split-alone = con la mejor joya y las de menos valor en un montón
or-mission-lines = Detrás de las líneas del enemigo
or-mission-bumper = Carros de parachoques
or-mission-diamonds = Los diamantes no son para siempre
or-mission-goblins = Duendes sucios
or-mission-collector = Coleccionista de gemas
or-mission-fingers = Dedos verdes
or-mission-head = Cara a cara
or-mission-robbery = Robo de joyas
or-mission-leader = Líder rojo
or-mission-spice = La sal de la vida
or-mission-gold = Hay oro en sus colinas

# Una vagoneta, y un número de cosas de una clase.
or-cart = { $who-is ->
    [you] tu vagoneta { $die }
   *[other] la vagoneta { $die } de { $who }
}
or-solo-cart = la vagoneta { $colour }
or-jewels = { $count ->
    [one] 1 { $jewel }
   *[other] { $count } { $jewel }{ $jewel ->
        [roca] s
        [esmeralda] s
        [oro] s
        [diamante] s
       *[other] es
    }
}
or-nothing = nada

## Sucesos

or-told-opened = El tablero es { $board }: { $sides }. Misiones a la vista: { $missions }.
or-side-of = { $who-is ->
    [you] tú juegas
   *[other] { $who } juega
} desde el { $side }
or-told-strewn = Cada casilla numerada de las cuatro minas recibe una joya.
or-told-deposit = Depósito: { $colour } { $number } ({ $square }) recibe { $jewels }.
or-told-laid = { $who-is ->
    [you] Colocas
   *[other] { $who } coloca
} { $shape } en { $square } ({ $ends }).
or-told-upgraded = { $who-is ->
    [you] Abres
   *[other] { $who } abre
} { $square } hacia el { $way }.
or-told-entered = Entra { $cart } por el { $side }, junto a { $place }, a velocidad { $speed }.
or-told-sped = Ahora { $cart } va a velocidad { $speed }.
or-told-moved = Avanza { $cart } por { $squares }.
or-told-moved-took = Avanza { $cart } por { $squares } y recoge { $jewels }.
or-told-took = Lo que recoge { $cart }: { $jewels }.
or-told-bumped = Se para { $cart } antes de { $square }. Ahí está { $other }, pero las vías no están conectadas.
or-told-collided = Colisión en { $square }: { $cart } choca con { $other }.
or-told-head-on = Colisión frontal en { $square }: { $cart } choca con { $other }.
or-told-cut = Las joyas de { $cart } se dividen en dos montones ocultos.
or-told-dropped = Lo que deja caer { $cart }: { $jewels }.
or-told-faces = Ahora { $cart } mira al { $way }.
or-told-left = Sale de la mina { $cart }, por el lado { $side }.
or-told-returned = Vuelve a la reserva { $cart }, porque no podía dejar la superficie.
or-told-derailed = DESCARRILA { $cart }{ $why }. { $held ->
    [0] Vuelve a la reserva.
   *[other] Todo lo que llevaba va a la bolsa, y la vagoneta vuelve a la reserva.
}
or-told-derailed-lost = DESCARRILA { $cart }{ $why }. Queda fuera de la partida.
or-why-no-track = , porque no hay vía en { $square }
or-why-closed = , porque la vía de { $square } no se abre hacia ella
or-why-centre = , porque { $square } es el centro de una mina
or-why-empty = , porque no llevaba nada cuando chocaron
or-why-over = , porque la partida ha terminado
or-why-unsaid = {""}
or-told-fell = Cae AL ABISMO { $cart }, con todo lo que llevaba. Queda fuera de la partida.
or-told-claimed = { $who-is ->
    [you] Reclamas
   *[other] { $who } reclama
} la misión { $mission }.
or-told-chasm-card = { $who-is ->
    [you] ¡Revelas
   *[other] ¡{ $who } revela
} la carta de abismo! Cada jugador tiene un turno más, y { $who-is ->
    [you] tú juegas
   *[other] { $who } juega
} el último. Después las minas se derrumban.
or-told-collapsed = Las minas se derrumban. Desde ahora salen fichas de abismo en lugar de depósitos.
or-told-sank = Una ficha de abismo { $colour } se traga { $square }.
or-told-discarded = Una ficha de abismo { $colour } no cabe en ningún sitio y se descarta.
or-told-reshuffled = Ha salido la carta de abismo. { $keeps ->
    [0] No hace nada y se vuelve a barajar.
   *[other] En este turno no se coloca ninguna ficha de abismo, y todo lo que ha salido se vuelve a barajar.
}
or-revealed = { $who-is ->
    [you] Tú
   *[other] { $who }
}: { $count ->
    [0] ninguna misión
   *[other] { $missions }
}. Fuera de la mina: { $jewels ->
    [0] nada
   *[other] { $pile }
}.
or-revealed-kind = { $count ->
    [one] 1 { $jewel }
   *[other] { $count } { $jewel }{ $jewel ->
        [roca] s
        [esmeralda] s
        [oro] s
        [diamante] s
       *[other] es
    }
}
or-revealed-split = { $who-is ->
    [you] Tus joyas
   *[other] Las joyas de { $who }
} se habrían dividido { $split }.
or-revealed-claims = { $who-is ->
    [you] Querías
   *[other] { $who } quería
} reclamar primero: { $missions }.
or-told-wish-split = Si chocan con una vagoneta tuya, tus joyas se dividen { $split }. Solo lo sabes tú.
or-told-wish-claim = Reclamas { $mission } antes que otras misiones. Solo lo sabes tú.
or-told-wish-chasm = Si tu ficha es { $colour }, va a { $square }.
or-told-wish-place = Colocas una ficha de abismo al final de este turno.
or-told-wish-none = No colocas ninguna ficha de abismo al final de este turno.
or-ended-carts = Fin de la partida: no queda ninguna vagoneta en el tablero.
or-ended-tokens = Fin de la partida: se ha colocado la última ficha de abismo.
or-ended-loss = Fin de la partida: derrota.
or-ended-partial = Fin de la partida: victoria parcial, con una joya de cada clase entregada.
or-ended-victory = Fin de la partida: victoria, con una joya de cada clase en su propio lado.
or-ended-major = Fin de la partida: victoria MAYOR, con dos o más de cada clase en sus propios lados.

## Órdenes posibles

or-choice-actions = { $count ->
    [0] No te quedan acciones en este turno.
    [one] Te queda 1 acción en este turno.
   *[other] Te quedan { $count } acciones en este turno.
}
or-choice-lay = { $line }: una recta o una esquina en cualquier casilla sin vía (quedan { $count })
or-choice-upgrade = { $line }: una salida más, en una de { $squares }
or-choice-enter = entrar { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
} { $place }: { $berths }
or-choice-move = mover { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
}: { $steps ->
    [one] 1 paso
   *[other] { $steps } pasos
}, primero a { $square }
or-choice-ram = mover { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
}: directa contra la vagoneta de { $square }
or-choice-derail = mover { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
} descarrilar: DESCARRILARÍA, porque la vía no sigue hasta { $square }
or-choice-fall = mover { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
} descarrilar: caería al abismo en { $square }
or-choice-out = mover { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
}: directa fuera de la mina
or-choice-place = abismo sí: coloca una ficha aunque no tengas ninguna vagoneta en el tablero
or-choice-chasm = abismo { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
} { $first }: una de { $squares }
or-choice-stop = parar: termina la partida aquí, con el grado alcanzado
or-choice-done = listo: las vagonetas que faltan se mueven solas, y tu turno termina
or-answers = { $count ->
    [one] escribe: { $lines }
   *[other] escribe una de: { $lines }
}

## Cómo se leyó una línea incompleta

or-default-take = Hay varias clases, así que { $cart } recoge la mejor: { $jewel }. Para otra, escribe por ejemplo "recoger rubí".
or-default-go = En el cruce { $square }, { $cart } va al { $way }. Para otro camino, escribe por ejemplo "seguir este", o una casilla más allá.
or-default-face = Parada en un cruce, { $cart } mira al { $way }. Para otra dirección, escribe por ejemplo "mirar este".
or-default-out = Desde la esquina { $square }, { $cart } sale por el { $way }. Para otro lado, escribe por ejemplo "fuera oeste".
or-unasked = En este camino no hace falta "{ $line }".
or-no-derail = Con esto no descarrila ninguna vagoneta tuya.
or-plan-next = En tu próximo turno: { $line }
or-plan-then = cuando se dividan las joyas: { $line }
or-plan-past = Era para una colisión que ya pasó.
or-not-taken = Por este camino no se recoge nada de { $jewel }.

## Líneas que no son órdenes

or-unreadable = No hemos entendido esta orden.
or-form-lay = una recta o una esquina, por las dos direcciones en que se abre
or-form-lay-two = dos acciones
or-form-upgrade = una salida más (recta o esquina > T > cruz)
or-form-enter = una vagoneta en tu lado, por columna o fila
or-form-enter-solo = una vagoneta en su propio lado, por columna o fila
or-form-speed = o: velocidad w 4, acelerar w
or-form-speed-solo = o: velocidad roja 4, acelerar roja
or-form-move = todas las vagonetas, solas; tu turno termina
or-form-move-cart = esta vagoneta; la otra después
or-form-move-cart-solo = esta vagoneta; las otras después
or-form-way = casillas, o direcciones (seguir este), donde puedas elegir; fuera oeste: por ese lado
or-form-move-take = qué joya
or-form-move-drop = qué cae, si choca con tu propia vagoneta
or-form-derail = deja que tu vagoneta descarrile o caiga al abismo; sin la palabra te preguntamos antes
or-form-move-face = hacia dónde mira, parada en un cruce
or-form-face = hacia dónde mira una vagoneta ya movida este turno
or-form-done = igual que mover
or-form-cut = el primero de dos montones, cuando se te pide
or-form-pick = o: elegir segundo, elegir cualquiera
or-form-split = cómo se dividen tus joyas si chocan contigo; o: dividir equilibrado, dividir mejor sola
or-form-next = se juega en tu próximo turno, todo en una línea (si envías varias, la primera legal); si ya no es legal, o descarrilaría una vagoneta tuya, la descartamos y te avisamos
or-form-claim = la misión que reclamas primero
or-form-chasm = dónde va tu ficha de abismo, por su color
or-form-chasm-yes = coloca una aunque no tengas vagoneta en el tablero
or-form-stop = termina la partida una vez alcanzado un grado
or-unknown-word = Aquí no entendemos "{ $word }".
or-no-square = "{ $word }" no es una casilla del tablero. Van de A1 a { $last }.
or-joined = En una línea, pon primero las acciones y al final, como mucho, un movimiento o "listo". Lo demás va en otras líneas.
or-next-past = Ese turno ya ha empezado o ya pasó.
or-next-what = Para tu próximo turno solo puedes planear acciones y movimientos, en una línea, como "siguiente: colocar D2 ne; mover".
or-leg-waits = Primero preguntamos al jugador con quien se choca. Pon cada vagoneta en una línea propia.
or-lay-range = Esas dos casillas no están en la misma fila ni columna.
or-lay-where = Falta la casilla.
or-lay-ends = Falta decir hacia dónde se abre la loseta de { $square }.
or-lay-differs = Una loseta que se abre a { $ends } es { $shape }. Para { $square } has escrito otra.
or-up-where = Falta la casilla.
or-up-which = La loseta de { $square } se puede abrir de más de una manera. Di cuál.
or-up-removes = La loseta de { $square } se abre a { $ends }. Una mejora nunca cierra una salida.
or-enter-which = No tienes ninguna vagoneta en la reserva, así que no puede entrar ninguna.
or-enter-either = Ahí podrían entrar vagonetas de varios lados. Di cuál quieres.
or-enter-where = "{ $word }" no es un lugar de tu lado.
or-enter-place = Falta decir por dónde entra la vagoneta.
or-speed-which = No tienes ninguna vagoneta en el tablero.
or-speed-what = Falta la nueva velocidad.
or-speed-same = La velocidad de { $cart } ya es { $speed }.
or-face-how = Falta decir qué vagoneta mira, y hacia dónde.
or-chasm-how = Falta decir qué color va a qué casilla.
or-claim-which = "{ $word }" no es una misión.
or-claim-none = Falta la misión.
or-split-how = Falta decir cómo se dividen tus joyas.
or-no-way = Desde { $square }, { $cart } no llega a { $to } en este movimiento.
or-place-by = un cruce desde el que seguir al { $way }
or-place-out = una salida de la mina
or-place-side = una salida por el { $side }
or-missed = En este movimiento, { $cart } no llega a { $place }.
or-way = iría por { $squares }
or-way-out = fuera por el { $side }
or-way-none = no llegaría a ninguna casilla

## Órdenes que piden confirmación

or-doubt-derail = Con esto DESCARRILARÍA { $cart }{ $why }. Si es lo que quieres, añade la palabra "descarrilar".
or-doubt-fall = Con esto caería AL ABISMO { $cart }. Si es lo que quieres, añade la palabra "descarrilar".
or-doubt-tile = Después de esto, { $cart } solo podría descarrilar en { $square }.
or-doubt-tile-how = si es lo que quieres, añade la palabra "descarrilar" a la línea
or-doubt-claim = Solo puedes reclamar una misión por turno. Con esto sería { $mission }, y ya no podrías reclamar { $lost }.

## Órdenes que una regla prohíbe

or-answer-first = El movimiento espera otra respuesta, o no puedes elegir esto.
or-not-asked = Ahora ningún movimiento espera esa respuesta.
or-no-actions = { $count ->
    [one] Solo tienes 1 acción por turno, y ya está hecha.
   *[other] Solo tienes { $count } acciones por turno, y ya están todas hechas.
}
or-actions-over = Ya se ha movido una vagoneta, así que en este turno no hay más acciones.
or-no-tiles = No quedan rectas ni esquinas. Cuando se mejora una, vuelve a estar libre.
or-no-junctions = No queda ninguna T. Las que están en el tablero aún pueden pasar a cruz.
or-centre = { $square } es el centro de una mina. Ahí no puede haber vía.
or-chasm-there = { $square } se ha derrumbado.
or-tiled = { $square } ya tiene vía.{ $open ->
    [0] {""}
   *[other] {" "}Se puede mejorar.
}
or-shape = Una loseta nueva es una recta o una esquina. Se abre en dos direcciones.
or-no-track = { $square } no tiene ninguna vía que mejorar.
or-under-cart = Hay una vagoneta en { $square }, así que esa loseta no se puede mejorar.
or-open-already = { $square } ya se abre en esa dirección.
or-not-yours = Esa vagoneta no es tuya.
or-cart-gone = No se puede: { $cart } está fuera de la partida.
or-on-board = No se puede: { $cart } ya está en el tablero.
or-not-on-board = No se puede: { $cart } no está en el tablero.
or-wrong-side = No se puede: { $cart } solo entra por el lado { $side }.
or-berth-taken = Ese lugar ya lo ocupa otra vagoneta.
or-speed-limit = No se puede: la velocidad de { $cart } va de { $least } a { $most }.
or-has-moved = No se puede: { $cart } ya se ha movido este turno.
or-no-facing = No se puede con { $cart }. Solo mira a otro lado una vagoneta que se ha parado en un cruce en este turno, y nunca hacia atrás.
or-useless = Eso no tiene ningún efecto en esta partida.
or-no-mission = { $claimable ->
    [0] { $mission } no se puede reclamar. Se otorga al final de la partida.
   *[other] { $mission } no está boca arriba, así que no se puede reclamar.
}
or-no-abyss = Las minas aún no se han derrumbado. Al final de este turno no se coloca ninguna ficha de abismo.
or-chasm-square = Una ficha de ese color no puede ir a { $square }.
or-must-place = Tienes una vagoneta en el tablero, así que tienes que colocar una ficha de abismo.
or-no-grade = Aún no has alcanzado ningún grado, así que la partida sigue.
or-squares = las más cercanas: { $squares }{ $more ->
    [0] {""}
   *[other] {" "}y { $more } más
}
or-squares-none = ahora no hay ninguna casilla para eso
or-lines = { $lines }
or-cross = es un cruce en cruz, que se abre en las cuatro direcciones
or-berths = en el { $side }, de { $first } a { $last }
or-your-carts = tus vagonetas: { $carts }
or-cart-supply = { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
} en la reserva
or-cart-surface = { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
} en la superficie (velocidad { $speed })
or-cart-on = { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
} en { $square } (mira al { $facing }, velocidad { $speed })
or-cart-lost = { $word ->
    [white] blanca
    [black] negra
    [red] roja
    [yellow] amarilla
    [green] verde
    [blue] azul
   *[other] { $word }
} fuera de la partida
or-missions-open = misiones por reclamar: { $missions }

## Partes de una puntuación

or-score-jewels = { $count ->
    [one] 1 { $jewel }
   *[other] { $count } { $jewel }{ $jewel ->
        [roca] s
        [esmeralda] s
        [oro] s
        [diamante] s
       *[other] es
    }
}
or-score-most-rubies = más rubíes
or-score-carts = { $count ->
    [one] 1 vagoneta en la reserva
   *[other] { $count } vagonetas en la reserva
}
or-score-missions = { $count ->
    [one] 1 misión
   *[other] { $count } misiones
}
or-score-goblins = Duendes sucios
or-score-delivered = { $count ->
    [one] 1 joya
   *[other] { $count } joyas
}
or-score-right-sets = { $count ->
    [one] 1 juego en sus propios lados
   *[other] { $count } juegos en sus propios lados
}
or-score-other-sets = { $count ->
    [one] 1 juego de otro modo
   *[other] { $count } juegos de otro modo
}

## Errores en una definición

or-fault-edition = Nuestras decisiones tienen dos ediciones: 1 y 2.
or-fault-size = Un tablero tiene de 3 a { $most } columnas y filas, no { $count }.
or-fault-no-mine = No hay mina { $colour }.
or-fault-eight = La mina { $colour } necesita 8 casillas y 8 cantidades de joyas.
or-fault-off-board = { $square }, de la mina { $colour }, no está en el tablero.
or-fault-two-on-square = { $square }, de la mina { $colour }, ya pertenece a una mina.
or-fault-sides = Cada uno de los cuatro lados necesita un color propio.
or-fault-home = Cada uno de los cuatro colores necesita una clase de joya propia, y rocas no.
or-fault-players = La tabla "{ $what }" no tiene entrada para { $seats } jugadores.
or-fault-speed = Las velocidades van de 1 como mínimo a 9 como máximo. La primera debe estar entre ellas.
or-fault-hold = Una vagoneta lleva de 1 a 9 joyas.
or-fault-actions = Un turno tiene 9 acciones como máximo.
or-fault-bag = En la bolsa caben 255 fichas como máximo.
or-fault-values = Las rocas no pueden valer nada.
or-fault-length = Un mazo tiene de 2 a 6 cartas de cada color, no { $count }.
or-fault-missions = A la vista puede haber 9 misiones como máximo.
or-fault-tokens = Hay de 1 a 7 fichas de abismo de cada color.
or-fault-solo-jewels = El juego en solitario reparte 32 joyas de la bolsa, y ninguna roca.
or-fault-solo-tokens = El juego en solitario tiene de 1 a 32 fichas de abismo, y no menos que sus primeras cartas.
or-fault-wish = "{ $word }" no es un lado. Nombra north, east, south o west para cada plaza, con comas entre ellos.

# Los encabezados de este juego.
heading-private-off-the-rails = Órdenes fijas (solo las ves tú)

## La imagen del tablero

or-picture-chasm = abismo
or-picture-cart = vagoneta con rumbo y velocidad
or-picture-new = lo último

## La posición en palabras: una fila para cada tema, con frases cortas

# Junto a la imagen: las casillas con más joyas de las que puede mostrar.
or-brief-crowded = Casillas repletas: { $squares }.
# Un jugador junto a la imagen.
or-brief-player = { $points ->
    [one] 1 punto
   *[other] { $points } puntos
}, { $way }.

or-row-turn = { $who-is ->
    [you] Es tu turno. Te quedan { $count } de { $all } acciones.
   *[other] Le toca a { $who }. Le quedan { $count } de { $all } acciones.
}
or-row-over = La partida ha terminado.
or-row-moved = Ya movidas en este turno: { $carts }.
or-row-waits = Hay un movimiento a medias, el de { $cart }. { $who-is ->
    [you] Falta tu respuesta.
   *[other] Falta la respuesta de { $who }.
}
or-row-last-round = Ha salido la carta de abismo. Estos son los últimos turnos antes del derrumbe. { $who-is ->
    [you] Tú juegas
   *[other] { $who } juega
} el último.
or-row-abyss = El abismo está abierto. Salen fichas de abismo en lugar de depósitos.
or-row-cart = { $who-is ->
    [you] Tu vagoneta { $die }
   *[other] { $who }, vagoneta { $die }
}
or-row-solo-cart = La vagoneta { $colour }
or-row-on-track = { $square }, mira al { $way }, velocidad { $speed }.{ $new ->
    [0] {""}
   *[other] {" "}Nuevo.
}
or-row-on-surface = En la superficie junto a { $square }, mira al { $way }, velocidad { $speed }.{ $new ->
    [0] {""}
   *[other] {" "}Nuevo.
}
or-row-holds = Lleva { $jewels }.
or-row-ahead-gap = { $count ->
    [0] Delante, { $square } no tiene vía.
   *[other] Delante: { $squares }. Luego, { $square } no tiene vía.
}
or-row-ahead-closed = { $count ->
    [0] Delante, la vía de { $square } no se abre hacia ella.
   *[other] Delante: { $squares }. Luego, la vía de { $square } no se abre hacia ella.
}
or-row-ahead-centre = { $count ->
    [0] Delante, { $square } es el centro de una mina.
   *[other] Delante: { $squares }. Luego, { $square } es el centro de una mina.
}
or-row-ahead-chasm = { $count ->
    [0] Delante, { $square } es abismo.
   *[other] Delante: { $squares }. Luego, { $square } es abismo.
}
or-row-ahead-cart = { $count ->
    [0] Delante, en { $square } está { $cart }.
   *[other] Delante: { $squares }. Luego, en { $square } está { $cart }.
}
or-row-ahead-junction = { $count ->
    [0] Delante, { $square } es un cruce: sigue al { $ways }.
   *[other] Delante: { $squares }. Luego, { $square } es un cruce: sigue al { $ways }.
}
or-row-ahead-on = Delante: { $squares }, y sigue.
or-row-ahead-out = { $count ->
    [0] Al próximo paso sale de la mina, por el { $way }.
   *[other] Delante: { $squares }. Luego sale de la mina, por el { $way }.
}
or-row-other-carts = Otras vagonetas
or-row-in-supply = En la reserva: { $carts }.
or-row-gone = Fuera de la partida: { $carts }.
or-row-player = { $who-is ->
    [you] Tú
   *[other] { $who }
}
or-row-player-side = { $points ->
    [one] 1 punto
   *[other] { $points } puntos
} ahora. Capa de superficie: { $way } ({ $colour }).
or-row-changed = Acaba de cambiar.
or-row-pile = Fuera de la mina: { $jewels }.
or-row-claimed = Misiones reclamadas: { $missions }.
or-row-side = { $way } ({ $colour })
or-row-side-name = La capa de superficie del { $way } ({ $colour })
or-row-home = Aquí va: { $jewel }. Entregado aquí: { $jewels }.
or-row-missions = Misiones a la vista
or-row-open = { $count ->
    [0] No queda ninguna.
   *[other] { $missions }.
}
or-row-mine = La mina { $colour }
or-row-mine-jewels = { $count ->
    [0] Aquí no hay joyas.
   *[other] Aquí hay: { $squares }.
}
or-row-mine-squares = La mina { $colour }: en su centro, { $centre }, no puede haber vía. Sus casillas 1 a 8 son { $squares }.
or-row-lying = { $square } ({ $jewels }{ $new ->
    [0] {""}
   *[other] , nuevo
})
or-row-jewels = Otras joyas
or-row-outside = Fuera de las minas hay: { $squares }.
or-row-chasm = Abismo
or-row-sunk = { $square }{ $new ->
    [0] {""}
   *[other] {" "}(nueva)
}
or-row-sunk-of = De la mina { $colour }: { $squares }. { $count ->
    [0] No le queda ninguna ficha.
    [one] Le queda 1 ficha.
   *[other] Le quedan { $count } fichas.
}
or-row-sunk-solo = De la mina { $colour }: { $squares }.
or-row-track = Vía
or-row-no-track = Aún no hay ninguna.
or-row-track-key = Cada casilla con las direcciones en que se abre su vía: n norte, e este, s sur, w oeste.
or-row-tiles = { $tiles }.
or-row-tile = { $square } { $ends }{ $new ->
    [0] {""}
   *[other] {" "}(nueva)
}
or-row-left = Lo que queda
or-row-tiles-left = Losetas: { $simple ->
    [one] 1 recta o esquina
   *[other] { $simple } rectas o esquinas
}, { $junctions ->
    [one] 1 cruce
   *[other] { $junctions } cruces
}.
or-row-tokens-left = Fichas de abismo: { $count }.
or-row-bag = En la bolsa: { $count } ({ $jewels }).
or-row-deck = Cartas de depósito robadas: { $drawn } de { $count }.
or-row-grade-loss = Aún no se ha alcanzado ningún grado.
or-row-grade-partial = Hasta ahora se ha alcanzado una victoria parcial.
or-row-grade-victory = Hasta ahora se ha alcanzado una victoria.
or-row-grade-major = Hasta ahora se ha alcanzado una victoria mayor.
or-row-board = El tablero
or-row-squares = Columnas A a { $last } desde el oeste, filas 1 a { $rows } desde el norte. Capas de superficie: { $sides }.
or-row-own-split = Si chocan con una vagoneta tuya, tus joyas se dividen { $split }.
or-row-own-claims = Reclamas primero: { $missions }.
or-row-own-chasm = Tu ficha de abismo va: { $squares }. Cualquier otro color va al azar.
or-row-own-square = { $colour } a { $square }
or-row-own-places = Colocas una ficha de abismo al final de este turno, en una casilla al azar.
or-row-own-none = No tienes órdenes fijas.

## Etiquetas de las líneas sugeridas

or-tap-answer = Tu respuesta
or-tap-cut-even = Dividir en montones de valor parecido
or-tap-cut-uneven = Dividir en montones de valor distinto
or-tap-turn = Un turno entero
or-tap-move = Solo mover (tu turno termina)
or-tap-step = Un paso (tu turno sigue)
or-tap-chasm = Dónde se abre un abismo
or-tap-claim = Reclamar primero
or-tap-stop = Terminar la partida
or-tap-lost = Una vagoneta parece perdida
