//! The phrases, in many languages, by which introductions, headers, footers, greetings and closings
//! are recognized. Each row is one language or a group of languages. All phrases are folded and in
//! lower case.

use crate::mail::word_list::WordList;

/// Prepositions before a date in an introduction.
pub(super) static DATE_PREPOSITIONS: WordList = WordList::new(&[
    &["on ", "at "],
    &["am "],
    &["le ", "el ", "il ", "em ", "no dia "],
    &["op ", "den ", "d. ", "på "],
    &["dne ", "w dniu ", "dnia "],
    &["в ", "у "],
    &["στις "],
    &["在 ", "於 "],
    &["pada "],
]);

/// Verbs of an introduction, such as "wrote".
pub(super) static WROTE_VERBS: WordList = WordList::new(&[
    &["wrote", "writes"],
    &["schrieb", "schreibt"],
    &["écrit", "ecrit", "escribió", "escribio", "va escriure"],
    &["scritto", "escreveu", "scris"],
    &["schreef", "geschreven", "skrev"],
    &["napisał", "napisal", "pisze", "napsal"],
    &["писал", "пише", "написа"],
    &["kirjoitti", "kirjutas", "írta", "yazdı", "rakstīja", "rašė"],
    &["έγραψε", "כתב", "كتب"],
    &["写道", "寫道", "書きました", "작성"],
    &["đã viết", "menulis"],
]);

/// Words for "message" in a divider above another letter.
pub(super) static MESSAGE_WORDS: WordList = WordList::new(&[
    &["message", "forwarded"],
    &["nachricht", "bericht"],
    &["mensaje", "messaggio", "mensagem", "mesaj"],
    &["meddelande", "melding", "meddelelse", "besked"],
    &["wiadomość", "zpráva", "сообщение", "повідомлення"],
    &["viesti", "üzenet", "ileti", "μήνυμα"],
    &["メッセージ", "メール", "邮件", "郵件", "메시지"],
]);

/// Phrases at the start of a footer that a phone or mail program adds.
pub(super) static FOOTER_STARTS: WordList = WordList::new(&[
    &["sent from", "sent via", "sent with", "sent by", "sent using", "sent on"],
    &["get outlook for", "please excuse", "from my iphone"],
    &["von meinem", "gesendet mit", "gesendet von", "gesendet über"],
    &["diese nachricht wurde von meinem"],
    &["envoyé de ", "envoyé depuis", "envoyé avec", "envoyé à partir", "télécharger outlook"],
    &["enviado desde", "enviado do", "enviado de ", "enviado con", "enviado a partir"],
    &["obtener outlook", "inviato da", "ottieni outlook"],
    &["verzonden vanaf", "verzonden met", "verstuurd vanaf", "skickat från", "sendt fra"],
    &["wysłane z", "wysłano z", "odesláno z", "lähetetty "],
    &["отправлено с", "отправлено из", "надіслано з"],
    &["iphoneから送信", "從我的", "发自我的"],
]);

/// Beginnings of a footer that name the owner of a device. The name of any device may follow.
pub(super) static OWN_DEVICE_STARTS: WordList = WordList::new(&[
    &["sent from my ", "sent via my ", "sent with my ", "sent using my ", "sent on my "],
    &["von meinem ", "gesendet von meinem ", "gesendet mit meinem "],
    &["envoyé de mon ", "envoyé depuis mon ", "envoyé avec mon ", "envoyé à partir de mon "],
    &["enviado desde mi ", "enviado con mi ", "enviado do meu ", "inviato dal mio "],
    &["verzonden vanaf mijn ", "verstuurd vanaf mijn ", "skickat från min ", "sendt fra min "],
    &["wysłane z mojego ", "odesláno z mého ", "отправлено с моего ", "從我的", "发自我的"],
]);

/// Names of mail programs, devices, their makers and systems, and virus scanners, and the word for
/// a virus in several languages. Some languages add endings to them.
pub(super) static PRODUCT_NAMES: WordList = WordList::new(&[
    &["outlook", "iphone", "ios", "aol", "ipad", "ipod", "android", "samsung", "galaxy", "huawei"],
    &["xiaomi", "redmi", "oneplus", "motorola", "nokia", "htc", "blackberry", "windows"],
    &["mail for windows", "yahoo mail", "yahoo!", "gmail", "protonmail", "proton mail"],
    &["thunderbird", "k-9", "airmail", "mailspring", "mailbird", "mailbox", "bluemail"],
    &["spark mail", "zoho", "fastmail", "superhuman", "em client", "zimbra", "tutanota"],
    &["tuta mail", "gmx", "web.de", "mail.ru", "yandex", "naver"],
    &["qq邮箱", "qq mail", "小米", "华为", "網易", "网易"],
    &["avast", "avg", "eset", "antivirus", "virus", "viren", "вирус", "病毒", "ウイルス"],
]);

/// Word beginnings for devices without a product name.
pub(super) static DEVICE_WORDS: WordList = WordList::new(&[
    &["phone", "mobil", "tablet", "device", "cell,", "my cell"],
    &["handy", "gerät", "móvil", "celular"],
    &["telefon", "teléfono", "telefoon", "手机", "手機"],
]);

/// Other words of footers that name a program or device: articles, prepositions, polite words,
/// and names of networks. A person cannot say with them that a letter is not meant.
pub(super) static FOOTER_WORDS: WordList = WordList::new(&[
    &["the", "a", "an", "all", "any", "new", "most", "free", "secure", "sorry", "brevity", "typos"],
    &["app", "mail", "email", "e-mail", "client", "wireless", "network", "lte"],
    &["pro", "max", "plus", "ultra", "mini", "tab", "edge", "note"],
    &["verizon", "t-mobile", "at&t", "sprint", "telus", "vodafone", "telekom", "libero"],
    &["der", "dem", "einem", "mein", "für", "auf", "geschickt", "verschickt"],
    &["bitte", "entschuldigen", "sie", "kürze"],
    &["pour", "appareil", "application", "l'application", "courriel", "veuillez", "excuser"],
    &["la", "le", "ma", "brièveté"],
    &["para", "el", "dispositivo", "aplicación", "correo"],
    &["por", "favor", "disculpa", "disculpe", "disculpad", "brevedad"],
    &["per", "perdonate", "brevità"],
    &["voor", "apparaat", "excuseer", "beknoptheid"],
    &["urządzenia", "aplikacji"],
    &["для", "почты", "мобильной", "устройства"],
    &["傳送", "发送", "發送", "送信"],
]);

/// Phrases of companies' confidentiality notices.
pub(super) static CONFIDENTIALITY_PHRASES: WordList = WordList::new(&[
    &["confiden", "konfiden", "конфиденц"],
    &["intended recipient", "intended solely", "intended only"],
    &["vertraulich", "vertrouwelijk", "fortrolig", "poufn", "riservat", "luottamuksell"],
    &["機密", "保密"],
]);

/// Phrases in footers of mailing lists.
pub(super) static LIST_FOOTER_PHRASES: WordList = WordList::new(&[
    &["mailing list", "unsubscribe", "listinfo", "mailman", "groups.io", "view/reply online"],
    &["you received this", "you are receiving this", "reply to this email"],
    &["mailinglist", "abmelden", "abbestellen", "afmelden", "uitschrijven", "avregistrera"],
    &["liste de diffusion", "désabonner", "désinscrire", "lista de correo", "darse de baja"],
    &["lista di distribuzione", "disiscri", "отписаться"],
]);

/// Words in footers of virus scanners.
pub(super) static VIRUS_SCAN_WORDS: WordList =
    WordList::new(&[&["antivirus", "anti-virus", "virus-free"]]);

/// The names of the "From" header.
pub(super) static FROM_HEADERS: WordList = WordList::new(&[
    &["from", "von"],
    &["de", "expéditeur", "remitente", "da", "mittente", "de la"],
    &["van", "afzender", "från", "avsändare", "fra"],
    &["od", "nadawca", "odesílatel"],
    &["от", "отправитель", "від"],
    &["lähettäjä", "feladó", "kimden", "gönderen"],
    &["από", "từ", "מאת", "من"],
    &["寄件者", "发件人", "發件人", "差出人", "보낸 사람", "보낸사람"],
]);

/// The names of the "To" header.
pub(super) static TO_HEADERS: WordList = WordList::new(&[
    &["to", "an", "à", "para", "a", "per", "aan", "till", "til", "do", "komu", "кому", "kime"],
    &[
        "vastaanottaja",
        "címzett",
        "προς",
        "đến",
        "אל",
        "إلى",
        "收件者",
        "收件人",
        "宛先",
        "받는 사람",
    ],
]);

/// The names of the "Date" and "Subject" headers.
pub(super) static DATE_OR_SUBJECT_HEADERS: WordList = WordList::new(&[
    &["sent", "date", "subject"],
    &["gesendet", "datum", "betreff"],
    &["envoyé", "envoyé le", "objet", "sujet"],
    &["enviado", "enviado el", "enviada em", "enviado em", "fecha", "asunto", "assunto"],
    &["data", "inviato", "oggetto"],
    &["verzonden", "onderwerp", "skickat", "ämne", "sendt", "emne", "dato"],
    &["wysłano", "wysłane", "temat", "předmět", "odesláno"],
    &["отправлено", "дата", "тема", "надіслано"],
    &["lähetetty", "päivämäärä", "aihe", "tárgy", "dátum", "elküldve"],
    &["konu", "tarih", "gönderildi", "θέμα"],
    &["日期", "寄件日期", "发送时间", "主旨", "主题", "主題"],
    &["件名", "送信日時", "日時", "제목"],
]);

/// The names of fields in a person's own list, such as the date, time and address of a meeting. The
/// headers of a letter have none of these.
pub(super) static MEETING_FIELDS: WordList = WordList::new(&[
    &["time", "place", "address", "location", "where", "when", "phone"],
    &["uhrzeit", "zeit", "ort", "adresse", "telefon"],
    &["hora", "lugar", "dirección", "heure", "lieu", "ora", "luogo", "indirizzo"],
]);

/// The words with which a player's message to others (press) begins.
pub(super) const PRESS_WORDS: [&str; 2] = ["say", "tell"];

/// The first words of other lines whose text is the person's own, so it may name any product.
pub(super) const NOTE_WORDS: [&str; 8] =
    ["note", "note:", "nota", "nota:", "anotar", "anota", "anoto", "apuntar"];

pub(super) static GREETINGS: WordList = WordList::new(&[
    &["hi", "hello", "hey", "hiya", "dear", "greetings"],
    &["good morning", "good evening", "good afternoon"],
    &["hallo", "moin", "servus", "guten tag", "guten morgen", "guten abend", "liebe", "lieber"],
    &["bonjour", "bonsoir", "salut", "cher", "chère"],
    &["hola", "buenos días", "buenas tardes", "ciao", "buongiorno", "olá", "oi", "bom dia"],
    &["hej", "hei", "goedemorgen", "beste"],
    &["cześć", "ahoj", "привет", "здравствуйте"],
]);

/// Closings at the end of a letter, such as thanks and regards.
pub(super) static CLOSINGS: WordList = WordList::new(&[
    &["thanks", "thank you", "many thanks", "thanks a lot", "thx", "ty"],
    &["regards", "best regards", "kind regards", "warm regards", "with kind regards"],
    &["best", "best wishes", "all the best", "cheers", "yours", "sincerely", "yours sincerely"],
    &["bye", "take care"],
    &["danke", "vielen dank", "gruß", "gruss", "grüße", "liebe grüße", "viele grüße"],
    &["beste grüße", "schöne grüße", "mit freundlichen grüßen", "mfg", "lg", "vg"],
    &["merci", "merci beaucoup", "cordialement", "bien cordialement", "amicalement", "bises"],
    &["gracias", "muchas gracias", "saludos", "un saludo", "abrazos"],
    &["grazie", "saluti", "cordiali saluti", "obrigado", "obrigada", "abraços"],
    &["groeten", "groetjes", "met vriendelijke groet", "bedankt", "hälsningar", "mvh", "hilsen"],
    &["pozdrawiam", "с уважением"],
]);
