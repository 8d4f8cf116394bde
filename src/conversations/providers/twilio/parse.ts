import { isWebUrl } from '#core/schema/formats.ts';
import { isId } from '#lib/id.ts';
import type { RemoteFile } from '../../inbound/inbound-files.ts';
import {
  checkContent,
  inboundBody,
  receiptBody,
  type WebhookContent,
} from '../../inbound/callback.schema.ts';
import { stripInvalidText } from '../json-access.ts';
import { twilioChange } from './status.ts';

/** Twilio's limit. */
const MEDIA_MAX = 10;

/** Empty TwiML: Twilio logs an error for JSON. */
const NOTHING_TO_DO = {
  type: 'text/xml; charset=utf-8',
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
};

/** Parses an inbound SMS. */
export function parseTwilioMessage(form: URLSearchParams): WebhookContent {
  const of = (name: string): string => stripInvalidText(form.get(name) ?? '');
  const message = checkContent(inboundBody, {
    externalId: of('MessageSid') || of('SmsSid'),
    from: of('From'),
    to: of('To'),
    bodyText: of('Body'),
  });
  const attachments = mediaIn(form);
  const consent = CONSENT[of('OptOutType').toUpperCase()];
  return {
    inbound: [
      {
        ...message,
        attachments,
        ...(consent && { consent }),
      },
    ],
    receipts: [],
    document: NOTHING_TO_DO,
  };
}

/** How Twilio's Advanced Opt-Out handled the message, in any language. */
const CONSENT: Readonly<Record<string, 'out' | 'in'>> = { STOP: 'out', START: 'in' };

function mediaIn(form: URLSearchParams): RemoteFile[] {
  const count = Math.min(Number.parseInt(form.get('NumMedia') ?? '', 10) || 0, MEDIA_MAX);
  return Array.from({ length: count }, (_, n) => {
    const url = stripInvalidText(form.get(`MediaUrl${n}`) ?? '');
    const type = stripInvalidText(form.get(`MediaContentType${n}`) ?? '');
    // Twilio knows no names; the type gives the extension.
    return { url, type, name: `media-${n + 1}` };
  }).filter(({ url }) => isWebUrl(url));
}

/** Parses a status callback. If its URL names the message, the message gets its SID. */
export function parseTwilioStatus(form: URLSearchParams, messageId: string | null): WebhookContent {
  const of = (name: string): string => stripInvalidText(form.get(name) ?? '');
  const externalId = of('MessageSid') || of('SmsSid');
  const change = twilioChange(of('MessageStatus') || of('SmsStatus'), of('ErrorCode'));
  // A status before `sent` holds only the SID.
  const receipt = checkContent(receiptBody, { status: 'sent', ...change, externalId });
  return {
    inbound: [],
    receipts: change ? [receipt] : [],
    names:
      messageId !== null && isId(messageId)
        ? [{ messageId, externalId, fromAddress: of('From') }]
        : [],
  };
}
