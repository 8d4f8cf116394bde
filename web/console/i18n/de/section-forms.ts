import type { SectionFormMessages } from '../message-types.ts';

export const deSectionForms: SectionFormMessages = {
  newCalendar: 'Neuer Kalender',
  newForm: 'Neues Formular',
  noCalendars: 'Noch keine Kalender',
  noCalendarsText:
    'Ein Kalender hat Öffnungszeiten, Mitglieder und die Leistungen, die Kundinnen und Kunden auf eigenen Seiten buchen.',
  noForms: 'Noch keine Formulare',
  noFormsText:
    'Ein Formular wird auf seiner eigenen Seite oder auf Ihrer Website ausgefüllt; so entstehen Kontakte.',
  kind: 'Wer die Termine gibt',
  kinds: {
    personal: 'Eine Person',
    'round-robin': 'Ein Mitglied, das frei ist',
    collective: 'Alle Mitglieder gemeinsam',
    class: 'Ein Kurs mit mehreren Plätzen',
  },
  members: 'Mitglieder',
  noTeam:
    'Noch gibt es keine Teammitglieder. Öffnen Sie im Reiter „Team“ das Menü am Ende der Zeile einer Person, und wählen Sie „Zum Teammitglied machen“.',
  ownHours: 'eigene Zeiten',
  zoneHint: (zone) => `Wie das Unterkonto: ${zone}`,
  noZone: 'Keine Zeitzone gefunden',
  services: 'Buchbare Leistungen',
  addService: 'Neue buchbare Leistung',
  noServices:
    'Noch ist nichts buchbar: Fügen Sie eine Leistung hinzu, etwa „Erstbesuch“, 30 Minuten.',
  minutes: (count) => `${count} Min.`,
  duration: 'Dauer, in Minuten',
  priceHint: 'Steht auf der Buchungsseite. Leer: kein Preis.',
  location: 'Ort',
  seats: 'Plätze',
  canBeBooked: 'Kann gebucht werden',
  notBookable: 'nicht buchbar',
  removeService:
    'Ihre Buchungsseite endet mit dem Speichern. Vergangene Termine bleiben; eine Leistung mit kommenden Terminen bleibt erhalten.',
  hours: 'Öffnungszeiten',
  hoursHint: 'Etwa 09:00-12:00, 13:00-17:00',
  rules: 'Regeln für Buchungen',
  noticeHint: 'Mit 120 ist der erste buchbare Termin in zwei Stunden. Leer: keine Mindestzeit.',
  advanceHint: 'Mit 30 sind die nächsten 30 Tage buchbar. Leer: unbegrenzt.',
  removeCalendar: (services) =>
    `Der Kalender mit seinen Öffnungszeiten wird gelöscht, und die Buchungsseiten seiner Leistungen enden: ${services}. Vergangene Termine bleiben. Ein Kalender mit kommenden Terminen bleibt erhalten.`,
  removeEmptyCalendar:
    'Der Kalender mit seinen Öffnungszeiten wird gelöscht. Vergangene Termine bleiben.',
  removeForm: (fields) =>
    `Seine Seite endet, und Websites, die es zeigen, zeigen nichts mehr. Seine Felder werden gelöscht: ${fields}. Einsendungen bleiben.`,
  fields: 'Felder',
  addField: 'Neues Feld',
  noFields: 'Ein Formular braucht mindestens ein Feld.',
  label: 'Beschriftung',
  type: 'Typ',
  types: {
    text: 'Text',
    textarea: 'Langer Text',
    email: 'E-Mail-Adresse',
    phone: 'Telefonnummer',
    number: 'Zahl',
    select: 'Auswahl',
    checkbox: 'Kästchen',
    date: 'Datum',
    url: 'Webadresse',
    file: 'Datei',
  },
  required: 'Pflichtfeld',
  options: 'Möglichkeiten, durch Kommas getrennt',
  mapsTo: 'Im Kontakt gespeichert als',
  submissionOnly: 'Nur in der Einsendung',
  custom: (label) => `Eigenes Feld ${label}`,
  message: 'Nachricht',
  removeField:
    'Nach dem Speichern fragt das Formular nicht mehr danach. Frühere Antworten bleiben.',
  unnamed: 'Ohne Namen',
  up: (name) => `${name} nach oben`,
  down: (name) => `${name} nach unten`,
  close: (name) => `${name} schließen`,
};
