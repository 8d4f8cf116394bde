import { languagesOf } from '#lib/page-parts.ts';
import type { TASK_PRIORITIES } from './task.schema.ts';

interface Messages {
  readonly subject: (title: string) => string;
  readonly greeting: (name: string) => string;
  readonly task: string;
  readonly due: string;
  readonly priority: string;
  readonly contact: string;
  readonly priorities: Readonly<Record<(typeof TASK_PRIORITIES)[number], string>>;
  /** What separates a label and its value. */
  readonly colon: string;
}

/** The texts of the reminder of a task, in the language of the sub-account. */
export const languageOf = languagesOf<Messages>({
  en: {
    subject: (title) => `Due: ${title}`,
    greeting: (name) => `Hello ${name},`,
    task: 'Task',
    due: 'Due',
    priority: 'Priority',
    contact: 'Contact',
    priorities: { low: 'low', medium: 'medium', high: 'high', urgent: 'urgent' },
    colon: ': ',
  },
  de: {
    subject: (title) => `Fällig: ${title}`,
    greeting: (name) => `Hallo ${name},`,
    task: 'Aufgabe',
    due: 'Fällig',
    priority: 'Priorität',
    contact: 'Kontakt',
    priorities: { low: 'niedrig', medium: 'mittel', high: 'hoch', urgent: 'dringend' },
    colon: ': ',
  },
  es: {
    subject: (title) => `Vence: ${title}`,
    greeting: (name) => `Hola, ${name}:`,
    task: 'Tarea',
    due: 'Vence',
    priority: 'Prioridad',
    contact: 'Contacto',
    priorities: { low: 'baja', medium: 'media', high: 'alta', urgent: 'urgente' },
    colon: ': ',
  },
  fr: {
    subject: (title) => `À faire : ${title}`,
    greeting: (name) => `Bonjour ${name},`,
    task: 'Tâche',
    due: 'Échéance',
    priority: 'Priorité',
    contact: 'Contact',
    priorities: { low: 'basse', medium: 'moyenne', high: 'haute', urgent: 'urgente' },
    colon: ' : ',
  },
});
