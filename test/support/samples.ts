import type { Endpoint } from '#kit/endpoint.ts';
import type { TestService } from './service.ts';

/** How tests come by a record that a path names, and how it goes again. */
interface Noun {
  make(service: TestService, key?: string): Promise<string>;
  remove(service: TestService, id: string): Promise<unknown>;
}

/** By what stands before the first id of a path. A new noun needs a line here. */
const NOUNS: Readonly<Record<string, Noun>> = {
  '/api/v1/contacts': {
    async make({ call }, key = 'full') {
      const body = { firstName: 'Ada', lastName: 'Lovelace' };
      return (await call('POST /api/v1/contacts', { key, body })).body.data.id as string;
    },
    remove: ({ call }, id) => call(`DELETE /api/v1/contacts/${id}`),
  },
};

/** A body that each endpoint takes; a new endpoint with a body needs a line here. */
const BODIES: Readonly<Record<string, (service: TestService) => unknown>> = {
  'contacts.create': () => ({ firstName: 'Grace', lastName: 'Hopper', tags: ['navy'] }),
  'contacts.update': () => ({ company: 'Analytical Engines' }),
  'contacts.bot-update': () => ({ operation: 'add_tag', value: 'vip' }),
  'contacts.merge': async (service) => ({
    contactId: await nounOf('/api/v1/contacts').make(service),
  }),
};

export const hasId = ({ path }: Endpoint): boolean => path.includes('/:id');

function nounOf(prefix: string): Noun {
  const noun = NOUNS[prefix];
  if (!noun) {
    throw new Error(`no sample record under ${prefix}`);
  }
  return noun;
}

export const nounAt = ({ path }: Endpoint): Noun => nounOf(path.slice(0, path.indexOf('/:id')));

export const lineOf = ({ method, path }: Endpoint, id = ''): string =>
  `${method} ${path.replace(':id', id)}`;

export async function bodyFor(endpoint: Endpoint, service: TestService): Promise<unknown> {
  const make = BODIES[endpoint.id];
  if (endpoint.body && !make) {
    throw new Error(`no sample body for ${endpoint.id}`);
  }
  return make?.(service);
}

/** A request that the endpoint answers with success. */
export async function successfulRequest(endpoint: Endpoint, service: TestService) {
  const id = hasId(endpoint) ? await nounAt(endpoint).make(service) : '';
  const body = await bodyFor(endpoint, service);
  const key = endpoint.access.kind === 'agency' ? 'agency' : 'full';
  return { line: lineOf(endpoint, id), id, options: { key, ...(body !== undefined && { body }) } };
}

/** Events and audit rows of the sub-account: what a refusal must leave alone. */
export async function traces({ database, subAccountId }: TestService): Promise<number> {
  const [row] = await database.rows<{ n: number }>(
    `select (select count(*) from outbox where sub_account_id = $1)
       + (select count(*) from audit_entries where sub_account_id = $1) as n`,
    [subAccountId],
  );
  return row?.n ?? 0;
}
