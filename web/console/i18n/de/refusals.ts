import type { RefusalMessages } from '../refusals.ts';

export const deRefusals: RefusalMessages = {
  reasons: {
    already_decided:
      'Diese Anfrage ist schon entschieden oder abgelaufen. Die erste Entscheidung gilt.',
    ambiguous_phone:
      'Mehrere Kontakte haben diese Telefonnummer. Wählen Sie den Kontakt aus, statt die Nummer einzugeben.',
    changed_meanwhile:
      'Der Eintrag wurde inzwischen geändert. Laden Sie ihn neu und wiederholen Sie Ihre Änderung.',
    channel_not_configured:
      'Dieser Kanal ist nicht eingerichtet. Ein Admin verbindet ihn unter Einstellungen → Kanäle.',
    conversation_open:
      'Mit diesem Kontakt ist auf diesem Kanal schon eine andere Unterhaltung offen.',
    cursor_expired: 'Die Liste ist zu lange offen. Laden Sie die Seite neu.',
    custom_values_too_large: 'Diese Werte sind zusammen zu groß. Kürzen oder entfernen Sie einige.',
    duplicate_email: 'Diese E-Mail-Adresse gehört zu einem anderen Kontakt.',
    duplicate_name: 'Eine andere Ansicht hat schon diesen Namen.',
    event_gone: 'Das Ereignis ist älter als 30 Tage und wurde gelöscht.',
    file_storage:
      'Der Dateispeicher ist gerade nicht erreichbar. Versuchen Sie es gleich noch einmal.',
    file_storage_full:
      'Für weitere Dateien ist kaum noch Speicherplatz frei. Der Betreiber muss Platz schaffen.',
    file_type:
      'Dateien dieser Art werden hier nicht angenommen. Es zählt der Inhalt, nicht der Name.',
    files_not_supported:
      'Dieser Kanal überträgt diese Dateien nicht zusammen mit der Nachricht. Senden Sie weniger, kleinere oder keine Dateien, oder einen Link.',
    invalid_transition:
      'Der Termin kann aus seinem jetzigen Status nicht dorthin wechseln. Ein künftiger Termin ist weder erledigt noch versäumt.',
    manifest_busy:
      'Gerade wird ein anderes Manifest angewendet. Versuchen Sie es gleich noch einmal.',
    not_failed: 'Nur eine fehlgeschlagene Nachricht lässt sich noch einmal senden.',
    outside_messaging_window:
      'Der Kontakt hat in den letzten 24 Stunden nicht auf diesem Kanal geschrieben. Nur so lange erlaubt der Kanal Antworten.',
    request_expired: 'Diese Anfrage ist abgelaufen. Verbinden Sie das Programm noch einmal.',
    sent_again: 'Diese Nachricht wurde schon noch einmal gesendet.',
    settings_too_large:
      'Die Einstellungen würden zu groß. Entfernen Sie, was nicht mehr gebraucht wird, oder kürzen Sie Vorlagen.',
    subscription_of_agent:
      'Dieses Abonnement gehört einem Agenten und lässt sich hier nicht ändern.',
    too_slow:
      'Das Manifest anzuwenden dauert zu lange. Teilen Sie es auf, oder verwenden Sie frontdesk admin apply.',
    too_many_addresses: 'So viele Adressen kann ein Kontakt nicht haben.',
    too_many_subscriptions:
      'Mehr Abonnements kann ein Unterkonto nicht haben. Löschen Sie zuerst eines.',
    too_many_tags: 'So viele Schlagwörter kann ein Kontakt nicht haben.',
    too_many_views: 'Mehr Ansichten können Sie nicht speichern. Löschen Sie zuerst eine.',
  },
  codes: {
    IDEMPOTENCY_IN_PROGRESS: 'Dieselbe Anfrage läuft noch. Warten Sie einen Moment.',
    INTERNAL_ERROR:
      'Im Server ist ein Fehler aufgetreten. Nennen Sie dem Betreiber die Nummer dieser Anfrage.',
    PAYLOAD_TOO_LARGE: 'Das ist zu groß.',
    RATE_LIMITED: 'Das waren zu viele Anfragen in kurzer Zeit. Warten Sie einen Moment.',
    REQUEST_TIMEOUT: 'Die Übertragung hat zu lange gedauert. Versuchen Sie es noch einmal.',
    SERVICE_UNAVAILABLE:
      'Der Server kann das gerade nicht erledigen. Versuchen Sie es gleich noch einmal.',
    UNAUTHORIZED: 'Sie sind nicht mehr angemeldet. Melden Sie sich wieder an.',
  },
};
