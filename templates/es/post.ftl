# Lo que se le dice al moderador del correo.

report-letters-used-up =
    { $limit ->
        [one] Se envió una carta en un día, que es todo lo que permite letters_per_day.
       *[other] Se enviaron { $limit } cartas en un día, que es todo lo que permite letters_per_day.
    } No se envía nada más hasta que vuelva a haber sitio; { $waiting ->
        [one] espera una carta.
       *[other] esperan { $waiting } cartas.
    } Mira por favor por qué hubo tantas, o sube letters_per_day en club.yaml.
