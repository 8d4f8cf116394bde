import { parseJson } from '#platform/http/body/read.ts';
import { invalidField } from '#core/fault.ts';
import type { InboundFile } from '../../inbound/inbound-files.ts';
import {
  checkContent,
  inboundBody,
  receiptBody,
  type BridgeFile,
  type InboundMessage,
  type WebhookContent,
} from '../../inbound/callback.schema.ts';
import { withoutNulls } from '#lib/without-nulls.ts';
import type { WebhookCall } from '../webhook.ts';

/** Parses the JSON of a bridge: a message, or a message's status. Throws VALIDATION_ERROR. */
export function parseBridgeWebhook(
  { kind, header }: Pick<WebhookCall, 'kind' | 'header'>,
  bytes: Buffer,
): WebhookContent {
  const content = parseJson(bytes, header('content-type'));
  return kind === 'inbound'
    ? { inbound: [messageIn(content)], receipts: [] }
    : { inbound: [], receipts: [checkContent(receiptBody, content)] };
}

function messageIn(content: unknown): InboundMessage {
  const { attachments = [], ...message } = checkContent(inboundBody, content);
  return attachments.length === 0 ? message : { ...message, attachments: attachments.map(fileIn) };
}

/** Throws VALIDATION_ERROR unless the file has either content or URL. */
function fileIn(file: BridgeFile, index: number): InboundFile {
  const { name, type = '', content, url } = withoutNulls(file);
  const path = `/attachments/${index}`;
  if (content !== undefined && url === undefined) {
    if (!BASE64.test(content)) {
      throw invalidField(`${path}/content`, 'must be base64');
    }
    return { name, type, bytes: Buffer.from(content, 'base64') };
  }
  if (url !== undefined && content === undefined) {
    return { name, type, url };
  }
  throw invalidField(path, 'must have either content or url');
}

const BASE64 = /^[A-Za-z\d+/\s]*={0,2}\s*$/;
