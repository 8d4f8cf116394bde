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
      'Legen Sie in den Einstellungen, im Reiter „Kalender“, einen Kalender mit einer buchbaren Leistung an.',
    slotAt: (day: string, time: string): string => `Neuer Termin, ${day}, ${time}`,
    slotKeys: 'Pfeiltasten ändern Zeit und Spalte. Eingabe bucht.',
    member: 'Mitglied',
    allMembers: 'Alle Mitglieder',
    open: (times: string): string => `Geöffnet ${times}`,
    closed: 'Geschlossen',
    taken: { busy: 'Belegt', reserved: 'Reserviert', buffer: 'Puffer' },
  },
};
