import type { CommonMessages } from '../message-types.ts';

export const deCommon: CommonMessages = {
  common: {
    pending: 'In Arbeit …',
    back: 'Zurück',
    newRecord: 'Neu',
    cancel: 'Abbrechen',
    clear: 'Leeren',
    close: 'Dialog schließen',
    done: 'Fertig',
    dismiss: 'Ausblenden',
    loadMore: 'Mehr laden',
    notices: 'Hinweise',
    retry: 'Erneut versuchen',
    save: 'Speichern',
    saved: 'Gespeichert',
    undo: 'Rückgängig',
    unnamed: 'Ohne Namen',
  },
  errors: {
    failed: 'Das hat nicht geklappt',
    forbidden: 'Ihre Rolle erlaubt das nicht',
    forbiddenText: 'Bitten Sie einen Admin dieses Unterkontos darum, oder um eine andere Rolle.',
    notFound: 'Diesen Eintrag gibt es nicht, oder er wurde gelöscht',
    recentSignIn: 'Dafür ist eine neue Anmeldung nötig',
    recentSignInText:
      'Die letzte Anmeldung darf höchstens 10 Minuten her sein. Melden Sie sich ab und wieder an.',
    unexpected: 'Etwas ist schiefgegangen',
    unreachable: 'Der Server ist nicht erreichbar',
    tryAgain: 'Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    request: (id) => `Anfrage ${id}`,
  },
  channels: {
    sms: 'SMS',
    email: 'E-Mail',
    gmail: 'Gmail',
    messenger: 'Messenger',
    instagram: 'Instagram',
    live_chat: 'Live-Chat',
    social_dm: 'Direktnachricht',
  },
};
