# A small part of a language that is written from right to left, for tests/club/right_to_left.rs.

marker = === اكتب أوامرك فوق هذا السطر ===
direction = rtl
you = أنت
list-more = { $a }، { $b }
list-last = { $a } و{ $b }

game-paris-connection = قطار باريس
subject = [{ $name } { $number }] { $game }
notice-subject = رسالتك إلى { $club }

welcome = أهلا بك في اللعبة { $number } في { $club }: { $game }، يلعبها { $players }.
orders-accepted = نُفِّذت أوامرك.
orders-refused = لم تُنفَّذ أوامرك، ولم يتغير شيء.
turn-yours = حان دورك.
lead-yours = حان دورك. لديك وقت حتى { $by }.
lead-others = الدور على { $who }. الوقت حتى { $by }.
turn-others = الدور على { $awaited }.
order-form = { $line } - { $does }
refused-line = السطر { $number } من رسالتك: { $line }
footer-how = أجب واكتب أوامرك في الأعلى. كلمة "help" وحدها تأتي ببطاقة الأوامر.
footer-place = اللعبة { $number }، السجل { $seq }، السلسلة { $chain }.

heading-orders = أوامرك
heading-refused = ما كان خطأ
heading-news = منذ رسالتك الأخيرة
heading-board = اللوحة
heading-public = الطاولة
heading-private = محفظتك، لعينيك فقط
heading-choices = ما يمكنك فعله
