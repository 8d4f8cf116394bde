import type { Document } from '#core/endpoint/reply.ts';
import { messagePage } from '#lib/page.ts';
import { languagesOf } from '#lib/page-parts.ts';

interface Messages {
  readonly title: string;
  readonly lead: string;
}

const languageOf = languagesOf<Messages>({
  en: {
    title: 'This program cannot connect',
    lead: 'Its request is not valid. Ask the maker of the program. Reason',
  },
  de: {
    title: 'Dieses Programm kann sich nicht verbinden',
    lead: 'Seine Anfrage ist ungültig. Fragen Sie den Hersteller des Programms. Grund',
  },
  es: {
    title: 'Este programa no puede conectarse',
    lead: 'Su solicitud no es válida. Pregunte al fabricante del programa. Motivo',
  },
  fr: {
    title: 'Ce programme ne peut pas se connecter',
    lead: 'Sa demande n’est pas valide. Contactez l’éditeur du programme. Motif',
  },
});

/** Returns the page for a request whose program, or whose address, is not known to be right. */
export function refusedRequestPage(locale: string, reason: string): Document {
  const { locale: lang, messages } = languageOf(locale);
  return messagePage({ lang, title: messages.title, lead: `${messages.lead}: ${reason}.` });
}
