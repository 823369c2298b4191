# Paris Connection: todas las frases del juego.

## Términos

pc-map-ours = Francia (reconstrucción propia)
pc-blue = azul
pc-yellow = amarillo
pc-red = rojo
pc-purple = púrpura
pc-black = negro
pc-brown = marrón

# Un hexágono con su ciudad, y un número de piezas de un color.
pc-city = { $hex } { $city } ({ $value })
pc-counted = { $count } de { $colour }

## Sucesos

pc-started = El mapa es { $map }. Las primeras locomotoras están en sus estaciones: { $starts }.
pc-start = { $colour } en { $hex } ({ $station })
pc-dealt = { $count ->
    [one] Cada jugador roba 1 acción de la bolsa. Las demás locomotoras van a la reserva.
   *[other] Cada jugador roba { $count } acciones de la bolsa. Las demás locomotoras van a la reserva.
}
pc-your-hand = Tus acciones: { $shares }. Nadie más las conoce.
pc-first = { $who-is ->
    [you] Empiezas tú.
   *[other] Empieza { $who }.
}
pc-built = { $who-is ->
    [you] Construyes
   *[other] { $who } construye
} { $colour } en { $hexes }.{ $gained ->
    [0] {""}
   *[other] {" "}Cada acción de { $colour } gana { $gained }.
}
pc-traded = { $who-is ->
    [you] Devuelves
   *[other] { $who } devuelve
} 1 acción de { $give } y { $who-is ->
    [you] tomas
   *[other] toma
} { $count } de { $take }.
pc-revealed = { $who-is ->
    [you] Tienes
   *[other] { $who } tiene
} { $shares }. { $who-is ->
    [you] Te repartieron
   *[other] Le repartieron
} { $dealt }.
pc-ended-marseille = Fin de la partida: hay una locomotora en { $city }.
pc-ended-boards = Fin de la partida: en la reserva solo quedan locomotoras de un color.
pc-ended-stalled = { $count ->
    [one] Fin de la partida: 1 cambio sin construir.
   *[other] Fin de la partida: { $count } cambios seguidos sin construir.
}

## Órdenes posibles

pc-choice-build = construir { $word ->
    [blue] azul
    [yellow] amarillo
    [red] rojo
    [purple] púrpura
    [black] negro
    [brown] marrón
   *[other] { $word }
} (hasta { $most }; { $left } en reserva), primero en uno de: { $hexes }
pc-choice-trade = cambiar 1 acción tuya ({ $held }) por 1 o 2 de otra compañía; en reserva hay { $boards }

## Cómo se leyó una línea incompleta

pc-rest-stays = La partida termina con esa locomotora, así que no colocas { $colour } en { $hexes }.
pc-took-one = Falta el número, así que tomas 1 acción de { $colour }. Para dos, escribe "{ $line }".

## Líneas que no son órdenes

pc-unreadable = No hemos leído aquí ni una construcción ni un cambio.
pc-form-build = de 1 a { $most } locomotoras de un color, cada una junto a otra de ese color, en el orden de colocación
pc-form-trade = devuelve 1 acción, toma 1 o 2 de otra compañía
pc-form-next = se hace en tu turno; de varias, la primera legal; si ya no lo es, la descartamos y te avisamos
pc-colour-missing = Falta el color.
pc-no-colour = "{ $word }" no es un color.
pc-two-colours = "{ $word }" podría ser más de un color.
pc-colours = escribe { $colours }
pc-colour-by = { $word ->
    [blue] azul
    [yellow] amarillo
    [red] rojo
    [purple] púrpura
    [black] negro
    [brown] marrón
   *[other] { $word }
} ({ $letter })
pc-no-number = "{ $word }" no es un número de locomotoras ni de acciones.
pc-asked = Esto es una pregunta, así que no hemos hecho nada. Para que sea una orden, quita el signo de interrogación.
pc-or = La línea deja abierta la elección ("o"). Escribe solo lo que quieres.
pc-which = La línea se puede leer de más de una manera.
pc-gap = { $from } y { $to } no se tocan. Nombra cada hexágono del camino.
pc-write = escribe "{ $line }"
pc-colours-mixed = Una construcción es de un solo color. Has escrito { $colours }.
pc-hexes-missing = Falta decir dónde colocar { $colour }.
pc-count-differs = Has anunciado { $announced } y has nombrado { $count ->
    [one] 1 hexágono
   *[other] { $count } hexágonos
}.
pc-no-place = "{ $word }" no es un hexágono ni una ciudad del mapa.
pc-perhaps = quizás { $places }
pc-too-long = El cambio ya está completo antes de "{ $word }". Quita lo que sobra.

## Órdenes que una regla prohíbe

pc-nothing-begun = No hay ninguna construcción que parar. Cada construcción termina con su línea.
pc-too-many = Puedes construir { $most } locomotoras como máximo, y has nombrado { $count ->
    [one] 1 hexágono
   *[other] { $count } hexágonos
}.
pc-no-more = { $count ->
    [one] Después de 1 locomotora,
   *[other] Después de { $count } locomotoras,
} { $colour } no puede seguir, y has nombrado { $named } hexágonos.
pc-board-empty = No quedan locomotoras de { $colour } en la reserva.
pc-stocked = en reserva: { $boards }
pc-eiffel = { $hex } es la torre Eiffel. Ahí no puede construir nadie.
pc-no-hex = { $hex } no está en el mapa.
pc-start-closed = { $hex } es una estación de salida. Ahí no puede construir nadie. (Esta decisión viene de otras fuentes.)
pc-same-colour = { $hex } ya tiene una locomotora de { $colour }. Dos del mismo color no pueden compartir hexágono.
pc-city-full = En { $hex } ya hay una locomotora. En una ciudad solo cabe una.
pc-rural-full = En { $hex } ya hay dos locomotoras. En un hexágono caben dos, de colores distintos.
pc-cut-off = Una locomotora de { $colour } en { $hex } cortaría el paso a { $victim }, que aún no ha llegado a ninguna ciudad.
pc-barred = { $hex } está detrás de una barrera, y { $colour } no puede cruzarla.
pc-not-adjacent = { $hex } no está junto a ninguna locomotora de { $colour }.
pc-can-go-nowhere = ahora no hay ningún sitio donde colocar { $colour }
pc-can-go = { $colour } puede ir a { $hexes }{ $more ->
    [0] {""}
   *[other] {" "}y a { $more } más
}
pc-give-one = En un cambio devuelves exactamente 1 acción.
pc-none-held = No tienes ninguna acción de { $colour }.
pc-held = tienes { $colours }
pc-same-company = En un cambio tomas acciones de otra compañía, no de { $colour }.
pc-take-other = puedes tomar acciones de { $colours }
pc-only-left = De { $colour } solo { $left ->
    [one] queda 1 locomotora
   *[other] quedan { $left } locomotoras
} en la reserva.
pc-one-or-two = En un cambio tomas 1 o 2 acciones de { $colour }.
pc-take = { $most ->
    [one] cambiar { $give } por 1 { $take }
   *[other] cambiar { $give } por 1 { $take }, o por { $most } { $take }
}

## Partes de una puntuación

pc-score-shares = { $shares ->
    [one] 1 acción de { $colour }
   *[other] { $shares } acciones de { $colour }
} a { $value }
pc-score-excess = { $excess ->
    [one] 1 acción
   *[other] { $excess } acciones
} sobre el límite de { $limit }

## Errores en una definición

pc-fault-paris = El hexágono de la torre Eiffel, { $hex }, no está en ninguna fila.
pc-fault-row = La fila { $row } no puede ir de { $first } a { $last }. Una fila tiene una letra mayúscula, sus columnas van de 2 en 2 hasta 36, y la posición de la letra (A = 0) más la columna da un número impar.
pc-fault-size = El mapa tiene { $count } hexágonos. El máximo es { $most }.
pc-fault-starts = Hay { $count } hexágonos de salida. Debe haber 6, uno por color.
pc-fault-off-map = { $place } está en { $hex }, que no está en ninguna fila o es la torre Eiffel.
pc-fault-two-on-hex = { $place } está en { $hex }, donde ya hay otra ciudad o salida.
pc-fault-code = El código "{ $code }" de { $place } debe tener dos letras.
pc-fault-code-twice = Dos ciudades tienen el código { $code } (las mayúsculas no cuentan).
pc-fault-name-twice = Dos ciudades tienen el nombre { $place }.
pc-fault-value = { $place } vale { $value }, y ninguna clase de ciudad vale eso.
pc-fault-end-city = No hay ninguna ciudad en { $hex }, donde debería terminar la partida.
pc-fault-barrier = { $edge } no es un borde. Los dos hexágonos deben estar en el mapa y tocarse.
pc-fault-letters = Cada uno de los seis colores necesita una letra mayúscula propia.
pc-fault-no-city = Desde { $place } no se puede llegar a ninguna ciudad.
pc-fault-unreachable = A { $place }, en { $hex }, no se puede llegar desde ninguna salida.
pc-fault-players = La tabla "{ $what }" no tiene número para { $seats } jugadores.
pc-fault-build-most = Una construcción debe ser de 1 locomotora como mínimo.
pc-fault-hand = No se pueden repartir tantas acciones ({ $count } en total). Cada jugador necesita una, y en la reserva deben quedar locomotoras de dos colores como mínimo.

## Planes

pc-plan = En tu próximo turno: { $line }
pc-plan-past = Ese turno ya pasó.

## La imagen del tablero

pc-picture-city = ciudad libre y su valor
pc-picture-barrier = barrera (azul: agua)
pc-picture-new = lo último

## La posición en palabras

# Junto a la imagen, sobre una lista de colores: "azul 0 (13)".
pc-brief-key = Valor de una acción (locomotoras que quedan):
pc-brief-company = { $value } ({ $left })

pc-words-new = Nuevo: { $places }.
pc-words-worth = Una acción vale { $value }. Hay { $left } en reserva y { $count } en el mapa.
pc-words-cities = Ciudades: { $cities }.
pc-words-no-city = Aún sin ciudad, así que nadie puede cortarle el paso.
pc-words-track = Otros hexágonos: { $hexes }.
pc-words-start = Salida: { $hex } ({ $station }).
pc-words-turn = { $who-is ->
    [you] Es tu turno.
   *[other] Le toca a { $who }.
}
pc-words-boards = { $count ->
    [one] Queda 1 color con locomotoras en la reserva.
   *[other] Quedan { $count } colores con locomotoras en la reserva.
} La partida termina cuando solo queda uno, o cuando hay una locomotora en { $city }.
pc-words-trades = Cambios seguidos: { $count }. Con { $most } termina la partida.
pc-words-shares = Acciones de cada uno
pc-words-holder = { $who }: { $shares }
pc-words-held = { $held }.
pc-words-limit = El límite es { $limit }. Al final, cada acción de más cuesta { $penalty ->
    [one] 1 punto
   *[other] { $penalty } puntos
}.
pc-words-free = Ciudades libres
pc-words-free-worth = Valen { $value }: { $cities }.
pc-words-none-free = Ninguna.
pc-words-place = { $hex } { $city }
pc-words-full = Hexágonos llenos
pc-words-full-on = Hay dos locomotoras en { $hexes }.
pc-words-barriers = Barreras
pc-words-mountains = Hay montañas que nadie cruza entre { $edges }.
pc-words-water = Hay agua que nadie cruza entre { $edges }.
pc-words-map = El mapa
pc-words-rows = { $map }, fila a fila: { $rows }.
pc-words-stretch = { $first } a { $last }
pc-words-tower = { $hex } es la torre Eiffel. Nadie puede construir ahí ni en una salida.
pc-words-touch = Un hexágono toca los que están 2 columnas al oeste y al este. En las filas de arriba y de abajo, toca los que están 1 columna a cada lado. { $hex } toca { $others }.

## La información privada de un jugador, en palabras

pc-words-holding = { $shares ->
    [one] 1 acción
   *[other] { $shares } acciones
} a { $value }: { $worth } en total.
pc-words-none-of = Ninguna acción de { $colours }.
pc-words-all = En total
pc-words-together = { $shares ->
    [one] 1 acción
   *[other] { $shares } acciones
}, que ahora suman { $worth }.
pc-words-below = El límite es { $limit }. { $left ->
    [0] Otra más costaría puntos.
    [one] Puedes tomar 1 más sin coste.
   *[other] Puedes tomar { $left } más sin coste.
}
pc-words-above = ATENCIÓN: te pasas en { $excess } del límite de { $limit }. Eso te costaría { $penalty } puntos, y tu puntuación sería { $score }.

## Etiquetas de las órdenes sugeridas

pc-suggest-build = Construir { $colour }
pc-suggest-trade = Cambiar
pc-suggest-other = Por ejemplo
pc-suggest-ends = Esto termina la partida
