import twilio from 'twilio';
import type { Answer, TestService } from '../../support/service.ts';
import { pathOf, setUpChannel, signatureOf } from '../inbound/callbacks.support.ts';

const AUTH_TOKEN = 'twilio-auth-token';
export const APP_SECRET = 'meta-app-secret';
export const VERIFY_TOKEN = 'meta-verify-token';
export const PAGE = '112233';
export const PHONE = '+4930123456';
export const OUR_PHONE = '+4930999999';

export const setUpTwilio = (service: TestService): Promise<void> =>
  setUpChannel(service, 'sms', {
    provider: 'twilio',
    settings: { accountSid: 'AC0123456789', from: OUR_PHONE },
    secrets: { authToken: AUTH_TOKEN },
  });

export const setUpMeta = (
  service: TestService,
  channel: 'messenger' | 'instagram' = 'messenger',
  settings: object = {},
): Promise<void> =>
  setUpChannel(service, channel, {
    provider: 'meta',
    settings: { pageId: PAGE, ...settings },
    secrets: { accessToken: 'token', appSecret: APP_SECRET, verifyToken: VERIFY_TOKEN },
  });

type Form = Readonly<Record<string, string>>;

/** Builds a form, signed as Twilio signs it. */
export function twilioRequest(url: string, form: Form, authToken = AUTH_TOKEN) {
  const signature = twilio.getExpectedTwilioSignature(authToken, url, form);
  const raw = new URLSearchParams(form).toString();
  const type = 'application/x-www-form-urlencoded';
  return {
    key: null,
    raw,
    headers: { 'content-type': type, 'x-twilio-signature': signature },
  };
}

/** Calls the channel as Twilio does. */
export function twilioCalls(
  service: TestService,
  kind: 'inbound' | 'status',
  form: Form,
  search = '',
): Promise<Answer> {
  const path = pathOf(service, 'sms', kind) + search;
  return service.call(`POST ${path}`, twilioRequest(service.url + path, form));
}

let count = 0;

/** An SMS as Twilio posts it; each has an id of its own. */
export const sms = (more: Form = {}): Form => ({
  ToCountry: 'DE',
  MessageSid: `SM${(count += 1)}`,
  AccountSid: 'AC0123456789',
  From: PHONE,
  To: OUR_PHONE,
  Body: 'Is Tuesday still free? Grüße',
  NumMedia: '0',
  ...more,
});

export function metaRequest(call: unknown, secret = APP_SECRET) {
  const raw = JSON.stringify(call);
  return { key: null, raw, headers: { 'x-hub-signature-256': signatureOf(raw, secret) } };
}

/** Calls the channel as Meta does, at either URL. */
export const metaCalls = (
  service: TestService,
  call: unknown,
  channel = 'messenger',
  kind: 'inbound' | 'status' = 'inbound',
): Promise<Answer> => service.call(`POST ${pathOf(service, channel, kind)}`, metaRequest(call));

/** A call of Meta about the page. */
export const aboutPage = (...messaging: object[]) => ({
  object: 'page',
  entry: [{ id: PAGE, time: Date.now(), messaging }],
});

/** A direct message to the page; each has an id of its own. */
export const direct = (message: object = {}, more: object = {}) => ({
  sender: { id: 'psid-1' },
  recipient: { id: PAGE },
  timestamp: Date.now(),
  message: { mid: `m_${(count += 1)}`, text: 'Is Tuesday still free?', ...message },
  ...more,
});

export const optOutsOf = ({ database, subAccountId }: TestService) =>
  database.rows('select channel, address, reason from opt_outs where sub_account_id = $1', [
    subAccountId,
  ]);
