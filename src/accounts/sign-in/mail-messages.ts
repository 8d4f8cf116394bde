import { languagesOf } from '#lib/page-parts.ts';

interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** The mails with links to the console. */
interface Messages {
  readonly invitation: (subAccount: string, link: string) => MailText;
  readonly signIn: (link: string) => MailText;
}

const english: Messages = {
  invitation: (subAccount, link) => ({
    subject: `Invitation: ${subAccount}`,
    text: `You can now open ${subAccount} in Frontdesk. Sign in with this link:\n\n${link}\n\nIt works once, within 24 hours.\n`,
  }),
  signIn: (link) => ({
    subject: 'Your sign-in link',
    text: `Sign in to Frontdesk with this link:\n\n${link}\n\nIt works once, within 15 minutes. If you did not request it, ignore this mail.\n`,
  }),
};

const german: Messages = {
  invitation: (subAccount, link) => ({
    subject: `Einladung: ${subAccount}`,
    text: `Sie haben jetzt Zugang zu ${subAccount} in Frontdesk. Melden Sie sich mit diesem Link an:\n\n${link}\n\nEr gilt einmal, innerhalb von 24 Stunden.\n`,
  }),
  signIn: (link) => ({
    subject: 'Ihr Anmeldelink',
    text: `Melden Sie sich mit diesem Link bei Frontdesk an:\n\n${link}\n\nEr gilt einmal, innerhalb von 15 Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.\n`,
  }),
};

const spanish: Messages = {
  invitation: (subAccount, link) => ({
    subject: `Invitación: ${subAccount}`,
    text: `Ya tiene acceso a ${subAccount} en Frontdesk. Inicie sesión con este enlace:\n\n${link}\n\nFunciona una sola vez, durante 24 horas.\n`,
  }),
  signIn: (link) => ({
    subject: 'Su enlace de acceso',
    text: `Inicie sesión en Frontdesk con este enlace:\n\n${link}\n\nFunciona una sola vez, durante 15 minutos. Si no lo ha solicitado, ignore este correo.\n`,
  }),
};

const french: Messages = {
  invitation: (subAccount, link) => ({
    subject: `Invitation : ${subAccount}`,
    text: `Vous avez maintenant accès à ${subAccount} dans Frontdesk. Connectez-vous avec ce lien :\n\n${link}\n\nIl ne fonctionne qu’une fois, pendant 24 heures.\n`,
  }),
  signIn: (link) => ({
    subject: 'Votre lien de connexion',
    text: `Connectez-vous à Frontdesk avec ce lien :\n\n${link}\n\nIl ne fonctionne qu’une fois, pendant 15 minutes. Si vous ne l’avez pas demandé, ignorez cet e-mail.\n`,
  }),
};

const languageOf = languagesOf<Messages>({
  en: english,
  de: german,
  es: spanish,
  fr: french,
});

/** Returns the texts of a sub-account's locale; English if it is not supported. */
export const messagesOf = (locale: string): Messages => languageOf(locale).messages;
