import { issuesOf } from '#core/schema/check.ts';
import { invalid } from '#core/fault.ts';
import {
  inboundBody,
  type InboundMessage,
  type Receipt,
  type WebhookContent,
  type ReadWatermark,
} from '../../inbound/callback.schema.ts';
import type { Channel } from '../../../contacts/channels.ts';
import type { ChannelSetup } from '../../channels/read-channel.ts';
import { stripInvalidText, listIn, objectOf, textIn, timeIn, type Loose } from '../json-access.ts';
import { metaText } from './text.ts';

/** What a call is about, by the channel that it is for. */
const OBJECTS: Partial<Record<Channel, string>> = { messenger: 'page', instagram: 'instagram' };

/**
 * What is news to us in a call of Meta's. It holds up to a thousand events of every kind; those that
 * are none of ours are passed over, for Meta repeats a call that is refused as a whole.
 */
export function parseMetaWebhook(
  bytes: Buffer,
  channel: Channel,
  { settings }: ChannelSetup,
): WebhookContent {
  const call = parse(bytes);
  const isOurs = textIn(call, 'object') === OBJECTS[channel];
  const events = (isOurs ? listIn(call, 'entry') : [])
    .filter((entry) => isOfAccount(textIn(entry, 'id'), channel, settings))
    .flatMap((entry) => listIn(entry, 'messaging').filter((event) => !isOwn(event, entry)));
  return {
    inbound: events.flatMap(messageIn),
    receipts: events.flatMap(receiptsIn),
    marks: events.flatMap(marksIn),
  };
}

function parse(bytes: Buffer): Loose {
  try {
    return objectOf(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw invalid([{ in: 'body', path: '', message: 'is not JSON' }]);
  }
}

/** Calls about instagram name its account, which a page does not tell. */
function isOfAccount(id: string, channel: Channel, settings: ChannelSetup['settings']): boolean {
  const { pageId, instagramId } = settings;
  return channel === 'instagram'
    ? typeof instagramId !== 'string' || id === instagramId || id === pageId
    : id === pageId;
}

/** What the page itself wrote comes back as an echo. */
const isOwn = (event: Loose, entry: Loose): boolean =>
  objectOf(event['message'])['is_echo'] === true ||
  textIn(objectOf(event['sender']), 'id') === textIn(entry, 'id');

const senderOf = (event: Loose): string => textIn(objectOf(event['sender']), 'id');

/** A message, or a button that was pressed in place of one. */
function messageIn(event: Loose): InboundMessage[] {
  const message = objectOf(event['message'] ?? event['postback']);
  const timestamp = timeIn(event, 'timestamp');
  const bodyText = metaText(message);
  const candidate = {
    externalId: textIn(message, 'mid'),
    from: senderOf(event),
    to: textIn(objectOf(event['recipient']), 'id'),
    bodyText: bodyText ?? '',
    ...(timestamp !== undefined && { timestamp }),
  };
  const isMessage = bodyText !== undefined && issuesOf(inboundBody, candidate).length === 0;
  return isMessage ? [candidate] : [];
}

/** Of single messages, where Meta names them. */
function receiptsIn(event: Loose): Receipt[] {
  const told = (mid: unknown, status: Receipt['status']): Receipt[] => {
    const externalId = typeof mid === 'string' ? stripInvalidText(mid) : '';
    return isName(externalId) ? [{ externalId, status }] : [];
  };
  const { mids } = objectOf(event['delivery']);
  return [
    ...(Array.isArray(mids) ? mids.flatMap((mid) => told(mid, 'delivered')) : []),
    ...told(objectOf(event['read'])['mid'], 'read'),
  ];
}

const isName = (mid: string): boolean =>
  issuesOf(inboundBody.properties.externalId, mid).length === 0;

/** Of everything up to a time. A delivery that names its messages is not about others. */
function marksIn(event: Loose): ReadWatermark[] {
  const from = senderOf(event);
  const { mids } = objectOf(event['delivery']);
  const delivered = Array.isArray(mids) && mids.length > 0 ? undefined : markIn(event, 'delivery');
  const read = markIn(event, 'read');
  return [
    ...(delivered === undefined ? [] : [{ from, at: delivered, status: 'delivered' as const }]),
    ...(read === undefined ? [] : [{ from, at: read, status: 'read' as const }]),
  ];
}

const markIn = (event: Loose, name: string) => timeIn(objectOf(event[name]), 'watermark');
