# Los ajustes propios de un miembro y sus notas privadas.

heading-settings = Tus ajustes, y las líneas que los cambian
heading-own-notes = Tus notas (solo las ves tú)

remind-kept = { $choice ->
    [off] Desde ahora no te recordamos tus turnos. Solo recibes el último recordatorio antes de un plazo tras el que jugaríamos por ti u ofreceríamos tu plaza a otra persona. Ese lo enviamos siempre.
    [every] Desde ahora te enviamos recordatorios mientras sea tu turno. Tiempo entre dos recordatorios: { $interval }. Además, recibes el último recordatorio antes de un plazo tras el que jugaríamos por ti u ofreceríamos tu plaza a otra persona.
   *[usual] Desde ahora recibes los recordatorios habituales de cada partida.
  }
remind-unread = Para los recordatorios, escribe "recordar 12h" o "recordar 2d" (como mínimo { $least }, y como máximo un año), "sin recordatorios", o "recordar como siempre" para los habituales de cada partida.
language-kept = Desde ahora te escribimos en este idioma: { $language }.
language-unknown = No tenemos ese idioma. Puedes elegir entre: { $all }.
letters-text-kept = Desde ahora tus correos son solo texto.
letters-picture-on-kept = Desde ahora tus correos HTML llevan los tableros como imágenes.
letters-picture-off-kept = Desde ahora tus correos no llevan imágenes de los tableros.
letters-html-kept = Desde ahora tus correos llevan texto y HTML.
letters-digest-kept = Desde ahora, cuando haya noticias de varias de tus partidas, van en un solo correo.
letters-digest-at-kept = Desde ahora te enviamos un solo correo al día, a las { $time } de tu hora ({ $zone }), si hay noticias. Lo que no puede esperar va enseguida: respuestas a tus correos, recordatorios, y los turnos o votaciones que a esa hora te dejarían menos de dos días.
digest-time-unread = La hora de un resumen se escribe como "cartas resumen 18:00". Con "cartas resumen" a secas recibes un correo cuando hay noticias, y con "cartas sueltas", uno por cada partida.
letters-each-kept = Desde ahora recibes un correo aparte por cada partida.
letters-turns-kept = Desde ahora te escribimos sobre una partida cuando es tu turno, cuando te preguntan algo, cuando recibes un mensaje privado y al final. Todo lo demás va en el siguiente de esos correos.
letters-turns-first = Te escribimos cuando es tu turno y cuando algo no puede esperar. Todo lo demás va en el siguiente correo. Si quieres un correo cada vez que pase algo, contesta "cartas todas" a cualquier correo.
letters-here-kept = { $wish ->
    [turns] Desde ahora te escribimos sobre esta partida cuando es tu turno, cuando te preguntan algo, cuando recibes un mensaje privado y al final. Todo lo demás va en el siguiente de esos correos. Tus otras partidas siguen como antes.
    [all] Te escribimos sobre esta partida cada vez que pasa algo en ella. Tus otras partidas siguen como antes.
   *[usual] Desde ahora te escribimos sobre esta partida como sobre las demás.
  }
letters-here-where = "cartas turnos aquí", "cartas todas aquí" y "cartas como siempre" son para una sola partida. Escríbelas en una respuesta a un correo de esa partida.
letters-all-kept = Te escribimos cada vez que pasa algo en una partida.
subjects-steady-kept = Desde ahora todos los correos de una partida tienen el mismo asunto.
subjects-telling-kept = Desde ahora el asunto de tus correos dice qué tienes que hacer.
subjects-unread = Para los asuntos, escribe "asuntos claros" (dicen qué tienes que hacer) o "asuntos fijos" (el mismo en todos los correos de una partida).
standings-on-kept = Desde ahora te enviamos por correo la clasificación de tus campañas.
invitations-on-kept = Te enviaremos un correo cuando alguien te invite a una partida.
invitations-off-kept = Ya no recibirás invitaciones a partidas. Para volver a recibirlas, escribe "invitaciones activadas".
site-name-kept = Desde ahora, el sitio web del club muestra tu nombre en tus partidas, también en las anteriores. Además, tiene una página con tus resultados y tu valoración. Para ocultarlo todo otra vez, escribe "sitio asiento".
site-seat-kept = El sitio web del club no muestra tu nombre. Desaparecerá de allí la próxima vez que se genere el sitio.
standings-off-kept = Ya no te enviamos por correo la clasificación de las campañas. Para volver a recibirla, escribe "clasificación activada".
letters-unread = Para tus correos puedes escribir "cartas texto" o "cartas html"; "cartas resumen" (varias partidas en un correo), "cartas resumen 18:00" (uno al día) o "cartas sueltas"; "cartas turnos" (cuando es tu turno) o "cartas todas"; "sin imágenes" (tableros en palabras) o "imágenes activadas". Añade "aquí" a "cartas turnos" o "cartas todas" si es solo para esta partida. "cartas como siempre" lo quita.
board-ascii-kept = Desde ahora dibujamos los tableros con caracteres sencillos (ASCII).
board-unicode-kept = Desde ahora dibujamos los tableros con todas las líneas y signos de Unicode.
board-narrow-kept = Desde ahora el texto sencillo de tus correos tiene 38 columnas, con los tableros en palabras.
board-wide-kept = Desde ahora el texto sencillo de tus correos es tan ancho como una página, con los tableros dibujados.
colours-kept = { $colours ->
    [on] Desde ahora tus correos usan colores.
    [patterns] Desde ahora tus correos van en negro sobre blanco, con marcos y tramas en lugar de colores.
   *[other] Desde ahora tus correos no usan colores propios, solo los de tu programa de correo.
  } (Esto solo se nota en HTML. El texto nunca tiene colores.)
colours-unread = Para los colores, escribe "colores activados", "colores tramas" (marcos y tramas en lugar de colores) o "sin colores".
calendar-on-kept = Desde ahora los correos que te dicen un plazo lo llevan también como cita para tu calendario.
calendar-off-kept = Desde ahora tus correos no llevan citas para tu calendario.
calendar-unread = Para el calendario, escribe "calendario activado" o "sin calendario".

setting-zone = Zona horaria: { $zone } ("zona Europe/Madrid")
setting-vacation = Vacaciones: del { $from } al { $to }
setting-how-vacation = Para irte de vacaciones: "vacaciones 2026-12-20 al 2027-01-03"; para anularlas: "sin vacaciones"
setting-reminders = Recordatorios de tus turnos: { $choice ->
    [off] solo el último antes de que juguemos por ti u ofrezcamos tu plaza ("recordar 12h" para uno cada 12 horas, "recordar como siempre")
    [every] { $interval } entre dos ("sin recordatorios", "recordar como siempre")
   *[usual] los habituales de cada partida ("recordar 12h" para uno cada 12 horas, "sin recordatorios")
  }
setting-language = Idioma: { $language } ("idioma es")
setting-letters = Correos: { $html ->
    [on] texto y HTML ("cartas texto" para solo texto)
   *[other] solo texto ("cartas html" para HTML también)
  }
setting-picture = Imágenes de los tableros: { $picture ->
    [on] en los correos HTML ("sin imágenes")
   *[other] ninguna ("imágenes activadas")
  }
setting-board = Tableros: { $ascii ->
    [on] caracteres sencillos, ASCII ("tablero unicode" para líneas más finas)
   *[other] Unicode ("tablero ascii" para caracteres sencillos)
  }
setting-narrow = Texto sencillo: { $narrow ->
    [on] 38 columnas, tableros en palabras ("tablero ancho" para una página con tableros dibujados)
   *[other] ancho como una página, tableros dibujados ("tablero estrecho" para un teléfono, o para un lector de pantalla)
  }
setting-colours = Colores en HTML: { $colours ->
    [on] activados
    [patterns] tramas
   *[off] desactivados
  } ("colores activados", "colores tramas", "sin colores")
setting-calendar = Plazos como citas para un calendario: { $calendar ->
    [on] sí ("sin calendario")
   *[other] no ("calendario activado")
  }
setting-digest = Varias partidas a la vez: { $digest ->
    [daily] un correo al día, a las { $time } ("cartas resumen" para uno cuando haya noticias, "cartas sueltas" para uno por partida)
    [on] un solo correo ("cartas resumen 18:00" para uno al día, "cartas sueltas" para uno por partida)
   *[other] un correo por partida ("cartas resumen" para uno solo, "cartas resumen 18:00" para uno al día)
  }
setting-turns = Correos de una partida: { $turns ->
    [on] cuando es tu turno y cuando algo no puede esperar ("cartas todas" para cada turno de los demás)
   *[other] cada vez que pasa algo ("cartas turnos" solo para tus turnos)
  }
setting-subjects = Asuntos de los correos: { $steady ->
    [on] el mismo para toda una partida ("asuntos claros" para ver qué tienes que hacer)
   *[other] qué tienes que hacer ("asuntos fijos" para uno solo por partida)
  }
setting-invitations = Invitaciones a partidas: { $invitations ->
    [on] por correo ("invitaciones desactivadas")
   *[other] ninguna ("invitaciones activadas")
  }
setting-site = Tu nombre en el sitio web del club: { $site ->
    [on] visible ("sitio asiento" para mostrar solo tu asiento)
   *[other] oculto, solo se ve tu asiento ("sitio nombre" para mostrar tu nombre)
  }
setting-standings = Clasificación de las campañas: { $standings ->
    [on] por correo ("clasificación desactivada")
   *[other] sin correos ("clasificación activada")
  }
setting-turns-here = Correos de esta partida: { $wish ->
    [turns] cuando es tu turno ("cartas como siempre" para que sea como en las demás)
    [all] cada vez que pasa algo ("cartas como siempre" para que sea como en las demás)
   *[usual] como en tus otras partidas ("cartas todas aquí", "cartas turnos aquí")
  }
setting-auto-forced = En esta partida, si solo tienes una orden legal, { $on ->
    [on] la damos por ti ("jugada única desactivada")
   *[other] la das tú ("jugada única activada")
  }

note-kept = Hemos guardado la nota { $number }. Solo la ves tú.
note-empty = Una nota se escribe como "nota Cid acapara azul". Para borrar notas, escribe "olvidar nota 2" u "olvidar notas".
note-long = Esta nota tiene { $length } caracteres, y el máximo es { $limit }. Divídela en dos, por favor.
note-many = Tienes { $limit } notas, y ese es el máximo. "olvidar nota 1" borra la más antigua.
note-none = No tienes ninguna nota { $number }.
note-forget-unread = Para borrar una nota, escribe "olvidar nota 2" con el número que ves en tus correos. Para borrarlas todas, escribe "olvidar notas".
note-forgotten = Hemos borrado la nota { $number }{ $left ->
    [0] .
   *[other] . Las siguientes suben un número.
  }
notes-forgotten = Hemos borrado todas tus notas.
note-line = { $number }. { $text }
