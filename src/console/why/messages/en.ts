/** What reminders are called in their sentences. */
interface ReminderName {
  /** How long before the appointment: `2 hours`. */
  readonly before: string;
  readonly channel: string;
}

const reminder = ({ before, channel }: ReminderName) =>
  `The reminder ${before} before, by ${channel},`;

/** An answer of a receiver of webhooks. */
interface ReceiverAnswer {
  readonly attempt: number;
  readonly status: number;
}

/** Frontdesk's pause between the attempts at a failing receiver. */
interface Breaker {
  readonly failures: number;
  /** Null for now. */
  readonly nextAt: string | null;
  readonly waiting: number;
}

/** A step in the log of a run. */
interface LoggedStep {
  readonly place: string;
  readonly step: string;
  readonly detail: string | null;
}

/** What a run waits for, and until when. */
interface RunWait {
  readonly place: string;
  readonly event: string | null;
  readonly until: string | null;
}

/** A call of a run that failed and is made again. */
interface RunRetry {
  readonly place: string;
  readonly attempts: number;
  /** When the next attempt is made. */
  readonly until: string | null;
}

/** The sentences of answers to "why". Times are given in words, in the zone of the sub-account. */
export const english = {
  channels: {
    sms: 'SMS',
    email: 'email',
    messenger: 'Messenger',
    instagram: 'Instagram',
    gmail: 'Gmail',
    live_chat: 'live chat',
    social_dm: 'other social networks',
  },
  contact: {
    deleted: 'The contact was deleted.',
    optedOut: (channel: string, reason: string) =>
      `An address of the contact is opted out of ${channel}: ${reason}.`,
    optOutReasons: {
      unsubscribe: 'it unsubscribed',
      stop: 'it replied STOP',
      bounce: 'a mail to it bounced',
    },
    doNotDisturb: (channel: string) => `The contact is set to do not disturb for ${channel}.`,
    doNotDisturbAll: 'The contact is set to do not disturb for all channels.',
    noEmail: 'The contact has no email address.',
    noPhone: 'The contact has no phone number.',
  },
  noProvider: (channel: string) => `No provider is set up for ${channel}.`,
  appointment: {
    completed: 'The appointment is completed.',
    cancelled: 'The appointment is cancelled.',
    no_show: 'The customer did not come to the appointment.',
    noContact: 'The appointment has no contact.',
  },
  confirmation: {
    none: 'The calendar has no confirmation.',
    series: 'The first appointment of the series confirms all of them.',
    begun: 'The appointment had begun before a confirmation was sent.',
    waits: (channel: string) =>
      `The confirmation by ${channel} waits for a worker, which will send it.`,
    notPlanned:
      'None follows: when the appointment was booked or last moved, the calendar had no confirmation, or the attempts to write it were given up.',
    notSent: 'No confirmation was sent.',
    wrote: (channel: string) => `The confirmation was written, by ${channel}.`,
    is: (channel: string, to: string | null) =>
      `The confirmation is a message by ${channel} to ${to ?? 'an unknown address'}.`,
  },
  reminder: {
    none: 'The calendar has no reminders.',
    begun: 'The appointment had begun before the reminder was sent.',
    is: (it: ReminderName, to: string | null) =>
      `${reminder(it)} is a message to ${to ?? 'an unknown address'}.`,
    wasSent: (it: ReminderName) => `${reminder(it)} was sent.`,
    wasNotSent: (it: ReminderName) => `${reminder(it)} was not sent.`,
    isNotSent: (it: ReminderName) => `${reminder(it)} is not sent.`,
    isDue: (it: ReminderName, at: string) => `${reminder(it)} is due at ${at}.`,
    isDueInVain: (it: ReminderName, at: string) =>
      `${reminder(it)} is due at ${at}; as things are, it will not be sent.`,
    dueBeforeBooking: (at: string) => `It was due at ${at}, before the appointment was booked.`,
    dueBeforeChange: (at: string) => `It was due at ${at}, before the appointment was changed.`,
  },
  message: {
    received: 'The message was received.',
    internalNote: 'The message is an internal note: notes are not sent.',
    canSend: 'Messages can be sent here.',
    captured: 'The sandbox captured the message: it was not sent to the recipient.',
    sent: (at: string | null) => `The message was sent${at === null ? '' : ` at ${at}`}.`,
    delivered: (at: string | null) => `The message was delivered${at === null ? '' : ` at ${at}`}.`,
    read: (at: string | null) =>
      `The message was read${at === null ? '' : `; it was delivered at ${at}`}.`,
    waits:
      'The message is waiting to be sent. The log of the worker has the error code of each failed attempt, with the id of the message.',
    waitsForAttempt: (attempt: number, at: string) =>
      `The message is waiting to be sent: attempt ${attempt} is made at ${at}. The log of the worker has the error code of each failed attempt, with the id of the message.`,
    accepted:
      'The provider has accepted the message, and has not reported yet whether it was sent.',
    notSent: (reason: string) => `The message was not sent: ${reason}.`,
    failedAfterSending: (at: string, reason: string) =>
      `The message was sent at ${at}, but not delivered: ${reason}.`,
    bounced: (reason: string) => `The message bounced: ${reason}.`,
    refused: (code: string, said: string) =>
      `The message was not sent: the mail server refused it with its code ${code}: ${said}.`,
    unknown:
      'It is not known whether the message was sent: the connection was lost while the provider received it. It may have arrived, so it is not sent again by itself.',
    sentAgain: (at: string) => `The message was sent again at ${at}. Result:`,
    noReason: 'the provider gave no reason',
    /** Of failures that Frontdesk itself names; those of providers are quoted. */
    reasons: {
      channel_not_configured: 'no provider is set up for the channel',
      contact_deleted: 'the contact was deleted before the message was sent',
      file_missing: 'a file of the message is not in the storage; upload it again',
      dnd: 'the contact opted out before the message was sent',
      internal_error: 'an unexpected error; the log of the worker has its cause',
      invalid_answer: 'the provider gave the message the id of another message',
    },
  },
  delivery: {
    succeeded: (status: number) => `The receiver returned ${status}.`,
    succeededLater: ({ attempt, status }: ReceiverAnswer) =>
      `Attempt ${attempt} succeeded: the receiver returned ${status}.`,
    workersPaused: (reason: string | null) =>
      `All workers are paused${reason === null ? '' : `: ${reason}`}. frontdesk admin release resumes them.`,
    dueSince: (attempt: number, at: string) => `Attempt ${attempt} has been due since ${at}.`,
    madeAt: (attempt: number, at: string | null) =>
      `Attempt ${attempt} is made ${at === null ? 'next' : `at ${at}`}.`,
    noResponse: (attempt: number, error: string | null) =>
      `Attempt ${attempt} got no response: ${error ?? 'unknown'}.`,
    notSent: {
      deleted: (attempt: number) =>
        `Attempt ${attempt} was not sent: the subscription was deleted.`,
      disabled: (attempt: number) =>
        `Attempt ${attempt} was not sent: the subscription was disabled.`,
    },
    checkUrl: 'Check the URL of the subscription and that the receiver runs.',
    badStatus: ({ attempt, status }: ReceiverAnswer) =>
      `The receiver answered attempt ${attempt} with status ${status}; only 2xx counts.`,
    responseBegins: (text: string) => `Its response begins: “${text}”.`,
    fixReceiver: 'Fix the receiver.',
    noRetry: 'Frontdesk does not try again by itself. Once the receiver works, retry the delivery.',
    deleted: 'The subscription was deleted.',
    disabled: (reason: string | null) =>
      `The subscription is disabled: ${reason ?? 'it was switched off'}.`,
    byRequest: 'disabled by request',
    breaker: ({ failures, nextAt, waiting }: Breaker) =>
      `The last ${failures} attempts failed, so Frontdesk tries one delivery at a time until one succeeds. ` +
      `The next try is ${nextAt === null ? 'now' : `at ${nextAt}`}. ${waiting} events wait for their first attempt.`,
    notSelected: (event: string) => `The subscription does not select ${event}.`,
    beforeSubscription: 'The event is older than the subscription; replay sends it.',
    waits: 'The event waits for its first attempt.',
    passedOver:
      'When the event happened, the subscription was disabled or did not select events of this name.',
  },
  trigger: {
    statuses: {
      running: 'A run started; it is running.',
      waiting: 'A run started; it is waiting.',
      completed: 'A run started; it is completed.',
      cancelled: 'A run started; it is cancelled.',
      failed: 'A run started; it is failed.',
    },
    skipped: (error: string) => `The event was skipped: ${error}.`,
    loop: 'Workflows start each other in a loop.',
    tooOften: 'Workflows start each other too often.',
    inactive: 'The workflow is not active.',
    noTrigger: (event: string) => `No trigger listens to ${event}.`,
    doesNotFit: (filters: readonly string[]) =>
      `The data of the event does not fit ${filters.join(' or ')}.`,
    beforeActivation: 'The event is older than the workflow, or than its activation.',
    waits: 'The event is not read yet.',
    contactDeleted: 'The contact was deleted: runs are not started for it.',
    alreadyRunning: 'A run of the contact was unfinished, and the workflow does not allow reentry.',
    changedSince: 'The workflow has changed since: its present definition would start a run.',
  },
  step: {
    allTaken: 'Every step was taken.',
    skipped: ({ place, step, detail }: LoggedStep) =>
      `Step ${place} (${step}) skipped: ${detail ?? 'no detail was recorded'}.`,
    failed: ({ place, step, detail }: LoggedStep) =>
      `Step ${place} (${step}) failed: ${detail ?? 'no detail was recorded'}.`,
    timed_out: ({ place, step, detail }: LoggedStep) =>
      `Step ${place} (${step}) timed out: ${detail ?? 'no detail was recorded'}.`,
    waits: ({ place, event, until }: RunWait) =>
      `The run waits at step ${place}${event === null ? '' : ` for ${event}`}${until === null ? '' : ` until ${until}`}.`,
    fails: ({ place, attempts, until }: RunRetry) =>
      `The call of step ${place} failed at attempt ${attempts} and is made again${until === null ? '' : ` at ${until}`}. The log of the worker has the reason, with the id of the run.`,
    cancelledBy: (name: string) => `The run was cancelled by ${name}.`,
    endedWith: {
      completed: (error: string) => `The run is completed: ${error}.`,
      cancelled: (error: string) => `The run is cancelled: ${error}.`,
      failed: (error: string) => `The run is failed: ${error}.`,
    },
  },
  recipient: {
    sent: 'The mail was sent.',
    cancelled: 'The campaign was cancelled before this mail was sent.',
    merged: 'The contact was merged, and gets this mail at another address.',
    optedOut: 'The address was opted out, or the contact was deleted, when its turn came.',
    unknown:
      'The server may have accepted the mail: the worker stopped before it answered. It is not sent twice.',
    refused: (code: string, said: string) =>
      `The mail server refused the mail with its code ${code}: ${said}.`,
    failed: (reason: string) => `The mail failed: ${reason}.`,
    noReason: 'no reason was given',
    waits: 'The mail waits for its turn.',
    triedAgain: 'Frontdesk tries again.',
    held: (code: string) => `The campaign is held: ${code}.`,
    later: 'The contact joined the list, or was changed, after the recipients were chosen.',
    notStarted: {
      draft: 'The campaign has not started; it is a draft.',
      scheduled: 'The campaign has not started; it is scheduled.',
      held: 'The campaign has not started; it is held.',
      cancelled: 'The campaign has not started; it is cancelled.',
      other: 'The campaign has not started.',
    },
    heldBecause: (code: string) => `The campaign has not started; it is held: ${code}.`,
    notMatched: 'The contact does not match the filter of the list.',
    notListed: 'The contact is not on the list.',
  },
};

/** Every language has every sentence. */
export type Messages = typeof english;
