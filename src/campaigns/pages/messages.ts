import { languagesOf } from '#lib/page-parts.ts';

const english = {
  title: 'Unsubscribe',
  lead: (address: string) => `Unsubscribe ${address} from our emails?`,
  unsubscribe: 'Unsubscribe',
  alsoSms: 'Stop text messages, too',
  doneTitle: 'Unsubscribed',
  done: (address: string) => `${address} is unsubscribed from our emails.`,
  smsStays: 'You still receive our text messages. Reply STOP to one of them to end them.',
  subscribe: 'Subscribe again',
  smsAgain: 'Receive text messages, too',
  subscribedTitle: 'Subscribed',
  subscribed: (address: string) => `${address} receives our emails again.`,
  closed: (address: string) =>
    `We have blocked ${address}, so it receives no emails. Please contact us to unblock it.`,
  notFound: 'This page does not exist',
  notFoundLead: 'The link may be incomplete.',
  failed: 'Something went wrong',
  failedLead: 'Please go back and try again in a moment.',
};

export type Messages = typeof english;

const values = {
  lead: ['address'],
  done: ['address'],
  subscribed: ['address'],
  closed: ['address'],
} as const satisfies Partial<Record<keyof Messages, readonly string[]>>;

const german: Messages = {
  title: 'Abbestellen',
  lead: (address) => `Unsere E-Mails an ${address} abbestellen?`,
  unsubscribe: 'Abbestellen',
  alsoSms: 'Auch keine SMS mehr',
  doneTitle: 'Abbestellt',
  done: (address) => `Unsere E-Mails an ${address} sind abbestellt.`,
  smsStays: 'SMS erhalten Sie weiterhin. Antworten Sie auf eine davon mit STOP, um sie zu beenden.',
  subscribe: 'Wieder abonnieren',
  smsAgain: 'Auch SMS erhalten',
  subscribedTitle: 'Abonniert',
  subscribed: (address) => `Unsere E-Mails gehen wieder an ${address}.`,
  closed: (address) =>
    `Wir haben ${address} gesperrt, daher erhält die Adresse keine E-Mails. Bitte wenden Sie sich an uns, um sie freizugeben.`,
  notFound: 'Diese Seite gibt es nicht',
  notFoundLead: 'Möglicherweise ist der Link unvollständig.',
  failed: 'Etwas ist schiefgelaufen',
  failedLead: 'Bitte gehen Sie zurück und versuchen Sie es gleich noch einmal.',
};

const spanish: Messages = {
  title: 'Cancelar la suscripción',
  lead: (address) => `¿Quiere dejar de recibir nuestros correos en ${address}?`,
  unsubscribe: 'Cancelar la suscripción',
  alsoSms: 'Tampoco recibir SMS',
  doneTitle: 'Suscripción cancelada',
  done: (address) => `${address} ya no recibirá nuestros correos.`,
  smsStays:
    'Seguirá recibiendo nuestros SMS. Responda STOP a uno de ellos para dejar de recibirlos.',
  subscribe: 'Volver a suscribirse',
  smsAgain: 'Recibir también SMS',
  subscribedTitle: 'Suscripción activa',
  subscribed: (address) => `${address} vuelve a recibir nuestros correos.`,
  closed: (address) =>
    `Hemos bloqueado ${address}, por lo que no recibe correos. Póngase en contacto con nosotros para desbloquearla.`,
  notFound: 'Esta página no existe',
  notFoundLead: 'Es posible que el enlace esté incompleto.',
  failed: 'Algo ha ido mal',
  failedLead: 'Vuelva atrás e inténtelo de nuevo en un momento.',
};

const french: Messages = {
  title: 'Se désabonner',
  lead: (address) => `Ne plus recevoir nos e-mails à l’adresse ${address} ?`,
  unsubscribe: 'Se désabonner',
  alsoSms: 'Ne plus recevoir de SMS non plus',
  doneTitle: 'Désabonnement enregistré',
  done: (address) => `${address} ne recevra plus nos e-mails.`,
  smsStays: 'Vous recevez toujours nos SMS. Répondez STOP à l’un d’eux pour ne plus en recevoir.',
  subscribe: 'Se réabonner',
  smsAgain: 'Recevoir aussi des SMS',
  subscribedTitle: 'Abonnement rétabli',
  subscribed: (address) => `${address} recevra de nouveau nos e-mails.`,
  closed: (address) =>
    `Nous avons bloqué ${address}, qui ne reçoit donc plus d’e-mails. Contactez-nous pour la débloquer.`,
  notFound: 'Cette page n’existe pas',
  notFoundLead: 'Le lien est peut-être incomplet.',
  failed: 'Une erreur est survenue',
  failedLead: 'Revenez en arrière et réessayez dans un instant.',
};

/** Returns the language of a locale; English if it is not supported. */
export const languageOf = languagesOf<Messages>(
  { en: english, de: german, es: spanish, fr: french },
  { kind: 'preferences', values },
);

/** The texts of the preferences page, for the manifest. */
export const preferencesTexts = { english, values };
