import type { PeopleMessages } from '../message-types.ts';
import { pluralIn } from '../plural.ts';

const plural = pluralIn('fr');

export const frPeople: PeopleMessages = {
  person: {
    actions: 'Actions pour cette personne',
    export: 'Tout exporter',
    delete: 'Supprimer le contact',
    deleteText:
      'Les conversations et les fichiers du contact sont supprimés, les rendez-vous à venir et les tâches ouvertes sont annulés, et les workflows en cours prennent fin. Cette action est irréversible. Les rendez-vous passés, les opportunités et les désinscriptions restent. Si la personne demande l’effacement de ses données, choisissez plutôt « Effacer la personne ».',
    erase: 'Effacer la personne',
    erased: 'Personne effacée',
    eraseTitle: (name: string): string => `Effacer ${name} ?`,
    eraseText:
      'Tout ce que cette personne a écrit et tout ce qui a été écrit sur elle est effacé : messages, notes, réponses aux formulaires et coordonnées. Les rendez-vous passés et les factures restent, sans nom. Les désinscriptions restent en vigueur. Cette action est irréversible.',
    typeName: (name: string): string => `Saisissez « ${name} » pour confirmer`,
    erasedText:
      'Nombre de lignes par table. Les événements et les textes sur d’autres personnes qui la mentionnent sont effacés dans les prochaines minutes. Les sauvegardes antérieures contiennent encore cette personne, jusqu’à ce que vous les supprimiez.',
    rows: (deleted: number, blanked: number): string =>
      [deleted > 0 && `${deleted} supprimées`, blanked > 0 && `${blanked} vidées`]
        .filter(Boolean)
        .join(', '),
    shared: (count: number): string =>
      plural(count, {
        one: '# adresse appartient aussi à un autre contact et y reste.',
        other: '# adresses appartiennent aussi à un autre contact et y restent.',
      }),
  },
  why: {
    ask: 'Pourquoi ?',
    rule: 'Code du motif',
    record: 'Enregistrement',
    moment: 'Date et heure',
    code: 'Code du serveur',
    records: {
      appointment: 'Rendez-vous',
      calendar: 'Agenda',
      campaign: 'Campagne',
      contact: 'Contact',
      conversation: 'Conversation',
      delivery: 'Livraison',
      event: 'Événement',
      list: 'Liste',
      message: 'Message',
      opt_out: 'Désinscription',
      recipient: 'Destinataire',
      run: 'Exécution',
      webhook: 'Abonnement webhook',
      workflow: 'Workflow',
    },
  },
  agenda: {
    contact: 'Ouvrir le contact',
    confirmation: 'Confirmation',
    reminders: 'Rappels',
    month: 'Mois',
    agenda: 'Liste',
    empty: 'Aucun rendez-vous ces jours-là',
    more: (n: number): string => `${n} de plus`,
  },
};
