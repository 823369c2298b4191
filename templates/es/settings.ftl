# Los ajustes propios de un miembro y sus notas privadas.

heading-settings = Tus ajustes, y las líneas que los cambian
heading-own-notes = Tus notas, solo para tus ojos

language-kept = Tus cartas van desde ahora en este idioma: { $language }.
language-unknown = No hay palabras en ese idioma. Hay: { $all }.
letters-text-kept = Tus cartas van desde ahora solo como texto.
letters-picture-on-kept = Los tableros van desde ahora como imágenes en tus cartas HTML.
letters-picture-off-kept = Los tableros van desde ahora sin imágenes.
letters-html-kept = Tus cartas van desde ahora como texto y como HTML.
letters-digest-kept = Cuando hay cartas sobre varias de tus partidas, van desde ahora como una sola.
letters-digest-at-kept = Tus cartas van desde ahora como una sola, a las { $time } de tu reloj ({ $zone }), los días en que hay algo. Lo que no puede esperar va al momento: respuestas a tus cartas, recordatorios, y un turno o una votación para los que entonces te quedarían menos de dos días.
digest-time-unread = La hora de un resumen se escribe como "cartas resumen 18:00". "cartas resumen" solo trae una carta cuando haya algo, "cartas sueltas" una carta por cada partida.
letters-each-kept = Las cartas de cada partida van desde ahora por separado.
letters-turns-kept = Las cartas de una partida vienen desde ahora cuando es tu turno, cuando se te pregunta algo o se te dice algo a ti en privado, y al final. Todo lo demás va en la siguiente de ellas.
letters-turns-first = Recibes una carta cuando es tu turno, y por lo que no puede esperar; todo lo demás que pasa va en la siguiente. Para una carta cada vez que pase algo, escribe "cartas todas" en respuesta a cualquier carta.
letters-here-kept = { $wish ->
    [turns] Las cartas de esta partida vienen desde ahora cuando es tu turno, cuando se te pregunta algo o se te dice algo a ti en privado, y al final. Todo lo demás va en la siguiente de ellas. Las demás partidas siguen como antes.
    [all] Las cartas de esta partida vienen cada vez que pasa algo en ella. Las demás partidas siguen como antes.
   *[usual] Las cartas de esta partida vienen desde ahora como las de tus otras partidas.
  }
letters-here-where = "cartas turnos aquí", "cartas todas aquí" y "cartas como siempre" son para una sola partida: escríbelas en respuesta a una carta de esa partida.
letters-all-kept = Las cartas vienen siempre que una partida se ha movido.
subjects-steady-kept = Todas las cartas de una partida llevan desde ahora el mismo asunto.
subjects-telling-kept = Los asuntos de tus cartas dicen desde ahora lo que se te pide.
subjects-unread = De los asuntos se puede decir "asuntos claros" (dicen lo que se pide) o "asuntos fijos" (el mismo en todas las cartas de una partida).
standings-on-kept = La clasificación de tus campañas viene desde ahora por carta.
invitations-on-kept = Cuando alguien te invite a una partida, recibirás una carta.
invitations-off-kept = No recibirás más invitaciones a partidas. "invitaciones activadas" las trae de vuelta.
standings-off-kept = La clasificación de las campañas ya no viene por carta. "clasificación activada" la trae de vuelta.
letters-unread = De las cartas se puede decir "cartas texto" o "cartas html", "cartas resumen" (varias partidas en una), "cartas resumen 18:00" (una al día) o "cartas sueltas", "cartas turnos" (cuando es tu turno) o "cartas todas", las dos últimas con "aquí" para esta partida sola ("cartas como siempre" lo termina), y "sin imágenes" (tableros en palabras) o "imágenes activadas".
board-ascii-kept = Los tableros se dibujan desde ahora con caracteres sencillos (ASCII).
board-unicode-kept = Los tableros se dibujan desde ahora con todas las líneas y signos de Unicode.
board-narrow-kept = El texto sencillo de tus cartas tiene desde ahora 38 columnas, y los tableros vienen en palabras.
board-wide-kept = El texto sencillo de tus cartas es desde ahora tan ancho como una página, y los tableros vienen dibujados.
colours-kept = { $colours ->
    [on] Tus cartas usan colores desde ahora.
    [patterns] Tus cartas van desde ahora en negro sobre blanco, y distinguen las cosas con marcos y trazos, no con colores.
   *[other] Tus cartas no usan colores desde ahora, solo los de tu programa de correo.
  } (Esto se ve solo en HTML; el texto nunca tiene colores.)
colours-unread = De los colores se puede decir "colores activados", "colores tramas" (marcos y trazos distinguen las cosas) o "sin colores".
calendar-on-kept = Las cartas que te dicen un plazo lo traen desde ahora también como cita para tu calendario.
calendar-off-kept = Las cartas no traen desde ahora citas para tu calendario.
calendar-unread = Del calendario se puede decir "calendario activado" o "sin calendario".

setting-zone = Zona horaria: { $zone } ("zona Europe/Madrid")
setting-vacation = Vacaciones: del { $from } al { $to }
setting-how-vacation = Para irte de vacaciones: "vacaciones 2026-12-20 al 2027-01-03"; para no irte: "sin vacaciones"
setting-language = Idioma: { $language } ("idioma es")
setting-letters = Cartas: { $html ->
    [on] texto y HTML ("cartas texto" para solo texto)
   *[other] solo texto ("cartas html" para HTML también)
  }
setting-picture = Imágenes de los tableros: { $picture ->
    [on] en las cartas HTML ("sin imágenes")
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
    [daily] una carta al día, a las { $time } ("cartas resumen" para una cuando haya algo, "cartas sueltas" para una por partida)
    [on] una carta ("cartas resumen 18:00" para una al día, "cartas sueltas" para una por partida)
   *[other] una carta por partida ("cartas resumen" para una sola carta, "cartas resumen 18:00" para una al día)
  }
setting-turns = Cartas de una partida: { $turns ->
    [on] cuando es tu turno, y por lo que no puede esperar ("cartas todas" para cada turno de los demás)
   *[other] siempre que se ha movido ("cartas turnos" solo para tus propios turnos)
  }
setting-subjects = Asuntos de las cartas: { $steady ->
    [on] el mismo para toda una partida ("asuntos claros" para lo que se pide)
   *[other] lo que se pide ("asuntos fijos" para uno solo por partida)
  }
setting-invitations = Invitaciones a partidas: { $invitations ->
    [on] por carta ("invitaciones desactivadas")
   *[other] sin cartas ("invitaciones activadas")
  }
setting-standings = Clasificación de las campañas: { $standings ->
    [on] por carta ("clasificación desactivada")
   *[other] sin cartas ("clasificación activada")
  }
setting-turns-here = En esta partida las cartas vienen { $wish ->
    [turns] cuando es tu turno ("cartas como siempre" para lo que quieres de las demás)
    [all] siempre que se ha movido ("cartas como siempre" para lo que quieres de las demás)
   *[usual] como en tus otras partidas ("cartas todas aquí", "cartas turnos aquí")
  }
setting-auto-forced = En esta partida, lo único legal { $on ->
    [on] se hace por ti ("auto forced off")
   *[other] se te deja a ti ("auto forced on")
  }

note-kept = Guardada como nota { $number }, solo para tus ojos.
note-empty = Una nota se escribe como "nota Cid acapara azul"; "olvidar nota 2" y "olvidar notas" quitan notas.
note-long = Esta nota tiene { $length } caracteres, y el máximo es { $limit }. Haz dos de ella, por favor.
note-many = Tienes { $limit } notas, que es el máximo. "olvidar nota 1" quita la más antigua.
note-none = No tienes ninguna nota { $number }.
note-forget-unread = Las notas se quitan con "olvidar nota 2", con el número que muestran tus cartas, o todas con "olvidar notas".
note-forgotten = La nota { $number } está olvidada{ $left ->
    [0] .
   *[other] ; las siguientes han subido.
  }
notes-forgotten = Todas tus notas están olvidadas.
note-line = { $number }. { $text }
