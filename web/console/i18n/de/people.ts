import type { PeopleMessages } from '../message-types.ts';
import { pluralIn } from '../plural.ts';

const plural = pluralIn('de');

export const dePeople: PeopleMessages = {
  person: {
    actions: 'Aktionen für diese Person',
    export: 'Alles exportieren',
    delete: 'Kontakt löschen',
    deleteText:
      'Unterhaltungen und Dateien des Kontakts werden gelöscht, anstehende Termine abgesagt, offene Aufgaben abgebrochen und laufende Abläufe beendet. Das lässt sich nicht rückgängig machen. Vergangene Termine, Chancen und Abmeldungen bleiben. Verlangt die Person die Löschung ihrer Daten, wählen Sie stattdessen „Person löschen“.',
    erase: 'Person löschen',
    erased: 'Person gelöscht',
    eraseTitle: (name: string): string => `${name} unwiderruflich löschen?`,
    eraseText:
      'Alles, was diese Person geschrieben hat oder was über sie geschrieben wurde, wird gelöscht: Nachrichten, Notizen, Formularantworten und Kontaktdaten. Vergangene Termine und Rechnungen bleiben ohne Namen erhalten. Abmeldungen bleiben wirksam. Das lässt sich nicht rückgängig machen.',
    typeName: (name: string): string => `Zur Bestätigung „${name}“ eingeben`,
    erasedText:
      'Zahl der Zeilen je Tabelle. Ereignisse und Texte über andere, die diese Person erwähnen, werden in den nächsten Minuten geleert. Ältere Sicherungen enthalten diese Person weiterhin, bis Sie diese Sicherungen löschen.',
    rows: (deleted: number, blanked: number): string =>
      [deleted > 0 && `${deleted} gelöscht`, blanked > 0 && `${blanked} geleert`]
        .filter(Boolean)
        .join(', '),
    shared: (count: number): string =>
      plural(count, {
        one: '# Adresse gehört auch einem anderen Kontakt und bleibt dort.',
        other: '# Adressen gehören auch einem anderen Kontakt und bleiben dort.',
      }),
  },
  why: {
    ask: 'Warum?',
    rule: 'Code des Grundes',
    record: 'Datensatz',
    moment: 'Zeitpunkt',
    code: 'Code des Servers',
    records: {
      appointment: 'Termin',
      calendar: 'Kalender',
      campaign: 'Kampagne',
      contact: 'Kontakt',
      conversation: 'Unterhaltung',
      delivery: 'Zustellung',
      event: 'Ereignis',
      list: 'Liste',
      message: 'Nachricht',
      opt_out: 'Abmeldung',
      recipient: 'Empfang',
      run: 'Lauf',
      webhook: 'Webhook-Abonnement',
      workflow: 'Workflow',
    },
  },
  agenda: {
    contact: 'Kontakt öffnen',
    confirmation: 'Bestätigung',
    reminders: 'Erinnerungen',
    month: 'Monat',
    agenda: 'Agenda',
    empty: 'Keine Termine an diesen Tagen',
    more: (n: number): string => `${n} weitere`,
  },
};
