import { V7Generator } from 'uuidv7';
import { insertInto } from '#core/schema/columns.ts';
import type { Work } from '#core/work.ts';
import type { InboundMessage } from './callback.schema.ts';
import type { Channel } from '../../contacts/channels.ts';

interface Inbound extends InboundMessage {
  readonly conversationId: string;
  readonly channel: Channel;
  readonly at: Date;
}

/** Lists go by id, so that a message stands where its time puts it, however late it came. */
export function insertInbound(work: Work, inbound: Inbound): string {
  const { from, to = null, bodyHtml = null, subject = null, at } = inbound;
  const id = idAt(at);
  const row = {
    ...inbound,
    subAccountId: work.subAccountId,
    id,
    direction: 'inbound',
    bodyHtml,
    subject,
    status: 'delivered',
    fromAddress: from,
    toAddress: to,
    createdAt: at,
  };
  work.write(
    INSERT,
    MEMBERS.map((member) => row[member]),
  );
  work.audit(id);
  return id;
}

const MEMBERS = [
  'subAccountId',
  'id',
  'conversationId',
  'channel',
  'direction',
  'bodyText',
  'bodyHtml',
  'subject',
  'status',
  'fromAddress',
  'toAddress',
  'externalId',
  'createdAt',
] as const;

const INSERT = insertInto('messages', MEMBERS);

/** Not the generator of all other ids: going back in time would cost them their order. */
const generator = new V7Generator();
generator.setRollbackAllowance(0);

const idAt = (time: Date): string => generator.generateOrResetWithTs(time.getTime()).toString();
