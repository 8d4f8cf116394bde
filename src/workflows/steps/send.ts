import type { Work } from '#core/work.ts';
import type { Contact } from '../../contacts/contact.entity.ts';
import { carrierOf } from '../../conversations/channels/channel-configuration.ts';
import { openConversation } from '../../conversations/threads/open-conversation.ts';
import { writeMessage } from '../../conversations/messages/write-message.ts';
import type { LockedRun } from '../runs/lock-run.ts';
import type { Step } from '../definition/workflow.schema.ts';
import { refusal, type Done } from './done.ts';
import { dataValues } from './values.ts';

/** Writes to the contact in his conversation of the channel; a job hands it to the carrier. */
export async function send(
  work: Work,
  { run }: LockedRun,
  { id: contactId }: Contact,
  { channel, subject, body: bodyText }: NonNullable<Step['send']>,
): Promise<Done> {
  if ((await carrierOf(work, channel)) === undefined) {
    throw refusal(`no provider is set up for ${channel}`);
  }
  const { id } = await openConversation(work, { contactId, channel });
  const message = { channel, bodyText, ...(subject !== undefined && { subject }) };
  const written = await writeMessage(work, id, message, { values: dataValues(run.data) });
  return 'skipped' in written
    ? { outcome: 'skipped', detail: 'the contact is not to be disturbed' }
    : { outcome: 'done', detail: written.id, sent: written.id };
}
