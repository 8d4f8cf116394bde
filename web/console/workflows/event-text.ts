import { deEvents } from '../i18n/de/events.ts';
import { enEvents } from '../i18n/en/events.ts';
import { esEvents } from '../i18n/es/events.ts';
import { frEvents } from '../i18n/fr/events.ts';
import { currentLocale, type Locale } from '../i18n/locale.ts';
import type { EventMessages } from '../i18n/message-types.ts';

const TEXTS: Readonly<Record<Locale, EventMessages>> = {
  en: enEvents,
  de: deEvents,
  fr: frEvents,
  es: esEvents,
};

/** Triggers of runs that are no events. A call may send an event type with such a name. */
const NO_EVENTS: ReadonlySet<string> = new Set(['inbound_webhook', 'test']);

/** Returns an event such as `appointment.booked` in words, or its name if it is none. */
export function eventText(name: string): string {
  return NO_EVENTS.has(name) ? name : triggerText(name);
}

/** Returns the trigger of a run in words: an event, a signed call or a test. */
export function triggerText(name: string): string {
  const texts: Readonly<Record<string, string>> = TEXTS[currentLocale()];
  return Object.hasOwn(texts, name) ? (texts[name] ?? name) : name;
}

/** Returns an event in words, followed by its name. */
export function eventWithName(name: string): string {
  const text = eventText(name);
  return text === name ? name : `${text} (${name})`;
}
