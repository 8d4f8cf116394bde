import type { CampaignMessages } from '../message-types.ts';
import { pluralIn } from '../plural.ts';

const plural = pluralIn('de');

export const deCampaigns: CampaignMessages = {
  compose: {
    newCampaign: 'Neue Kampagne',
    editDraft: 'Entwurf bearbeiten',
    edit: 'Bearbeiten',
    nameHint: 'Nur Ihr Team sieht ihn, nicht die Empfänger.',
    list: 'Liste',
    listHint:
      'Eine Liste wählt Kontakte nach Schlagwort oder Phase aus oder enthält die Kontakte eines Imports. Listen werden unter Einstellungen → Manifest angelegt, bei „lists“.',
    addList: 'Liste anlegen',
    template: 'Vorlage',
    preheader: 'Vorschautext',
    preheaderHint: 'Posteingänge zeigen ihn neben dem Betreff.',
    content: 'Inhalt',
    textHint:
      'Leerzeilen trennen Absätze. Felder: {{firstName}}, {{lastName}}, {{fullName}}, mit Ersatztext {{firstName|du}}.',
    htmlHint:
      'Das HTML, das die Vorlage als Inhalt bekommt. Felder: {{firstName}}, mit Ersatztext {{firstName|du}}.',
    writeHtml: 'HTML schreiben',
    save: 'Entwurf speichern',
    saved: 'Entwurf gespeichert',
    unsubscribed: 'Abgemeldet',
    hasUnsubscribed: 'Hat sich abgemeldet',
    opens: 'Öffnungen und Klicks werden nicht erfasst.',
    notReady: 'Eine Kampagne braucht eine Vorlage und eine Liste',
    notReadyText:
      'Eine Vorlage und eine Liste kommen im Manifest hinzu, in den Abschnitten templates und lists.',
    desktop: 'Desktop',
    phone: 'Telefon',
    plainText: 'Text',
    audience: 'Publikum',
    leftOut: 'Wer ausgelassen wird',
    test: 'Testmail senden',
    sendNow: 'Jetzt senden',
    schedule: 'Planen',
    unschedule: 'Planung aufheben',
    changes: {
      pause: 'Kampagne angehalten',
      resume: 'Kampagne fortgesetzt',
      unschedule: 'Planung aufgehoben',
      cancel: 'Kampagne abgebrochen',
    },
    unknownFields: 'Unbekannte Felder',
    emptyField: (field) => `${field} ist kein bekanntes Feld und bleibt leer.`,
    fallbackField: (field, fallback) =>
      `${field} ist kein bekanntes Feld: Alle sehen „${fallback}“.`,
    sendAt: 'Senden am',
    noRecall: 'Gesendete Mails lassen sich nicht zurückholen.',
    started: 'Die Kampagne wird gesendet',
    isScheduled: 'Kampagne geplant',
    overTime: 'Mails im Verlauf',
    all: 'Kampagnen',
    recurring: 'Wiederkehrend',
    repeats: 'Wiederholung',
    nextRun: 'Nächster Lauf',
    lastRun: 'Letzter Lauf',
    paused: 'Angehalten',
    actions: 'Aktionen',
    noRecurring: 'Noch keine wiederkehrenden Kampagnen',
    noRecurringText:
      'Eine wiederkehrende Kampagne wird jeden Monat, jede Woche oder jeden Tag gesendet.',
    when: 'Start',
    reasons: {
      no_email: 'Keine E-Mail-Adresse',
      do_not_disturb: 'Bitte nicht stören',
      opted_out: 'Gesperrt',
    },
    gets: (count) =>
      plural(count, {
        one: '# Kontakt bekommt diese Mail.',
        other: '# Kontakte bekommen diese Mail.',
      }),
    isLeftOut: (count, contacts) =>
      plural(count, {
        one: `Von ${contacts} auf der Liste wird # ausgelassen.`,
        other: `Von ${contacts} auf der Liste werden # ausgelassen.`,
      }),
    sendMails: (count) => plural(count, { one: '# Mail senden', other: '# Mails senden' }),
    firstOnly: (count) =>
      plural(count, {
        one: 'Nur der erste ist aufgeführt.',
        other: 'Nur die ersten # sind aufgeführt.',
      }),
    testSent: (email) => `Testmail an ${email} gesendet`,
    scheduledFor: (time) => `Geplant für ${time}`,
    sendTitle: (name) => `„${name}“ jetzt senden?`,
    scheduleText: (zone) =>
      `Zeitzone: ${zone}. Wer die Mail bekommt, wird beim Start der Kampagne bestimmt.`,
    captured: 'Abgefangen',
    capturedTitle: 'Testmail abgefangen',
    capturedText: (email) =>
      `Dieses Unterkonto ist eine Sandbox: Die Mail an ${email} wurde nicht gesendet. Sie würde so aussehen. Testmails werden nicht aufbewahrt.`,
    sandboxHint: 'Dieses Unterkonto ist eine Sandbox: Mails werden abgefangen, nicht gesendet.',
    unknownHint:
      'Ungewiss: Die Verbindung brach ab, bevor der Mailserver geantwortet hat. Diese Mails werden nicht noch einmal gesendet.',
    search: 'Nach Name oder Adresse suchen',
    keep: 'Kampagne behalten',
    sentOf: (sent, total) => `${sent} von ${total} Mails gesendet`,
    capturedOf: (sent, total) => `${sent} von ${total} Mails abgefangen`,
    notSent: (count) => plural(count, { one: '# nicht gesendet', other: '# nicht gesendet' }),
    leftOutAtStart: (count) =>
      plural(count, {
        one: '# Kontakt wurde beim Start ausgelassen.',
        other: '# Kontakte wurden beim Start ausgelassen.',
      }),
    actionOf: (action, name) => `${action}: ${name}`,
    startedAt: 'Gestartet:',
    mails: 'Gesendete Mails',
    mail: 'Mail',
    showMail: 'Mail zeigen',
    duplicate: 'Duplizieren',
    deleteDraft: 'Entwurf löschen',
    reschedule: 'Zeit ändern',
    previewAs: 'Vorschau als',
    withoutName: 'Ein Kontakt ohne Namen',
    showContacts: 'Diese Kontakte zeigen',
    allContacts: 'Alle Kontakte',
    staticList: 'Statische Liste: Kontakte aus einem Import oder vom Befehl „admin list add“',
    testSandbox:
      'Dieses Unterkonto ist eine Sandbox: Die Testmail wird nicht gesendet, sondern hier gezeigt, sobald Sie bestätigen.',
    ofTotal: (sent, total) => `${sent} von ${total}`,
    copyOf: (name) => `Kopie von ${name}`,
    exampleContact: (name) => `${name} (Beispiel)`,
    noFirstName: (contact) => `${contact} (ohne Vornamen)`,
    quoted: (tag) => `„${tag}“`,
    withTags: (tags, count) =>
      plural(count, { one: `mit dem Schlagwort ${tags}`, other: `mit den Schlagwörtern ${tags}` }),
    inStages: (stages) => `in der Phase ${stages}`,
    testTo: (email) => `Die Testmail wird an ${email} gesendet, sobald Sie bestätigen.`,
    testAs: (name) => `Sie enthält die Werte von ${name}.`,
    noneFound: (search) => `„${search}“ ist nicht unter den Adressaten`,
    notOnList: (list) =>
      list === undefined
        ? 'Kein solcher Kontakt war auf der Liste, als die Kampagne startete.'
        : `Kein solcher Kontakt war auf der Liste „${list}“, als die Kampagne startete.`,
    capturedWhere: 'Eine abgefangene Mail lesen Sie über „Mail zeigen“ neben dem Adressaten.',
  },
  recurring: {
    add: 'Neue wiederkehrende Kampagne',
    nameHint:
      'Nur Ihr Team sieht ihn, nicht die Empfänger. Bei jedem Lauf wird das Datum angehängt.',
    repeats: 'Wiederholung',
    kinds: {
      month: 'Jeden Monat',
      week: 'Jede Woche',
      day: 'Jeden Tag',
      cron: 'Cron-Ausdruck',
    },
    day: 'Tag',
    lastDay: 'Letzter Tag des Monats',
    weekdays: 'Wochentage',
    time: 'Uhrzeit',
    cronHint: 'Minute, Stunde, Tag des Monats, Monat und Wochentag, etwa 0 9 * * MON',
    skipped: 'Monate ohne diesen Tag werden übersprungen.',
    removeText: 'Sie läuft nicht mehr. Die Kampagnen, die sie erzeugt hat, bleiben.',
    dayOfMonth: (day) => `${day}.`,
    daily: (time) => `jeden Tag um ${time}`,
    weekly: (days, time) => `jeden ${days} um ${time}`,
    monthly: (day, time) => `jeden Monat am ${day}. um ${time}`,
    onLastDay: (time) => `am letzten Tag jedes Monats um ${time}`,
    inZone: (words, zone) => `${words}, ${zone}`,
    runs: (words, zone) => `Läuft ${words}, ${zone}.`,
  },
};
