import { isAboutFile } from '#core/endpoint/file-body.ts';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Endpoint } from '#core/endpoint/endpoint.ts';
import { FAULTS } from '#core/fault.ts';
import { endpoints } from '#registry/endpoints.ts';
import { webhookEventNames } from '#registry/events.ts';
import { generate, GENERATED } from '../../sdk/generate.ts';
import packed from '../../sdk/package.json' with { type: 'json' };
import {
  createClient,
  createPublicClient,
  EVENT_NAMES,
  type AnyEvent,
  type ApiErrorCode,
  type Contact,
  type ContactsBotUpdateBody,
  type Conversation,
  type EventName,
  type Message,
  type Opportunity,
  type Task,
  type WebhookEvent,
} from '../../sdk/src/main.ts';
import root from '../../package.json' with { type: 'json' };
import type { BotUpdate, contactSchema } from '../../src/contacts/contact.schema.ts';
import type { conversationSchema } from '../../src/conversations/threads/conversation.schema.ts';
import type { messageSchema } from '../../src/conversations/messages/message.schema.ts';
import type { opportunitySchema } from '../../src/opportunities/opportunity.schema.ts';
import type { taskSchema } from '../../src/tasks/task.schema.ts';

test('what is generated is what the declarations give, byte for byte', async () => {
  const files = await generate();
  expect((await readdir(GENERATED)).toSorted()).toEqual([...files.keys()].toSorted());
  for (const [name, text] of files) {
    const kept = await readFile(join(GENERATED, name), 'utf8');
    expect(kept === text, `${name} is not: run node sdk/generate.ts`).toBe(true);
  }
});

test('the package has the version of the product, whose API it speaks', () => {
  expect(packed.version).toBe(root.version);
  expect(packed.license).toBe(root.license);
  expect(packed).not.toHaveProperty('dependencies');
});

/** `contacts.bot-update` as `contacts.botUpdate`. */
const methodName = (id: string) =>
  id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const methodsOf = (client: object): string[] =>
  Object.entries(client).flatMap(([tag, methods]) =>
    typeof methods === 'function' ? [] : Object.keys(methods).map((name) => `${tag}.${name}`),
  );
const idsOf = (...kinds: readonly Endpoint['kind'][]) =>
  endpoints
    .filter((endpoint) => kinds.includes(endpoint.kind) && !isAboutFile(endpoint))
    .map(({ id }) => methodName(id));

describe('a client', () => {
  const baseUrl = 'http://localhost';
  const client = createClient({ baseUrl, apiKey: 'k' });

  test('has a method for each endpoint, and iterates over each list by the page', () => {
    const iterators = endpoints.flatMap((endpoint) => {
      const { id } = endpoint;
      const paged = endpoint.kind === 'keyed' && endpoint.paged && endpoint.paged !== 'size';
      const [tag = '', verb = ''] = methodName(id).split('.');
      const name = verb === 'list' ? '' : verb.charAt(0).toUpperCase() + verb.slice(1);
      return paged ? [`${tag}.iterate${name}`] : [];
    });
    expect(iterators).toHaveLength(11);
    const wanted = [...idsOf('keyed', 'public'), ...iterators];
    expect(wanted.length).toBeGreaterThan(60);
    expect(methodsOf(client).toSorted()).toEqual(wanted.toSorted());
  });

  test('of visitors has what is public alone', () => {
    const visitor = createPublicClient({ baseUrl });
    expect(methodsOf(visitor).toSorted()).toEqual(idsOf('public').toSorted());
  });
});

// What these say is checked by tsc.
describe('types', () => {
  test('of records are those of the declarations', () => {
    expectTypeOf<Contact>().toEqualTypeOf<Static<typeof contactSchema>>();
    expectTypeOf<Conversation>().toEqualTypeOf<Static<typeof conversationSchema>>();
    expectTypeOf<Message>().toEqualTypeOf<Static<typeof messageSchema>>();
    expectTypeOf<Opportunity>().toEqualTypeOf<Static<typeof opportunitySchema>>();
    expectTypeOf<Task>().toEqualTypeOf<Static<typeof taskSchema>>();
    expectTypeOf<BotUpdate>().toExtend<ContactsBotUpdateBody>();
  });

  test('of codes and events are all that there are', () => {
    expectTypeOf<ApiErrorCode>().toEqualTypeOf<keyof typeof FAULTS>();
    expectTypeOf<(typeof EVENT_NAMES)[number]>().toEqualTypeOf<EventName>();
    expect(EVENT_NAMES).toEqual(webhookEventNames);
    expectTypeOf<WebhookEvent>().toExtend<AnyEvent>();
    expectTypeOf<WebhookEvent['event']>().toEqualTypeOf<EventName | 'webhook.test'>();
    expectTypeOf<WebhookEvent<'opportunity.created'>['data']['value']>().toEqualTypeOf<
      number | null
    >();
  });

  test('refuse what the API would refuse', () => {
    type Frontdesk = ReturnType<typeof createClient>;
    const wrongly = ({ contacts, opportunities, booking }: Frontdesk) => [
      // @ts-expect-error lastName is required
      contacts.create({ firstName: 'Ada' }),
      // @ts-expect-error no such member
      contacts.create({ firstName: 'Ada', lastName: 'L', nickname: 'A' }),
      // @ts-expect-error no such stage of life
      contacts.list({ lifecycleStage: 'friend' }),
      // @ts-expect-error a name is never null
      contacts.update('id', { firstName: null }),
      // @ts-expect-error the status has a call of its own
      opportunities.update('id', { status: 'won' }),
      // @ts-expect-error must be true
      booking.cancel({ contactId: 'id', appointmentId: 'id', confirm: false }),
    ];
    expect(wrongly).toBeInstanceOf(Function);
  });
});
