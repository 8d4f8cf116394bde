import { parseJson } from '#platform/http/body/read.ts';
import type { Static, TSchema } from 'typebox';
import { invalidField } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import type { InboundFile } from '../../inbound/inbound-files.ts';
import {
  inboundBody,
  receiptBody,
  type BridgeFile,
  type InboundMessage,
  type WebhookContent,
} from '../../inbound/callback.schema.ts';
import type { WebhookCall } from '../webhook.ts';

/** Parses the JSON of a bridge: a message, or a message's status. Throws VALIDATION_ERROR. */
export function parseBridgeWebhook(
  { kind, header }: Pick<WebhookCall, 'kind' | 'header'>,
  bytes: Buffer,
): WebhookContent {
  const checked = <S extends TSchema>(schema: S): Static<S> =>
    check(schema, parseJson(bytes, header('content-type')), 'body');
  return kind === 'inbound'
    ? { inbound: [withFiles(checked(inboundBody))], receipts: [] }
    : { inbound: [], receipts: [checked(receiptBody)] };
}

function withFiles({ attachments = [], ...message }: Static<typeof inboundBody>): InboundMessage {
  return attachments.length === 0 ? message : { ...message, attachments: attachments.map(fileIn) };
}

/** Throws VALIDATION_ERROR unless the file has either content or URL. */
function fileIn({ name, type = '', content, url }: BridgeFile, index: number): InboundFile {
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
