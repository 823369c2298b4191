# Plazos, vacaciones y tiempo.

clock-moment = { $weekday } { $day } { $month } { $year } { $time } { $zone }

# Formas cortas: para un momento dentro de una semana, y para uno posterior.
clock-moment-soon = { $weekday } { $time }
clock-moment-later = { $weekday } { $day } { $month }
clock-date = { $day } { $month } { $year }
clock-days = { $count ->
    [one] un día
   *[other] { $count } días
  }
clock-hours = { $count ->
    [one] una hora
   *[other] { $count } horas
  }

# Duraciones y reglas del reloj.
length-days = { $count ->
    [one] { $count } día
   *[other] { $count } días
  }
length-hours = { $count ->
    [one] { $count } hora
   *[other] { $count } horas
  }
length-minutes = { $count ->
    [one] { $count } minuto
   *[other] { $count } minutos
  }
deadline-weekly = { $days } { $time } { $zone }
rule-deadline = plazo { $deadline }
rule-nmr = ausentes { $nmr }
rule-grace = margen { $length }
rule-bank = banco de tiempo { $length }

# El plazo de un turno.
clock-yours = Envía tus órdenes, por favor, antes del { $by }.
clock-bank = Tu banco de tiempo tiene además { $left }; lo que te retrases se toma de ahí.
clock-then-absent = Si nada tuyo ha llegado el { $end }, cuentas como ausente, y la partida hace por ti lo que tiene previsto para ausentes.
clock-then-stand-in = Si nada tuyo ha llegado el { $end }, otro miembro puede jugar por ti hasta que vuelvas.
clock-then-open = Sería el turno número { $count } seguido que pierdes: tu plaza queda entonces abierta a un sustituto.
clock-seat-open-yours = Tu plaza está abierta a un sustituto, pues has perdido demasiados turnos seguidos. Con un turno tuyo vuelve a ser tuya, si nadie la ha ocupado.
clock-seat-open = { $count ->
    [one] La plaza de { $who } está abierta
   *[other] Las plazas de { $who } están abiertas
  } a un sustituto.
clock-overdue = Tus órdenes no han llegado. La partida las espera.
clock-others = Las órdenes de { $who } deben llegar antes del { $by }.
clock-others-overdue = Las órdenes de { $who } debían llegar antes del { $by } y no han llegado. La partida las espera.
clock-others-away = Hasta el { $until } no se cuenta tiempo a { $who }, por vacaciones; por eso este plazo es más largo.
seat-lost = La partida espera a { $who }, a quien por ahora no llega ninguna carta.
clock-others-lost = Las cartas a { $who } vuelven, así que ahí no corre el tiempo hasta que llegue una. El moderador lo sabe.
clock-paused = El reloj de esta partida está parado, y no corre ningún tiempo.

# Los motivos de una carta sobre el reloj.
clock-reminder = Esto es un recordatorio.
clock-would-do = Tal como están las cosas, lo que se haría por ti es: { $line }
clock-set-right = El reloj de nuestra oficina de correos anduvo mal un tiempo, y con él las horas de nuestras últimas cartas. Lo que pone aquí es correcto; nadie ha perdido tiempo por ello.
clock-extended = Nuestra oficina de correos estuvo cerrada un tiempo. Eso no debe costarte nada, así que tienes { $span } más.
clock-absent = { $who-is ->
    [you] No había llegado ninguna orden tuya, así que se hizo por ti lo que la partida tiene previsto para ausentes:
   *[other] No había llegado ninguna orden de { $who }, así que se hizo lo que la partida tiene previsto para ausentes:
  }
clock-moderated-extended = { $by ->
    [players] Por votación de los jugadores ({ $reason }) el plazo se aplaza { $span }.
   *[moderator] El moderador ha aplazado el plazo { $span }: { $reason }
  }
clock-moderated-paused = { $by ->
    [players] Por votación de los jugadores ({ $reason }) el reloj de esta partida está parado.
   *[moderator] El moderador ha parado el reloj de esta partida: { $reason }
  }
clock-moderated-resumed = { $by ->
    [players] Por votación de los jugadores ({ $reason }) el reloj de esta partida vuelve a correr.
   *[moderator] El moderador hace correr de nuevo el reloj de esta partida: { $reason }
  }
clock-moderated-rules = El moderador ha cambiado el reloj de esta partida: { $reason }
clock-none = Esta partida no tiene reloj: espera para siempre. "set 12 deadline 3 days because ..." le da un plazo.

# Órdenes para el club.
zone-kept = Tu zona horaria es ahora { $zone }, donde son { $now }. Todas las horas de tus cartas van en ella.
zone-unknown = No hay ninguna zona horaria llamada { $zone }. Escribe una como "zona Europe/Madrid" o "zona America/New_York".
vacation-kept = Estás de vacaciones del { $from } al { $to }. Las partidas que paran por vacaciones no cuentan estos días; "sin vacaciones" las anula.
vacation-off = Tus vacaciones de hoy en adelante quedan anuladas.
vacation-unread = Unas vacaciones se escriben como "vacaciones 2026-12-20 al 2027-01-03"; "sin vacaciones" las anula.
vacation-backwards = Estas vacaciones terminan antes de empezar.
vacation-past = Unas vacaciones no pueden empezar antes de hoy.
vacation-far = Unas vacaciones no pueden llegar a más de dos años de aquí.
vacation-spent = Un año tiene como máximo { $allowed } días de vacaciones, y te quedan { $left } de { $year }.

# Una cita en el calendario de un jugador.
calendar-summary = { $game }: se esperan tus órdenes

# Al moderador.
report-outage = No hubo ninguna pasada desde el { $since }, durante { $span }, o ninguna que pudiera recoger las cartas. Los plazos que cayeron en ese tiempo, o que caerían en el día siguiente, se aplazan otro tanto, y a un día desde ahora como mínimo, en { $count ->
    [one] una partida
   *[other] { $count } partidas
  }; se avisa a quienes se espera.
report-clock-ahead = Hubo una pasada el { $seen }, pero ahora es { $now }: el reloj de esta máquina iba adelantado. Lo que se calculó con él queda corregido, en { $count ->
    [one] una partida
   *[other] { $count } partidas
  }, y se avisa a sus jugadores; a nadie se le acaba el tiempo antes de un día. Cuida, por favor, de que el reloj ande bien.
report-closed = No se pudo enviar nada desde el { $since }, durante { $span }. Los plazos que cayeron en ese tiempo, o que caerían en el día siguiente, se aplazan otro tanto, y a un día desde ahora como mínimo, en { $count ->
    [one] una partida
   *[other] { $count } partidas
  }; se avisa a quienes se espera.
report-often-absent = { $who } ha estado ausente { $count } turnos de la partida { $number }, que se jugaron sin órdenes.
report-seat-open = { $who } ha perdido tantos turnos seguidos de la partida { $number } que la plaza { $seat } queda abierta a un sustituto.
report-missed = { $who } no ha cumplido el plazo en la partida { $number }, que sigue esperando.

weekday-mon = lun
weekday-tue = mar
weekday-wed = mié
weekday-thu = jue
weekday-fri = vie
weekday-sat = sáb
weekday-sun = dom
month-jan = ene
month-feb = feb
month-mar = mar
month-apr = abr
month-may = may
month-jun = jun
month-jul = jul
month-aug = ago
month-sep = sep
month-oct = oct
month-nov = nov
month-dec = dic

# El ritmo de una partida.
pace-new = acaba de empezar
pace = un turno dura cerca de { $span }
pace-end = { $pace }, de modo que terminará probablemente hacia el { $end }
pace-asked = Hasta ahora { $pace }.
pace-unknown = Todavía no se ha jugado ningún turno, así que no se puede decir a qué ritmo va esta partida.
