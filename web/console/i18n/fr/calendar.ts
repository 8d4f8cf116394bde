import type { CalendarMessages } from '../message-types.ts';

export const frCalendar: CalendarMessages = {
  planner: {
    newAppointment: 'Nouveau rendez-vous',
    book: 'Réserver',
    booked: 'Rendez-vous réservé',
    type: 'Type de rendez-vous',
    start: 'Début',
    notes: 'Notes',
    customer: 'Client',
    knownContact: 'Choisir un contact',
    minutes: (count: number): string => `${count} min`,
    freeTimes: 'Créneaux libres',
    noFreeTimes: 'Aucun créneau libre ce jour-là',
    refused: 'Pas libre.',
    noTypes: 'Aucun type de rendez-vous',
    noTypesText:
      'Ajoutez dans les paramètres, onglet Agenda, un agenda avec une prestation réservable.',
    slotAt: (day: string, time: string): string => `Nouveau rendez-vous, ${day}, ${time}`,
    slotKeys: 'Les flèches changent l’heure et la colonne. Entrée réserve.',
    member: 'Membre',
    allMembers: 'Tous les membres',
    open: (times: string): string => `Ouvert ${times}`,
    closed: 'Fermé',
    taken: { busy: 'Occupé', reserved: 'Retenu', buffer: 'Battement' },
  },
};
