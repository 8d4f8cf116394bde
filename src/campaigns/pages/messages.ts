const english = {
  lang: 'en',
  title: 'What may we send you?',
  lead: 'Choose what reaches you. It holds from now on.',
  email: 'Emails to',
  sms: 'Text messages to',
  save: 'Save',
  unsubscribe: 'No more emails',
  saved: 'Saved.',
  none: 'You get no more emails from us.',
  closed: 'Closed by us; please ask us to open it again.',
  notFound: 'This page does not exist',
  notFoundLead: 'The link may be incomplete.',
  failed: 'This did not work',
  failedLead: 'Please go back and try again in a moment.',
};

export type Messages = typeof english;

const german: Messages = {
  lang: 'de',
  title: 'Was dürfen wir Ihnen schicken?',
  lead: 'Wählen Sie, was Sie erreicht. Es gilt ab sofort.',
  email: 'E-Mails an',
  sms: 'SMS an',
  save: 'Speichern',
  unsubscribe: 'Keine E-Mails mehr',
  saved: 'Gespeichert.',
  none: 'Sie bekommen keine E-Mails mehr von uns.',
  closed: 'Von uns gesperrt; bitte wenden Sie sich an uns.',
  notFound: 'Diese Seite gibt es nicht',
  notFoundLead: 'Der Link ist vielleicht unvollständig.',
  failed: 'Das hat nicht geklappt',
  failedLead: 'Bitte gehen Sie zurück und versuchen Sie es gleich noch einmal.',
};

/** The messages of a locale; English unless it is German. */
export const messagesFor = (locale: string): Messages => (/^de\b/i.test(locale) ? german : english);
