export const enWaiting = {
  title: 'Waiting list',
  waits: (day: string, since: string): string => `For ${day}, since ${since}`,
  offered: (slot: string, until: string): string => `${slot} is held until ${until}`,
  remove: 'Remove',
  removeName: (name: string): string => `Remove ${name}`,
  removeText: (name: string): string =>
    `${name} gets no message. A slot that is held is offered to the next in line.`,
  removed: 'Removed from the waiting list',
  empty: 'The waiting list is empty',
  emptyText: 'Visitors join on the booking page of a full day.',
};
