import type { OwnerMessages } from '../message-types.ts';
import { frAudit } from './audit.ts';

export const frOwner: OwnerMessages = {
  manifest: {
    restored: 'Votre texte non enregistré est de retour',
    restoredText:
      'Il n’est pas encore enregistré. Il reste dans cet onglet jusqu’à ce que vous l’enregistriez ou l’abandonniez.',
    discardText: 'Abandonner mon texte',
    lossTitle: 'Enregistrer et supprimer ces éléments ?',
    lossText: 'Le texte ne les contient plus. L’enregistrement les supprime ; c’est irréversible.',
  },
  audit: frAudit,
  links: {
    noLink:
      'Cette personne s’est déjà connectée ou a accès à d’autres sous-comptes : le lien ne vous est pas montré. Si l’e-mail est configuré, un lien lui est envoyé ; sinon, un propriétaire le crée sous Agence, Utilisateurs.',
    create: 'Nouveau lien de connexion',
    title: (name) => `Nouveau lien de connexion pour ${name} ?`,
    text: 'Le lien fonctionne une fois, pendant 24 heures, et connecte toute personne qui l’ouvre : ne l’envoyez qu’à cette personne.',
    textShort:
      'Le lien fonctionne une fois, pendant 15 minutes, et connecte toute personne qui l’ouvre : ne l’envoyez qu’à cette personne.',
    shown: 'Lien de connexion',
    shownText: (email) =>
      `${email} peut se connecter avec ce lien. Il n’est affiché que maintenant.`,
    isMailed: 'Un autre lien lui est envoyé par e-mail : vous n’avez pas à transmettre celui-ci.',
    notMailed: 'Aucun e-mail n’est envoyé : transmettez vous-même ce lien.',
  },
  roles: {
    owner: 'Tout, dans chaque sous-compte de l’installation.',
    admin:
      'Tout dans ce sous-compte, avec les paramètres, les clés d’API et l’équipe. Exporte les contacts et efface les personnes.',
    agent:
      'Gère contacts, conversations, rendez-vous, opportunités et tâches. Fusionne des contacts et supprime contacts, opportunités et tâches. Sans campagnes, automatisations, paramètres, importation ni exportation.',
    viewer: 'Voit la même chose que les agents, sans rien modifier ni supprimer.',
    integrator: 'N’a que la page Webhooks : pour relier un autre programme.',
  },
  keys: {
    preset: 'Usage prévu',
    noPreset: 'Autre : cochez les droits ci-dessous',
    presets: {
      booking: 'Bot de réservation',
      support: 'Bot d’assistance',
      sync: 'Synchronisation avec un autre système',
      reports: 'Rapports (lecture seule)',
    },
    resources: {
      contacts: 'Contacts',
      conversations: 'Conversations',
      availability: 'Agendas',
      appointments: 'Rendez-vous',
      opportunities: 'Opportunités',
      tasks: 'Tâches',
      campaigns: 'Campagnes',
      webhooks: 'Webhooks',
      'service-types': 'Tarifs',
      'booking-estimates': 'Devis',
      'booking-appointments': 'Rendez-vous de la clientèle vérifiée',
    },
  },
  health: {
    none: 'Aucun problème : tous les contrôles sont bons.',
  },
  general: {
    tab: 'Général',
    brand: 'Marque',
    brandHint: 'Le nom que voit la clientèle. Vide : le nom du sous-compte.',
    logo: 'Adresse du logo',
    logoHint: 'Une adresse qui commence par https://',
    locale: 'Langue des pages et des messages pour la clientèle',
    currencyHint: 'Par exemple EUR, USD ou GBP',
    customers: 'Ce que voit la clientèle',
    customersText:
      'La marque et la couleur s’appliquent aux pages de réservation, aux formulaires et aux confirmations. Elles s’appliquent au chat tant que Paramètres → Chat n’a ni titre ni couleur propres. Les campagnes ont l’aspect de leur modèle (Paramètres → Manifeste).',
  },
  team: {
    text: 'Les utilisateurs se connectent à la console. Rendez-vous, conversations et tâches sont affectés aux membres de l’équipe. Pour qu’un utilisateur en fasse partie, ouvrez le menu au bout de sa ligne et choisissez « Ajouter aux membres de l’équipe ». Les membres sans connexion se déclarent dans le manifeste sous « team » (Paramètres → Manifeste).',
    assignable: 'Peut être affecté',
    yes: 'Oui',
    no: 'Non',
    make: 'Ajouter aux membres de l’équipe',
    link: (name) => `Est le membre de l’équipe ${name}`,
    made: (name) => `${name} peut maintenant être affecté`,
  },
  subAccounts: {
    language: 'Langue des pages et des messages pour la clientèle',
    noZone: 'Aucun fuseau horaire trouvé',
    closeEffects: [
      'Les pages de réservation, les formulaires et le chat des sites cessent aussitôt de fonctionner.',
      'Les membres et les clés d’API perdent l’accès.',
      'Campagnes, workflows et rappels s’arrêtent : plus rien n’est envoyé.',
      'Les rendez-vous pris restent dans les données, mais la clientèle ne peut plus les déplacer ni les annuler.',
      'Il ne peut pas être rouvert dans la console. Les données restent jusqu’à leur effacement sur le serveur avec « frontdesk admin sub-account purge ».',
    ],
    nameDiffers: 'Le nom ne correspond pas encore.',
  },
};
