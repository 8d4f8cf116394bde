import type { ShellMessages } from '../message-types.ts';

export const frShell: ShellMessages = {
  nav: {
    more: 'Plus',
    main: 'Navigation principale',
    inbox: 'Boîte de réception',
    contacts: 'Contacts',
    calendar: 'Agenda',
    opportunities: 'Opportunités',
    tasks: 'Tâches',
    campaigns: 'Campagnes',
    workflows: 'Automatisations',
    webhooks: 'Webhooks',
    approvals: 'Approbations',
    settings: 'Paramètres',
    skip: 'Aller au contenu',
  },
  shell: {
    timesIn: (zone) => `Heures : ${zone}`,
    switchSubAccount: 'Sous-compte',
    sandbox: 'Bac à sable',
    noSubAccount: 'Aucun sous-compte',
    adminsOnly: 'Réservé aux admins',
    adminsOnlyText: (name) => `Adressez-vous à un admin de ${name}, ou demandez-lui un autre rôle.`,
    noSubAccountText:
      'Vous n’êtes membre d’aucun sous-compte. Demandez une invitation à un propriétaire de l’installation.',
    firstSubAccountText:
      'Créez le premier : il contient les contacts, les conversations et les agendas d’une entreprise ou d’une marque.',
    account: 'Compte',
    addPasskey: 'Ajouter une clé d’accès',
    passkeyAdded: 'Clé d’accès ajoutée',
    passkeyFailed: 'La clé d’accès n’a pas été ajoutée',

    picture: 'Votre photo',
    pictureText: 'Votre équipe la voit, et elle apparaît dans le chat à côté de vos réponses.',
    choosePicture: 'Choisir une photo',
    deletePicture: 'Supprimer la photo',
    pictureSaved: 'Photo enregistrée',
    pictureDeleted: 'Photo supprimée',
    pictureWrong: 'Choisissez une image PNG, JPEG ou WebP.',

    signOut: 'Se déconnecter',
    theme: 'Thème',
    themeSystem: 'Système',
    themeLight: 'Clair',
    themeDark: 'Sombre',
    language: 'Langue',

    notificationsOn: 'Signaler les nouveaux messages',
    notificationsOff: 'Ne plus signaler',

    offline: 'Hors ligne. Les changements apparaîtront au retour de la connexion.',

    notHere: 'Cette page n’existe pas',
    notHereText: 'Vérifiez l’adresse ou choisissez une page dans la navigation.',
    newMessage: (name) => `Nouveau message de ${name}`,
  },
  palette: {
    title: 'Palette de commandes',
    search: 'Rechercher contacts, opportunités et actions',
    go: (page) => `Aller à ${page}`,
    actions: 'Actions',
    contacts: 'Contacts',
    results: 'Résultats',
    nothing: 'Aucun résultat',
  },
  keys: {
    title: 'Raccourcis clavier',
    anywhere: 'Partout',
    inbox: 'Boîte de réception',
    palette: 'Ouvrir la palette de commandes',
    help: 'Afficher les raccourcis',
    next: 'Conversation suivante',
    previous: 'Conversation précédente',
    reply: 'Répondre',
    note: 'Écrire une note interne',
    closeConversation: 'Fermer la conversation',
    snooze: 'Mettre en attente',
    assign: 'Attribuer',
    unread: 'Marquer comme non lu',
    send: 'Envoyer la réponse',
  },
  signIn: {
    title: 'Connexion',
    email: 'E-mail',
    sendLink: 'Envoyer un lien de connexion',
    passkey: 'Utiliser une clé d’accès',
    oidc: 'Se connecter avec OpenID Connect',
    refusals: {
      unavailable:
        'Le service de connexion ne répond pas. Réessayez dans une minute ou connectez-vous autrement.',
      denied: 'La connexion a été annulée.',
      expired:
        'Cette connexion a duré plus de 10 minutes ou a commencé dans un autre navigateur. Réessayez.',
      failed: 'La réponse du service de connexion n’est pas valide. Réessayez.',
      unverified: 'Votre service de connexion n’a pas vérifié votre adresse e-mail.',
      unknown:
        'Aucun utilisateur n’a votre adresse e-mail. Demandez une invitation à un administrateur.',
      disabled: 'Votre utilisateur est désactivé. Adressez-vous à un administrateur.',
    },
    or: 'ou',
    sentTitle: 'Consultez vos e-mails',
    sentText: (email) =>
      `Si ${email} a un compte, un lien est en route. Il fonctionne une fois, pendant 15 minutes.`,
    otherEmail: 'Utiliser une autre adresse',
    linkText: 'Votre lien de connexion est prêt. Il fonctionne une fois.',
    signIn: 'Se connecter',
    linkFailed: 'Ce lien a déjà servi ou a expiré',
    linkFailedText: 'Demandez-en un nouveau ci-dessous.',
    passkeyFailed: 'La clé d’accès n’a pas été acceptée',
    commandLine: 'Un opérateur de cette installation peut créer un lien pour vous :',
    localCommand:
      'Si vous exécutez Frontdesk avec « npm start » : ouvrez un second terminal dans le même dossier, exécutez les lignes export que « npm start » a affichées, puis cette commande sous la forme « bin/frontdesk … ».',
    noMailTitle: 'Aucun envoi de mail n’est configuré ici',
    noMailHint:
      'Cette installation n’envoie pas de mail. « Envoyer un lien de connexion » indique quoi demander à l’opérateur.',
  },
};
