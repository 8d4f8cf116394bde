interface Mail {
  readonly id: string;
  readonly subject: string | null;
}

/** Replies in the languages of common mail programs. */
const REPLY = /^(?:(?:re|aw|antw|sv|vs|odp|ynt|rif)\s*(?:\[\d+\])?\s*:\s*)+/i;

const topicOf = (subject: string): string => subject.replace(REPLY, '').toLowerCase();

/**
 * Returns the subjects to show, by the id of their mail: those that differ from the subject of the
 * mail before. Mails are oldest first.
 */
export function shownSubjects(mails: readonly Mail[]): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  let last = '';
  for (const mail of mails) {
    const subject = mail.subject?.trim() ?? '';
    const topic = topicOf(subject);
    if (topic !== '' && topic !== last) {
      shown.set(mail.id, subject);
      last = topic;
    }
  }
  return shown;
}
