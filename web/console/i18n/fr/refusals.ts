import type { RefusalMessages } from '../refusals.ts';

export const frRefusals: RefusalMessages = {
  reasons: {
    already_decided: 'Cette demande est déjà tranchée, ou a expiré. La première décision compte.',
    ambiguous_phone:
      'Plusieurs contacts ont ce numéro. Choisissez le contact au lieu de saisir le numéro.',
    changed_meanwhile:
      'L’élément a été modifié entre-temps. Rechargez-le et refaites votre modification.',
    channel_not_configured:
      'Ce canal n’est pas configuré. Un admin le connecte dans Paramètres → Canaux.',
    conversation_open: 'Une autre conversation avec ce contact est déjà ouverte sur ce canal.',
    cursor_expired: 'La liste est ouverte depuis trop longtemps. Rechargez la page.',
    custom_values_too_large:
      'Ces valeurs sont trop volumineuses ensemble. Raccourcissez ou supprimez-en.',
    duplicate_email: 'Cette adresse e-mail appartient à un autre contact.',
    duplicate_name: 'Une autre vue porte déjà ce nom.',
    event_gone: 'L’événement a plus de 30 jours et a été supprimé.',
    file_storage:
      'Le stockage de fichiers est injoignable pour le moment. Réessayez dans un instant.',
    file_storage_full:
      'Il ne reste presque plus d’espace pour d’autres fichiers. L’exploitant doit en libérer.',
    file_type:
      'Les fichiers de ce type ne sont pas acceptés ici. C’est le contenu qui compte, pas le nom.',
    files_not_supported:
      'Ce canal ne transmet pas ces fichiers avec le message. Envoyez-en moins, de plus petits, aucun, ou un lien.',
    invalid_transition:
      'Le rendez-vous ne peut pas passer de son statut actuel à celui-ci. Un rendez-vous à venir n’est ni terminé ni manqué.',
    manifest_busy: 'Un autre manifeste est en cours d’application. Réessayez dans un instant.',
    not_failed: 'Seul un message en échec peut être renvoyé.',
    outside_messaging_window:
      'Le contact n’a pas écrit sur ce canal depuis 24 heures. Le canal n’autorise les réponses que pendant ce délai.',
    request_expired: 'Cette demande a expiré. Connectez de nouveau le programme.',
    sent_again: 'Ce message a déjà été renvoyé.',
    settings_too_large:
      'Les réglages deviendraient trop volumineux. Supprimez ce qui ne sert plus, ou raccourcissez des modèles.',
    subscription_of_agent: 'Cet abonnement appartient à un agent et ne se modifie pas ici.',
    too_slow:
      'L’application du manifeste prend trop de temps. Divisez-le ou utilisez frontdesk admin apply.',
    too_many_addresses: 'Un contact ne peut pas avoir autant d’adresses.',
    too_many_subscriptions:
      'Un sous-compte ne peut pas avoir plus d’abonnements. Supprimez-en d’abord un.',
    too_many_tags: 'Un contact ne peut pas avoir autant d’étiquettes.',
    too_many_views: 'Vous ne pouvez pas enregistrer plus de vues. Supprimez-en d’abord une.',
  },
  codes: {
    IDEMPOTENCY_IN_PROGRESS: 'La même demande est encore en cours. Attendez un instant.',
    INTERNAL_ERROR:
      'Une erreur s’est produite dans le serveur. Donnez le numéro de cette demande à l’exploitant.',
    PAYLOAD_TOO_LARGE: 'C’est trop volumineux.',
    RATE_LIMITED: 'Trop de demandes en peu de temps. Attendez un instant.',
    REQUEST_TIMEOUT: 'L’envoi a duré trop longtemps. Réessayez.',
    SERVICE_UNAVAILABLE:
      'Le serveur ne peut pas le faire pour le moment. Réessayez dans un instant.',
    UNAUTHORIZED: 'Votre session a pris fin. Reconnectez-vous.',
  },
};
