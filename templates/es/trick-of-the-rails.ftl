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
tr-leftover = Lo que sobró va a los ferrocarriles: { $cards }.
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
tr-reserved = { $card } va a la fila, donde estaba la Reserva, en el lugar { $place }.
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
tr-choice-follow = juega una carta de { $led }, con lo que se salió: { $cards }
tr-choice-any = juega cualquier carta, pues no tienes ninguna de { $led }, con lo que se salió: { $cards }
tr-choice-city = añade { $city } a cualquier ferrocarril, en uno de los extremos, como en "ciudad NYC derecho"
tr-choice-locomotive = da la locomotora { $locomotive } ({ $distance ->
    [0] todas las cartas
    [one] 1 carta
   *[other] { $distance } cartas
}, coste { $cost }) a una compañía sin locomotora, como en "locomotora { $first }": { $companies }
tr-choice-end = añade tu { $card }, que vale { $value }, a { $company }: "extremo izquierdo" o "extremo derecho"

## Líneas que no son órdenes

tr-unreadable = Esto no es ninguna orden del juego.
tr-form-play = juega esa carta en la baza
tr-form-end = añade la carta que jugaste en ese extremo de su ferrocarril
tr-form-city = añade la Ciudad que ganaste en ese extremo de ese ferrocarril
tr-form-locomotive = da a esa compañía la locomotora que ganaste
tr-company-missing = Falta la compañía.
tr-no-company = "{ $word }" no es ninguna compañía, o podría ser más de una.
tr-companies = las compañías, por nombre o color: { $companies }
tr-number-missing = ¿Qué carta de { $company }? Se numeran de 1 a { $most }.
tr-no-number = No hay ninguna carta "{ $word }" de { $company }: se numeran de 1 a { $most }.
tr-no-end = Aquí la línea tiene que decir izquierdo o derecho.
tr-too-long = La orden está completa antes de "{ $word }".
tr-negative = "{ $word }" no es número de ninguna carta ni locomotora.
tr-other-prize = Esa no es la carta de la fila que tienes que colocar ahora.

## Órdenes que una regla prohíbe

tr-not-now = Eso no es lo que tienes que hacer ahora.
tr-must-follow = Se salió con { $led } y tienes cartas de ella, así que no puedes jugar { $card }.
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

tr-fault-teams = Los equipos son para 4 jugadores; aquí hay { $seats }.
tr-fault-players = La tabla "{ $what }" no tiene nada para { $seats } jugadores.
tr-fault-hand = No se pueden repartir { $hand } cartas a cada uno de { $seats } jugadores: hay 50.
tr-fault-company-missing = Falta la compañía { $company }.
tr-fault-company-twice = La compañía { $company } está dos veces.
tr-fault-name = El nombre de { $company } debe tener de 1 a { $most } caracteres sencillos y ningún espacio.
tr-fault-locomotive = Falta la locomotora { $locomotive }.
tr-fault-lane-length = La fila para { $seats } jugadores tiene { $count } lugares; debe haber tantos como cartas se reparten a cada uno, { $hand }.
tr-fault-lane-cards = La fila para { $seats } jugadores tiene { $count } lugares para "{ $slot }", y { $most ->
    [one] solo hay 1 carta así
   *[other] solo hay { $most } cartas así
}.
tr-fault-lane-twice = La fila para { $seats } jugadores tiene { $locomotive } dos veces.
tr-fault-exchanges = La fila para { $seats } jugadores tiene { $count } lugares para cartas de Bolsa; debe haber 5.
tr-fault-reservation = En la fila para { $seats } jugadores, la Reserva del lugar { $place } llegaría a ser la carta de más a la izquierda: vienen demasiado pocas rondas de acciones antes.

# Los encabezados de este juego.
heading-board-trick-of-the-rails = La fila de bazas y los ferrocarriles
heading-board-previewed-trick-of-the-rails = La fila de bazas y los ferrocarriles tras estas órdenes
heading-private-trick-of-the-rails = Tu mano, solo para tus ojos

## Planes

tr-plan-lead = Baza { $trick }, si sales tú: { $lines }
tr-plan-led = Baza { $trick }, si se sale con { $led }: { $lines }
tr-plan-otherwise = Baza { $trick }, si se sale con algo que no sea { $led }: { $lines }
tr-plan-whatever = Baza { $trick }, se salga con lo que se salga: { $lines }
tr-plan-play = Baza { $trick }: { $lines }
tr-plan-if-win = Baza { $trick }, si ganas: { $lines }
tr-plan-end = Baza { $trick }: { $lines }
tr-plan-unreadable = Este no es un caso que se pueda planear.
tr-plan-card = Un plan de esta clase nombra cartas que jugar.
tr-plan-win = Lo que se puede planear para el caso de ganar es a dónde va la Ciudad o la locomotora.
tr-plan-not-held = No tienes { $card }.
tr-plan-twice = Tu carta ya tiene "{ $plan }" para eso. Una sola línea puede decir ambas cosas: lo que más deseas y, tras una coma, lo otro donde eso no pueda ser.

## Planes que no se pueden usar

tr-plan-none-to-lead = No queda ninguna baza en la que puedas salir.
tr-plan-none-to-play = No queda ninguna baza en la que eso pueda pasar.
tr-plan-no-city = No queda en la fila ninguna Ciudad que puedas ganar.
tr-plan-no-locomotive = No queda en la fila ninguna locomotora así que puedas ganar.
tr-plan-no-infinite = No se te preguntará adónde va [inf]: va por sí sola a la compañía que quede, ya ha ido, o no está en esta fila.
tr-plan-no-end = No queda ninguna baza cuyas cartas vayan a los ferrocarriles.
tr-plan-game-over = La partida ha terminado.
tr-plan-trick-over = La baza { $trick } ha terminado.
tr-plan-played = Ya has jugado en la baza { $trick }.
tr-plan-leads = { $who } sale en la baza { $trick }.
tr-plan-you-lead = En la baza { $trick } sales tú.
tr-plan-was-led = Se salió con { $led } en la baza { $trick }.
tr-plan-was-named = Se salió con { $led } en la baza { $trick }, que tu carta nombraba.
tr-plan-not-won = La baza { $trick } ya no la puedes ganar.
tr-plan-placed = Aquello por lo que se jugó la baza { $trick } ya tiene su lugar.
tr-plan-other-prize = La baza { $trick } no se juega por una carta así.
tr-plan-stock = La baza { $trick } es una ronda de acciones: sus cartas no van a los ferrocarriles.
tr-plan-laid = Tu carta de la baza { $trick } ya tiene su lugar.
tr-plan-cards-gone = Ya no tienes { $cards }.
tr-plan-not-led = Nadie más tiene ya cartas de { $led }, así que no se puede salir con ella ante ti.
tr-plan-must-follow = Si se sale con { $led } tienes que asistir, pues tienes cartas de ella.
tr-plan-no-case = Se salga con lo que se salga además, tendrías que asistir con otra carta.
tr-plan-no-railway = Todas las compañías que nombra tienen ya locomotora.

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
tr-words-laying = Una ronda de explotación; sus cartas van ahora a los ferrocarriles.
tr-words-to-play = { $who-is ->
    [you] Te toca jugar una carta.
   *[other] A { $who } le toca jugar una carta.
}
tr-words-to-build = { $who-is ->
    [you] Te toca añadir { $city } a un ferrocarril.
   *[other] A { $who } le toca añadir { $city } a un ferrocarril.
}
tr-words-to-mount = { $who-is ->
    [you] Te toca dar la locomotora { $locomotive } a una compañía sin locomotora.
   *[other] A { $who } le toca dar la locomotora { $locomotive } a una compañía sin locomotora.
}
tr-words-to-lay = { $who-is ->
    [you] Te toca añadir { $card } en un extremo de { $company }.
   *[other] A { $who } le toca añadir { $card } en un extremo de { $company }.
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
}): mejores cartas { $profit }, menos el coste { $cost }; una acción vale { $value }.
tr-words-no-engine = Sin locomotora: una acción vale 0.
tr-words-railway = De izquierda a derecha: { $cards }.
tr-words-station = Estación ({ $value })
tr-words-held = { $count ->
    [0] Nadie tiene acciones.
    [one] 1 acción está en manos de alguien.
   *[other] { $count } acciones están en manos de jugadores.
}
tr-words-counted = { $count } de { $company }
tr-words-shares = { $total ->
    [one] 1 acción
   *[other] { $total } acciones
}, que hacen { $worth }: { $shares }.
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
tr-words-rounds = Por una Ciudad o una locomotora se juega una ronda de explotación, por cualquier otra cosa una ronda de acciones.
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
    [one] 1 carta, con lo que vale en un ferrocarril.
   *[other] { $count } cartas, cada una con lo que vale en un ferrocarril.
}
tr-words-suit = { $cards }.
tr-words-playable = Estas las puedes jugar ahora.
tr-words-any = Puedes jugar cualquier carta.

## Etiquetas de las órdenes sugeridas

tr-suggest-lead = Salir con { $company }
tr-suggest-above = Más alta que { $card }
tr-suggest-below = Más baja que { $card }
tr-suggest-discard = Jugar { $company }, que no puede ganar
tr-suggest-city = Añadir { $city } en el extremo { $end }
tr-suggest-locomotive = Dar la locomotora { $locomotive } a una compañía
tr-suggest-end = Tu { $card } en { $company }
