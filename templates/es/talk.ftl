# Mensajes entre jugadores.

heading-talk = Mensajes
talk-head = { $from } → { $to }:
talk-dated = ({ $at }) { $head }
talk-from = { $who-is ->
    [you] Tú
   *[other] { $who }
  }
talk-from-unnamed = { $who-is ->
    [you] Tú, sin nombre,
   *[other] { $who }
  }
talk-from-somebody = Alguien
talk-from-former = Quien ocupó antes la plaza de { $who }
talk-to-all = todos

# Las primeras líneas de una carta.
talk-said = Hemos enviado tu mensaje. Abajo lo ves como lo leen los demás.
talk-heard = Tienes un mensaje, más abajo.
talk-would = No hemos enviado ningún mensaje. Abajo ves qué enviaríamos, y a quién.
talk-unsaid = No hemos enviado a nadie los mensajes de tu correo.
talk-lost = { $name } dejó la plaza antes de poder leer tu mensaje, así que no lo hemos enviado. Tampoco lo leerá quien ocupe esa plaza.

# Las normas para los mensajes en una partida.
talk-none = En esta partida no puedes enviar mensajes a otros jugadores a través del club.
talk-public-only = En esta partida solo hay mensajes para todos. Escribe "decir" y tu mensaje.
talk-signed-only = En esta partida todos los mensajes llevan el nombre de quien los escribe. Quita la palabra "anónimamente".
talk-terms-anonymous = En esta partida puedes enviar mensajes sin tu nombre. Escribe "decir anónimamente" y tu mensaje.
talk-terms-moderator = En esta partida el moderador puede leer los mensajes privados.

# Errores en una línea.
talk-to-whom = Después de "decir a" escribe para quién es, por nombre o por plaza, y luego tu mensaje. Las plazas son { $seats }.
talk-nobody = En esta partida no juega nadie llamado { $name }. Las plazas son { $seats }.
talk-seat = { $number } ({ $name })
talk-which = { $name } puede ser más de un jugador. Escribe el número de su plaza, como en "decir a 2".
talk-colon = No está claro para quién es el mensaje. Pon dos puntos detrás de los nombres, como en "decir a ann, bob: hola".
talk-to-yourself = Este mensaje sería solo para ti. Una línea que empieza por "decir a" va a otros jugadores.
talk-seat-open = Ahora nadie ocupa la plaza de { $who }, y quien la ocupe no leerá los mensajes de antes.
talk-to-bot = { $who } es un bot y no lee mensajes.
talk-seat-new = { $who } ha ocupado esa plaza después de que escribieras tu correo. Si tu mensaje es para { $who }, escríbelo otra vez, por favor.
talk-empty = Falta el mensaje. Escríbelo detrás, o en las líneas de abajo hasta una línea "fin".
talk-private = Tu mensaje contiene una dirección de correo o una dirección secreta de respuesta tuya, y nadie más debe verlas. No lo hemos enviado. Si la ha puesto ahí tu programa de correo, escribe una línea "fin" debajo de tu mensaje.
talk-cut = Desde la línea { $number }, tu correo parece citar otro correo. Eso no se lo hemos enviado a nadie.
talk-too-long = En un correo caben mensajes de { $characters } caracteres y { $lines } líneas como máximo.
talk-too-often = Has enviado mensajes en { $count } correos en las últimas 24 horas, y ese es el máximo. Prueba otra vez más tarde, por favor.
talk-order-inside = Esta línea está dentro de tu mensaje para otros, pero parece para nosotros, así que no hemos hecho nada. Si es para nosotros, pon encima una línea "fin". Si no, dilo con otras palabras.
talk-say-name = "decir" escribe a todos los jugadores, y esto parece para uno. No hemos enviado ni hecho nada. Si es solo para ese jugador, envía esta línea. Si es para todos, quita los dos puntos o la "a".
talk-order-behind = Este mensaje para otros lleva algo que parece una orden. No hemos enviado ni hecho nada. Si quieres que cumplamos la orden, envíala en una línea aparte:
talk-ended-here = Tu mensaje para otros termina encima de esta línea, porque parece para nosotros. Para enviar varias líneas, escribe "decir:" solo en una línea, luego tu mensaje y al final una línea "fin".
