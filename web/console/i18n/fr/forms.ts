import type { FormMessages } from '../message-types.ts';

export const frForms: FormMessages = {
  forms: {
    title: 'Titre',
    chatEnabled: 'Les visiteurs peuvent commencer un chat',
    welcome: 'Message d’accueil',
    color: 'Couleur',
    requireName: 'Demander le nom',
    requireEmail: 'Exiger une adresse e-mail',
    legalText: 'Mentions légales',
    description: 'Description',
    category: 'Catégorie',
    folder: 'Dossier',
    price: 'Prix',
    startingPrice: 'C’est un prix de départ',
    onSale: 'Afficher',
    closed: 'Fermé',
    slotInterval: 'Minutes entre les débuts',
    bufferBefore: 'Battement avant, en minutes',
    bufferAfter: 'Battement après, en minutes',
    minimumNotice: 'Préavis, en minutes',
    maximumAdvance: 'Jours à l’avance',
    maxPerDay: 'Réservations par jour',
    customerMoves: 'Les clients peuvent déplacer les rendez-vous',
    thanks: 'Texte après l’envoi',
    redirect: 'Page après l’envoi',
    captcha: 'Vérifier que le visiteur est humain',
    chat: 'Chat',
    forms: 'Formulaires',
    priceList: 'Tarifs',
    newService: 'Nouvelle prestation',
    key: 'Clé',
    editShort: 'Modifier',
    empty: 'Rien pour l’instant',
    changedMeanwhile: 'Une autre personne a modifié ceci entre-temps',
    changedBy: (name: string, at: string): string => `Modifié entre-temps par ${name} (${at})`,
    conflictText: (fields: string): string =>
      `Modifié : ${fields}. Rien n’est encore enregistré. Votre saisie est conservée ; les autres champs montrent les nouvelles valeurs. Vérifiez-les, puis enregistrez à nouveau.`,
    otherFields: 'des réglages absents de ce formulaire',
    removedText:
      'L’entrée a été supprimée. Rien n’est encore enregistré. Enregistrez à nouveau pour la créer avec vos valeurs.',
    takenText:
      'Une entrée avec la même clé a été ajoutée. Rien n’est encore enregistré. Enregistrez à nouveau pour ajouter la vôtre avec une autre clé.',
    conflictIn: (entries: string): string =>
      `Modifié : ${entries}. Rien n’est encore enregistré, et votre texte est conservé. « Aperçu des changements » montre ce que l’enregistrement annulerait.`,
    saveAnyway: 'Enregistrer quand même',
    discard: 'Abandonner mon texte et recharger',
    hoursOn: (day: string): string => `Horaires du ${day}`,
    edit: (name: string): string => `Modifier ${name}`,
    emptyText: (section: string): string =>
      `Ajoutez des entrées au manifeste, section \`${section}\`.`,
  },
};
