# La prueba: una carta breve para saber si las cartas llegan a un miembro.
probe-subject = { $club }: ¿te llegan nuestros correos?
probe-why = ¡Hola, { $name }! Un servidor de correo nos dice que no pudo entregarte un correo nuestro. Con este, que es muy breve, comprobamos si es verdad.
probe-nothing = Si lo estás leyendo, todo va bien y no tienes que hacer nada.

# Avisos al moderador sobre miembros a los que no llegan las cartas.
report-undeliverable = Vuelven los correos a { $name } ({ $address }), { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Ahí solo enviamos un correo de prueba a los 1, 3, 7 y 14 días, hasta que { $name } vuelva a escribir o tenga otra dirección. Si sabes que ya todo va bien, usa "postrider member reachable". { $name } no juega ahora ninguna partida.
report-undeliverable-plays = Vuelven los correos a { $name } ({ $address }), { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Ahí solo enviamos un correo de prueba a los 1, 3, 7 y 14 días, hasta que { $name } vuelva a escribir o tenga otra dirección. Si sabes que ya todo va bien, usa "postrider member reachable". { $name } juega en { $games }, pero ninguna espera ahora a { $name }.
report-undeliverable-waits = Vuelven los correos a { $name } ({ $address }), { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Ahí solo enviamos un correo de prueba a los 1, 3, 7 y 14 días, hasta que { $name } vuelva a escribir o tenga otra dirección. Si sabes que ya todo va bien, usa "postrider member reachable". { $name } juega en { $games }. Esperan ahora a { $name }, con el reloj parado: { $waiting }. Con "postrider member add-address" puedes añadir una dirección nueva, con "postrider replace" dar la plaza a otra persona, y con "postrider end" terminar una partida.
report-undeliverable-again = Vuelven otra vez los correos a { $name } ({ $address }), { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Ahí solo enviamos un correo de prueba a los 1, 3, 7 y 14 días, hasta que { $name } vuelva a escribir o tenga otra dirección. Si sabes que ya todo va bien, usa "postrider member reachable". { $name } juega en { $games }. Esperan ahora a { $name }: { $waiting }. El reloj de { $name } ya se paró por esto el { $before }, así que esta vez corre. Tú decides qué hacer: con "postrider clock" puedes parar una partida o prorrogar un plazo, y con "postrider replace" dar la plaza a otra persona.
report-reached = El último correo de prueba a { $name } ({ $address }) no ha vuelto, así que parece que los correos llegan. Volvemos a escribir a { $name }, con las noticias que se perdió.
report-refused = Los servidores de correo rechazan definitivamente los correos a { $count ->
    [one] un miembro
   *[other] { $count } miembros
}, el último a { $address } { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Seguimos intentándolo. Si un buzón los rechaza durante un día, damos al miembro por inalcanzable. Hasta entonces su tiempo corre.
report-mass-refusal = En un día se han rechazado o han vuelto los correos a { $count } miembros, el último a { $address } { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Es al menos un tercio de los miembros a los que escribimos, así que el problema parece estar en tu propio servidor o proveedor de correo y no en sus buzones. Míralo ahí, por favor. Por ahora no damos a nadie por inalcanzable, y seguimos intentándolo.
report-lost-runs = Los correos a { $names } vuelven. La partida { $number } ya ha esperado tantos días como permite por vacaciones, así que ahí vuelve a correr el tiempo.
report-slow-letters = Salvo este, no hemos podido enviar ningún correo desde el { $since }: { $why }. { $count ->
    [one] Queda un correo por enviar
   *[other] Quedan { $count } correos por enviar
}. Seguimos intentándolo, cada vez con menos frecuencia.
report-waits-for-lost = La partida { $number } todavía espera a { $names }. No podemos enviar ningún recordatorio, porque los correos vuelven.
report-refused-by-rule = Las reglas de otros servidores han rechazado en un día los correos a { $count } miembros, el último a { $address } { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. No es culpa de ellos. Mira qué dice tu propio servidor o proveedor de estos correos, si su dirección está en una lista de bloqueo, y si SPF, DKIM y DMARC están bien para tu dominio.
