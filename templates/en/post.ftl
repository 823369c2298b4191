# What the moderator is told about the post.

report-letters-used-up =
    { $limit ->
        [one] One letter was posted within a day, which is all that letters_per_day allows.
       *[other] { $limit } letters were posted within a day, which is all that letters_per_day allows.
    } Nothing more is posted until there is room again; { $waiting ->
        [one] one letter waits.
       *[other] { $waiting } letters wait.
    } Please look at why there were so many, or raise letters_per_day in club.yaml.
