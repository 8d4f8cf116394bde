import type { Effects } from '#core/endpoint/keyed-endpoint.ts';
import { languagesOf } from '#lib/page-parts.ts';

interface Messages {
  readonly subject: (summary: string) => string;
  readonly asks: (client: string, summary: string) => string;
  readonly would: string;
  readonly effects: Readonly<Record<string, string>>;
  readonly colon: string;
  readonly decide: string;
}

const languageOf = languagesOf<Messages>({
  en: {
    subject: (summary) => `Approval needed: ${summary}`,
    asks: (client, summary) => `An agent (${client}) asks to do this: ${summary}`,
    would: 'What it would do:',
    effects: { mails: 'mails', messages: 'messages' },
    colon: ': ',
    decide: 'Approve or deny it within 24 hours:',
  },
  de: {
    subject: (summary) => `Freigabe nötig: ${summary}`,
    asks: (client, summary) => `Ein Agent (${client}) möchte dies tun: ${summary}`,
    would: 'Das würde geschehen:',
    effects: { mails: 'E-Mails', messages: 'Nachrichten' },
    colon: ': ',
    decide: 'Geben Sie es innerhalb von 24 Stunden frei, oder lehnen Sie es ab:',
  },
  es: {
    subject: (summary) => `Se necesita aprobación: ${summary}`,
    asks: (client, summary) => `Un agente (${client}) pide hacer esto: ${summary}`,
    would: 'Lo que haría:',
    effects: { mails: 'correos', messages: 'mensajes' },
    colon: ': ',
    decide: 'Apruébelo o rechácelo en un plazo de 24 horas:',
  },
  fr: {
    subject: (summary) => `Approbation requise : ${summary}`,
    asks: (client, summary) => `Un agent (${client}) demande à faire ceci : ${summary}`,
    would: 'Ce qu’il ferait :',
    effects: { mails: 'e-mails', messages: 'messages' },
    colon: ' : ',
    decide: 'Approuvez ou refusez dans les 24 heures :',
  },
});

interface ApprovalNotice {
  readonly client: string;
  /** In English: it names an operation of the API. */
  readonly summary: string;
  readonly effects: Effects;
  /** The page that decides. */
  readonly url: string;
  readonly locale: string;
}

/** Returns the mail to the admins about a call that waits for them, in the sub-account's language. */
export function approvalNotice({ client, summary, effects, url, locale }: ApprovalNotice) {
  const { messages } = languageOf(locale);
  const counts = Object.entries(effects).map(
    ([name, count]) => `- ${messages.effects[name] ?? name}${messages.colon}${count}`,
  );
  const parts = [
    messages.asks(client, summary),
    ...(counts.length > 0 ? [messages.would, counts.join('\n')] : []),
    messages.decide,
    `${url}\n`,
  ];
  return { subject: messages.subject(summary), text: parts.join('\n\n') };
}
