import type { Messages } from './en.ts';

const reminder = ({ before, channel }: { readonly before: string; readonly channel: string }) =>
  `Die Erinnerung ${before} vorher (${channel})`;

const step = ({ place, step: name }: { readonly place: string; readonly step: string }) =>
  `Schritt ${place} (${name})`;

const because = (detail: string | null) =>
  detail === null ? '; eine Einzelheit ist nicht gespeichert' : `: ${detail}`;

const LOG_OF_WORKER =
  'Das Log des Workers nennt zu der ID der Nachricht den Fehlercode jedes fehlgeschlagenen Versuchs.';

export const german: Messages = {
  channels: {
    sms: 'SMS',
    email: 'E-Mail',
    messenger: 'Messenger',
    instagram: 'Instagram',
    gmail: 'Gmail',
    live_chat: 'Live-Chat',
    social_dm: 'andere soziale Netzwerke',
  },
  contact: {
    deleted: 'Der Kontakt wurde gelöscht.',
    optedOut: (channel, reason) =>
      `Eine Adresse des Kontakts ist für ${channel} abgemeldet: ${reason}.`,
    optOutReasons: {
      unsubscribe: 'sie wurde abgemeldet',
      stop: 'von ihr kam die Antwort STOP',
      bounce: 'eine Mail an sie kam zurück',
    },
    doNotDisturb: (channel) => `Für den Kontakt ist „Nicht stören“ für ${channel} eingestellt.`,
    doNotDisturbAll: 'Für den Kontakt ist „Nicht stören“ für alle Kanäle eingestellt.',
    noEmail: 'Der Kontakt hat keine E-Mail-Adresse.',
    noPhone: 'Der Kontakt hat keine Telefonnummer.',
  },
  noProvider: (channel) => `Für ${channel} ist kein Anbieter eingerichtet.`,
  appointment: {
    completed: 'Der Termin ist abgeschlossen.',
    cancelled: 'Der Termin ist abgesagt.',
    no_show: 'Zu dem Termin ist niemand erschienen.',
    noContact: 'Der Termin hat keinen Kontakt.',
  },
  confirmation: {
    none: 'Der Kalender hat keine Bestätigung.',
    series: 'Der erste Termin der Serie bestätigt alle.',
    begun: 'Der Termin hatte begonnen, bevor eine Bestätigung gesendet wurde.',
    waits: (channel) => `Die Bestätigung (${channel}) wartet auf einen Worker, der sie sendet.`,
    notPlanned:
      'Es folgt keine: Als der Termin gebucht oder zuletzt verschoben wurde, hatte der Kalender keine Bestätigung, oder die Versuche, sie zu schreiben, wurden aufgegeben.',
    notSent: 'Es wurde keine Bestätigung gesendet.',
    wrote: (channel) => `Die Bestätigung (${channel}) wurde geschrieben.`,
    is: (channel, to) =>
      `Die Bestätigung ist eine Nachricht (${channel}) an ${to ?? 'eine unbekannte Adresse'}.`,
  },
  reminder: {
    none: 'Der Kalender hat keine Erinnerungen.',
    begun: 'Der Termin hatte begonnen, bevor die Erinnerung gesendet wurde.',
    is: (it, to) => `${reminder(it)} ist eine Nachricht an ${to ?? 'eine unbekannte Adresse'}.`,
    wasSent: (it) => `${reminder(it)} wurde gesendet.`,
    wasNotSent: (it) => `${reminder(it)} wurde nicht gesendet.`,
    isNotSent: (it) => `${reminder(it)} wird nicht gesendet.`,
    isDue: (it, at) => `${reminder(it)} ist fällig: ${at}.`,
    isDueInVain: (it, at) =>
      `${reminder(it)} ist fällig: ${at}. So, wie es jetzt ist, wird sie nicht gesendet.`,
    dueBeforeBooking: (at) => `Sie war fällig, bevor der Termin gebucht wurde: ${at}.`,
    dueBeforeChange: (at) => `Sie war fällig, bevor der Termin geändert wurde: ${at}.`,
  },
  message: {
    received: 'Die Nachricht wurde empfangen.',
    internalNote: 'Die Nachricht ist eine interne Notiz: Notizen werden nicht gesendet.',
    canSend: 'Hier können Nachrichten gesendet werden.',
    captured: 'Die Sandbox hat die Nachricht abgefangen: Sie wurde niemandem gesendet.',
    sent: (at) => `Die Nachricht wurde gesendet${at === null ? '' : `: ${at}`}.`,
    delivered: (at) => `Die Nachricht wurde zugestellt${at === null ? '' : `: ${at}`}.`,
    read: (at) => `Die Nachricht wurde gelesen${at === null ? '' : `; zugestellt: ${at}`}.`,
    waits: `Die Nachricht wartet darauf, gesendet zu werden. ${LOG_OF_WORKER}`,
    waitsForAttempt: (attempt, at) =>
      `Die Nachricht wartet darauf, gesendet zu werden; Versuch ${attempt}: ${at}. ${LOG_OF_WORKER}`,
    accepted:
      'Der Anbieter hat die Nachricht angenommen und noch nicht gemeldet, ob sie gesendet wurde.',
    notSent: (reason) => `Die Nachricht wurde nicht gesendet: ${reason}.`,
    failedAfterSending: (at, reason) =>
      `Die Nachricht wurde gesendet (${at}), aber nicht zugestellt: ${reason}.`,
    bounced: (reason) => `Die Nachricht kam zurück: ${reason}.`,
    refused: (code, said) =>
      `Die Nachricht wurde nicht gesendet: Der Mailserver hat sie mit seinem Code ${code} abgelehnt: ${said}.`,
    unknown:
      'Es ist nicht bekannt, ob die Nachricht gesendet wurde: Die Verbindung brach ab, während der Anbieter sie empfing. Vielleicht ist sie angekommen; sie wird deshalb nicht von selbst noch einmal gesendet.',
    sentAgain: (at) => `Die Nachricht wurde noch einmal gesendet: ${at}. Ergebnis:`,
    noReason: 'der Anbieter hat keinen Grund genannt',
    reasons: {
      channel_not_configured: 'für den Kanal ist kein Anbieter eingerichtet',
      contact_deleted: 'der Kontakt wurde vor dem Senden gelöscht',
      file_missing: 'eine Datei der Nachricht fehlt im Speicher; bitte noch einmal hochladen',
      dnd: 'der Kontakt hat sich vor dem Senden abgemeldet',
      internal_error: 'ein unerwarteter Fehler; das Log des Workers nennt die Ursache',
      invalid_answer: 'der Anbieter gab der Nachricht die ID einer anderen Nachricht',
    },
  },
  delivery: {
    succeeded: (status) => `Der Empfänger hat mit ${status} geantwortet.`,
    succeededLater: ({ attempt, status }) =>
      `Versuch ${attempt} war erfolgreich: Der Empfänger hat mit ${status} geantwortet.`,
    workersPaused: (reason) =>
      `Alle Worker sind angehalten${reason === null ? '' : `: ${reason}`}. frontdesk admin release setzt sie fort.`,
    dueSince: (attempt, at) => `Versuch ${attempt} ist überfällig seit: ${at}.`,
    madeAt: (attempt, at) =>
      at === null
        ? `Versuch ${attempt} ist als Nächstes an der Reihe.`
        : `Versuch ${attempt}: ${at}.`,
    noResponse: (attempt, error) =>
      `Versuch ${attempt} bekam keine Antwort: ${error ?? 'Grund unbekannt'}.`,
    notSent: {
      deleted: (attempt) =>
        `Versuch ${attempt} wurde nicht gesendet: Das Abonnement wurde gelöscht.`,
      disabled: (attempt) =>
        `Versuch ${attempt} wurde nicht gesendet: Das Abonnement wurde deaktiviert.`,
    },
    checkUrl: 'Prüfen Sie die URL des Abonnements und ob der Empfänger läuft.',
    badStatus: ({ attempt, status }) =>
      `Der Empfänger hat auf Versuch ${attempt} mit dem Status ${status} geantwortet; nur 2xx zählt.`,
    responseBegins: (text) => `Seine Antwort beginnt mit: „${text}“.`,
    fixReceiver: 'Beheben Sie den Fehler im Empfänger.',
    noRetry:
      'Frontdesk versucht es nicht von selbst noch einmal. Wiederholen Sie die Zustellung, sobald der Empfänger funktioniert.',
    deleted: 'Das Abonnement wurde gelöscht.',
    disabled: (reason) => `Das Abonnement ist deaktiviert: ${reason ?? 'es wurde abgeschaltet'}.`,
    byRequest: 'es wurde abgeschaltet',
    breaker: ({ failures, nextAt, waiting }) =>
      `Die letzten ${failures} Versuche sind fehlgeschlagen. Frontdesk versucht deshalb eine Zustellung nach der anderen, bis eine gelingt. ` +
      `Nächster Versuch: ${nextAt ?? 'jetzt'}. Ereignisse, die auf ihren ersten Versuch warten: ${waiting}.`,
    notSelected: (event) => `Das Abonnement umfasst ${event} nicht.`,
    beforeSubscription: 'Das Ereignis ist älter als das Abonnement; „Wiederholen“ stellt es zu.',
    waits: 'Das Ereignis wartet auf seinen ersten Versuch.',
    passedOver:
      'Als das Ereignis geschah, war das Abonnement abgeschaltet oder umfasste Ereignisse dieses Namens nicht.',
  },
  trigger: {
    statuses: {
      running: 'Ein Lauf wurde gestartet; er läuft.',
      waiting: 'Ein Lauf wurde gestartet; er wartet.',
      completed: 'Ein Lauf wurde gestartet; er ist abgeschlossen.',
      cancelled: 'Ein Lauf wurde gestartet; er wurde abgebrochen.',
      failed: 'Ein Lauf wurde gestartet; er ist fehlgeschlagen.',
    },
    skipped: (error) => `Das Ereignis wurde übersprungen: ${error}.`,
    loop: 'Workflows starten einander in einer Schleife.',
    tooOften: 'Workflows starten einander zu oft.',
    inactive: 'Der Workflow ist nicht aktiv.',
    noTrigger: (event) => `Kein Auslöser hört auf ${event}.`,
    doesNotFit: (filters) => `Die Daten des Ereignisses passen nicht zu ${filters.join(' oder ')}.`,
    beforeActivation: 'Das Ereignis ist älter als der Workflow oder als seine Aktivierung.',
    waits: 'Das Ereignis ist noch nicht gelesen.',
    contactDeleted: 'Der Kontakt wurde gelöscht: Für ihn werden keine Läufe gestartet.',
    alreadyRunning:
      'Ein Lauf des Kontakts war noch offen, und der Workflow erlaubt keinen zweiten.',
    changedSince:
      'Der Workflow wurde seitdem geändert: Seine jetzige Definition würde einen Lauf starten.',
  },
  step: {
    allTaken: 'Alle Schritte wurden ausgeführt.',
    skipped: (it) => `${step(it)} wurde übersprungen${because(it.detail)}.`,
    failed: (it) => `${step(it)} ist fehlgeschlagen${because(it.detail)}.`,
    timed_out: (it) => `${step(it)} hat zu lange gewartet${because(it.detail)}.`,
    waits: ({ place, event, until }) =>
      `Der Lauf wartet bei Schritt ${place}${event === null ? '' : ` auf ${event}`}${until === null ? '' : `, längstens bis: ${until}`}.`,
    fails: ({ place, attempts, until }) =>
      `Der Aufruf von Schritt ${place} ist bei Versuch ${attempts} fehlgeschlagen und wird wiederholt${until === null ? '' : `: ${until}`}. Das Log des Workers nennt zu der ID des Laufs den Grund.`,
    cancelledBy: (name) => `Der Lauf wurde von ${name} abgebrochen.`,
    endedWith: {
      completed: (error) => `Der Lauf ist abgeschlossen: ${error}.`,
      cancelled: (error) => `Der Lauf wurde abgebrochen: ${error}.`,
      failed: (error) => `Der Lauf ist fehlgeschlagen: ${error}.`,
    },
  },
  recipient: {
    sent: 'Die Mail wurde gesendet.',
    cancelled: 'Die Kampagne wurde abgebrochen, bevor diese Mail gesendet wurde.',
    merged: 'Der Kontakt wurde zusammengeführt und bekommt diese Mail an eine andere Adresse.',
    optedOut:
      'Als die Mail an der Reihe war, war die Adresse abgemeldet oder der Kontakt gelöscht.',
    unknown:
      'Vielleicht hat der Server die Mail angenommen: Der Worker endete, bevor die Antwort kam. Sie wird nicht zweimal gesendet.',
    refused: (code, said) =>
      `Der Mailserver hat die Mail mit seinem Code ${code} abgelehnt: ${said}.`,
    failed: (reason) => `Die Mail ist fehlgeschlagen: ${reason}.`,
    noReason: 'kein Grund angegeben',
    waits: 'Die Mail wartet, bis sie an der Reihe ist.',
    triedAgain: 'Frontdesk versucht es noch einmal.',
    held: (code) => `Die Kampagne ist angehalten: ${code}.`,
    later: 'Der Kontakt kam auf die Liste oder wurde geändert, nachdem die Mails verteilt waren.',
    notStarted: {
      draft: 'Die Kampagne hat nicht begonnen; sie ist ein Entwurf.',
      scheduled: 'Die Kampagne hat nicht begonnen; sie ist geplant.',
      held: 'Die Kampagne hat nicht begonnen; sie wurde angehalten.',
      cancelled: 'Die Kampagne hat nicht begonnen; sie wurde abgebrochen.',
      other: 'Die Kampagne hat nicht begonnen.',
    },
    heldBecause: (code) => `Die Kampagne hat nicht begonnen; sie wurde angehalten: ${code}.`,
    notMatched: 'Der Kontakt passt nicht zum Filter der Liste.',
    notListed: 'Der Kontakt ist nicht auf der Liste.',
  },
};
