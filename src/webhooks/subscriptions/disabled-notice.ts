import { languagesOf } from '#lib/page-parts.ts';
import { ENDED_ITS_WORKERS } from '#platform/queue/give-up.ts';

/** Why a worker disables a subscription; stored with it, in English. */
export const RECEIVER_GONE = 'the receiver returned 410 Gone';
export const ALWAYS_FAILED = 'every attempt failed for 5 days';

export type DisabledReason = typeof RECEIVER_GONE | typeof ALWAYS_FAILED | typeof ENDED_ITS_WORKERS;

interface Messages {
  readonly subject: (host: string) => string;
  readonly stopped: string;
  readonly reasons: Readonly<Record<DisabledReason, string>>;
  readonly next: string;
}

const languageOf = languagesOf<Messages>({
  en: {
    subject: (host) => `Webhooks to ${host} are disabled`,
    stopped: 'Frontdesk has stopped sending webhooks to',
    reasons: {
      [RECEIVER_GONE]: 'The reason: the receiver returned 410 Gone.',
      [ALWAYS_FAILED]: 'The reason: every attempt failed for 5 days.',
      [ENDED_ITS_WORKERS]: `The reason: ${ENDED_ITS_WORKERS}.`,
    },
    next: `Once the receiver works again, enable the subscription on the page Webhooks of the console, or set
its status to "active". Events that happen until then are not sent to it. To send the events that
it missed, run: frontdesk admin delivery replay`,
  },
  de: {
    subject: (host) => `Webhooks an ${host} sind abgeschaltet`,
    stopped: 'Frontdesk sendet keine Webhooks mehr an',
    reasons: {
      [RECEIVER_GONE]: 'Der Grund: Der Empfänger hat mit 410 Gone geantwortet.',
      [ALWAYS_FAILED]: 'Der Grund: 5 Tage lang ist jeder Versuch gescheitert.',
      [ENDED_ITS_WORKERS]:
        'Der Grund: Drei Worker nacheinander sind dabei abgebrochen, zum Beispiel aus Mangel an Speicher.',
    },
    next: `Sobald der Empfänger wieder funktioniert, schalten Sie das Abonnement auf der Seite „Webhooks“ der
Konsole wieder ein, oder setzen Sie seinen Status auf "active". Ereignisse bis dahin werden nicht
gesendet. Verpasste Ereignisse sendet: frontdesk admin delivery replay`,
  },
  es: {
    subject: (host) => `Los webhooks a ${host} están desactivados`,
    stopped: 'Frontdesk ha dejado de enviar webhooks a',
    reasons: {
      [RECEIVER_GONE]: 'El motivo: el receptor respondió 410 Gone.',
      [ALWAYS_FAILED]: 'El motivo: todos los intentos fallaron durante 5 días.',
      [ENDED_ITS_WORKERS]:
        'El motivo: tres procesos seguidos terminaron mientras lo hacían, por ejemplo por falta de memoria.',
    },
    next: `Cuando el receptor vuelva a funcionar, active la suscripción en la página «Webhooks» de la consola
o ponga su estado en "active". Los eventos que ocurran hasta entonces no se envían. Para enviar los
eventos perdidos, ejecute: frontdesk admin delivery replay`,
  },
  fr: {
    subject: (host) => `Les webhooks vers ${host} sont désactivés`,
    stopped: 'Frontdesk n’envoie plus de webhooks à',
    reasons: {
      [RECEIVER_GONE]: 'Le motif : le destinataire a répondu 410 Gone.',
      [ALWAYS_FAILED]: 'Le motif : toutes les tentatives ont échoué pendant 5 jours.',
      [ENDED_ITS_WORKERS]:
        'Le motif : trois processus de suite se sont arrêtés pendant l’envoi, par exemple par manque de mémoire.',
    },
    next: `Quand le destinataire fonctionnera de nouveau, activez l’abonnement sur la page « Webhooks » de
la console ou mettez son statut à « active ». Les événements d’ici là ne sont pas envoyés. Pour
envoyer les événements manqués : frontdesk admin delivery replay`,
  },
});

/** Returns the mail to the admins about a disabled subscription, in the language of the sub-account. */
export function disabledNotice(url: string, reason: DisabledReason, locale: string) {
  const { messages } = languageOf(locale);
  return {
    subject: messages.subject(new URL(url).host),
    text: `${messages.stopped}

  ${url}

${messages.reasons[reason]}

${messages.next}
`,
  };
}
