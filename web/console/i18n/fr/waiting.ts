import type { WaitingMessages } from '../message-types.ts';

export const frWaiting: WaitingMessages = {
  title: "Liste d'attente",
  waits: (day, since) => `Pour ${day}, depuis ${since}`,
  offered: (slot, until) => `${slot} est réservé jusqu'au ${until}`,
  remove: 'Retirer',
  removeName: (name) => `Retirer ${name}`,
  removeText: (name) =>
    `${name} ne reçoit aucun message. Un créneau réservé est proposé à la personne suivante.`,
  removed: "Retiré de la liste d'attente",
  empty: "La liste d'attente est vide",
  emptyText: "Les visiteurs s'inscrivent sur la page de réservation d'un jour complet.",
};
