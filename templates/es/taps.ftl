# Botones en cartas HTML que envían una línea. Las frases taps-... son para personas. El programa
# lee los textos line-..., así que cada idioma debe usar líneas que el programa entiende.
taps-how = Un botón escribe la carta por ti, y tú la envías, desde { $from }: desde cualquier otra dirección no hace nada. Donde ningún botón funcione, contesta a esta carta con la línea que pone en él.
taps-answer = Contesta a esta carta con una de estas líneas arriba; no hace falta nada más en la respuesta.
taps-vote = Una votación abierta
taps-besides = Además
taps-anyway = Enviar las órdenes sin eso
line-undo = deshacer
line-help = ayuda
line-rules = reglas
line-games = partidas
line-join = unirme a { $number }
line-join-club = unirme al club
