import type { WaitingMessages } from '../message-types.ts';

export const esWaiting: WaitingMessages = {
  title: 'Lista de espera',
  waits: (day, since) => `Para ${day}, desde ${since}`,
  offered: (slot, until) => `${slot} está reservado hasta ${until}`,
  remove: 'Quitar',
  removeName: (name) => `Quitar a ${name}`,
  removeText: (name) =>
    `${name} no recibe ningún mensaje. Una hora reservada se ofrece a la siguiente persona.`,
  removed: 'Quitado de la lista de espera',
  empty: 'La lista de espera está vacía',
  emptyText: 'Los visitantes se apuntan en la página de reserva de un día completo.',
};
