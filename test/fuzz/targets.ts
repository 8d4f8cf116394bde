import { createHmac, randomUUID } from 'node:crypto';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { exampleOf } from '#core/schema/example.ts';
import { secretsOf } from '#platform/config/secrets.ts';
import { endpoints } from '#registry/endpoints.ts';
import { pages } from '#registry/pages.ts';
import { linksOf, PREVIEW, UNSUBSCRIBE } from '../../src/campaigns/compose/campaign-links.ts';
import type { Installation } from '../support/command-line.ts';
import type { Fields } from './malformed.ts';

/** Every route without an API key. */
export const TARGETS: readonly Endpoint[] = [...endpoints, ...pages].filter(
  ({ kind }) => kind !== 'keyed',
);

/** Ids and secrets for paths, queries, bodies and signatures. */
export interface TargetsRow {
  readonly values: Fields;
  pathOf(endpoint: Endpoint): string;
  signaturesOf(bytes: Buffer): Readonly<Record<string, string>>;
}

const BRIDGE_SECRET = 'a secret of the fuzz test';
const SLUG = 'new-lead';

const MANIFEST = {
  team: [{ key: 'anna', name: 'Anna', email: 'anna@example.com' }],
  calendars: [
    {
      key: 'checkup',
      name: 'Check-ups',
      type: 'personal',
      timezone: 'UTC',
      members: ['anna'],
      hours: { mon: ['09:00-17:00'], wed: ['09:00-17:00'], fri: ['09:00-17:00'] },
      slotInterval: 30,
      types: [{ key: 'checkup', name: 'Check-up', slug: 'check-up', duration: 30 }],
    },
  ],
  forms: [
    {
      key: 'contact',
      name: 'Contact us',
      fields: [
        { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
        { name: 'note', label: 'Note', type: 'text' },
      ],
    },
  ],
  chat: { enabled: true },
  channels: {
    social_dm: { provider: 'http', apiBaseUrl: 'https://127.0.0.1:1', secret: BRIDGE_SECRET },
    email: { provider: 'http', apiBaseUrl: 'https://127.0.0.1:1', secret: BRIDGE_SECRET },
  },
  invoices: { secret: BRIDGE_SECRET },
  workflows: [
    {
      slug: SLUG,
      name: 'Lead',
      active: true,
      triggers: [{ on: 'inbound_webhook' }],
      steps: [{ addTag: 'lead' }],
    },
  ],
};

/** Creates one record of each kind that a public route can reach. */
export async function setUp(
  installation: Installation,
  apply: (manifest: object) => Promise<any>,
): Promise<TargetsRow> {
  const { subAccountId, variables, url, call, admin } = installation;
  const { ids } = await apply(MANIFEST);
  const appointmentTypeId: string = ids.appointmentTypes.checkup;
  const formId: string = ids.forms.contact;
  const { secret } = (
    await admin(`secret regenerate workflow ${SLUG} --sub-account ${subAccountId}`)
  ).json;
  const visitor = {
    key: null,
    body: { subAccountId, visitorName: 'Ada', visitorEmail: 'ada@example.com' },
  };
  const { sessionId } = (await call('POST /api/chat/session', visitor)).body.data;
  const secrets = secretsOf(Buffer.from(variables['FRONTDESK_SECRET_KEY'] ?? '', 'base64'));
  const tokenOf = (kind: typeof PREVIEW) =>
    linksOf(kind, secrets, url)({ subAccountId, id: randomUUID() }).split('/').at(-1) ?? '';
  const manageToken = await bookedToken(installation, appointmentTypeId);
  const date = new Date().toISOString().slice(0, 10);
  const values = {
    subAccountId,
    appointmentTypeId,
    formId,
    sessionId,
    date,
    appointmentType: 'check-up',
  };
  return {
    values,
    pathOf({ path }) {
      const token = path.startsWith('/u/')
        ? tokenOf(UNSUBSCRIBE)
        : path.startsWith('/campaigns/')
          ? tokenOf(PREVIEW)
          : manageToken;
      const named = {
        subAccountId,
        formId,
        token,
        slug: SLUG,
        channel: 'social_dm',
        name: 'check-up',
        file: 'x.ics',
      };
      return path.replaceAll(/:(\w+)/g, (_, name: string) => Reflect.get(named, name) ?? name);
    },
    signaturesOf(bytes) {
      const hmac = (key: string) =>
        `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`;
      return { 'x-signature': hmac(BRIDGE_SECRET), 'x-webhook-signature': hmac(secret) };
    },
  };
}

/** Books an appointment and returns the token of its page. */
async function bookedToken(
  { subAccountId, call }: Installation,
  appointmentTypeId: string,
): Promise<string> {
  const from = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const to = new Date(Date.now() + 8 * 86_400_000).toISOString().slice(0, 10);
  const query = new URLSearchParams({ subAccountId, appointmentTypeId, date: from, endDate: to });
  const slots = (await call(`GET /api/booking/availability?${query.toString()}`, { key: null }))
    .body.data;
  const { startTime, endTime } = slots[0];
  const body = {
    subAccountId,
    appointmentTypeId,
    startTime,
    endTime,
    firstName: 'Ada',
    lastName: 'L',
    email: 'ada@example.com',
  };
  const booked = await call('POST /api/booking/appointments', { key: null, body });
  return new URL(booked.body.data.manageUrl).pathname.split('/').at(-1) ?? '';
}

/** A request that the endpoint's declaration accepts. */
export function acceptedBy(schema: Endpoint['body'], { values }: TargetsRow): Fields {
  const example = schema ? (exampleOf(schema) as Fields) : {};
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, values[name] ?? value]),
  );
}
