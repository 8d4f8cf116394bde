import type { CalendarMessages } from '../message-types.ts';

export const esCalendar: CalendarMessages = {
  planner: {
    newAppointment: 'Nueva cita',
    book: 'Reservar',
    booked: 'Cita reservada',
    type: 'Tipo de cita',
    start: 'Inicio',
    notes: 'Notas',
    customer: 'Cliente',
    knownContact: 'Elegir un contacto',
    minutes: (count: number): string => `${count} min`,
    freeTimes: 'Horas libres',
    noFreeTimes: 'No hay horas libres este día',
    refused: 'No está libre.',
    noTypes: 'Aún no hay tipos de cita',
    noTypesText:
      'Añada en los ajustes, en la pestaña Calendario, un calendario con un servicio reservable.',
    slotAt: (day: string, time: string): string => `Nueva cita, ${day}, ${time}`,
    slotKeys: 'Las flechas cambian la hora y la columna. Intro reserva.',
    member: 'Miembro',
    allMembers: 'Todos los miembros',
    open: (times: string): string => `Abierto ${times}`,
    closed: 'Cerrado',
    taken: { busy: 'Ocupado', reserved: 'Retenido', buffer: 'Margen' },
  },
};
