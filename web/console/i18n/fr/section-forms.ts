import type { SectionFormMessages } from '../message-types.ts';

export const frSectionForms: SectionFormMessages = {
  newCalendar: 'Nouveau calendrier',
  newForm: 'Nouveau formulaire',
  noCalendars: 'Aucun calendrier',
  noCalendarsText:
    'Un calendrier a des horaires d’ouverture, des membres et les prestations que la clientèle réserve sur leurs propres pages.',
  noForms: 'Aucun formulaire',
  noFormsText:
    'Un formulaire se remplit sur sa propre page ou sur votre site ; chaque envoi devient un contact.',
  kind: 'Qui assure les rendez-vous',
  kinds: {
    personal: 'Une seule personne',
    'round-robin': 'Un membre disponible',
    collective: 'Tous les membres ensemble',
    class: 'Un cours à plusieurs places',
  },
  members: 'Membres',
  noTeam:
    'Aucun membre de l’équipe pour l’instant. Dans l’onglet Équipe, ouvrez le menu au bout de la ligne d’un utilisateur et choisissez « Ajouter aux membres de l’équipe ».',
  ownHours: 'horaires propres',
  zoneHint: (zone) => `Comme le sous-compte : ${zone}`,
  noZone: 'Aucun fuseau horaire trouvé',
  services: 'Prestations réservables',
  addService: 'Nouvelle prestation réservable',
  noServices:
    'Rien n’est encore réservable : ajoutez une prestation, par exemple « Première visite », 30 minutes.',
  minutes: (count) => `${count} min`,
  duration: 'Durée, en minutes',
  priceHint: 'Affiché sur la page de réservation. Vide : aucun prix.',
  location: 'Lieu',
  seats: 'Places',
  canBeBooked: 'Peut être réservée',
  notBookable: 'non réservable',
  removeService:
    'Sa page de réservation disparaît à l’enregistrement. Les rendez-vous passés restent ; une prestation avec des rendez-vous à venir est conservée.',
  hours: 'Horaires d’ouverture',
  hoursHint: 'Par exemple 09:00-12:00, 13:00-17:00',
  rules: 'Règles de réservation',
  slotHint: 'Avec 30, les clients peuvent choisir 9 h 00, 9 h 30, 10 h 00, etc.',
  noticeHint:
    'Avec 120, le premier rendez-vous réservable est dans deux heures. Vide : aucun délai minimal.',
  advanceHint: 'Avec 30, les 30 prochains jours sont réservables. Vide : sans limite.',
  removeCalendar: (services) =>
    `Le calendrier et ses horaires sont supprimés, et les pages de réservation de ses prestations disparaissent : ${services}. Les rendez-vous passés restent. Un calendrier avec des rendez-vous à venir est conservé.`,
  removeEmptyCalendar:
    'Le calendrier et ses horaires sont supprimés. Les rendez-vous passés restent.',
  removeForm: (fields) =>
    `Sa page disparaît, et les sites qui l’affichent n’affichent plus rien. Ses champs sont supprimés : ${fields}. Les envois restent.`,
  fields: 'Champs',
  addField: 'Nouveau champ',
  noFields: 'Un formulaire a besoin d’au moins un champ.',
  label: 'Libellé',
  type: 'Type',
  types: {
    text: 'Texte',
    textarea: 'Texte long',
    email: 'Adresse e-mail',
    phone: 'Numéro de téléphone',
    number: 'Nombre',
    select: 'Choix',
    checkbox: 'Case à cocher',
    date: 'Date',
    url: 'Adresse web',
    file: 'Fichier',
  },
  required: 'Obligatoire',
  options: 'Options, séparées par des virgules',
  mapsTo: 'Champ du contact rempli par la réponse',
  submissionOnly: 'Aucun : la réponse reste dans l’envoi',
  redirectHint: 'Par exemple https://example.com/merci. Vide : le texte ci-dessus s’affiche.',
  custom: (label) => `Champ personnalisé ${label}`,
  message: 'Message',
  removeField:
    'Après l’enregistrement, le formulaire ne le demande plus. Les réponses déjà envoyées restent.',
  unnamed: 'Sans nom',
  up: (name) => `Monter ${name}`,
  down: (name) => `Descendre ${name}`,
  close: (name) => `Fermer ${name}`,
};
