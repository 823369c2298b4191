# Avisos al moderador sobre el correo del club.

report-invitations-used-up =
    { $limit ->
        [0] No salió una invitación a alguien que no es miembro, porque invitations_per_day es 0.
       *[other] El club ha enviado { $limit } invitaciones a no miembros en un día, que son todas las que permite invitations_per_day. Por ahora no salen más, y no se avisa a quienes invitan. Mira quién invita a tanta gente; si todo está bien, sube el número en club.yaml.
    }
report-letters-used-up =
    { $limit ->
        [one] Se envió una carta en un día, que es todo lo que permite letters_per_day.
       *[other] Se enviaron { $limit } cartas en un día, que es todo lo que permite letters_per_day.
    } No se envía nada más hasta que vuelva a haber sitio; { $waiting ->
        [one] espera una carta.
       *[other] esperan { $waiting } cartas.
    } Mira por favor por qué hubo tantas, o sube letters_per_day en club.yaml.
