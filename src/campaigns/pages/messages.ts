const english = {
  lang: 'en',
  title: 'Your email and SMS preferences',
  lead: 'Choose what we may send you. Changes take effect immediately.',
  email: 'Emails to',
  sms: 'Text messages to',
  save: 'Save',
  unsubscribe: 'Unsubscribe from emails',
  saved: 'Your preferences are saved.',
  none: 'You are unsubscribed from our emails.',
  closed: 'We have blocked this address. Please contact us to unblock it.',
  notFound: 'This page does not exist',
  notFoundLead: 'The link may be incomplete.',
  failed: 'Something went wrong',
  failedLead: 'Please go back and try again in a moment.',
};

export type Messages = typeof english;

const german: Messages = {
  lang: 'de',
  title: 'Ihre E-Mail- und SMS-Einstellungen',
  lead: 'Wählen Sie aus, was wir Ihnen senden dürfen. Änderungen gelten sofort.',
  email: 'E-Mails an',
  sms: 'SMS an',
  save: 'Speichern',
  unsubscribe: 'E-Mails abbestellen',
  saved: 'Ihre Einstellungen sind gespeichert.',
  none: 'Sie erhalten keine E-Mails mehr von uns.',
  closed: 'Wir haben diese Adresse gesperrt. Bitte wenden Sie sich an uns, um sie freizugeben.',
  notFound: 'Diese Seite gibt es nicht',
  notFoundLead: 'Möglicherweise ist der Link unvollständig.',
  failed: 'Etwas ist schiefgelaufen',
  failedLead: 'Bitte gehen Sie zurück und versuchen Sie es gleich noch einmal.',
};

/** Returns the messages of a locale; English unless it is German. */
export const messagesFor = (locale: string): Messages => (/^de\b/i.test(locale) ? german : english);
