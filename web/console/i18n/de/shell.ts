import type { ShellMessages } from '../message-types.ts';

export const deShell: ShellMessages = {
  nav: {
    more: 'Mehr',
    main: 'Hauptnavigation',
    inbox: 'Posteingang',
    contacts: 'Kontakte',
    calendar: 'Kalender',
    opportunities: 'Chancen',
    tasks: 'Aufgaben',
    campaigns: 'Kampagnen',
    workflows: 'Abläufe',
    webhooks: 'Webhooks',
    approvals: 'Freigaben',
    settings: 'Einstellungen',
    skip: 'Zum Inhalt springen',
  },
  shell: {
    timesIn: (zone) => `Zeiten in ${zone}`,
    switchSubAccount: 'Unterkonto',
    sandbox: 'Sandbox',
    noSubAccount: 'Noch kein Unterkonto',
    adminsOnly: 'Nur für Admins',
    adminsOnlyText: (name) =>
      `Bitten Sie einen Admin von ${name} darum, oder um eine andere Rolle.`,
    noSubAccountText:
      'Sie gehören zu keinem Unterkonto. Bitten Sie eine Person mit der Rolle „owner“ um eine Einladung.',
    firstSubAccountText:
      'Legen Sie das erste an: Es enthält Kontakte, Unterhaltungen und Kalender eines Unternehmens oder einer Marke.',
    account: 'Konto',
    addPasskey: 'Passkey hinzufügen',
    passkeyAdded: 'Passkey hinzugefügt',
    passkeyFailed: 'Der Passkey wurde nicht hinzugefügt',

    picture: 'Ihr Bild',
    pictureText: 'Ihr Team sieht es, und im Chat steht es neben Ihren Antworten.',
    choosePicture: 'Bild auswählen',
    deletePicture: 'Bild löschen',
    pictureSaved: 'Bild gespeichert',
    pictureDeleted: 'Bild gelöscht',
    pictureWrong: 'Wählen Sie ein Bild im Format PNG, JPEG oder WebP.',

    signOut: 'Abmelden',
    theme: 'Farbschema',
    themeSystem: 'System',
    themeLight: 'Hell',
    themeDark: 'Dunkel',
    language: 'Sprache',

    notificationsOn: 'Neue Nachrichten anzeigen',
    notificationsOff: 'Keine Benachrichtigungen',

    offline: 'Offline. Änderungen erscheinen, sobald die Verbindung wieder steht.',

    notHere: 'Diese Seite gibt es nicht',
    notHereText: 'Prüfen Sie die Adresse, oder wählen Sie eine Seite in der Navigation.',
    newMessage: (name) => `Neue Nachricht von ${name}`,
  },
  palette: {
    title: 'Befehle',
    search: 'Kontakte, Chancen und Befehle suchen',
    go: (page) => `Zu ${page}`,
    actions: 'Befehle',
    contacts: 'Kontakte',
    results: 'Treffer',
    nothing: 'Nichts gefunden',
  },
  keys: {
    title: 'Tastenkürzel',
    anywhere: 'Überall',
    inbox: 'Posteingang',
    palette: 'Befehle öffnen',
    help: 'Tastenkürzel zeigen',
    next: 'Nächste Unterhaltung',
    previous: 'Vorherige Unterhaltung',
    reply: 'Antworten',
    note: 'Interne Notiz schreiben',
    closeConversation: 'Unterhaltung schließen',
    snooze: 'Zurückstellen',
    assign: 'Zuweisen',
    unread: 'Als ungelesen markieren',
    send: 'Antwort senden',
  },
  signIn: {
    title: 'Anmelden',
    email: 'E-Mail',
    sendLink: 'Anmeldelink senden',
    passkey: 'Passkey verwenden',
    oidc: 'Mit OpenID Connect anmelden',
    refusals: {
      unavailable:
        'Der Anmeldedienst antwortet nicht. Versuchen Sie es in einer Minute erneut oder melden Sie sich auf anderem Weg an.',
      denied: 'Die Anmeldung wurde abgebrochen.',
      expired:
        'Die Anmeldung hat länger als 10 Minuten gedauert oder wurde in einem anderen Browser begonnen. Versuchen Sie es erneut.',
      failed: 'Die Antwort des Anmeldedienstes ist ungültig. Versuchen Sie es erneut.',
      unverified: 'Ihr Anmeldedienst hat Ihre E-Mail-Adresse nicht bestätigt.',
      unknown:
        'Zu Ihrer E-Mail-Adresse gibt es keinen Benutzer. Bitten Sie die Administration um eine Einladung.',
      disabled: 'Ihr Benutzer ist gesperrt. Wenden Sie sich an die Administration.',
    },
    or: 'oder',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sentText: (email) =>
      `Wenn es ein Konto für ${email} gibt, ist ein Link unterwegs. Er gilt einmal, 15 Minuten lang.`,
    otherEmail: 'Andere Adresse verwenden',
    linkText: 'Ihr Anmeldelink ist bereit. Er gilt einmal.',
    signIn: 'Anmelden',
    linkFailed: 'Dieser Link wurde schon benutzt oder ist abgelaufen',
    linkFailedText: 'Fordern Sie unten einen neuen an.',
    passkeyFailed: 'Der Passkey wurde nicht angenommen',
    commandLine: 'Ein Betreiber dieser Installation kann einen Link für Sie erstellen:',
    localCommand:
      'Wenn Frontdesk mit „npm start“ läuft: Öffnen Sie im selben Ordner ein zweites Terminal, führen Sie die export-Zeilen aus, die „npm start“ ausgegeben hat, und dann diesen Befehl als „bin/frontdesk …“.',
    noMailTitle: 'Hier ist kein Mailversand eingerichtet',
    noMailHint:
      'Diese Installation versendet keine Mails. „Anmeldelink senden“ zeigt, worum Sie den Betreiber bitten können.',
  },
};
