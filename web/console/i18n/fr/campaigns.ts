import type { CampaignMessages } from '../message-types.ts';
import { pluralIn } from '../plural.ts';

const plural = pluralIn('fr');

export const frCampaigns: CampaignMessages = {
  compose: {
    newCampaign: 'Nouvelle campagne',
    editDraft: 'Modifier le brouillon',
    edit: 'Modifier',
    nameHint: 'Seule votre équipe le voit, pas les destinataires.',
    list: 'Liste',
    listHint:
      'Une liste sélectionne des contacts par étiquette ou étape, ou contient ceux d’un import. Les listes s’ajoutent dans Paramètres → Manifeste, sous « lists ».',
    addList: 'Ajouter une liste',
    template: 'Modèle',
    preheader: 'Texte d’aperçu',
    preheaderHint: 'Les messageries l’affichent à côté de l’objet.',
    content: 'Contenu',
    textHint:
      'Les lignes vides séparent les paragraphes. Champs : {{firstName}}, {{lastName}}, {{fullName}}, ou avec un texte de remplacement {{firstName|vous}}.',
    htmlHint:
      'Le HTML que le modèle reçoit comme contenu. Champs : {{firstName}}, ou avec un texte de remplacement {{firstName|vous}}.',
    writeHtml: 'Écrire en HTML',
    save: 'Enregistrer le brouillon',
    saved: 'Brouillon enregistré',
    unsubscribed: 'Désinscrits',
    hasUnsubscribed: 'S’est désinscrit',
    opens: 'Les ouvertures et les clics ne sont pas suivis.',
    notReady: 'Une campagne a besoin d’un modèle et d’une liste',
    notReadyText:
      'Un modèle et une liste s’ajoutent dans le manifeste, sections templates et lists.',
    desktop: 'Ordinateur',
    phone: 'Téléphone',
    plainText: 'Texte',
    audience: 'Audience',
    leftOut: 'Qui est exclu',
    test: 'Envoyer un e-mail de test',
    sendNow: 'Envoyer maintenant',
    schedule: 'Planifier',
    unschedule: 'Annuler la planification',
    changes: {
      pause: 'Campagne en pause',
      resume: 'Campagne reprise',
      unschedule: 'Planification annulée',
      cancel: 'Campagne annulée',
    },
    unknownFields: 'Champs inconnus',
    emptyField: (field) => `${field} n’est pas un champ connu et reste vide.`,
    fallbackField: (field, fallback) =>
      `${field} n’est pas un champ connu : tous les destinataires voient « ${fallback} ».`,
    sendAt: 'Envoyer le',
    noRecall: 'Les e-mails envoyés ne peuvent pas être rappelés.',
    started: 'La campagne est en cours d’envoi',
    isScheduled: 'Campagne planifiée',
    overTime: 'E-mails au fil du temps',
    all: 'Campagnes',
    recurring: 'Récurrentes',
    repeats: 'Répétition',
    nextRun: 'Prochain envoi',
    lastRun: 'Dernier envoi',
    paused: 'En pause',
    actions: 'Actions',
    noRecurring: 'Pas encore de campagne récurrente',
    noRecurringText:
      'Une campagne récurrente est envoyée chaque mois, chaque semaine ou chaque jour.',
    when: 'Début',
    reasons: {
      no_email: 'Pas d’adresse e-mail',
      do_not_disturb: 'Ne pas déranger',
      opted_out: 'Adresse bloquée',
    },
    gets: (count) =>
      plural(count, {
        one: '# contact reçoit cet e-mail.',
        other: '# contacts reçoivent cet e-mail.',
      }),
    isLeftOut: (count, contacts) =>
      plural(count, {
        one: `Sur ${contacts} dans la liste, # est exclu.`,
        other: `Sur ${contacts} dans la liste, # sont exclus.`,
      }),
    sendMails: (count) => plural(count, { one: 'Envoyer # e-mail', other: 'Envoyer # e-mails' }),
    firstOnly: (count) =>
      plural(count, {
        one: 'Seul le premier est affiché.',
        other: 'Seuls les # premiers sont affichés.',
      }),
    testSent: (email) => `E-mail de test envoyé à ${email}`,
    scheduledFor: (time) => `Planifiée pour ${time}`,
    sendTitle: (name) => `Envoyer « ${name} » maintenant ?`,
    scheduleText: (zone) =>
      `Fuseau horaire : ${zone}. Les destinataires sont déterminés au départ de la campagne.`,
    captured: 'Intercepté',
    capturedTitle: 'E-mail de test intercepté',
    capturedText: (email) =>
      `Ce sous-compte est un bac à sable : l’e-mail à ${email} n’a pas été envoyé. Voici à quoi il ressemblerait. Les e-mails de test ne sont pas conservés.`,
    sandboxHint: 'Ce sous-compte est un bac à sable : les e-mails sont interceptés, pas envoyés.',
    unknownHint:
      'Incertain : la connexion a été coupée avant la réponse du serveur de messagerie. Ces e-mails ne sont pas envoyés deux fois.',
    search: 'Rechercher par nom ou adresse',
    keep: 'Garder la campagne',
    sentOf: (sent, total) => `${sent} e-mails envoyés sur ${total}`,
    capturedOf: (sent, total) => `${sent} e-mails interceptés sur ${total}`,
    notSent: (count) => plural(count, { one: '# non envoyé', other: '# non envoyés' }),
    leftOutAtStart: (count) =>
      plural(count, {
        one: '# contact a été exclu au départ.',
        other: '# contacts ont été exclus au départ.',
      }),
    actionOf: (action, name) => `${action} : ${name}`,
    startedAt: 'Lancée :',
    mails: 'E-mails envoyés',
    mail: 'E-mail',
    showMail: 'Voir l’e-mail',
    duplicate: 'Dupliquer',
    deleteDraft: 'Supprimer le brouillon',
    reschedule: 'Changer l’heure',
    previewAs: 'Aperçu pour',
    withoutName: 'Un contact sans nom',
    showContacts: 'Voir ces contacts',
    allContacts: 'Tous les contacts',
    staticList:
      'Liste statique : contacts ajoutés par un import ou par la commande « admin list add »',
    testSandbox:
      'Ce sous-compte est un bac à sable : l’e-mail de test n’est pas envoyé. Confirmez pour l’afficher ici.',
    ofTotal: (sent, total) => `${sent} sur ${total}`,
    copyOf: (name) => `Copie de ${name}`,
    exampleContact: (name) => `${name} (exemple)`,
    noFirstName: (contact) => `${contact} (sans prénom)`,
    quoted: (tag) => `« ${tag} »`,
    withTags: (tags, count) =>
      plural(count, { one: `avec l’étiquette ${tags}`, other: `avec les étiquettes ${tags}` }),
    inStages: (stages) => `à l’étape ${stages}`,
    testTo: (email) => `L’e-mail de test sera envoyé à ${email}.`,
    testAs: (name) => `Il contiendra les valeurs de ${name}.`,
    noneFound: (search) => `« ${search} » n’est pas parmi les destinataires`,
    notOnList: (list) =>
      list === undefined
        ? 'Aucun contact correspondant n’était sur la liste au lancement de la campagne.'
        : `Aucun contact correspondant n’était sur la liste « ${list} » au lancement de la campagne.`,
    capturedWhere:
      'Pour lire un e-mail intercepté, cliquez sur « Voir l’e-mail » à côté du destinataire.',
  },
  recurring: {
    add: 'Nouvelle campagne récurrente',
    nameHint:
      'Seule votre équipe le voit, pas les destinataires. La date de chaque envoi y est ajoutée.',
    repeats: 'Répétition',
    kinds: {
      month: 'Chaque mois',
      week: 'Chaque semaine',
      day: 'Chaque jour',
      cron: 'Expression cron',
    },
    day: 'Jour',
    lastDay: 'Dernier jour du mois',
    weekdays: 'Jours de la semaine',
    time: 'Heure',
    cronHint: 'Minute, heure, jour du mois, mois et jour de la semaine, par exemple 0 9 * * MON',
    skipped: 'Les mois sans ce jour sont ignorés.',
    removeText: 'Elle n’est plus envoyée. Les campagnes qu’elle a créées restent.',
    dayOfMonth: (day) => (day === 1 ? '1er' : String(day)),
    daily: (time) => `chaque jour à ${time}`,
    weekly: (days, time) => `chaque ${days} à ${time}`,
    monthly: (day, time) => `chaque mois, le ${day === 1 ? '1er' : day} à ${time}`,
    onLastDay: (time) => `le dernier jour de chaque mois à ${time}`,
    inZone: (words, zone) => `${words}, ${zone}`,
    runs: (words, zone) => `Envoi ${words}, ${zone}.`,
  },
};
