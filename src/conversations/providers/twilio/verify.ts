import { validateRequest } from 'twilio/lib/webhooks/webhooks.js';
import { Fault, notFound } from '#core/fault.ts';
import { parseForm } from '#platform/http/body/parse-form.ts';
import { wrongSignature, type VerifyWebhook } from '../webhook.ts';
import { parseTwilioMessage, parseTwilioStatus } from './parse.ts';

/** Far more than Twilio sends: a form must be parsed before its signature can be checked. */
const FORM_MAX_BYTES = 128 * 1024;
const SIGNATURE = /^[A-Za-z\d+/]{27}=$/;

/** Twilio signs the form together with the called URL. */
export const verifyTwilio: VerifyWebhook = async (call, { secrets: { authToken } }) => {
  if (authToken === undefined) {
    throw notFound('channel');
  }
  const signature = call.header('x-twilio-signature') ?? '';
  if (!SIGNATURE.test(signature)) {
    throw wrongSignature('X-Twilio-Signature must be an HMAC-SHA1 in base64');
  }
  const form = parseForm(await call.bytes(FORM_MAX_BYTES));
  if (!isByTwilio(authToken, signature, call.url, form)) {
    throw wrongSignature(
      'X-Twilio-Signature does not match this form and URL: check authToken and FRONTDESK_BASE_URL',
    );
  }
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(call.header('content-type') ?? '')) {
    const message = 'the body must be application/x-www-form-urlencoded';
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', message);
  }
  return call.kind === 'inbound'
    ? parseTwilioMessage(form)
    : parseTwilioStatus(form, new URL(call.url).searchParams.get('messageId'));
};

function isByTwilio(
  authToken: string,
  signature: string,
  url: string,
  form: URLSearchParams,
): boolean {
  // `getAll` walks the whole form for each name.
  const fields = Map.groupBy(form, ([name]) => name);
  const params = Object.fromEntries(
    Array.from(fields, ([name, pairs]) => [name, valueOf(pairs.map(([, value]) => value))]),
  );
  return URL.canParse(url) && validateRequest(authToken, signature, url, params);
}

const valueOf = (values: string[]): string | string[] =>
  values.length === 1 ? (values[0] ?? '') : values;
