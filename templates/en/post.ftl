# Notices to the moderator about the club's mail.

report-invitations-used-up =
    { $limit ->
        [0] An invitation to a non-member wasn't sent, because invitations_per_day is 0.
       *[other] The club has sent { $limit } invitations to non-members within a day. That's all that invitations_per_day allows, so no more go out for now. We don't tell the people who invite. Please look at who invites so many people. If all is well, raise the number in club.yaml.
    }
report-letters-used-up =
    { $limit ->
        [one] We've sent one e-mail within a day, and that's all that letters_per_day allows.
       *[other] We've sent { $limit } e-mails within a day, and that's all that letters_per_day allows.
    } We won't send any more until there's room again. { $waiting ->
        [one] One e-mail is waiting.
       *[other] { $waiting } e-mails are waiting.
    } Please look at why there were so many, or raise letters_per_day in club.yaml.
