import type { WaitingMessages } from '../message-types.ts';

export const deWaiting: WaitingMessages = {
  title: 'Warteliste',
  waits: (day, since) => `Für ${day}, seit ${since}`,
  offered: (slot, until) => `${slot} ist bis ${until} reserviert`,
  remove: 'Entfernen',
  removeName: (name) => `${name} entfernen`,
  removeText: (name) =>
    `${name} erhält keine Nachricht. Ein reservierter Termin wird der nächsten Person angeboten.`,
  removed: 'Von der Warteliste entfernt',
  empty: 'Die Warteliste ist leer',
  emptyText: 'Besucher tragen sich auf der Buchungsseite eines vollen Tages ein.',
};
