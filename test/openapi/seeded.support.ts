import { exampleId } from '#core/schema/example.ts';
import { signatureOf, setUpChannel } from '../conversations/inbound/callbacks.support.ts';
import { PNG } from '../files/files.support.ts';
import { setUpInvoices } from '../invoices/invoices.support.ts';
import { applyTo, secretOf, signed } from '../workflows/workflows.support.ts';
import { always } from '../support/calendars.ts';
import { apply } from '../support/manifest.ts';
import { expect, type TestService } from '../support/service.ts';
import { waitFor } from '../booking/waiting/waiting.support.ts';
import { solved, submitted } from '../forms/forms.support.ts';

/** The examples name the first of December 2026, which must be ahead. */
export const NOW = Date.parse('2026-11-30T08:00:00Z');

/** A sub-account with a record for every id that an example names. */
export interface Seeded {
  /** Returns the text with the ids of these records in place of the examples'. */
  own(text: string): string;
  /** Returns the text with the examples' ids in place of those of these records. */
  documented(text: string): string;
  /** Returns the signature of a call without a key. */
  signature(operationId: string, raw: string): Record<string, string>;
}

/** The invoicing system's secret in test/invoices. */
const INVOICING = 'invoicing-secret-ü';

/** The token that the examples send; to solve a challenge for it takes half a second. */
const CAPTCHA_TOKEN = 'eyJjaGFsbGVuZ2UiOnt9fQ==';

/** Creates the records for a request with this body. */
export async function seed(service: TestService, body?: object): Promise<Seeded> {
  const { subAccountId, call, clock } = service;
  clock.advance(NOW - clock().getTime());
  const post = async (path: string, body: object): Promise<any> => {
    const answer = await call(`POST /api/v1/${path}`, { body });
    expect([path, answer.status, answer.body]).toEqual([path, expect.any(Number), answer.body]);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  const slug = `order-paid-${subAccountId.slice(-12)}`;
  const { ids } = await apply(service, manifestOf());
  await applyTo(service, subAccountId, {
    workflows: [
      {
        slug,
        name: 'Paid orders',
        triggers: [{ on: 'inbound_webhook' }],
        steps: [{ end: true }],
      },
    ],
  });
  const workflowSecret = await secretOf(service, subAccountId, slug);
  await setUpChannel(service, 'sms', { provider: 'http', secrets: { secret: 'bridge-secret-ü' } });
  await setUpInvoices(service, INVOICING);
  const typeId = ids['appointmentTypes']?.['checkup-30'] ?? '';
  const pipelineId = ids['pipelines']?.['sales'] ?? '';
  const assignedTo = ids['team']?.['anna'] ?? '';
  const grace = {
    firstName: 'Grace',
    lastName: 'Hopper',
    tags: ['client'],
    customFields: { insurance: 'private' },
  };
  const contact = await post('contacts', {
    ...grace,
    email: 'grace@example.com',
    phone: '+4930999888',
  });
  const other = await post('contacts', { firstName: 'Mary', lastName: 'Shelley' });
  const conversation = await post('conversations', { contactId: contact.id, channel: 'sms' });
  const message = await post(`conversations/${conversation.id}/messages`, {
    channel: 'sms',
    bodyText: 'Hello',
  });
  await service.database.rows(
    `update messages set external_id = 'SM4f1d2c', status = 'sent' where id = $1`,
    [message.id],
  );
  // Estimates are shown in a current conversation only.
  await service.database.rows(
    `insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text,
       status, created_at)
     values ($1, gen_random_uuid(), $2, 'sms', 'inbound', 'Hello', 'delivered', $3)`,
    [subAccountId, conversation.id, clock()],
  );
  const startTime = NOW + 30 * 3_600_000;
  const appointment = await post('calendars/appointments', {
    appointmentTypeId: typeId,
    startTime,
    endTime: startTime + 1_800_000,
    firstName: 'Grace',
    lastName: 'Hopper',
    email: 'grace@example.com',
  });
  const opportunity = await post('opportunities', {
    name: 'Implant',
    value: 1200,
    pipelineId,
    contactId: contact.id,
  });
  const task = await post('tasks', { title: 'Call back' });
  const campaign = await post('campaigns', {
    name: 'Spring',
    subject: 'Spring',
    contentHtml: '<p>Spring</p>',
    layout: 'Newsletter',
  });
  const webhook = await post('webhooks', {
    url: 'https://93.184.215.14/hooks',
    events: ['contact.created'],
  });
  const delivery = await post(`webhooks/${webhook.id}/test`, {});
  const visitor = await call('POST /api/chat/session', {
    key: null,
    body: { subAccountId, visitorName: 'Grace Hopper' },
  });
  const file = await call('POST /api/v1/files?name=x-ray.png', { raw: PNG });
  const formId = ids['forms']?.['contact'] ?? '';
  const submission = await submitted(service, formId, { email: 'grace@example.com' });
  const waiting = await waitFor(service, { appointmentTypeId: typeId, contactId: contact.id });
  const records: readonly (readonly [string, string])[] = [
    ['contactId', contact.id],
    ['otherContactId', other.id],
    ['conversationId', conversation.id],
    ['appointmentId', appointment.id],
    ['appointmentTypeId', typeId],
    ['calendarId', ids['calendars']?.['checkup'] ?? ''],
    ['opportunityId', opportunity.id],
    ['dealId', opportunity.id],
    ['pipelineId', pipelineId],
    ['stageId', ids['stages']?.['sales/offer'] ?? ''],
    ['taskId', task.id],
    ['campaignId', campaign.id],
    ['listId', ids['lists']?.['clients'] ?? ''],
    ['webhookId', webhook.id],
    ['deliveryId', delivery.id],
    ['assignedTo', assignedTo],
    ['subAccountId', subAccountId],
    ['formId', formId],
    ['fileId', file.body.data.id],
    ['submissionId', submission.submissionId],
    ['waitingId', waiting],
  ];
  const values = new Map<string, string>([
    ...records.map(([name, id]) => [exampleId(name), id] as const),
    ['kT3vQ9xW2mZ7bN4cR8pL1sD6fH0jY5gA', visitor.body.data.sessionId],
    ['order-paid', slug],
  ]);
  if (JSON.stringify(body)?.includes(CAPTCHA_TOKEN)) {
    values.set(CAPTCHA_TOKEN, await solved(service, formId));
  }
  return {
    own: (text) =>
      [...values].reduce((found, [example, value]) => found.replaceAll(example, value), text),
    documented: (text) =>
      [...values].reduce((found, [example, value]) => found.replaceAll(value, example), text),
    signature: (operationId, raw): Record<string, string> => {
      if (operationId.startsWith('workflows.')) {
        return { 'x-webhook-signature': signed(workflowSecret, raw) };
      }
      const secret = operationId.startsWith('invoices.') ? INVOICING : undefined;
      return { 'x-signature': signatureOf(raw, secret) };
    },
  };
}

const manifestOf = (): object => ({
  customFields: [
    { name: 'insurance', label: 'Insurance', type: 'select', options: ['public', 'private'] },
  ],
  team: [{ key: 'anna', name: 'Anna Weber' }],
  calendars: [
    {
      key: 'checkup',
      name: 'Check-ups',
      type: 'personal',
      timezone: 'UTC',
      members: ['anna'],
      hours: always('09:00-17:00'),
      types: [{ key: 'checkup-30', name: 'Check-up', slug: 'check-up', duration: 30 }],
    },
  ],
  pipelines: [
    {
      key: 'sales',
      name: 'Sales',
      stages: [
        { key: 'new', name: 'New', probability: 10 },
        { key: 'offer', name: 'Offer', probability: 50 },
      ],
    },
  ],
  lists: [{ key: 'clients', name: 'Clients', filter: { tags: ['client'] } }],
  templates: [
    {
      key: 'newsletter',
      name: 'Newsletter',
      html: '<h1>Harbour</h1>{{content}}',
      defaultList: 'clients',
    },
  ],
  forms: [
    {
      key: 'contact',
      name: 'Contact us',
      message: 'Thank you',
      fields: [
        { name: 'email', label: 'Email', type: 'email', required: true, mapsTo: 'email' },
        { name: 'note', label: 'Note', type: 'text' },
        { name: 'photo', label: 'Photo', type: 'file' },
      ],
    },
  ],
  chat: {},
});
