import type { Messages } from './en.ts';

const reminder = ({ before, channel }: { readonly before: string; readonly channel: string }) =>
  `Le rappel ${before} avant (${channel})`;

const step = ({ place, step: name }: { readonly place: string; readonly step: string }) =>
  `L’étape ${place} (${name})`;

const because = (detail: string | null) =>
  detail === null ? ' ; aucun détail n’est enregistré' : ` : ${detail}`;

const LOG_OF_WORKER =
  'Le journal du worker indique, avec l’identifiant du message, le code d’erreur de chaque essai manqué.';

export const french: Messages = {
  channels: {
    sms: 'SMS',
    email: 'e-mail',
    messenger: 'Messenger',
    instagram: 'Instagram',
    gmail: 'Gmail',
    live_chat: 'chat en direct',
    social_dm: 'autres réseaux sociaux',
  },
  contact: {
    deleted: 'Le contact a été supprimé.',
    optedOut: (channel, reason) =>
      `Une adresse du contact est désinscrite (${channel}) : ${reason}.`,
    optOutReasons: {
      unsubscribe: 'désinscription demandée',
      stop: 'réponse STOP reçue',
      bounce: 'un e-mail envoyé à cette adresse est revenu',
    },
    doNotDisturb: (channel) => `Le contact est en mode « Ne pas déranger » (${channel}).`,
    doNotDisturbAll: 'Le contact est en mode « Ne pas déranger » sur tous les canaux.',
    noEmail: 'Le contact n’a pas d’adresse e-mail.',
    noPhone: 'Le contact n’a pas de numéro de téléphone.',
  },
  noProvider: (channel) => `Aucun fournisseur n’est configuré pour ce canal (${channel}).`,
  appointment: {
    completed: 'Le rendez-vous est terminé.',
    cancelled: 'Le rendez-vous est annulé.',
    no_show: 'Personne n’est venu au rendez-vous.',
    noContact: 'Le rendez-vous n’a pas de contact.',
  },
  confirmation: {
    none: 'L’agenda n’a pas de confirmation.',
    series: 'Le premier rendez-vous de la série les confirme tous.',
    begun: 'Le rendez-vous avait commencé avant l’envoi d’une confirmation.',
    waits: (channel) => `La confirmation (${channel}) attend un worker, qui l’enverra.`,
    notPlanned:
      'Il n’y en aura pas : quand le rendez-vous a été pris ou déplacé, l’agenda n’avait pas de confirmation, ou les essais de l’écrire ont été abandonnés.',
    notSent: 'Aucune confirmation n’a été envoyée.',
    wrote: (channel) => `La confirmation (${channel}) a été rédigée.`,
    is: (channel, to) =>
      `La confirmation est un message (${channel}) à ${to ?? 'une adresse inconnue'}.`,
  },
  reminder: {
    none: 'L’agenda n’a pas de rappels.',
    begun: 'Le rendez-vous avait commencé avant l’envoi du rappel.',
    is: (it, to) => `${reminder(it)} est un message à ${to ?? 'une adresse inconnue'}.`,
    wasSent: (it) => `${reminder(it)} a été envoyé.`,
    wasNotSent: (it) => `${reminder(it)} n’a pas été envoyé.`,
    isNotSent: (it) => `${reminder(it)} n’est pas envoyé.`,
    isDue: (it, at) => `${reminder(it)} est prévu : ${at}.`,
    isDueInVain: (it, at) =>
      `${reminder(it)} est prévu : ${at}. Dans l’état actuel, il ne sera pas envoyé.`,
    dueBeforeBooking: (at) => `Il était prévu avant la prise du rendez-vous : ${at}.`,
    dueBeforeChange: (at) => `Il était prévu avant la modification du rendez-vous : ${at}.`,
  },
  message: {
    received: 'Le message a été reçu.',
    internalNote: 'Le message est une note interne : les notes ne sont pas envoyées.',
    canSend: 'Des messages peuvent être envoyés ici.',
    captured: 'Le bac à sable a intercepté le message : il n’a été envoyé à personne.',
    sent: (at) => `Le message a été envoyé${at === null ? '' : ` : ${at}`}.`,
    delivered: (at) => `Le message a été remis${at === null ? '' : ` : ${at}`}.`,
    read: (at) => `Le message a été lu${at === null ? '' : ` ; remis : ${at}`}.`,
    waits: `Le message attend d’être envoyé. ${LOG_OF_WORKER}`,
    waitsForAttempt: (attempt, at) =>
      `Le message attend d’être envoyé ; essai ${attempt} : ${at}. ${LOG_OF_WORKER}`,
    accepted: 'Le fournisseur a accepté le message et n’a pas encore indiqué s’il a été envoyé.',
    notSent: (reason) => `Le message n’a pas été envoyé : ${reason}.`,
    failedAfterSending: (at, reason) =>
      `Le message a été envoyé (${at}), mais n’a pas été remis : ${reason}.`,
    bounced: (reason) => `Le message est revenu : ${reason}.`,
    refused: (code, said) =>
      `Le message n’a pas été envoyé : le serveur de messagerie l’a refusé avec son code ${code} : ${said}.`,
    unknown:
      'On ne sait pas si le message a été envoyé : la connexion a été coupée pendant que le fournisseur le recevait. Il est peut-être arrivé ; il n’est donc pas renvoyé automatiquement.',
    sentAgain: (at) => `Le message a été renvoyé : ${at}. Résultat :`,
    noReason: 'le fournisseur n’a donné aucune raison',
    reasons: {
      channel_not_configured: 'aucun fournisseur n’est configuré pour ce canal',
      contact_deleted: 'le contact a été supprimé avant l’envoi',
      file_missing: 'un fichier du message manque dans le stockage ; importez-le de nouveau',
      dnd: 'le contact s’est désinscrit avant l’envoi',
      internal_error: 'une erreur inattendue ; le journal du worker en indique la cause',
      invalid_answer: 'le fournisseur a donné au message l’identifiant d’un autre message',
    },
  },
  delivery: {
    succeeded: (status) => `Le destinataire a répondu ${status}.`,
    succeededLater: ({ attempt, status }) =>
      `L’essai ${attempt} a réussi : le destinataire a répondu ${status}.`,
    workersPaused: (reason) =>
      `Tous les workers sont en pause${reason === null ? '' : ` : ${reason}`}. frontdesk admin release les relance.`,
    dueSince: (attempt, at) => `L’essai ${attempt} est en retard depuis : ${at}.`,
    madeAt: (attempt, at) =>
      at === null ? `L’essai ${attempt} est le prochain.` : `L’essai ${attempt} est prévu : ${at}.`,
    noResponse: (attempt, error) =>
      `L’essai ${attempt} n’a reçu aucune réponse : ${error ?? 'raison inconnue'}.`,
    notSent: {
      deleted: (attempt) => `L’essai ${attempt} n’a pas été envoyé : l’abonnement a été supprimé.`,
      disabled: (attempt) =>
        `L’essai ${attempt} n’a pas été envoyé : l’abonnement a été désactivé.`,
    },
    checkUrl: 'Vérifiez l’URL de l’abonnement et que le destinataire fonctionne.',
    badStatus: ({ attempt, status }) =>
      `Le destinataire a répondu à l’essai ${attempt} avec le statut ${status} ; seul 2xx compte.`,
    responseBegins: (text) => `Sa réponse commence par : « ${text} ».`,
    fixReceiver: 'Corrigez le destinataire.',
    noRetry:
      'Frontdesk ne réessaie pas de lui-même. Dès que le destinataire fonctionne, relancez la livraison.',
    deleted: 'L’abonnement a été supprimé.',
    disabled: (reason) => `L’abonnement est désactivé : ${reason ?? 'il a été arrêté'}.`,
    byRequest: 'il a été arrêté',
    breaker: ({ failures, nextAt, waiting }) =>
      `Les ${failures} derniers essais ont échoué ; Frontdesk essaie donc une livraison à la fois jusqu’à ce que l’une réussisse. ` +
      `Prochain essai : ${nextAt ?? 'maintenant'}. Événements qui attendent leur premier essai : ${waiting}.`,
    notSelected: (event) => `L’abonnement ne comprend pas ${event}.`,
    beforeSubscription: 'L’événement est plus ancien que l’abonnement ; « Rejouer » l’envoie.',
    waits: 'L’événement attend son premier essai.',
    passedOver:
      'Quand l’événement s’est produit, l’abonnement était arrêté ou ne comprenait pas les événements de ce nom.',
  },
  trigger: {
    statuses: {
      running: 'Une exécution a démarré ; elle est en cours.',
      waiting: 'Une exécution a démarré ; elle est en attente.',
      completed: 'Une exécution a démarré ; elle est terminée.',
      cancelled: 'Une exécution a démarré ; elle a été annulée.',
      failed: 'Une exécution a démarré ; elle a échoué.',
    },
    skipped: (error) => `L’événement a été ignoré : ${error}.`,
    loop: 'Des workflows se déclenchent les uns les autres en boucle.',
    tooOften: 'Des workflows se déclenchent les uns les autres trop souvent.',
    inactive: 'Le workflow n’est pas actif.',
    noTrigger: (event) => `Aucun déclencheur n’attend ${event}.`,
    doesNotFit: (filters) =>
      `Les données de l’événement ne correspondent pas à ${filters.join(' ou ')}.`,
    beforeActivation: 'L’événement est plus ancien que le workflow ou que son activation.',
    waits: 'L’événement n’est pas encore lu.',
    contactDeleted: 'Le contact a été supprimé : aucune exécution ne démarre pour lui.',
    alreadyRunning:
      'Une exécution du contact n’était pas terminée, et le workflow n’en permet pas une deuxième.',
    changedSince: 'Le workflow a changé depuis : sa définition actuelle démarrerait une exécution.',
  },
  step: {
    allTaken: 'Toutes les étapes ont été exécutées.',
    skipped: (it) => `${step(it)} a été ignorée${because(it.detail)}.`,
    failed: (it) => `${step(it)} a échoué${because(it.detail)}.`,
    timed_out: (it) => `${step(it)} a attendu trop longtemps${because(it.detail)}.`,
    waits: ({ place, event, until }) =>
      `L’exécution attend à l’étape ${place}${event === null ? '' : ` (${event})`}${until === null ? '' : `, au plus tard jusqu’à : ${until}`}.`,
    fails: ({ place, attempts, until }) =>
      `L’appel de l’étape ${place} a échoué à l’essai ${attempts} et sera refait${until === null ? '' : ` : ${until}`}. Le journal du worker indique le motif, avec l’identifiant de l’exécution.`,
    cancelledBy: (name) => `L’exécution a été annulée par ${name}.`,
    endedWith: {
      completed: (error) => `L’exécution est terminée : ${error}.`,
      cancelled: (error) => `L’exécution a été annulée : ${error}.`,
      failed: (error) => `L’exécution a échoué : ${error}.`,
    },
  },
  recipient: {
    sent: 'L’e-mail a été envoyé.',
    cancelled: 'La campagne a été annulée avant l’envoi de cet e-mail.',
    merged: 'Le contact a été fusionné et reçoit cet e-mail à une autre adresse.',
    optedOut: 'Au moment de l’envoi, l’adresse était désinscrite ou le contact supprimé.',
    unknown:
      'Le serveur a peut-être accepté l’e-mail : le worker s’est arrêté avant sa réponse. Il n’est pas envoyé deux fois.',
    refused: (code, said) =>
      `Le serveur de messagerie a refusé l’e-mail avec son code ${code} : ${said}.`,
    failed: (reason) => `L’envoi de l’e-mail a échoué : ${reason}.`,
    noReason: 'aucune raison n’a été donnée',
    waits: 'L’e-mail attend son tour.',
    triedAgain: 'Frontdesk fera un nouvel essai.',
    held: (code) => `La campagne est retenue : ${code}.`,
    later: 'Le contact a rejoint la liste, ou a été modifié, après le choix des destinataires.',
    notStarted: {
      draft: 'La campagne n’a pas commencé ; c’est un brouillon.',
      scheduled: 'La campagne n’a pas commencé ; elle est planifiée.',
      held: 'La campagne n’a pas commencé ; elle est suspendue.',
      cancelled: 'La campagne n’a pas commencé ; elle est annulée.',
      other: 'La campagne n’a pas commencé.',
    },
    heldBecause: (code) => `La campagne n’a pas commencé ; elle est suspendue : ${code}.`,
    notMatched: 'Le contact ne correspond pas au filtre de la liste.',
    notListed: 'Le contact n’est pas sur la liste.',
  },
};
