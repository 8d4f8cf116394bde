import type { Document } from '#core/endpoint/reply.ts';
import { messagePage } from '#lib/page.ts';
import { languagesOf } from '#lib/page-parts.ts';

interface Messages {
  readonly title: string;
  readonly lead: string;
  readonly back: (host: string) => string;
}

const languageOf = languagesOf<Messages>({
  en: {
    title: 'This program cannot connect',
    lead: 'Its request is not valid. Ask the maker of the program. Reason',
    back: (host) => `Back to ${host}`,
  },
  de: {
    title: 'Dieses Programm kann sich nicht verbinden',
    lead: 'Seine Anfrage ist ungültig. Fragen Sie den Hersteller des Programms. Grund',
    back: (host) => `Zurück zu ${host}`,
  },
  es: {
    title: 'Este programa no puede conectarse',
    lead: 'Su solicitud no es válida. Pregunte al fabricante del programa. Motivo',
    back: (host) => `Volver a ${host}`,
  },
  fr: {
    title: 'Ce programme ne peut pas se connecter',
    lead: 'Sa demande n’est pas valide. Contactez l’éditeur du programme. Motif',
    back: (host) => `Revenir à ${host}`,
  },
});

interface RefusedRequest {
  /** The reason, in English. */
  readonly refused: string;
  /** The program's address with the error: the user decides whether to go there (RFC 9700, 4.11.2). */
  readonly backTo?: string | undefined;
}

/** Returns the page for a request that is refused. */
export function refusedRequestPage(locale: string, { refused, backTo }: RefusedRequest): Document {
  const { locale: lang, messages } = languageOf(locale);
  const link = backTo && { href: backTo, text: messages.back(new URL(backTo).host) };
  const lead = `${messages.lead}: ${refused}.`;
  return messagePage({ lang, title: messages.title, lead, ...(link && { link }) });
}
