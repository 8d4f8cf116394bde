import { createClient, type Contact } from '../../sdk/src/main.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { clientOf } from './sdk.support.ts';

const nameOf = ({ firstName }: { readonly firstName: string }) => firstName;

/** Newest first, like lists. */
async function createContacts(service: TestService, count: number): Promise<string[]> {
  const { contacts } = clientOf(service);
  const names = Array.from({ length: count }, (_, n) => `Guest ${n}`);
  for (const firstName of names) {
    await contacts.create({ firstName, lastName: 'L', tags: ['guest'] });
  }
  return names.toReversed();
}

describe('a list', () => {
  test('is iterated during changes without repeats and gaps', async ({ service }) => {
    const { contacts } = clientOf(service);
    const names = await createContacts(service, 12);
    const seen: Contact[] = [];
    for await (const contact of contacts.iterate({ tags: 'guest', limit: 3 })) {
      seen.push(contact);
      if (seen.length % 3 === 1) {
        await contacts.create({ firstName: 'Late', lastName: 'L', tags: ['guest'] });
        await contacts.delete(contact.id);
      }
    }
    expect(seen.map(nameOf)).toEqual(names);
  });

  test('is iterated by page, and continued from a cursor', async ({ service }) => {
    const { contacts } = clientOf(service);
    const names = await createContacts(service, 7);
    const sizes: number[] = [];
    for await (const { data, meta } of contacts.iterate({ limit: 2 }).pages()) {
      sizes.push(data.length);
      expect(meta.total).toBe(7);
      expect(meta.hasMore).toBe(meta.cursor !== null);
    }
    expect(sizes).toEqual([2, 2, 2, 1]);
    const { meta } = await contacts.list({ limit: 5 });
    const rest: string[] = [];
    for await (const contact of contacts.iterate({ cursor: meta.cursor ?? undefined })) {
      rest.push(contact.firstName);
    }
    expect(rest).toEqual(names.slice(5));
  });

  test('requests only the pages that are read', async ({ service }) => {
    await createContacts(service, 5);
    const asked: string[] = [];
    const { url, keys } = service;
    const { contacts } = createClient({
      baseUrl: url,
      apiKey: keys.full,
      fetch: (input, init) => {
        const request = new Request(input, init);
        asked.push(new URL(request.url).search);
        return fetch(request);
      },
    });
    for await (const _ of contacts.iterate({ limit: 2 })) {
      break;
    }
    expect(asked).toEqual(['?limit=2']);
    for await (const _ of contacts.iterate()) {
      break;
    }
    expect(asked).toEqual(['?limit=2', '?limit=100']);
  });

  test('of a record is iterated, too', async ({ service }) => {
    const { contacts, conversations } = clientOf(service);
    const { id: contactId } = await contacts.create({ firstName: 'Ada', lastName: 'L' });
    const channel = 'email';
    const { id } = await conversations.create({ contactId, channel });
    const texts = ['one', 'two', 'three', 'four', 'five'];
    for (const bodyText of texts) {
      await conversations.send(id, { bodyText, channel, isInternal: true });
    }
    const read: (string | null)[] = [];
    for await (const message of conversations.iterateMessages(id, { limit: 2 })) {
      read.push(message.bodyText);
    }
    expect(read).toEqual(texts.toReversed());
  });
});

describe('the feed of events', () => {
  test('ends when caught up, and continues after its cursor', async ({ service }) => {
    const { contacts, events } = clientOf(service);
    const names = (await createContacts(service, 5)).toReversed();
    const seen: (string | null)[] = [];
    let after: string | undefined;
    for await (const { data, meta } of events.iterate({ start: 'oldest', limit: 2 }).pages()) {
      for (const event of data) {
        seen.push(event.event === 'contact.created' ? event.data.firstName : null);
      }
      after = meta.cursor;
    }
    expect(seen).toEqual(names);
    const { id } = await contacts.create({ firstName: 'Late', lastName: 'L' });
    const late: unknown[] = [];
    for await (const event of events.iterate({ after })) {
      late.push([event.event, event.data.contactId]);
    }
    expect(late).toEqual([['contact.created', id]]);
  });
});

test('a list without a limit is read from servers that know no pages of it', async () => {
  const types = [{ id: 'a' }, { id: 'b' }];
  const { calendars } = createClient({
    baseUrl: 'http://localhost',
    apiKey: 'k',
    fetch: async () => Response.json({ data: types }),
  });
  expect(await calendars.types()).toEqual(types);
});
