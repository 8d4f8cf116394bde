import { languagesOf } from '#lib/page-parts.ts';
import type { CustomerChange } from './customer-appointment.ts';

interface Messages {
  readonly subject: Readonly<Record<CustomerChange, string>>;
  readonly request: Readonly<Record<CustomerChange, (name: string) => string>>;
  /** Stands for a contact without a name. */
  readonly customer: string;
  /** Stands for an appointment without a type. */
  readonly appointment: string;
  readonly id: (id: string) => string;
}

const languageOf = languagesOf<Messages>({
  en: {
    subject: {
      cancel: 'A customer wants to cancel an appointment of a series',
      reschedule: 'A customer wants to move an appointment of a series',
    },
    request: {
      cancel: (name) =>
        `${name} asked to cancel this appointment. It is part of a series, so nothing was changed: please get in touch.`,
      reschedule: (name) =>
        `${name} asked to move this appointment. It is part of a series, so nothing was changed: please get in touch.`,
    },
    customer: 'A customer',
    appointment: 'Appointment',
    id: (id) => `Appointment id: ${id}`,
  },
  de: {
    subject: {
      cancel: 'Absage gewünscht: Termin einer Serie',
      reschedule: 'Verschiebung gewünscht: Termin einer Serie',
    },
    request: {
      cancel: (name) =>
        `${name} möchte diesen Termin absagen. Er gehört zu einer Serie, daher wurde nichts geändert. Bitte nehmen Sie Kontakt auf.`,
      reschedule: (name) =>
        `${name} möchte diesen Termin verschieben. Er gehört zu einer Serie, daher wurde nichts geändert. Bitte nehmen Sie Kontakt auf.`,
    },
    customer: 'Eine Person',
    appointment: 'Termin',
    id: (id) => `Termin-ID: ${id}`,
  },
  es: {
    subject: {
      cancel: 'Cancelación solicitada: cita de una serie',
      reschedule: 'Cambio de hora solicitado: cita de una serie',
    },
    request: {
      cancel: (name) =>
        `${name} quiere cancelar esta cita. Forma parte de una serie, así que no se ha cambiado nada. Póngase en contacto.`,
      reschedule: (name) =>
        `${name} quiere cambiar la hora de esta cita. Forma parte de una serie, así que no se ha cambiado nada. Póngase en contacto.`,
    },
    customer: 'Una persona',
    appointment: 'Cita',
    id: (id) => `Identificador de la cita: ${id}`,
  },
  fr: {
    subject: {
      cancel: 'Annulation demandée : rendez-vous d’une série',
      reschedule: 'Report demandé : rendez-vous d’une série',
    },
    request: {
      cancel: (name) =>
        `${name} souhaite annuler ce rendez-vous. Il fait partie d’une série : rien n’a été modifié. Prenez contact avec cette personne.`,
      reschedule: (name) =>
        `${name} souhaite déplacer ce rendez-vous. Il fait partie d’une série : rien n’a été modifié. Prenez contact avec cette personne.`,
    },
    customer: 'Une personne',
    appointment: 'Rendez-vous',
    id: (id) => `Identifiant du rendez-vous : ${id}`,
  },
});

interface SeriesChange {
  readonly id: string;
  readonly change: CustomerChange;
  readonly locale: string;
  readonly contactName: string | undefined;
  readonly typeName: string | null;
  /** The start, with its zone. */
  readonly start: string;
}

/** Returns the mail to the admins about a change that only a person can make. */
export function seriesNotice({ id, change, locale, contactName, typeName, start }: SeriesChange): {
  readonly subject: string;
  readonly text: string;
} {
  const { messages } = languageOf(locale);
  const text = [
    messages.request[change](contactName || messages.customer),
    '',
    `${typeName ?? messages.appointment}: ${start}`,
    messages.id(id),
  ].join('\n');
  return { subject: messages.subject[change], text };
}
