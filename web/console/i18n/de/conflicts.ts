import type { ConflictMessages } from '../message-types.ts';

export const deConflicts: ConflictMessages = {
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
};
