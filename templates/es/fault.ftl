# Errores en una carta o en el programa. Cada uno es una frase que va detrás de dos puntos, o
# delante de "No ha cambiado nada."
# Por qué una carta está en cuarentena.
held-senders = no tiene exactamente un remitente, así que no se puede atribuir a nadie
held-mark-of-seat = lleva la marca de respuesta de la partida { $game }, plaza { $seat }, pero { $doubt }
held-mark = lleva { $of ->
    [moderator] una marca de respuesta del moderador
    [invited] la marca de respuesta de una invitación
   *[member] una marca de respuesta de un miembro
  }, pero { $doubt }
doubt-not-the-moderator = { $sender } no es la dirección del moderador
doubt-not-the-member = { $sender } no es una dirección del miembro a quien se dio
doubt-unchecked = nuestro servidor de correo no comprobó quién la envió
doubt-unreadable = lo que nuestro servidor de correo averiguó de ella no se puede leer
doubt-no-dmarc = nuestro servidor de correo no encontró ninguna política DMARC con que comprobarla
doubt-failed = no pasa DMARC, así que puede haberla enviado cualquiera
doubt-other-domain = pasa DMARC para otro dominio que el de su remitente


# Por qué no se contesta una carta: la escribió un programa.
ignored-club = su remitente es el propio club
automatic-own = una carta nuestra que volvió
automatic-bounce = un aviso de que una carta no se entregó
automatic-system = enviada por un sistema de correo
automatic-program = enviada por un programa
automatic-notice = un aviso de ausencia o de recepción
automatic-list = enviada por una lista de correo
automatic-bulk = enviada a muchos a la vez
automatic-loop = marcada contra bucles
automatic-no-return = enviada sin dirección de retorno
automatic-unwanted = su remitente no quiere ninguna respuesta automática

# Por qué no se puede leer una carta.
unreadable-large = es mayor de { $most } KiB
unreadable-parts = tiene más de { $most } partes
unreadable-deep = sus partes están anidadas más de { $most } veces
unreadable-hops = pasó por más de { $most } servidores, como las cartas en un bucle
unreadable-head = sus encabezados son mayores de { $most } KiB
unreadable-sender = no dice de quién es
unreadable-form = no es una carta

# Errores en una partida o en el programa.
fault-failed = el programa falló con ella
fault-game = partida { $game }: { $why }
fault-no-log = su diario ha desaparecido
fault-no-game = no hay partida { $game }
fault-damage = lo guardado no se puede leer ({ $what }): { $text }
fault-version = este programa no juega a { $game } en la versión { $version }
fault-later = su registro tiene la forma { $form }, de una versión posterior de postrider; instala esa
fault-definition = la definición de su diario se rechaza ("{ $why }")
fault-said = { $what }
fault-record = registro { $seq }: { $why }
fault-no-record = la línea { $seq } del diario de la partida no es ningún registro: { $what }
fault-gap = falta el registro { $expected }: en su lugar está { $found }
fault-address = { $address } no es una dirección a la que pueda ir una carta
fault-file = { $path }: { $what }
fault-unlabelled = lo guardado no dice para quién es

# Errores de un transporte de correo. Un mensaje de otro programa se cita
# sin traducirlo.
way-no-file = no es ningún archivo
way-nonsense = la respuesta del servidor no se puede entender
way-nothing = el servidor no da nada a cambio
way-line-broke = la conexión se cortó
way-timed-out = tardó demasiado
way-says-more = el servidor dice más de lo que se le preguntó
way-server-says = el servidor dice: { $what }
way-server-without = { $what ->
    [SMTPUTF8] el servidor no tiene SMTPUTF8, así que no puede enviar a una dirección con letras que no sean de la a a la z delante de la @. Otra dirección de esta persona serviría
   *[other] el servidor no tiene { $what }
  }
