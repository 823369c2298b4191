# Errores en una carta o en el programa. Cada uno es una frase que va detrás de dos puntos, o
# delante de "No ha cambiado nada."
# Por qué una carta está en cuarentena.
held-senders = no tiene exactamente un remitente, así que no sabemos de quién es
held-mark-of-seat = usa la dirección secreta de respuesta de la partida { $game }, plaza { $seat }, pero { $doubt }
held-mark = usa una dirección secreta de respuesta { $of ->
    [moderator] del moderador
    [invited] de una invitación
   *[member] de un miembro
  }, pero { $doubt }
doubt-not-the-moderator = { $sender } no es la dirección del moderador
doubt-not-the-member = { $sender } no es una dirección del miembro a quien se la dimos
doubt-unchecked = nuestro servidor de correo no ha comprobado quién lo envió
doubt-unreadable = no se puede leer lo que ha averiguado nuestro servidor de correo
doubt-no-dmarc = nuestro servidor de correo no ha encontrado ninguna política DMARC con que comprobarlo
doubt-failed = no pasa DMARC, así que puede haberlo enviado cualquiera
doubt-other-domain = pasa DMARC para un dominio que no es el de su remitente


# Por qué no se contesta una carta: la escribió un programa.
ignored-club = su remitente es el propio club
automatic-own = un correo nuestro que ha vuelto
automatic-bounce = un aviso de que no se entregó un correo
automatic-system = enviado por un sistema de correo
automatic-program = enviado por un programa
automatic-notice = un aviso de ausencia o de recepción
automatic-list = enviado por una lista de correo
automatic-bulk = enviado a muchos a la vez
automatic-loop = marcado contra bucles
automatic-no-return = enviado sin dirección de retorno
automatic-unwanted = su remitente no quiere respuestas automáticas

# Por qué no se puede leer una carta.
unreadable-large = ocupa más de { $most } KiB
unreadable-parts = tiene más de { $most } partes
unreadable-deep = sus partes están anidadas más de { $most } veces
unreadable-hops = ha pasado por más de { $most } servidores, como los correos en un bucle
unreadable-head = sus encabezados ocupan más de { $most } KiB
unreadable-sender = no dice de quién es
unreadable-form = no es un correo

# Errores en una partida o en el programa.
fault-failed = el programa ha fallado con él
fault-game = partida { $game }: { $why }
fault-no-log = su diario ha desaparecido
fault-no-game = no hay ninguna partida { $game }
fault-damage = no se puede leer lo guardado ({ $what }): { $text }
fault-version = este programa no juega a { $game } en la versión { $version }
fault-later = su diario tiene la forma { $form }, de una versión posterior de postrider; instala esa
fault-definition = no vale la definición de su diario ("{ $why }")
fault-said = { $what }
fault-record = jugada { $seq }: { $why }
fault-no-record = la línea { $seq } del diario de la partida no es una jugada: { $what }
fault-gap = falta la jugada { $expected }: en su lugar está la { $found }
fault-address = { $address } no es una dirección de correo válida
fault-file = { $path }: { $what }
fault-unlabelled = lo guardado no dice para quién es

# Errores de un transporte de correo. Un mensaje de otro programa se cita
# sin traducirlo.
way-no-file = no es un archivo
way-nonsense = no se entiende la respuesta del servidor
way-nothing = el servidor no devuelve nada
way-line-broke = se ha cortado la conexión
way-timed-out = ha tardado demasiado
way-says-more = el servidor dice más de lo que se le ha preguntado
way-server-says = el servidor dice: { $what }
way-server-without = { $what ->
    [SMTPUTF8] el servidor no tiene SMTPUTF8, así que no puede enviar a una dirección con letras que no sean de la a a la z delante de la @. Otra dirección de esta persona sí serviría
   *[other] el servidor no tiene { $what }
  }
