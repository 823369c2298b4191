//! What mail programs, servers and companies of many languages write around a person's words, as
//! lists that a line is held against at once. All are in lower case and folded.

use super::word_list::{WordList, ready};

/// In a line that introduces a quotation: that somebody wrote.
pub(super) static WROTE: WordList = WordList::new(|| {
    ready(&[
        "wrote",
        "writes",
        "schrieb",
        "schreibt",
        "geschrieben",
        "écrit",
        "ecrit",
        "escribió",
        "escribio",
        "scritto",
        "escreveu",
        "schreef",
        "geschreven",
        "skrev",
        "napisał",
        "napisal",
        "pisze",
        "napsal",
        "писал",
        "пишет",
        "пише",
        "написав",
        "написа",
        "kirjoitti",
        "írta",
        "yazdı",
        "scris",
        "έγραψε",
        "כתב",
        "كتب",
        "写道",
        "寫道",
        "書きました",
        "작성",
        "đã viết",
        "menulis",
        "va escriure",
        "rakstīja",
        "rašė",
        "kirjutas",
    ])
});

/// Between dashes: that the letter below is another one.
pub(super) static MESSAGE: WordList = WordList::new(|| {
    ready(&[
        "message",
        "nachricht",
        "mensaje",
        "messaggio",
        "mensagem",
        "bericht",
        "wiadomość",
        "сообщение",
        "повідомлення",
        "meddelande",
        "melding",
        "meddelelse",
        "besked",
        "viesti",
        "メッセージ",
        "メール",
        "邮件",
        "郵件",
        "메시지",
        "zpráva",
        "üzenet",
        "ileti",
        "mesaj",
        "μήνυμα",
        "forwarded",
    ])
});

/// How a phone, or a program, signs for its owner.
pub(super) static FOOTERS: WordList = WordList::new(|| {
    ready(&[
        "sent from",
        "sent via",
        "sent with",
        "sent by",
        "sent using",
        "sent on",
        "get outlook for",
        "please excuse",
        "from my iphone",
        "von meinem",
        "gesendet mit",
        "gesendet von",
        "gesendet über",
        "diese nachricht wurde von meinem",
        "envoyé de ",
        "envoyé depuis",
        "envoyé avec",
        "envoyé à partir",
        "télécharger outlook",
        "enviado desde",
        "enviado do",
        "enviado de ",
        "enviado con",
        "enviado a partir",
        "obtener outlook",
        "inviato da",
        "inviato dal",
        "ottieni outlook",
        "verzonden vanaf",
        "verzonden met",
        "verstuurd vanaf",
        "skickat från",
        "sendt fra",
        "wysłane z",
        "wysłano z",
        "отправлено с",
        "отправлено из",
        "надіслано з",
        "lähetetty ",
        "odesláno z",
        "iphoneから送信",
        "從我的",
        "发自我的",
    ])
});

/// Programs and makers of devices, whose names are the same in every language, and what programs
/// against viruses speak of. As they begin: some languages add to them.
pub(super) static PRODUCTS: WordList = WordList::new(|| {
    ready(&[
        "outlook",
        "iphone",
        "ios",
        "aol",
        "ipad",
        "ipod",
        "android",
        "samsung",
        "galaxy",
        "huawei",
        "xiaomi",
        "redmi",
        "oneplus",
        "motorola",
        "nokia",
        "htc",
        "blackberry",
        "windows phone",
        "windows mail",
        "mail for windows",
        "windows 版",
        "windows 10",
        "windows 11",
        "windows",
        "yahoo mail",
        "yahoo!",
        "gmail",
        "protonmail",
        "proton mail",
        "thunderbird",
        "k-9",
        "airmail",
        "mailspring",
        "mailbird",
        "mailbox",
        "bluemail",
        "spark mail",
        "zoho",
        "fastmail",
        "superhuman",
        "em client",
        "zimbra",
        "tutanota",
        "tuta mail",
        "gmx",
        "web.de",
        "mail.ru",
        "yandex",
        "naver",
        "qq邮箱",
        "qq mail",
        "小米",
        "华为",
        "網易",
        "网易",
        "avast",
        "avg",
        "eset",
        "antivirus",
        "virus",
        "viren",
        "вирус",
        "病毒",
        "ウイルス",
    ])
});

/// Devices that have no name, as they begin in many languages.
pub(super) static DEVICES: WordList = WordList::new(|| {
    ready(&[
        "phone",
        "mobil",
        "móvil",
        "handy",
        "tablet",
        "device",
        "gerät",
        "celular",
        "telefon",
        "teléfono",
        "téléphone",
        "telefoon",
        "cell,",
        "my cell",
        "手机",
        "手機",
    ])
});

/// How the footers of companies speak of secrecy and of who may read a letter: what most languages
/// took from Latin, and the words of those that did not.
pub(super) static SECRECY: WordList = WordList::new(|| {
    ready(&[
        "confiden",
        "konfiden",
        "intended recipient",
        "intended solely",
        "intended only",
        "vertraulich",
        "vertrouwelijk",
        "fortrolig",
        "poufn",
        "riservat",
        "luottamuksell",
        "конфиденц",
        "機密",
        "保密",
    ])
});

/// How the footer of a mailing list betrays itself.
pub(super) static LISTS: WordList = WordList::new(|| {
    ready(&[
        "mailing list",
        "unsubscribe",
        "listinfo",
        "mailman",
        "mailinglist",
        "mailingliste",
        "abmelden",
        "abbestellen",
        "liste de diffusion",
        "désabonner",
        "désinscrire",
        "lista de correo",
        "darse de baja",
        "lista di distribuzione",
        "disiscri",
        "afmelden",
        "uitschrijven",
        "avregistrera",
        "отписаться",
        "you received this",
        "you are receiving this",
        "reply to this email",
        "groups.io",
        "view/reply online",
    ])
});

/// How a program says that it looked for viruses.
pub(super) static SCANNING: WordList =
    WordList::new(|| ready(&["antivirus", "anti-virus", "virus-free"]));

/// How a link begins that stands in brackets behind a word.
pub(super) static BRACKETED_LINK: WordList =
    WordList::new(|| ready(&["<http", "[http", "](http", "(http"]));

/// How a link begins.
pub(super) static LINK: WordList = WordList::new(|| ready(&["http://", "https://", "www."]));
