# Botones en cartas HTML que envían una línea. Las frases taps-... son para personas. El programa
# lee los textos line-..., así que cada idioma debe usar líneas que el programa entiende.
taps-how = Toca un botón y envía el correo, desde { $from }. O responde con su texto.
taps-answer = Contesta a esta carta con una de estas líneas arriba; no hace falta nada más en la respuesta.
taps-vote = Una votación abierta
taps-besides = Otras
taps-anyway = Enviar esto en su lugar
line-undo = deshacer
line-help = ayuda
line-legal = jugadas legales
line-rules = reglas
line-games = partidas
line-join = unirme a { $number }
line-join-club = unirme al club
