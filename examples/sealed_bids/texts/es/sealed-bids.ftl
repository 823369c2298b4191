# Los textos de Pujas selladas.

game-sealed-bids = Pujas selladas
heading-private-sealed-bids = Tu puja (solo la ves tú)

## Sucesos

sb-begun = Todos tienen las mismas cartas. En cada ronda se puja una.
sb-sealed = Tu puja sellada es { $card }.
sb-opened = { $who-is ->
    [you] Has
   *[other] { $who } ha
  } pujado { $card }.
sb-won = { $who-is ->
    [you] Ganas
   *[other] { $who } gana
  } la ronda.
sb-nobody = Nadie gana la ronda, porque ninguna puja era única.
sb-ended = Se han pujado todas las cartas: la partida ha terminado.

## Lo que se ve

sb-holds = { $who-is ->
    [you] Tienes
   *[other] { $who } tiene
  } { $cards }.
sb-choice = puja una de { $cards }; la ronda vale { $points ->
    [one] 1 punto
   *[other] { $points } puntos
}
sb-bid = Pujar una carta
sb-rounds = rondas

## Las órdenes, y lo que no se entiende

sb-form-bid = puja esa carta en secreto
sb-which-card = Di qué carta.
sb-unreadable = Esto no es una orden de la partida.

## Una regla que lo impide

sb-not-held = No tienes { $card }. Tienes { $cards }.
