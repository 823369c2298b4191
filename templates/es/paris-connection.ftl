# Paris Connection: todas las frases del juego.

## Términos

pc-map-ours = Francia (reconstrucción propia)
pc-blue = azul
pc-yellow = amarillo
pc-red = rojo
pc-purple = púrpura
pc-black = negro
pc-brown = marrón

# Una casilla con su ciudad, y un número de piezas de un color.
pc-city = { $hex } { $city } ({ $value })
pc-counted = { $count } de { $colour }

## Sucesos

pc-started = El mapa es { $map }. Las primeras locomotoras están en sus estaciones: { $starts }.
pc-start = { $colour } en { $hex } ({ $station })
pc-dealt = { $count ->
    [one] Cada jugador roba 1 acción de la bolsa; las demás locomotoras van a los tableros de reserva.
   *[other] Cada jugador roba { $count } acciones de la bolsa; las demás locomotoras van a los tableros de reserva.
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
} { $shares }; { $who-is ->
    [you] te repartieron
   *[other] le repartieron
} { $dealt }.
pc-ended-marseille = Hay una locomotora en { $city }: la partida ha terminado.
pc-ended-boards = Solo un tablero de reserva tiene aún locomotoras: la partida ha terminado.
pc-ended-stalled = { $count ->
    [one] Un cambio, y ninguna construcción: la partida ha terminado.
   *[other] { $count } cambios seguidos sin construir: la partida ha terminado.
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
} (hasta { $most }; { $left } en reserva), primero en una de: { $hexes }
pc-choice-trade = cambiar 1 de tus { $held } por 1 o 2 de otra compañía; los tableros de reserva tienen { $boards }

## Cómo se leyó una línea incompleta

pc-rest-stays = La partida termina con esa locomotora, así que no se coloca nada de { $colour } en { $hexes }.
pc-took-one = No hay número, así que se toma 1 acción de { $colour }. Para dos, escribe "{ $line }".

## Líneas que no son órdenes

pc-unreadable = Esto no es ni una construcción ni un cambio.
pc-form-build = de 1 a { $most } locomotoras de un color, cada una junto a otra de ese color, en el orden de colocación
pc-form-trade = devuelve 1 acción, toma 1 o 2 de otra compañía
pc-form-next = se hace cuando sea tu turno, de varias la primera que sea legal; si entonces es ilegal se descarta y se te dice
pc-colour-missing = Falta el color.
pc-no-colour = "{ $word }" no es ningún color.
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
pc-asked = La línea pregunta, así que no se hizo nada. Como orden no lleva signo de interrogación.
pc-or = La línea deja abierto cuál es: "o" es una pregunta, y una orden no lo es.
pc-which = La línea se puede leer de más de una manera.
pc-gap = { $from } y { $to } no se tocan: nombra cada casilla del camino.
pc-write = escribe "{ $line }"
pc-colours-mixed = Una construcción es de un solo color; la línea nombra { $colours }.
pc-hexes-missing = La línea no dice dónde colocar { $colour }.
pc-count-differs = La línea anuncia { $announced } y nombra { $count ->
    [one] 1 casilla
   *[other] { $count } casillas
}.
pc-no-place = "{ $word }" no es ninguna casilla ni ciudad del mapa.
pc-perhaps = quizás { $places }
pc-too-long = El cambio está completo antes de "{ $word }".

## Órdenes que una regla prohíbe

pc-nothing-begun = No hay ninguna construcción que parar: una construcción termina con su línea.
pc-too-many = Una construcción coloca { $most } locomotoras como máximo; la línea nombra { $count ->
    [one] 1 casilla
   *[other] { $count } casillas
}.
pc-no-more = { $count ->
    [one] Después de 1 locomotora
   *[other] Después de { $count } locomotoras
} la construcción de { $colour } no puede seguir, y la línea nombra { $named } casillas.
pc-board-empty = El tablero de reserva de { $colour } está vacío.
pc-stocked = en reserva: { $boards }
pc-eiffel = { $hex } es la torre Eiffel; nadie puede construir ahí.
pc-no-hex = { $hex } no está en el mapa.
pc-start-closed = { $hex } es una estación de salida; nadie puede construir ahí. (Esta decisión viene de otras fuentes.)
pc-same-colour = { $hex } ya tiene una locomotora de { $colour }, y dos de un color no pueden compartir casilla.
pc-city-full = { $hex } está ocupada: en una ciudad cabe una sola locomotora.
pc-rural-full = { $hex } está llena: en una casilla caben dos locomotoras de colores distintos.
pc-cut-off = Una locomotora de { $colour } en { $hex } cortaría el paso a { $victim }, que aún no ha llegado a ninguna ciudad.
pc-barred = { $hex } está detrás de una barrera: { $colour } no puede cruzar ese borde.
pc-not-adjacent = { $hex } no está junto a ninguna locomotora de { $colour }.
pc-can-go-nowhere = { $colour } no se puede colocar ahora en ninguna parte
pc-can-go = { $colour } puede ir a { $hexes }{ $more ->
    [0] {""}
   *[other] {" "}y a { $more } más
}
pc-give-one = En un cambio se devuelve exactamente 1 acción.
pc-none-held = No tienes ninguna acción de { $colour }.
pc-held = tienes { $colours }
pc-same-company = En un cambio se toman acciones de otra compañía que { $colour }.
pc-take-other = se pueden tomar acciones de { $colours }
pc-only-left = Al tablero de reserva de { $colour } solo le { $left ->
    [one] queda 1 locomotora
   *[other] quedan { $left } locomotoras
}.
pc-one-or-two = En un cambio se toman 1 o 2 acciones de { $colour }.
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

pc-fault-paris = La casilla de la torre Eiffel, { $hex }, no está en ninguna fila.
pc-fault-row = La fila { $row } no puede ir de { $first } a { $last }: una fila tiene una letra mayúscula, sus columnas van de 2 en 2 hasta 36, y el lugar de la letra (A = 0) y la columna suman impar.
pc-fault-size = El mapa tiene { $count } casillas; el máximo es { $most }.
pc-fault-starts = Hay { $count } casillas de salida; debe haber 6, una por color.
pc-fault-off-map = { $place } está en { $hex }, que no está en ninguna fila o es la torre Eiffel.
pc-fault-two-on-hex = { $place } está en { $hex }, donde ya hay otra ciudad o salida.
pc-fault-code = El código "{ $code }" de { $place } no se compone de dos letras.
pc-fault-code-twice = Dos ciudades tienen el código { $code } (las mayúsculas no cuentan).
pc-fault-name-twice = Dos ciudades tienen el nombre { $place }.
pc-fault-value = { $place } vale { $value }, lo que no vale ninguna clase de ciudad.
pc-fault-end-city = No hay ninguna ciudad en { $hex }, donde debería terminar la partida.
pc-fault-barrier = { $edge } no es ningún borde: ambas casillas deben estar en el mapa y tocarse.
pc-fault-letters = Cada uno de los seis colores necesita una letra mayúscula propia.
pc-fault-no-city = Desde { $place } no se puede llegar a ninguna ciudad.
pc-fault-unreachable = A { $place }, en { $hex }, no se puede llegar desde ninguna salida.
pc-fault-players = La tabla "{ $what }" no tiene número para { $seats } jugadores.
pc-fault-build-most = Una construcción debe ser de 1 locomotora como mínimo.
pc-fault-hand = No se pueden repartir tantas acciones ({ $count } en total): cada jugador necesita una, y deben quedar locomotoras en dos tableros de reserva como mínimo.

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
pc-words-worth = Una acción vale { $value }; { $left } en reserva, { $count } en el mapa.
pc-words-cities = Ciudades: { $cities }.
pc-words-no-city = Aún sin ciudad, así que nadie puede cortarle el paso.
pc-words-track = Otras casillas: { $hexes }.
pc-words-start = Salida: { $hex } ({ $station }).
pc-words-turn = { $who-is ->
    [you] Es tu turno.
   *[other] Es el turno de { $who }.
}
pc-words-boards = { $count ->
    [one] 1 tablero de reserva tiene locomotoras.
   *[other] { $count } tableros de reserva tienen locomotoras.
} La partida termina cuando solo las tiene uno, o cuando hay una locomotora en { $city }.
pc-words-trades = Cambios seguidos: { $count }; con { $most } termina la partida.
pc-words-shares = Acciones de cada uno
pc-words-holder = { $who }: { $shares }
pc-words-held = { $held }.
pc-words-limit = El límite es { $limit }: al final cada acción por encima cuesta { $penalty ->
    [one] 1 punto
   *[other] { $penalty } puntos
}.
pc-words-free = Ciudades libres
pc-words-free-worth = Valen { $value }: { $cities }.
pc-words-none-free = Ninguna.
pc-words-place = { $hex } { $city }
pc-words-full = Casillas llenas
pc-words-full-on = Hay dos locomotoras en { $hexes }.
pc-words-barriers = Barreras
pc-words-mountains = Hay montañas que nadie cruza entre { $edges }.
pc-words-water = Hay agua que nadie cruza entre { $edges }.
pc-words-map = El mapa
pc-words-rows = { $map }, fila a fila: { $rows }.
pc-words-stretch = { $first } a { $last }
pc-words-tower = { $hex } es la torre Eiffel; nadie puede construir ahí ni en una salida.
pc-words-touch = Una casilla toca las que están 2 columnas al oeste y al este, y en las filas de arriba y de abajo las que están 1 columna a cada lado: { $hex } toca { $others }.

## La información privada de un jugador, en palabras

pc-words-holding = { $shares ->
    [one] 1 acción
   *[other] { $shares } acciones
} a { $value }, que hacen { $worth }.
pc-words-none-of = Ninguna acción de { $colours }.
pc-words-all = En total
pc-words-together = { $shares ->
    [one] 1 acción
   *[other] { $shares } acciones
}, que ahora hacen { $worth }.
pc-words-below = El límite es { $limit }: { $left ->
    [0] otra más costaría puntos.
    [one] 1 más no cuesta nada.
   *[other] { $left } más no cuestan nada.
}
pc-words-above = ATENCIÓN: pasar en { $excess } del límite de { $limit } te costaría { $penalty } puntos: tu puntuación sería { $score }.

## Etiquetas de las órdenes sugeridas

pc-suggest-build = Construir { $colour }
pc-suggest-trade = Cambiar
pc-suggest-other = Por ejemplo
pc-suggest-ends = Esto termina la partida
