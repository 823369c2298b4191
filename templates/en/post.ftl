# Notices to the moderator about the club's mail.

report-invitations-used-up =
    { $limit ->
        [0] An invitation to somebody who is no member was left out, because invitations_per_day is 0.
       *[other] The club has sent { $limit } invitations to non-members within a day, which is all that invitations_per_day allows. More of them don't leave for now, and those who invite aren't told. Look who invites so many people; if all is well, raise the number in club.yaml.
    }
report-letters-used-up =
    { $limit ->
        [one] One letter was posted within a day, which is all that letters_per_day allows.
       *[other] { $limit } letters were posted within a day, which is all that letters_per_day allows.
    } Nothing more is posted until there is room again; { $waiting ->
        [one] one letter waits.
       *[other] { $waiting } letters wait.
    } Please look at why there were so many, or raise letters_per_day in club.yaml.
