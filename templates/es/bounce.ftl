# La prueba: una carta breve para saber si las cartas llegan a un miembro.
probe-subject = { $club }: ¿te llegan nuestras cartas?
probe-why = ¡Hola, { $name }! Un servidor de correo nos dice que no se pudo entregar una carta para ti. Esta carta breve sirve para saber si es verdad.
probe-nothing = Si la estás leyendo, todo va bien y no tienes que hacer nada.

# Avisos al moderador sobre miembros a los que no llegan las cartas.
report-undeliverable = Las cartas a { $name } ({ $address }) vuelven, { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Ahí solo va una carta de prueba a los 1, 3, 7 y 14 días, hasta que { $name } escriba otra vez o tenga otra dirección, o hasta que "postrider member reachable" diga que todo va bien. { $name } no juega por ahora ninguna partida.
report-undeliverable-plays = Las cartas a { $name } ({ $address }) vuelven, { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Ahí solo va una carta de prueba a los 1, 3, 7 y 14 días, hasta que { $name } escriba otra vez o tenga otra dirección, o hasta que "postrider member reachable" diga que todo va bien. { $name } juega en { $games }; ninguna de ellas espera ahora a { $name }.
report-undeliverable-waits = Las cartas a { $name } ({ $address }) vuelven, { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Ahí solo va una carta de prueba a los 1, 3, 7 y 14 días, hasta que { $name } escriba otra vez o tenga otra dirección, o hasta que "postrider member reachable" diga que todo va bien. { $name } juega en { $games }; esperan ahora a { $name }, y ahí no corre el tiempo: { $waiting }. "postrider member add-address" da una dirección nueva, "postrider replace" da la plaza a otra persona, "postrider end" termina una partida.
report-undeliverable-again = Las cartas a { $name } ({ $address }) vuelven otra vez, { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Ahí solo va una carta de prueba a los 1, 3, 7 y 14 días, hasta que { $name } escriba otra vez o tenga otra dirección, o hasta que "postrider member reachable" diga que todo va bien. { $name } juega en { $games }; esperan ahora a { $name }: { $waiting }. Por eso mismo el tiempo de { $name } ya estuvo parado el { $before }, así que esta vez corre, y lo que pienses de ello es cosa tuya: "postrider clock" para una partida o aplaza un plazo, "postrider replace" da la plaza a otra persona.
report-reached = La última carta de prueba a { $name } ({ $address }) no ha vuelto, así que parece que las cartas llegan. Se escribe otra vez a { $name }, con las noticias que se perdió.
report-refused = Los servidores de correo rechazan definitivamente las cartas a { $count ->
    [one] un miembro
   *[other] { $count } miembros
}, la última a { $address } { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Esas cartas se intentan otra vez. Si un buzón las rechaza durante un día, se considera que el miembro no recibe cartas; hasta entonces el tiempo corre.
report-mass-refusal = En un día se han rechazado o han vuelto las cartas a { $count } miembros, la última a { $address } { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. Es un tercio de aquellos a los que se escribió, o más, así que parece cosa de tu propio servidor o proveedor de correo y no de sus buzones: míralo ahí, por favor. Por ahora nadie cuenta por eso como inalcanzable, y las cartas se intentan otra vez.
report-lost-runs = La partida { $number } ha esperado a { $names } tanto como por unas vacaciones, porque las cartas vuelven. Ahí vuelve a correr el tiempo.
report-slow-letters = No se pudo enviar ninguna carta salvo esta desde el { $since }: { $why }. { $count ->
    [one] Espera una carta
   *[other] Esperan { $count } cartas
} y se siguen intentando, cada vez con menos frecuencia.
report-waits-for-lost = La partida { $number } aún espera a { $names }, a quien no se puede recordar porque las cartas vuelven.
report-refused-by-rule = Las reglas de servidores de correo han rechazado cartas a { $count } miembros en un día, la última a { $address } { $status ->
    [none] sin código de estado
   *[other] con el estado { $status }
}. No es culpa de ellos: mira lo que tu propio servidor o proveedor dice de estas cartas, si su dirección está en una lista, y si SPF, DKIM y DMARC valen para tu dominio.
