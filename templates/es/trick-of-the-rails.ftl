# Trick of the Rails: todas las frases del juego.

## Términos

tr-left = izquierdo
tr-right = derecho
tr-blue = azul
tr-green = verde
tr-yellow = amarillo
tr-grey = gris
tr-red = rojo
tr-exchange = Bolsa de { $company }
tr-reservation = Reserva

## Sucesos

tr-lane = La fila de bazas, de izquierda a derecha: { $cards }.
tr-dealt = Se reparte a cada jugador { $count ->
    [one] 1 carta
   *[other] { $count } cartas
}.
tr-your-hand = Tu mano: { $cards }. Nadie más la conoce.
tr-leftover = Las cartas que sobran van a los ferrocarriles: { $cards }.
tr-leads = { $who-is ->
    [you] Sales tú
   *[other] Sale { $who }
} en la primera baza.
tr-played = { $who-is ->
    [you] Juegas
   *[other] { $who } juega
} { $card }.
tr-won = { $who-is ->
    [you] Ganas
   *[other] { $who } gana
} la baza.
tr-taken = { $who-is ->
    [you] Ganas la baza y tomas
   *[other] { $who } gana la baza y toma
} una acción de la fila: { $share }.
tr-reserved = { $card } va al lugar { $place } de la fila, donde estaba la Reserva.
tr-removed = { $card } sale del juego.
tr-kept = Las demás cartas de la baza son ahora acciones: { $cards }.
tr-kept-by = { $card } ({ $who })
tr-built = { $who-is ->
    [you] Añades
   *[other] { $who } añade
} { $city } en el extremo { $end } de { $company }.
tr-mounted = { $who-is ->
    [you] Das
   *[other] { $who } da
} la locomotora { $locomotive } a { $company }.
tr-follows = La locomotora { $locomotive } va a { $company }, la única compañía sin locomotora.
tr-laid = { $who-is ->
    [you] Añades
   *[other] { $who } añade
} { $card } en el extremo { $end } de { $company }.
tr-revealed = { $who-is ->
    [you] Te repartieron
   *[other] A { $who } le repartieron
} { $cards }.
tr-revealed-hand = { $who-is ->
    [you] Aún tienes
   *[other] { $who } aún tiene
} en la mano: { $cards }.
tr-ended = Se ha jugado la última baza: la partida ha terminado.

## Órdenes posibles

tr-choice-lead = juega una carta; sales tú, así que vale cualquiera: { $cards }
tr-choice-follow = juega una carta de { $led }, la compañía de salida: { $cards }
tr-choice-any = juega cualquier carta, porque no tienes de { $led }, la compañía de salida: { $cards }
tr-choice-city = añade { $city } a cualquier ferrocarril, en uno de los extremos, como en "ciudad NYC derecho"
tr-choice-locomotive = da la locomotora { $locomotive } ({ $distance ->
    [0] todas las cartas
    [one] 1 carta
   *[other] { $distance } cartas
}, coste { $cost }) a una compañía sin locomotora, como en "locomotora { $first }": { $companies }
tr-choice-end = añade tu { $card }, que vale { $value }, a { $company }: "extremo izquierdo" o "extremo derecho"

## Líneas que no son órdenes

tr-unreadable = No hemos entendido esta orden.
tr-form-play = juega esa carta en la baza
tr-form-end = añade la carta que jugaste en ese extremo de su ferrocarril
tr-form-city = añade la Ciudad que ganaste en ese extremo de ese ferrocarril
tr-form-locomotive = da a esa compañía la locomotora que ganaste
tr-company-missing = Falta la compañía.
tr-no-company = "{ $word }" no es una compañía, o podría ser más de una.
tr-companies = las compañías, por nombre o color: { $companies }
tr-number-missing = ¿Qué carta de { $company }? Se numeran de 1 a { $most }.
tr-no-number = No hay ninguna carta "{ $word }" de { $company }. Se numeran de 1 a { $most }.
tr-no-end = Falta el extremo: izquierdo o derecho.
tr-too-long = La orden ya está completa antes de "{ $word }". Quita lo que sobra.
tr-negative = "{ $word }" no es el número de ninguna carta ni locomotora.
tr-other-prize = Ahora tienes que colocar otra carta de la fila.

## Órdenes que una regla prohíbe

tr-not-now = Ahora no puedes hacer eso.
tr-must-follow = Se ha salido con { $led } y tienes cartas de esa compañía, así que no puedes jugar { $card }.
tr-not-held = No tienes { $card } en la mano.
tr-hand = tu mano: { $cards }
tr-may-play = puedes jugar: { $cards }
tr-has-locomotive = { $company } ya tiene la locomotora { $there }.
tr-without = { $locomotive } puede ir a { $companies }

## Partes de una puntuación

tr-score-shares = { $shares ->
    [one] 1 acción de { $company }
   *[other] { $shares } acciones de { $company }
} a { $value }
tr-score-partner = { $partner-is ->
    [you] tus acciones
   *[other] acciones de { $partner }
}

## Errores en una definición o en una opción

tr-fault-teams = Los equipos son para 4 jugadores. Aquí hay { $seats }.
tr-fault-players = La tabla "{ $what }" no tiene nada para { $seats } jugadores.
tr-fault-hand = No se pueden repartir { $hand } cartas a cada uno de { $seats } jugadores. Hay 50.
tr-fault-company-missing = Falta la compañía { $company }.
tr-fault-company-twice = La compañía { $company } está dos veces.
tr-fault-name = El nombre de { $company } debe tener de 1 a { $most } caracteres sencillos y ningún espacio.
tr-fault-locomotive = Falta la locomotora { $locomotive }.
tr-fault-lane-length = La fila para { $seats } jugadores tiene { $count } lugares. Debe haber tantos como cartas se reparten a cada uno, { $hand }.
tr-fault-lane-cards = La fila para { $seats } jugadores tiene { $count } lugares para "{ $slot }", y { $most ->
    [one] solo hay 1 carta así
   *[other] solo hay { $most } cartas así
}.
tr-fault-lane-twice = La fila para { $seats } jugadores tiene { $locomotive } dos veces.
tr-fault-exchanges = La fila para { $seats } jugadores tiene { $count } lugares para cartas de Bolsa. Debe haber 5.
tr-fault-reservation = En la fila para { $seats } jugadores, la Reserva del lugar { $place } llegaría a ser la carta de más a la izquierda, porque antes hay muy pocas rondas de acciones.

# Los encabezados de este juego.
heading-board-trick-of-the-rails = La fila de bazas y los ferrocarriles
heading-board-previewed-trick-of-the-rails = La fila de bazas y los ferrocarriles tras estas órdenes
heading-private-trick-of-the-rails = Tu mano (solo la ves tú)

## Planes

tr-plan-lead = Baza { $trick }, si sales tú: { $lines }
tr-plan-led = Baza { $trick }, si se sale con { $led }: { $lines }
tr-plan-otherwise = Baza { $trick }, si no se sale con { $led }: { $lines }
tr-plan-whatever = Baza { $trick }, se salga con lo que se salga: { $lines }
tr-plan-play = Baza { $trick }: { $lines }
tr-plan-if-win = Baza { $trick }, si ganas: { $lines }
tr-plan-end = Baza { $trick }: { $lines }
tr-plan-unreadable = Para ese caso no se puede hacer un plan.
tr-plan-card = En un plan así tienes que nombrar las cartas que juegas.
tr-plan-win = Para el caso de ganar, escribe adónde va la Ciudad o la locomotora.
tr-plan-not-held = No tienes { $card }.
tr-plan-twice = En tu correo ya está "{ $plan }" para ese caso. Ponlo todo en una línea: primero lo que prefieres y, tras una coma, lo otro por si no se puede.

## Planes que no se pueden usar

tr-plan-none-to-lead = Ya no queda ninguna baza en la que puedas salir.
tr-plan-none-to-play = Ya no queda ninguna baza en la que eso pueda pasar.
tr-plan-no-city = Ya no queda en la fila ninguna Ciudad que puedas ganar.
tr-plan-no-locomotive = Ya no queda en la fila ninguna locomotora de ese tipo que puedas ganar.
tr-plan-no-infinite = No te preguntaremos adónde va [inf]. Va sola a la compañía que queda, ya ha ido, o no está en esta fila.
tr-plan-no-end = Ya no queda ninguna baza cuyas cartas vayan a los ferrocarriles.
tr-plan-game-over = La partida ha terminado.
tr-plan-trick-over = La baza { $trick } ha terminado.
tr-plan-played = Ya has jugado en la baza { $trick }.
tr-plan-leads = { $who } sale en la baza { $trick }.
tr-plan-you-lead = En la baza { $trick } sales tú.
tr-plan-was-led = En la baza { $trick } se salió con { $led }.
tr-plan-was-named = En la baza { $trick } se salió con { $led }, y tu correo tenía otra línea para eso.
tr-plan-not-won = Ya no puedes ganar la baza { $trick }.
tr-plan-placed = El premio de la baza { $trick } ya está colocado.
tr-plan-other-prize = La baza { $trick } no se juega por una carta así.
tr-plan-stock = La baza { $trick } es una ronda de acciones. Sus cartas no van a los ferrocarriles.
tr-plan-laid = Tu carta de la baza { $trick } ya está colocada.
tr-plan-cards-gone = Ya no tienes { $cards }.
tr-plan-not-led = Los demás ya no tienen cartas de { $led }, así que no pueden salir con ella.
tr-plan-must-follow = Si se sale con { $led }, tienes que asistir, porque tienes cartas de esa compañía.
tr-plan-no-case = Con cualquier otra salida, tendrías que asistir con otra carta.
tr-plan-no-railway = Todas las compañías que nombras tienen ya locomotora.

## Las formas de escribir un plan

tr-plan-form-led = la primera que sea legal, si se sale con esa compañía
tr-plan-form-otherwise = si se sale con cualquier otra cosa
tr-plan-form-lead = si te toca salir en la próxima baza
tr-plan-form-city = si ganas la Ciudad
tr-plan-form-locomotive = si ganas la locomotora
tr-plan-form-end = a dónde va tu carta

## La imagen del tablero

tr-picture-lane = Fila de bazas
tr-picture-trick = Esta baza
tr-picture-player = { $seat }
tr-picture-winner = { $seat } gana
tr-picture-worth = valor por acción
tr-picture-locomotive = locomotora, alcance
tr-picture-card = valor, número
tr-picture-letters = S estación, C ciudad
tr-picture-now = esta baza
tr-picture-new = lo último

## La posición en palabras

# Junto a la imagen, sobre una lista de compañías: "B&O 40 (2)".
tr-brief-key = Valor de una acción (acciones en manos):
tr-brief-company = { $value } ({ $count })
tr-brief-player = { $worth } por { $shares }

tr-words-over = Se ha jugado la última baza.
tr-words-trick = Baza { $trick } de { $tricks }
tr-words-stock = Una ronda de acciones: quien gana toma una acción, { $prize }.
tr-words-operating = Una ronda de explotación por { $prize }.
tr-words-laying = Una ronda de explotación. Sus cartas van ahora a los ferrocarriles.
tr-words-to-play = { $who-is ->
    [you] Te toca jugar una carta.
   *[other] Le toca a { $who } jugar una carta.
}
tr-words-to-build = { $who-is ->
    [you] Te toca añadir { $city } a un ferrocarril.
   *[other] Le toca a { $who } añadir { $city } a un ferrocarril.
}
tr-words-to-mount = { $who-is ->
    [you] Te toca dar la locomotora { $locomotive } a una compañía sin locomotora.
   *[other] Le toca a { $who } dar la locomotora { $locomotive } a una compañía sin locomotora.
}
tr-words-to-lay = { $who-is ->
    [you] Te toca añadir { $card } en un extremo de { $company }.
   *[other] Le toca a { $who } añadir { $card } en un extremo de { $company }.
}
tr-words-no-card = Aún no se ha jugado ninguna carta.
tr-words-player = { $who-is ->
    [you] Tú
   *[other] { $who }
}
tr-words-played = { $card }, que vale { $value } en su ferrocarril.
tr-words-played-new = Nueva.
tr-words-highest = La más alta hasta ahora.
tr-words-won = Ha ganado la baza.
tr-words-company = { $company } ({ $colour })
tr-words-new = Nuevo: { $cards }.
tr-words-worth = Locomotora { $locomotive } ({ $distance ->
    [0] todas las cartas
    [one] 1 carta
   *[other] { $distance } cartas
}): mejores cartas { $profit }, menos el coste { $cost }. Una acción vale { $value }.
tr-words-no-engine = Sin locomotora: una acción vale 0.
tr-words-railway = De izquierda a derecha: { $cards }.
tr-words-station = Estación ({ $value })
tr-words-held = { $count ->
    [0] Nadie tiene acciones.
    [one] Entre todos tienen 1 acción.
   *[other] Entre todos tienen { $count } acciones.
}
tr-words-counted = { $count } de { $company }
tr-words-shares = { $total ->
    [one] 1 acción
   *[other] { $total } acciones
}, que suman { $worth }: { $shares }.
tr-words-no-shares = Sin acciones.
tr-words-in-hand = { $count ->
    [0] Ninguna carta en la mano.
    [one] 1 carta en la mano.
   *[other] { $count } cartas en la mano.
}
tr-words-lane = La fila de bazas
tr-words-places = { $places }.
tr-words-place = { $place }: { $card }
tr-words-place-now = { $place } (esta baza): { $card }
tr-words-place-new = { $place } (nueva): { $card }
tr-words-past = { $last ->
    [one] La baza 1 ha terminado.
   *[other] Las bazas 1 a { $last } han terminado.
}
tr-words-rounds = Por una Ciudad o una locomotora se juega una ronda de explotación. Por cualquier otra carta, una ronda de acciones.
tr-words-engine = locomotora { $locomotive } ({ $distance ->
    [0] todas las cartas
    [one] 1 carta
   *[other] { $distance } cartas
}, coste { $cost })
tr-words-engines = { $one } con { $other }
tr-words-teams = Equipos: { $one } y { $three }; { $two } y { $four }.
tr-words-out = Fuera del juego: { $cards }.

## La información privada de un jugador, en palabras

tr-words-hand = { $count ->
    [0] Tu mano está vacía.
    [one] 1 carta, y su valor en un ferrocarril.
   *[other] { $count } cartas, con su valor en un ferrocarril.
}
tr-words-suit = { $cards }.
tr-words-playable = Ahora puedes jugar estas.
tr-words-any = Puedes jugar cualquier carta.

## Etiquetas de las órdenes sugeridas

tr-suggest-lead = Salir con { $company }
tr-suggest-above = Más alta que { $card }
tr-suggest-below = Más baja que { $card }
tr-suggest-discard = Jugar { $company }, que no puede ganar
tr-suggest-city = Añadir { $city } en el extremo { $end }
tr-suggest-locomotive = Dar la locomotora { $locomotive } a una compañía
tr-suggest-end = Tu { $card } en { $company }
