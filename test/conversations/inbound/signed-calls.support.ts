import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { paid, setUpInvoices } from '../../invoices/invoices.support.ts';
import type { CallOptions, TestService } from '../../support/service.ts';
import { setUpBridge, signatureOf, words } from './callbacks.support.ts';
import {
  aboutPage,
  direct,
  metaRequest,
  setUpMeta,
  setUpTwilio,
  sms,
  twilioRequest,
  VERIFY_TOKEN,
} from '../providers/providers.support.ts';
import { applyTo, secretOf, signed, workflowOf } from '../../workflows/workflows.support.ts';

interface Signed {
  readonly channel: string;
  readonly query?: string;
  /** Sets the channel up and returns a signed call of its URL. */
  readonly sign: (service: TestService, url: string) => Promise<CallOptions>;
}

const byBridge = (body: () => object): Signed => ({
  channel: 'social_dm',
  async sign(service) {
    await setUpBridge(service, 'social_dm');
    const raw = JSON.stringify(body());
    return { key: null, raw, headers: { 'x-signature': signatureOf(raw) } };
  },
});

const byMail: Signed = {
  channel: 'email',
  async sign(service) {
    await setUpBridge(service, 'email', { provider: 'smtp' });
    const raw = 'From: ada@example.com\r\nMessage-ID: <1@example.com>\r\n\r\nHello';
    const type = 'message/rfc822';
    return { key: null, raw, headers: { 'content-type': type, 'x-signature': signatureOf(raw) } };
  },
};

const byTwilio = (form: () => Readonly<Record<string, string>>): Signed => ({
  channel: 'sms',
  async sign(service, url) {
    await setUpTwilio(service);
    return twilioRequest(url, form());
  },
});

const byMeta = (event: () => object): Signed => ({
  channel: 'messenger',
  async sign(service) {
    await setUpMeta(service);
    return metaRequest(aboutPage(event()));
  },
});

const byChallenge: Signed = {
  channel: 'messenger',
  query: `hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=${VERIFY_TOKEN}`,
  async sign(service) {
    await setUpMeta(service);
    return { key: null };
  },
};

const byInvoicing: Signed = {
  channel: 'invoice',
  async sign(service) {
    await setUpInvoices(service);
    return paid();
  },
};

const bySystem = (body: object): Signed => ({
  channel: '',
  async sign(service) {
    const { subAccountId } = service;
    const slug = `flow-${subAccountId}`;
    await applyTo(service, subAccountId, workflowOf([{ end: true }], { slug }));
    const raw = JSON.stringify(body);
    const signature = signed(await secretOf(service, subAccountId, slug), raw);
    return { key: null, raw, headers: { 'x-webhook-signature': signature } };
  },
});

/** Valid calls of each signed endpoint; a new endpoint needs a line here. */
const SIGNED: Readonly<Record<string, Readonly<Record<string, Signed>>>> = {
  'callbacks.inbound': {
    http: byBridge(words),
    mail: byMail,
    twilio: byTwilio(sms),
    meta: byMeta(direct),
  },
  'callbacks.status': {
    http: byBridge(() => ({ externalId: 'OUT1', status: 'delivered' })),
    twilio: byTwilio(() => ({ MessageSid: 'SM0', MessageStatus: 'delivered' })),
    meta: byMeta(() => ({ sender: { id: 'psid-1' }, delivery: { mids: ['m_0'], watermark: 1 } })),
  },
  'invoices.paid': { http: byInvoicing },
  'workflows.trigger': { system: bySystem({ email: 'ada@example.com' }) },
  'workflows.event': { system: bySystem({ eventType: 'paid' }) },
  'callbacks.inbound.challenge': { meta: byChallenge },
  'callbacks.status.challenge': { meta: byChallenge },
};

export const callersOf = ({ id }: Endpoint): string[] => Object.keys(SIGNED[id] ?? {});

export async function signedRequest(
  endpoint: Endpoint,
  service: TestService,
  by: string | undefined = callersOf(endpoint)[0],
): Promise<{ readonly line: string; readonly options: CallOptions }> {
  const { id, method, path } = endpoint;
  const sample = SIGNED[id]?.[by ?? ''];
  if (!sample) {
    throw new Error(`no sample call for ${id}`);
  }
  const { channel, query, sign } = sample;
  const place = path
    .replace(':subAccountId', service.subAccountId)
    .replace(':slug', `flow-${service.subAccountId}`)
    .replace(':channel', channel);
  const options = await sign(service, service.url + place);
  return { line: `${method} ${place}${query === undefined ? '' : `?${query}`}`, options };
}

/** The same call without a signature. */
export const unsigned = ({ line, options }: { line: string; options: CallOptions }) => ({
  line: line.replace(VERIFY_TOKEN, 'guessed'),
  options: { ...options, headers: {} },
});
