# Botones en cartas HTML que envían una línea. Las frases taps-... son para personas. El programa
# lee los textos line-..., así que cada idioma debe usar líneas que el programa entiende.
taps-how = Toca un botón y envía el correo, desde { $from }. O contesta con el texto del botón.
taps-answer = Contesta con una de estas líneas al principio. No hace falta nada más.
taps-vote = Una votación abierta
taps-besides = Más
taps-anyway = Enviar esto en su lugar
line-undo = deshacer
line-help = ayuda
line-legal = jugadas legales
line-rules = reglas
line-games = partidas
line-join = unirme a { $number }
line-join-club = unirme al club
