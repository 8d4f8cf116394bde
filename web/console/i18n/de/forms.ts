import type { FormMessages } from '../message-types.ts';

export const deForms: FormMessages = {
  forms: {
    title: 'Titel',
    chatEnabled: 'Besuchende können einen Chat beginnen',
    welcome: 'Begrüßung',
    color: 'Farbe',
    requireName: 'Nach dem Namen fragen',
    requireEmail: 'E-Mail-Adresse verlangen',
    legalText: 'Rechtlicher Hinweis',
    description: 'Beschreibung',
    category: 'Kategorie',
    folder: 'Ordner',
    price: 'Preis',
    startingPrice: 'Es ist ein Preis „ab“',
    onSale: 'Anzeigen',
    closed: 'Geschlossen',
    slotInterval: 'Minuten zwischen Anfängen',
    bufferBefore: 'Puffer davor, in Minuten',
    bufferAfter: 'Puffer danach, in Minuten',
    minimumNotice: 'Vorlauf, in Minuten',
    maximumAdvance: 'Tage im Voraus',
    maxPerDay: 'Buchungen pro Tag',
    customerMoves: 'Kundschaft kann Termine verschieben',
    thanks: 'Text nach dem Absenden',
    redirect: 'Seite nach dem Absenden',
    captcha: 'Prüfen, ob ein Mensch absendet',
    chat: 'Chat',
    forms: 'Formulare',
    priceList: 'Preisliste',
    newService: 'Neue Leistung',
    key: 'Schlüssel',
    editShort: 'Bearbeiten',
    empty: 'Noch nichts vorhanden',
    changedMeanwhile: 'Inzwischen hat jemand anderes dies geändert',
    changedBy: (name: string, at: string): string => `Inzwischen geändert von ${name} (${at})`,
    conflictText: (fields: string): string =>
      `Geändert: ${fields}. Noch ist nichts gespeichert. Ihre Eingaben bleiben; die übrigen Felder zeigen die neuen Werte. Prüfen Sie sie und speichern Sie erneut.`,
    otherFields: 'Einstellungen, die nicht in diesem Formular stehen',
    removedText:
      'Der Eintrag wurde entfernt. Noch ist nichts gespeichert. Speichern Sie erneut, um ihn mit Ihren Werten anzulegen.',
    takenText:
      'Ein Eintrag mit demselben Schlüssel wurde hinzugefügt. Noch ist nichts gespeichert. Speichern Sie erneut, um Ihren mit einem anderen Schlüssel hinzuzufügen.',
    conflictIn: (entries: string): string =>
      `Geändert: ${entries}. Noch ist nichts gespeichert, und Ihr Text bleibt. „Änderungen anzeigen“ zeigt, was das Speichern nun rückgängig machen würde.`,
    saveAnyway: 'Trotzdem speichern',
    discard: 'Meinen Text verwerfen und neu laden',
    hoursOn: (day: string): string => `Zeiten am ${day}`,
    edit: (name: string): string => `${name} bearbeiten`,
    emptyText: (section: string): string =>
      `Fügen Sie dem Manifest Einträge hinzu, Abschnitt \`${section}\`.`,
  },
};
