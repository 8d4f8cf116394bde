import { parseJson } from '#platform/http/body/read.ts';
import type { Static, TSchema } from 'typebox';
import { check } from '#core/schema/check.ts';
import { inboundBody, receiptBody, type WebhookContent } from '../../inbound/callback.schema.ts';
import type { WebhookCall } from '../webhook.ts';

/** Parses the JSON of a bridge: a message, or a message's status. Throws VALIDATION_ERROR. */
export function parseBridgeWebhook(
  { kind, header }: Pick<WebhookCall, 'kind' | 'header'>,
  bytes: Buffer,
): WebhookContent {
  const checked = <S extends TSchema>(schema: S): Static<S> =>
    check(schema, parseJson(bytes, header('content-type')), 'body');
  return kind === 'inbound'
    ? { inbound: [checked(inboundBody)], receipts: [] }
    : { inbound: [], receipts: [checked(receiptBody)] };
}
