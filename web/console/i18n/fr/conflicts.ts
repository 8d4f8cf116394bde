import type { ConflictMessages } from '../message-types.ts';

export const frConflicts: ConflictMessages = {
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
};
