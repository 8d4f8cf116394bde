import type { StepUpMessages } from '../message-types.ts';

export const frStepUp: StepUpMessages = {
  title: 'Confirmez votre identité',
  text: 'Cette action demande une connexion de moins de 10 minutes, pour qu’un ordinateur laissé sans surveillance ne puisse pas être détourné. Votre saisie est conservée.',
  passkey: 'Confirmez avec votre clé d’accès.',
  mail: (email) =>
    `Ou utilisez un lien envoyé à ${email} : ouvrez-le dans ce navigateur, puis continuez ici.`,
  mailOnly: (email) =>
    `Envoyez un lien de connexion à ${email}, ouvrez-le dans ce navigateur, puis continuez ici.`,
  sent: (email) =>
    `Un lien est en route vers ${email}. Ouvrez-le dans ce navigateur, puis continuez ici.`,
  noMail:
    'Cette installation n’envoie pas d’e-mails. Créez un nouveau lien de connexion sur le serveur avec cette commande, ou demandez-en un à un autre propriétaire (Agence, Utilisateurs) :',
  command: 'Commande',
  openLink: 'Ouvrez le lien dans un autre onglet de ce navigateur, puis continuez ici.',
  continue: 'Continuer',
  notYet:
    'Il n’y a pas encore de nouvelle connexion. Ouvrez d’abord le lien dans ce navigateur, puis choisissez à nouveau « Continuer ».',
  offerTitle: 'Assurez-vous de pouvoir vous reconnecter',
  offerAdd: 'Configurer une clé d’accès',
  offerText:
    'Cette installation n’envoie pas d’e-mails : sans clé d’accès, chaque connexion demande un nouveau lien. Une clé d’accès est l’empreinte, le visage ou le code PIN de cet appareil.',
  offerLater: 'Plus tard',
};
