import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { takesFile } from '#core/endpoint/file-body.ts';
import { PNG, uploaded } from '../files/files.support.ts';
import { began, setUpChat } from '../chat/chat.support.ts';
import { FILE_FIELD, setUpForm, submissionOf } from '../forms/forms.support.ts';
import { CAMPAIGN, newCampaign } from '../campaigns/campaigns.support.ts';
import { waitingPlaceOf } from '../booking/waiting/waiting.support.ts';
import { bookingOf, bookNext, calendarOf, dayFromNow, nextSlot } from './calendars.ts';
import { removePipelines, salesOf } from './pipelines.ts';
import type { CallOptions, TestService } from './service.ts';

/** Creates and removes a record that a path names. */
interface Noun {
  make(service: TestService, key?: string): Promise<string>;
  remove(service: TestService, id: string): Promise<unknown>;
}

/** By the path before the first id. A new noun needs a line here. */
const NOUNS: Readonly<Record<string, Noun>> = {
  '/api/v1/contacts': {
    async make({ call }, key = 'full') {
      const body = { firstName: 'Ada', lastName: 'Lovelace' };
      return (await call('POST /api/v1/contacts', { key, body })).body.data.id as string;
    },
    remove: ({ call }, id) => call(`DELETE /api/v1/contacts/${id}`),
  },
  '/api/v1/calendars/appointments': {
    make: async (service, key = 'full') => (await bookNext(service, key)).id,
    // The API only cancels them.
    remove: ({ database }, id) => database.rows('delete from appointments where id = $1', [id]),
  },
  '/api/v1/calendars/waiting-list': {
    make: waitingPlaceOf,
    remove: ({ call }, id) => call(`DELETE /api/v1/calendars/waiting-list/${id}`),
  },
  '/api/v1/conversations': {
    async make(service, key = 'full') {
      const contactId = await nounOf('/api/v1/contacts').make(service, key);
      const body = { contactId, channel: 'email' };
      return (await service.call('POST /api/v1/conversations', { key, body })).body.data
        .id as string;
    },
    async remove({ call }, id) {
      const { contactId } = (await call(`GET /api/v1/conversations/${id}`)).body.data;
      return call(`DELETE /api/v1/contacts/${contactId}`);
    },
  },
  '/api/v1/files': {
    make: (service, key = 'full') => uploaded(service, { key }),
    // They are deleted with their message.
    remove: ({ database }, id) => database.rows('delete from files where id = $1', [id]),
  },
  '/api/v1/opportunities': {
    async make(service, key = 'full') {
      const { pipelineId } = await salesOf(service, key);
      const contactId = await nounOf('/api/v1/contacts').make(service, key);
      const body = { name: 'Implant, Lovelace', pipelineId, contactId };
      return (await service.call('POST /api/v1/opportunities', { key, body })).body.data.id;
    },
    remove: ({ call }, id) => call(`DELETE /api/v1/opportunities/${id}`),
  },
  '/api/v1/pipelines': {
    make: async (service, key = 'full') => (await salesOf(service, key)).pipelineId,
    remove: removePipelines,
  },
  '/api/v1/tasks': {
    async make({ call }, key = 'full') {
      const { body } = await call('POST /api/v1/tasks', { key, body: { title: 'Call Ada back' } });
      return body.data.id as string;
    },
    remove: ({ call }, id) => call(`DELETE /api/v1/tasks/${id}`),
  },
  '/api/v1/forms/submissions': {
    make: submissionOf,
    // They are erased with their contact.
    remove: ({ database }, id) => database.rows('delete from form_submissions where id = $1', [id]),
  },
  '/api/v1/campaigns': {
    make: newCampaign,
    // The API cannot delete them.
    async remove({ database }, id) {
      await database.rows('delete from campaign_recipients where campaign_id = $1', [id]);
      await database.rows('delete from campaigns where id = $1', [id]);
    },
  },
  '/api/v1/webhooks': {
    async make({ call }, key = 'full') {
      const { body } = await call('POST /api/v1/webhooks', { key, body: SUBSCRIPTION });
      const id = body.data.id as string;
      const test = await call(`POST /api/v1/webhooks/${id}/test`, { key });
      deliveries.set(id, test.body.data.id as string);
      return id;
    },
    remove: ({ call }, id) => call(`DELETE /api/v1/webhooks/${id}`),
  },
};

/** An address that is never resolved. */
export const SUBSCRIPTION = { url: 'https://93.184.215.14/hooks', events: ['contact.created'] };

/** A delivery of each subscription, for paths that name both. */
const deliveries = new Map<string, string>();

/** Required query parameters by endpoint. */
const QUERIES: Readonly<Record<string, (service: TestService) => Promise<object>>> = {
  'calendars.availability': async (service) => ({
    appointmentTypeId: (await calendarOf(service)).typeId,
    date: dayFromNow(service, 1),
  }),
  'booking.estimates': async (service) => ({ contactId: await contactInConversation(service) }),
  'chat.config': async ({ subAccountId }) => ({ subAccountId }),
  'public-booking.config': async ({ subAccountId }) => ({ subAccountId }),
  'public-booking.availability': async (service) => ({
    subAccountId: service.subAccountId,
    appointmentTypeId: (await calendarOf(service)).typeId,
    date: dayFromNow(service, 1),
  }),
  'files.create': async () => ({ name: 'x-ray.png' }),
  'chat.file': async (service) => ({ sessionId: await chatOf(service), name: 'x-ray.png' }),
  'forms.file': async (service) => ({
    formId: await setUpForm(service, { fields: [FILE_FIELD] }),
    field: FILE_FIELD.name,
    name: 'x-ray.png',
  }),
  'chat.messages': async (service) => ({ sessionId: await chatOf(service) }),
  'chat.stream': async (service) => ({ sessionId: await chatOf(service) }),
  'forms.config': async (service) => ({ formId: await setUpForm(service) }),
  'forms.captcha': async (service) => ({ formId: await setUpForm(service) }),
};

/** Creates a contact with a recent message. */
async function contactInConversation(service: TestService): Promise<string> {
  const conversationId = await nounOf('/api/v1/conversations').make(service);
  await service.database.rows(
    `insert into messages (sub_account_id, id, conversation_id, channel, direction, status, created_at)
     select sub_account_id, gen_random_uuid(), id, channel, 'inbound', 'delivered', $2
     from conversations where id = $1`,
    [conversationId, service.clock()],
  );
  return (await service.call(`GET /api/v1/conversations/${conversationId}`)).body.data.contactId;
}

async function chatOf(service: TestService): Promise<string> {
  await setUpChat(service);
  return began(service);
}

/** Returns a valid query of the endpoint. */
export async function queryFor(endpoint: Endpoint, service: TestService, without = '') {
  const query = { ...(await QUERIES[endpoint.id]?.(service)) } as Record<string, string>;
  delete query[without];
  const text = new URLSearchParams(query).toString();
  return text && `?${text}`;
}

/** A valid body of each endpoint; a new endpoint with a body needs a line here. */
const BODIES: Readonly<Record<string, (service: TestService) => unknown>> = {
  'appointments.create': async (service) => {
    const { typeId } = await calendarOf(service);
    return bookingOf(typeId, (await nextSlot(service, typeId)).startTime);
  },
  'appointments.update': () => ({ status: 'confirmed' }),
  'appointments.reschedule': async (service) => {
    const { startTime, endTime } = await nextSlot(service, (await calendarOf(service)).typeId);
    return { startTime, endTime };
  },
  'public-booking.create': async (service) => {
    const { typeId } = await calendarOf(service);
    const { startTime } = await nextSlot(service, typeId);
    return { subAccountId: service.subAccountId, ...bookingOf(typeId, startTime) };
  },
  'booking.history': async (service) => ({ contactId: (await bookNext(service)).contactId }),
  'booking.actionable': async (service) => ({ contactId: (await bookNext(service)).contactId }),
  'booking.cancel': async (service) => {
    const { id: appointmentId, contactId } = await bookNext(service);
    return { contactId, appointmentId, confirm: true };
  },
  'booking.reschedule': async (service) => {
    const { id: appointmentId, contactId, appointmentTypeId } = await bookNext(service);
    const { startTime, endTime } = await nextSlot(service, appointmentTypeId);
    return { contactId, appointmentId, newStartTime: startTime, newEndTime: endTime };
  },
  'contacts.create': () => ({ firstName: 'Grace', lastName: 'Hopper', tags: ['navy'] }),
  'contacts.upsert': () => ({
    firstName: 'Grace',
    lastName: 'Hopper',
    email: `${crypto.randomUUID()}@example.com`,
  }),
  'contacts.update': () => ({ company: 'Analytical Engines' }),
  'contacts.bot-update': () => ({ operation: 'add_tag', value: 'vip' }),
  'contacts.merge': async (service) => ({
    contactId: await nounOf('/api/v1/contacts').make(service),
  }),
  'conversations.create': async (service) => ({
    contactId: await nounOf('/api/v1/contacts').make(service),
    channel: 'sms',
  }),
  'conversations.send': () => ({ channel: 'email', bodyText: 'Called back', isInternal: true }),
  'conversations.update': () => ({ status: 'snoozed' }),
  'opportunities.create': async (service) => ({
    name: 'Crown, Hopper',
    value: 1_200,
    pipelineId: (await salesOf(service)).pipelineId,
    contactId: await nounOf('/api/v1/contacts').make(service),
  }),
  'opportunities.update': () => ({ value: 900 }),
  'opportunities.move': async (service) => ({ stageId: (await salesOf(service)).stages.won }),
  'opportunities.set-status': () => ({ status: 'lost', lostReason: 'too expensive' }),
  'tasks.create': async (service) => ({
    title: 'Send the quote',
    dueDate: 1_796_137_200_000,
    contactId: await nounOf('/api/v1/contacts').make(service),
  }),
  'tasks.update': () => ({ priority: 'high' }),
  'chat.session': async (service) => {
    await setUpChat(service);
    return { subAccountId: service.subAccountId, visitorName: 'Grace Hopper' };
  },
  'chat.message': async (service) => ({ sessionId: await chatOf(service), message: 'Hello' }),
  'chat.typing': async (service) => ({ sessionId: await chatOf(service), isTyping: true }),
  async 'chat.seen'(service) {
    const sessionId = await chatOf(service);
    const chats = await service.call('GET /api/v1/conversations?channel=live_chat&limit=1');
    const path = `/api/v1/conversations/${chats.body.data[0].id}/messages`;
    const body = { channel: 'live_chat', bodyText: 'Hello' };
    const reply = await service.call(`POST ${path}`, { body });
    return { sessionId, messageId: reply.body.data.id };
  },
  'forms.submit': async (service) => ({
    formId: await setUpForm(service),
    fields: { email: 'grace@example.com', note: 'Please call' },
  }),
  'campaigns.create': async (service) => {
    await newCampaign(service);
    return CAMPAIGN;
  },
  'campaigns.schedule': ({ clock }) => ({ scheduledAt: clock().getTime() + 3_600_000 }),
  'webhooks.create': () => SUBSCRIPTION,
  'webhooks.update': () => ({ description: 'to the ledger' }),
  'webhooks.regenerate-secret': () => ({ gracePeriodSeconds: 60 }),
};

export const hasId = ({ path }: Endpoint): boolean => path.includes('/:id');

export function nounOf(prefix: string): Noun {
  const noun = NOUNS[prefix];
  if (!noun) {
    throw new Error(`no sample record under ${prefix}`);
  }
  return noun;
}

export const nounAt = ({ path }: Endpoint): Noun => nounOf(path.slice(0, path.indexOf('/:id')));

export const lineOf = ({ method, path }: Endpoint, id = ''): string =>
  `${method} ${path.replace(':id', id).replace(':deliveryId', deliveries.get(id.toLowerCase()) ?? UNKNOWN)}`;

const UNKNOWN = crypto.randomUUID();

export async function bodyFor(endpoint: Endpoint, service: TestService): Promise<unknown> {
  if (takesFile(endpoint)) {
    return undefined;
  }
  const make = BODIES[endpoint.id];
  if (endpoint.body && !make) {
    throw new Error(`no sample body for ${endpoint.id}`);
  }
  return make?.(service);
}

/** The key that the endpoint needs. */
export const keyOf = (endpoint: Endpoint): 'agency' | 'full' =>
  endpoint.kind === 'keyed' && endpoint.access.kind === 'agency' ? 'agency' : 'full';

/** A request that the endpoint answers with success. */
export async function successfulRequest(endpoint: Endpoint, service: TestService) {
  const id = hasId(endpoint) ? await nounAt(endpoint).make(service) : '';
  const body = await bodyFor(endpoint, service);
  const key = keyOf(endpoint);
  const line = lineOf(endpoint, id) + (await queryFor(endpoint, service));
  const content = takesFile(endpoint) ? { raw: PNG } : body !== undefined && { body };
  const options: CallOptions = { key, ...content };
  return { line, id, options };
}

/** Returns the number of events and audit rows, which a refusal must not change. */
export async function traces({ database, subAccountId }: TestService): Promise<number> {
  const [row] = await database.rows<{ n: number }>(
    `select (select count(*) from outbox where sub_account_id = $1)
       + (select count(*) from events where sub_account_id = $1)
       + (select count(*) from audit_entries where sub_account_id = $1) as n`,
    [subAccountId],
  );
  return row?.n ?? 0;
}
