import { isoText } from '#core/schema/columns.ts';
import { orNotFound } from '#core/fault.ts';
import { DAY_MS } from '#lib/duration.ts';
import { firstIdAt, timeOfId } from '#lib/id.ts';
import type { View } from '#core/work.ts';
import { KEYED_JOB } from '#platform/queue/private-tables.ts';
import type { Channel } from '../../contacts/channels.ts';
import { sendMessage } from '../../conversations/conversations.jobs.ts';
import type { MessageStatus } from '../../conversations/messages/message.schema.ts';
import { hasText, type WhyLanguage } from './language.ts';
import { momentIn, type Moment } from './moment.ts';
import { failureText, refusalOf } from './server-reply.ts';
import { suppressionReason } from './suppression-reason.ts';
import type { Reason } from './why.ts';

/** What became of a message, and of the copies that were sent again after it failed. */
export interface MessageFate {
  /** What the message itself came to. */
  readonly state: 'sent' | 'waiting' | 'failed' | 'bounced' | 'unknown';
  /** The message, or its last copy, was sent. */
  readonly isSent: boolean;
  readonly reasons: readonly Reason[];
}

interface MessageRow {
  readonly id: string;
  readonly channel: Channel;
  readonly status: MessageStatus;
  readonly direction: string;
  readonly isInternal: boolean;
  readonly isCaptured: boolean;
  readonly externalId: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly contactId: string;
  readonly createdAt: string;
  /** When each of its events occurred, ISO 8601; null once they are no longer stored. */
  readonly changes: Readonly<Record<string, string>> | null;
  /** The copy that was sent again. */
  readonly copy: { readonly id: string; readonly at: string } | null;
}

/** Throws NOT_FOUND for unknown messages. */
export async function messageFate(
  view: View,
  id: string,
  language: WhyLanguage,
): Promise<MessageFate> {
  const before = firstIdAt(new Date(Math.min(timeOfId(id) + EVENTS_WITHIN_MS, LAST_TIME_MS)));
  const [found] = await view.rows<MessageRow>(MESSAGE, [view.subAccountId, id, before]);
  const message = orNotFound(found, 'message');
  const moment = await momentIn(view, language);
  const own = await ownFate(view, message, { language, moment });
  if (message.copy === null) {
    return own;
  }
  const { id: copyId, at } = message.copy;
  const copy = await messageFate(view, copyId, language);
  const [first, ...later] = copy.reasons;
  const again: Reason = {
    rule: 'sent_again',
    sentence: `${language.messages.message.sentAgain(moment(at))} ${first?.sentence ?? ''}`,
    record: { type: 'message', id: copyId },
    at,
  };
  return { state: own.state, isSent: copy.isSent, reasons: [...own.reasons, again, ...later] };
}

interface Words {
  readonly language: WhyLanguage;
  readonly moment: Moment;
}

async function ownFate(view: View, message: MessageRow, words: Words): Promise<MessageFate> {
  const { id, status, changes, createdAt } = message;
  const texts = words.language.messages.message;
  const record = { type: 'message', id };
  if (status === 'failed' || status === 'bounced') {
    return failedFate(view, message, words);
  }
  if (message.isInternal) {
    const sentence = texts.internalNote;
    return fateOf('waiting', { rule: 'internal_note', sentence, record, at: createdAt });
  }
  if (message.direction === 'inbound') {
    const sentence = texts.received;
    return fateOf('sent', { rule: status, sentence, record, at: createdAt });
  }
  if (status === 'pending') {
    return fateOf('waiting', await waitingReason(view, message, words));
  }
  const sentAt = changes?.['message.sent'] ?? null;
  const deliveredAt = changes?.['message.delivered'] ?? null;
  const at = status === 'sent' ? sentAt : (deliveredAt ?? sentAt);
  const sentence = message.isCaptured
    ? texts.captured
    : texts[status](at === null ? null : words.moment(at));
  return fateOf('sent', { rule: status, sentence, record, at });
}

const fateOf = (state: MessageFate['state'], ...reasons: readonly Reason[]): MessageFate => ({
  state,
  isSent: state === 'sent',
  reasons,
});

/** Its outcome was lost: it may have been sent. */
const UNKNOWN = 'outcome_unknown';

async function failedFate(
  view: View,
  message: MessageRow,
  { language, moment }: Words,
): Promise<MessageFate> {
  const { id, status, channel, contactId, errorCode, errorMessage, changes } = message;
  const texts = language.messages.message;
  const sentAt = changes?.['message.sent'];
  const at = changes?.['message.failed'] ?? null;
  const reasonOf = (sentence: string): Reason => {
    return { rule: errorCode ?? status, sentence, record: { type: 'message', id }, at };
  };
  if (errorCode === UNKNOWN) {
    return fateOf('unknown', reasonOf(texts.unknown));
  }
  const said = hasText(texts.reasons, errorCode)
    ? texts.reasons[errorCode]
    : failureText(errorMessage ?? errorCode ?? texts.noReason);
  if (status === 'bounced') {
    return fateOf('bounced', reasonOf(texts.bounced(said)));
  }
  if (sentAt !== undefined) {
    return fateOf('failed', reasonOf(texts.failedAfterSending(moment(sentAt), said)));
  }
  const refusal = refusalOf(message);
  const sentence = refusal ? texts.refused(refusal.code, refusal.said) : texts.notSent(said);
  const suppressed =
    errorCode === 'dnd' ? await suppressionReason(view, contactId, channel, language) : undefined;
  return fateOf('failed', reasonOf(sentence), ...(suppressed ? [suppressed] : []));
}

async function waitingReason(
  view: View,
  { id, channel, contactId, externalId, createdAt }: MessageRow,
  { language, moment }: Words,
): Promise<Reason> {
  const { accepted, waits, waitsForAttempt } = language.messages.message;
  const record = { type: 'message', id };
  if (externalId !== null) {
    return { rule: 'waiting', sentence: accepted, record, at: createdAt };
  }
  const suppressed = await suppressionReason(view, contactId, channel, language);
  if (suppressed) {
    return suppressed;
  }
  const [job] = await view.rows<Attempt>(KEYED_JOB, [
    `${sendMessage.name}:${id}`,
    view.subAccountId,
  ]);
  return job?.attempt
    ? {
        rule: 'waiting',
        sentence: waitsForAttempt(job.attempt, moment(job.runAt)),
        record,
        at: job.runAt,
      }
    : { rule: 'waiting', sentence: waits, record, at: createdAt };
}

/** The next attempt to send a message. */
interface Attempt {
  readonly attempt: number | null;
  readonly runAt: string;
}

/** Later events of a message are not looked for: a busy sub-account has many events. */
const EVENTS_WITHIN_MS = 2 * DAY_MS;
/** The last time that an id can contain. */
const LAST_TIME_MS = 2 ** 48 - 1;

/** Ids contain the time: the events of the message follow its id. */
const MESSAGE = `select m.id, m.channel, m.status, m.direction, m.is_internal as "isInternal",
    a.sandbox as "isCaptured", m.external_id as "externalId",
    m.error_code as "errorCode", m.error_message as "errorMessage", v.contact_id as "contactId",
    ${isoText('m.created_at')} as "createdAt",
    (select jsonb_object_agg(e.name, ${isoText('e.occurred_at')}) from (
       select id, contact_id, name, data, occurred_at from events where sub_account_id = $1
       union all select id, contact_id, name, data, occurred_at from outbox where sub_account_id = $1
     ) as e
     where e.id > m.id and e.id < $3 and e.contact_id = v.contact_id
       and e.name in ('message.sent', 'message.delivered', 'message.failed')
       and e.data ->> 'messageId' = m.id::text) as changes,
    (select jsonb_build_object('id', k.id, 'at', ${isoText('k.created_at')}) from messages k
     where k.sub_account_id = $1 and k.resend_of = m.id) as copy
  from messages m
  join sub_accounts a on a.id = m.sub_account_id
  join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
  where m.sub_account_id = $1 and m.id = $2`;
