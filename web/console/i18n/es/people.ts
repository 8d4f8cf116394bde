import type { PeopleMessages } from '../message-types.ts';
import { pluralIn } from '../plural.ts';

const plural = pluralIn('es');

export const esPeople: PeopleMessages = {
  person: {
    actions: 'Acciones para esta persona',
    export: 'Exportar todo',
    delete: 'Eliminar contacto',
    deleteText:
      'Se eliminan las conversaciones y los archivos del contacto, se cancelan las próximas citas y las tareas abiertas, y terminan los flujos en curso. No se puede deshacer. Permanecen las citas pasadas, las oportunidades y las bajas. Si la persona pide que se borren sus datos, elija «Borrar a la persona».',
    erase: 'Borrar a la persona',
    erased: 'Persona borrada',
    eraseTitle: (name: string): string => `¿Borrar a ${name}?`,
    eraseText:
      'Se borra todo lo que esta persona ha escrito y lo que se ha escrito sobre ella: mensajes, notas, respuestas de formularios y datos de contacto. Las citas pasadas y las facturas permanecen sin nombre. Las bajas siguen vigentes. No se puede deshacer.',
    typeName: (name: string): string => `Escriba «${name}» para confirmar`,
    erasedText:
      'Número de filas por tabla. Los eventos y los textos sobre otras personas que la mencionan se borran en los próximos minutos. Las copias de seguridad anteriores siguen conteniendo a esta persona hasta que elimine esas copias.',
    rows: (deleted: number, blanked: number): string =>
      [deleted > 0 && `${deleted} eliminadas`, blanked > 0 && `${blanked} vaciadas`]
        .filter(Boolean)
        .join(', '),
    shared: (count: number): string =>
      plural(count, {
        one: '# dirección también pertenece a otro contacto y permanece allí.',
        other: '# direcciones también pertenecen a otro contacto y permanecen allí.',
      }),
  },
  why: {
    ask: '¿Por qué?',
    rule: 'Código del motivo',
    record: 'Registro',
    moment: 'Fecha y hora',
    code: 'Código del servidor',
    records: {
      appointment: 'Cita',
      calendar: 'Calendario',
      campaign: 'Campaña',
      contact: 'Contacto',
      conversation: 'Conversación',
      delivery: 'Entrega',
      event: 'Evento',
      list: 'Lista',
      message: 'Mensaje',
      opt_out: 'Baja',
      recipient: 'Destinatario',
      run: 'Ejecución',
      webhook: 'Suscripción de webhook',
      workflow: 'Flujo',
    },
  },
  agenda: {
    contact: 'Abrir contacto',
    confirmation: 'Confirmación',
    reminders: 'Recordatorios',
    month: 'Mes',
    agenda: 'Agenda',
    empty: 'No hay citas en estos días',
    more: (n: number): string => `${n} más`,
  },
};
