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
rule-nmr = sin órdenes: { $nmr }
rule-grace = margen { $length }
rule-bank = banco de tiempo { $length }
rule-increment = incremento { $length }

# El plazo de un turno.
clock-yours = Envía tus órdenes antes del { $by }.
clock-bank = Además tienes { $left } en tu banco de tiempo. Lo que te retrases sale de ahí.
clock-increment = Cada turno que juegas añade { $length } a tu banco de tiempo.
clock-then-absent = Si no hemos recibido nada tuyo el { $end }, jugamos tu turno por ti.
clock-then-stand-in = Si no hemos recibido nada tuyo el { $end }, otro miembro puede jugar por ti hasta que vuelvas.
clock-then-bot = Si no sabemos nada de ti antes de { $end }, un bot jugará por ti hasta que vuelvas a escribir.
clock-then-open = Sería el turno número { $count } seguido que se te pasa. Entonces tu plaza quedaría libre para un sustituto.
clock-seat-open-yours = Se te han pasado demasiados turnos seguidos, así que tu plaza está libre para un sustituto. Si nadie la ha ocupado y juegas un turno, vuelve a ser tuya.
clock-seat-open = { $count ->
    [one] La plaza de { $who } está libre
   *[other] Las plazas de { $who } están libres
  } para un sustituto.
clock-overdue = No han llegado tus órdenes. La partida te espera.
clock-others = Plazo de { $who }: { $by }.
clock-others-overdue = El plazo de { $who } terminó el { $by } y no han llegado órdenes. La partida las espera.
clock-others-away = El tiempo de { $who } no corre hasta el { $until }, por vacaciones. Por eso este plazo es más largo.
seat-lost = La partida espera a { $who }, pero ahora nuestros correos no llegan a su buzón.
clock-others-lost = Los correos a { $who } nos vuelven, así que ese tiempo no corre hasta que llegue uno. El moderador ya lo sabe.
clock-paused = El reloj de esta partida está parado. No corre el tiempo de nadie.

# Los motivos de una carta sobre el reloj.
clock-reminder = Esto es un recordatorio.
clock-would-do = Si nada cambia, haremos esto por ti: { $line }
clock-set-right = El reloj de nuestro servidor ha ido mal un tiempo, y con él las horas de nuestros últimos correos. Las de este correo son correctas. Nadie ha perdido tiempo por ello.
clock-extended = Nuestro servicio de correo ha estado parado un tiempo. Para que no pierdas nada, tienes { $span } más.
clock-absent = { $who-is ->
    [you] Se te ha pasado el plazo, así que hemos jugado tu turno por ti:
   *[other] Las órdenes de { $who } no han llegado a tiempo, así que hemos jugado su turno:
  }
clock-bot = { $who-is ->
    [you] Se te pasó el plazo, así que un bot juega por ti hasta que escribas a la partida:
   *[other] { $who } no está, así que un bot juega en su lugar:
  }
clock-moderated-extended = { $by ->
    [players] Los jugadores han votado ({ $reason }) prorrogar el plazo { $span }.
   *[moderator] El moderador ha prorrogado el plazo { $span }: { $reason }
  }
clock-moderated-paused = { $by ->
    [players] Los jugadores han votado ({ $reason }) parar el reloj de esta partida.
   *[moderator] El moderador ha parado el reloj de esta partida: { $reason }
  }
clock-moderated-resumed = { $by ->
    [players] Los jugadores han votado ({ $reason }) poner otra vez en marcha el reloj de esta partida.
   *[moderator] El moderador ha puesto otra vez en marcha el reloj de esta partida: { $reason }
  }
clock-moderated-rules = El moderador ha cambiado el reloj de esta partida: { $reason }
clock-none = Esta partida no tiene reloj y espera para siempre. Para darle un plazo, escribe "set 12 deadline 3 days because ...".

# Órdenes para el club.
zone-kept = Tu zona horaria es ahora { $zone }, donde son { $now }. Todas las horas de tus correos van en esa zona.
zone-unknown = No conocemos la zona horaria { $zone }. Escribe una como "zona Europe/Madrid" o "zona America/New_York".
vacation-kept = Vacaciones anotadas: del { $from } al { $to }. En las partidas que paran por vacaciones, tu tiempo no corre esos días. Para anularlas, escribe "sin vacaciones".
vacation-off = Hemos anulado tus vacaciones de hoy en adelante.
vacation-unread = Escribe tus vacaciones así: "vacaciones 2026-12-20 al 2027-01-03". Para anularlas, escribe "sin vacaciones".
vacation-backwards = Estas vacaciones terminan antes de empezar. Revisa las fechas.
vacation-past = Las vacaciones no pueden empezar antes de hoy.
vacation-far = Las vacaciones pueden llegar como mucho hasta dentro de dos años.
vacation-spent = Puedes tomarte { $allowed } días de vacaciones al año como máximo. De { $year } te quedan { $left }.

# Una cita en el calendario de un jugador.
calendar-summary = { $game }: plazo para tus órdenes

# Al moderador.
report-outage = No hubo ninguna pasada desde el { $since }, durante { $span }, o ninguna pudo recoger los correos. Hemos prorrogado otro tanto los plazos que terminaban en ese tiempo o en el día siguiente, y como mínimo hasta dentro de un día, en { $count ->
    [one] una partida
   *[other] { $count } partidas
  }. Avisamos a los jugadores a quienes se espera.
report-clock-ahead = Hubo una pasada el { $seen }, pero ahora es { $now }: el reloj de esta máquina iba adelantado. Hemos corregido lo que se calculó con él, en { $count ->
    [one] una partida
   *[other] { $count } partidas
  }, y avisamos a sus jugadores. A nadie se le acaba el tiempo antes de un día. Mantén el reloj en hora, por favor.
report-closed = No hemos podido enviar nada desde el { $since }, durante { $span }. Hemos prorrogado otro tanto los plazos que terminaban en ese tiempo o en el día siguiente, y como mínimo hasta dentro de un día, en { $count ->
    [one] una partida
   *[other] { $count } partidas
  }. Avisamos a los jugadores a quienes se espera.
report-often-absent = A { $who } se le ha pasado el plazo en { $count } turnos de la partida { $number }, y los hemos jugado sin sus órdenes.
report-seat-open = A { $who } se le han pasado tantos turnos seguidos de la partida { $number } que la plaza { $seat } queda libre para un sustituto.
report-missed = A { $who } se le ha pasado el plazo en la partida { $number }, que sigue esperando.

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
pace = un turno dura unos { $span }
pace-end = { $pace }, así que probablemente terminará hacia el { $end }
pace-asked = Hasta ahora { $pace }.
pace-unknown = Todavía no se ha jugado ningún turno, así que no podemos decir a qué ritmo va esta partida.
