import type { OwnerMessages } from '../message-types.ts';
import { deAudit } from './audit.ts';

export const deOwner: OwnerMessages = {
  manifest: {
    restored: 'Ihr nicht gespeicherter Text ist wieder da',
    restoredText:
      'Er ist noch nicht gespeichert. Er bleibt in diesem Browser-Tab, bis Sie ihn speichern oder verwerfen.',
    discardText: 'Meinen Text verwerfen',
    lossTitle: 'Speichern und dies entfernen?',
    lossText:
      'Im Text fehlt es. Beim Speichern wird es entfernt; das lässt sich nicht rückgängig machen.',
  },
  audit: deAudit,
  links: {
    noLink:
      'Diese Person hat sich schon angemeldet oder hat mehr als dieses Unterkonto, deshalb wird Ihnen kein Link gezeigt. Ist E-Mail eingerichtet, ist einer unterwegs; sonst erstellt ihn die Inhaberin oder der Inhaber unter „Agentur“, „Personen“.',
    create: 'Neuer Anmeldelink',
    title: (name) => `Neuer Anmeldelink für ${name}?`,
    text: 'Der Link gilt einmal, innerhalb von 24 Stunden, und meldet jede Person an, die ihn öffnet: Geben Sie ihn nur an diese Person weiter.',
    textShort:
      'Der Link gilt einmal, innerhalb von 15 Minuten, und meldet jede Person an, die ihn öffnet: Geben Sie ihn nur an diese Person weiter.',
    shown: 'Anmeldelink',
    shownText: (email) => `${email} kann sich mit diesem Link anmelden. Er wird nur jetzt gezeigt.`,
    isMailed:
      'Ein weiterer Link wird per E-Mail gesendet; diesen hier müssen Sie nicht weitergeben.',
    notMailed: 'Es wird keine E-Mail gesendet: Geben Sie den Link selbst weiter.',
  },
  roles: {
    owner: 'Alles, in jedem Unterkonto der Installation.',
    admin:
      'Alles in diesem Unterkonto, mit Einstellungen, API-Schlüsseln und Team. Exportiert Kontakte und löscht Personen unwiderruflich.',
    agent:
      'Arbeitet mit Kontakten, Unterhaltungen, Terminen, Chancen und Aufgaben. Führt Kontakte zusammen und löscht Kontakte, Chancen und Aufgaben. Ohne Kampagnen, Abläufe, Einstellungen, Import und Export.',
    viewer: 'Sieht dasselbe wie Agenten, ändert und löscht aber nichts.',
    integrator: 'Hat nur die Seite Webhooks: für die Anbindung eines anderen Programms.',
  },
  keys: {
    preset: 'Zweck',
    noPreset: 'Anderer: Rechte unten ankreuzen',
    presets: {
      booking: 'Buchungs-Bot',
      support: 'Support-Bot',
      sync: 'Abgleich mit einem anderen System',
      reports: 'Berichte (nur lesen)',
    },
    resources: {
      contacts: 'Kontakte',
      conversations: 'Unterhaltungen',
      availability: 'Kalender',
      appointments: 'Termine',
      opportunities: 'Chancen',
      tasks: 'Aufgaben',
      campaigns: 'Kampagnen',
      webhooks: 'Webhooks',
      'service-types': 'Preisliste',
      'booking-estimates': 'Angebote',
      'booking-appointments': 'Termine bestätigter Kundschaft',
    },
  },
  health: {
    none: 'Keine Probleme: Alle Prüfungen sind in Ordnung.',
  },
  general: {
    tab: 'Allgemein',
    brand: 'Marke',
    brandHint: 'Der Name, den Kundinnen und Kunden sehen. Leer: der Name des Unterkontos.',
    logo: 'Adresse des Logos',
    logoHint: 'Eine Adresse, die mit https:// beginnt',
    locale: 'Sprache von Kundenseiten und Nachrichten',
    currencyHint: 'Etwa EUR, USD oder GBP',
    customers: 'Was Kundinnen und Kunden sehen',
    customersText:
      'Marke und Farbe gelten für Buchungsseiten, Formulare und Bestätigungen. Für den Chat gelten sie, solange unter Einstellungen → Chat kein eigener Titel und keine eigene Farbe stehen. Kampagnen sehen aus wie ihre Vorlage (Einstellungen → Manifest).',
  },
  team: {
    text: 'Hier steht, wer sich an der Konsole anmelden kann. Termine, Unterhaltungen und Aufgaben werden Teammitgliedern zugewiesen. Um jemanden zum Teammitglied zu machen, öffnen Sie das Menü am Ende der Zeile und wählen „Zum Teammitglied machen“. Teammitglieder ohne Anmeldung tragen Sie im Manifest unter „team“ ein (Einstellungen → Manifest).',
    assignable: 'Kann zugewiesen werden',
    yes: 'Ja',
    no: 'Nein',
    make: 'Zum Teammitglied machen',
    link: (name) => `Ist das Teammitglied ${name}`,
    made: (name) => `${name} kann jetzt zugewiesen werden`,
  },
  subAccounts: {
    language: 'Sprache von Kundenseiten und Nachrichten',
    noZone: 'Keine Zeitzone gefunden',
    closeEffects: [
      'Buchungsseiten, Formulare und der Chat auf Websites enden sofort.',
      'Mitglieder und API-Schlüssel verlieren den Zugang.',
      'Kampagnen, Abläufe und Erinnerungen enden: Es wird nichts mehr gesendet.',
      'Gebuchte Termine bleiben in den Daten, lassen sich aber von Kundinnen und Kunden nicht mehr verschieben oder absagen.',
      'Es kann in der Konsole nicht wieder geöffnet werden. Die Daten bleiben, bis sie auf dem Server mit „frontdesk admin sub-account purge“ gelöscht werden.',
    ],
    nameDiffers: 'Der Name stimmt noch nicht überein.',
  },
};
