# Avisos al moderador sobre el correo del club.

report-invitations-used-up =
    { $limit ->
        [0] No ha salido una invitación a alguien que no es miembro, porque invitations_per_day es 0.
       *[other] El club ha enviado { $limit } invitaciones a no miembros en un día. Es el máximo que permite invitations_per_day, así que por ahora no salen más. No avisamos de esto a quienes invitan. Mira quién invita a tanta gente. Si todo está bien, sube el número en club.yaml.
    }
report-letters-used-up =
    { $limit ->
        [one] Hemos enviado un correo en un día, que es el máximo que permite letters_per_day.
       *[other] Hemos enviado { $limit } correos en un día, que es el máximo que permite letters_per_day.
    } No enviamos nada más hasta que vuelva a haber sitio. { $waiting ->
        [one] Espera un correo.
       *[other] Esperan { $waiting } correos.
    } Mira por qué ha habido tantos, por favor, o sube letters_per_day en club.yaml.
