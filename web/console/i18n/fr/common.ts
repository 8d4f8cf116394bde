import type { CommonMessages } from '../message-types.ts';

export const frCommon: CommonMessages = {
  common: {
    pending: 'En cours…',
    back: 'Retour',
    newRecord: 'Nouveau',
    cancel: 'Annuler',
    clear: 'Effacer',
    close: 'Fermer la fenêtre',
    done: 'Terminé',
    dismiss: 'Masquer',
    loadMore: 'Charger la suite',
    notices: 'Notifications',
    retry: 'Réessayer',
    save: 'Enregistrer',
    saved: 'Enregistré',
    undo: 'Annuler l’action',
    unnamed: 'Sans nom',
  },
  errors: {
    failed: 'L’opération a échoué',
    forbidden: 'Votre rôle ne le permet pas',
    forbiddenText: 'Demandez-le à un admin de ce sous-compte, ou demandez-lui un autre rôle.',
    notFound: 'Cet élément n’existe pas ou a été supprimé',
    recentSignIn: 'Reconnectez-vous pour continuer',
    recentSignInText:
      'La dernière connexion doit dater de moins de 10 minutes. Déconnectez-vous, puis reconnectez-vous.',
    unexpected: 'Un problème est survenu',
    unreachable: 'Le serveur est injoignable',
    tryAgain: 'Vérifiez votre connexion et réessayez.',
    request: (id) => `Requête ${id}`,
  },
  channels: {
    sms: 'SMS',
    email: 'E-mail',
    gmail: 'Gmail',
    messenger: 'Messenger',
    instagram: 'Instagram',
    live_chat: 'Chat en direct',
    social_dm: 'Message privé',
  },
};
