import { isWebUrl } from '#core/schema/formats.ts';
import { issuesOf } from '#core/schema/check.ts';
import { type JsonLimits, measureJson } from '#platform/http/body/measure-json.ts';
import { refusedBody } from '#platform/http/body/read.ts';
import {
  inboundBody,
  type InboundMessage,
  type Receipt,
  type WebhookContent,
  type ReadWatermark,
} from '../../inbound/callback.schema.ts';
import type { Channel } from '../../../contacts/channels.ts';
import type { RemoteFile } from '../../inbound/inbound-files.ts';
import type { ChannelSetup } from '../../channels/channel.store.ts';
import {
  stripInvalidText,
  listIn,
  objectOf,
  textIn,
  timeIn,
  type JsonObject,
} from '../json-access.ts';

/** The `object` of a call by the channel that it is for. */
const OBJECTS: Partial<Record<Channel, string>> = { messenger: 'page', instagram: 'instagram' };

/**
 * Parses a call of Meta, which holds up to a thousand events of every kind. Events that concern other
 * accounts are ignored: Meta would repeat a call that is refused as a whole.
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

/** Far more than the 1,000 events of a call have. A sub-account knows its appSecret, and can sign anything. */
const LIMITS: JsonLimits = { values: 100_000, depth: 64 };

function parse(bytes: Buffer): JsonObject {
  const excess = measureJson(bytes, LIMITS);
  if (excess !== undefined) {
    throw refusedBody(excess.path, excess.message);
  }
  try {
    return objectOf(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw refusedBody('', 'is not JSON');
  }
}

/** Calls about instagram name its account, which the settings may not hold. */
function isOfAccount(id: string, channel: Channel, settings: ChannelSetup['settings']): boolean {
  const { pageId, instagramId } = settings;
  return channel === 'instagram'
    ? typeof instagramId !== 'string' || id === instagramId || id === pageId
    : id === pageId;
}

/** The page's own messages come back as echoes. */
const isOwn = (event: JsonObject, entry: JsonObject): boolean =>
  objectOf(event['message'])['is_echo'] === true ||
  textIn(objectOf(event['sender']), 'id') === textIn(entry, 'id');

const senderOf = (event: JsonObject): string => textIn(objectOf(event['sender']), 'id');

/** A message, or a button press. */
function messageIn(event: JsonObject): InboundMessage[] {
  const message = objectOf(event['message'] ?? event['postback']);
  const timestamp = timeIn(event, 'timestamp');
  const bodyText = textOf(message);
  const attachments = filesIn(message);
  const candidate = {
    externalId: textIn(message, 'mid'),
    from: senderOf(event),
    to: textIn(objectOf(event['recipient']), 'id'),
    bodyText: bodyText ?? '',
    ...(timestamp !== undefined && { timestamp }),
  };
  const isMessage = bodyText !== undefined && issuesOf(inboundBody, candidate).length === 0;
  return isMessage ? [{ ...candidate, ...(attachments.length > 0 && { attachments }) }] : [];
}

/** Returns a message's text with its links and places; undefined if the message was deleted or is empty. */
function textOf(message: JsonObject): string | undefined {
  if (message['is_deleted'] === true) {
    return undefined;
  }
  const title = textIn(message, 'text') || textIn(message, 'title');
  const others = listIn(message, 'attachments').filter((one) => !isFile(one));
  const lines = [title, ...others.map(attachmentLine)];
  const text = lines.filter((line) => line !== '').join('\n');
  const isEmpty = filesIn(message).length === 0;
  return text || (message['is_unsupported'] === true ? UNSUPPORTED : isEmpty ? undefined : '');
}

/** Kinds of attachments that have a content; others are places, links and posts. */
const FILE_KINDS = new Set(['image', 'audio', 'video', 'file']);

const urlOf = (attachment: JsonObject): string =>
  textIn(objectOf(attachment['payload']), 'url') || textIn(attachment, 'url');

const isFile = (attachment: JsonObject): boolean =>
  FILE_KINDS.has(textIn(attachment, 'type')) && isWebUrl(urlOf(attachment));

/** Meta names neither file nor type; the last part of the path often has a name. */
const filesIn = (message: JsonObject): RemoteFile[] =>
  message['is_deleted'] === true
    ? []
    : listIn(message, 'attachments')
        .filter(isFile)
        .map((attachment) => ({
          url: urlOf(attachment),
          name: nameIn(urlOf(attachment)) || textIn(attachment, 'type'),
          type: '',
        }));

const nameIn = (url: string): string =>
  decodeURIComponentSafely(URL.parse(url)?.pathname.split('/').at(-1) ?? '');

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const UNSUPPORTED = '[a message of a kind that Meta does not forward]';

function attachmentLine(attachment: JsonObject): string {
  const payload = objectOf(attachment['payload']);
  const parts = [textIn(payload, 'title'), textIn(payload, 'url') || textIn(attachment, 'url')];
  const kind = textIn(attachment, 'type') || 'attachment';
  return [`[${kind}]`, ...parts.filter((part) => part !== '')].join(' ');
}

/** Returns receipts for the messages that the event names. */
function receiptsIn(event: JsonObject): Receipt[] {
  const receipt = (mid: unknown, status: Receipt['status']): Receipt[] => {
    const externalId = typeof mid === 'string' ? stripInvalidText(mid) : '';
    return isMessageId(externalId) ? [{ externalId, status }] : [];
  };
  const { mids } = objectOf(event['delivery']);
  return [
    ...(Array.isArray(mids) ? mids.flatMap((mid) => receipt(mid, 'delivered')) : []),
    ...receipt(objectOf(event['read'])['mid'], 'read'),
  ];
}

const isMessageId = (mid: string): boolean =>
  issuesOf(inboundBody.properties.externalId, mid).length === 0;

/** Returns watermarks: everything up to a time. A delivery that names messages concerns only those. */
function marksIn(event: JsonObject): ReadWatermark[] {
  const from = senderOf(event);
  const { mids } = objectOf(event['delivery']);
  const delivered = Array.isArray(mids) && mids.length > 0 ? undefined : markIn(event, 'delivery');
  const read = markIn(event, 'read');
  return [
    ...(delivered === undefined ? [] : [{ from, at: delivered, status: 'delivered' as const }]),
    ...(read === undefined ? [] : [{ from, at: read, status: 'read' as const }]),
  ];
}

const markIn = (event: JsonObject, name: string) => timeIn(objectOf(event[name]), 'watermark');
