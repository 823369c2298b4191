# Notas al moderador sobre miembros cuyas cartas vuelven.
report-undeliverable = Las cartas a { $name } ({ $address }) vuelven, con el estado { $status }. No se escribe nada más ahí hasta que { $name } escriba otra vez o tenga otra dirección. { $name } no juega por ahora ninguna partida.
report-undeliverable-plays = Las cartas a { $name } ({ $address }) vuelven, con el estado { $status }. No se escribe nada más ahí hasta que { $name } escriba otra vez o tenga otra dirección. { $name } juega en { $games }; ninguna de ellas espera ahora a { $name }.
report-undeliverable-waits = Las cartas a { $name } ({ $address }) vuelven, con el estado { $status }. No se escribe nada más ahí hasta que { $name } escriba otra vez o tenga otra dirección. { $name } juega en { $games }; esperan ahora a { $name }, y ahí no corre el tiempo: { $waiting }. "postrider member" da una dirección nueva, "postrider replace" da la plaza a otra persona, "postrider end" termina una partida.
report-undeliverable-again = Las cartas a { $name } ({ $address }) vuelven otra vez, con el estado { $status }. No se escribe nada más ahí hasta que { $name } escriba otra vez o tenga otra dirección. { $name } juega en { $games }; esperan ahora a { $name }: { $waiting }. Por eso mismo el tiempo de { $name } ya estuvo parado el { $before }, así que esta vez corre, y lo que pienses de ello es cosa tuya: "postrider clock" para una partida o aplaza un plazo, "postrider replace" da la plaza a otra persona.
report-lost-runs = La partida { $number } ha esperado a { $names } tanto como por unas vacaciones, porque las cartas vuelven. Ahí vuelve a correr el tiempo.
report-slow-letters = No se pudo enviar ninguna carta salvo esta desde el { $since }: { $why }. { $count ->
    [one] Espera una carta
   *[other] Esperan { $count } cartas
} y se siguen intentando, cada vez con menos frecuencia.
report-waits-for-lost = La partida { $number } aún espera a { $names }, a quien no se puede recordar porque las cartas vuelven.
report-refused-by-rule = Las reglas de servidores de correo han rechazado cartas a { $count } miembros en un día, la última a { $address } con el estado { $status }. No es culpa de ellos: mira lo que tu propio servidor o proveedor dice de estas cartas, si su dirección está en una lista, y si SPF, DKIM y DMARC valen para tu dominio.
