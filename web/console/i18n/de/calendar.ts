import type { CalendarMessages } from '../message-types.ts';

export const deCalendar: CalendarMessages = {
  planner: {
    newAppointment: 'Neuer Termin',
    book: 'Buchen',
    booked: 'Termin gebucht',
    type: 'Terminart',
    start: 'Beginn',
    notes: 'Notizen',
    customer: 'Kundschaft',
    knownContact: 'Kontakt auswählen',
    minutes: (count: number): string => `${count} Min.`,
    freeTimes: 'Freie Zeiten',
    noFreeTimes: 'An diesem Tag ist nichts frei',
    refused: 'Nicht frei.',
    noTypes: 'Noch keine Terminart',
    noTypesText:
      'Fügen Sie dem Manifest einen Kalender mit einer Terminart hinzu, Abschnitt „calendars“.',
    slotAt: (day: string, time: string): string => `Neuer Termin, ${day}, ${time}`,
    slotKeys: 'Pfeiltasten ändern Zeit und Spalte. Eingabe bucht.',
    member: 'Mitglied',
    allMembers: 'Alle Mitglieder',
    open: (times: string): string => `Geöffnet ${times}`,
    closed: 'Geschlossen',
    taken: { busy: 'Belegt', reserved: 'Reserviert', buffer: 'Puffer' },
  },
};
