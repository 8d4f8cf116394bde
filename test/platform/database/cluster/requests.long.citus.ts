import { Client } from 'pg';
import { vi } from 'vitest';
import { consoleRoutes } from '#registry/console.ts';
import { endpoints } from '#registry/endpoints.ts';
import { callersOf, signedRequest } from '../../../conversations/inbound/signed-calls.support.ts';
import { routeRequest } from '../../../support/console-samples.ts';
import { signInAs } from '../../../support/people.ts';
import { successfulRequest } from '../../../support/samples.ts';
import { describe, expect, test, type TestService } from '../../../support/service.ts';

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements that name no sub-account, so that all nodes are asked. */
const UNNAMED: readonly RegExp[] = [
  // The public address of a form names the form only, that of a workflow its slug.
  /^select a\.id\s+from sub_accounts a join forms r .* r\.id = \$1$/s,
  /^select w\.sub_account_id .* where w\.slug = \$1 /s,
  // What a user may do in all sub-accounts.
  /^select g\.id, .* from oauth_grants g join users u .* where g\.user_id = \$1 /s,
  /^select count\(\*\) as "count" from "memberships" /,
];

/** Records the statements that the server sends while `act` runs. */
async function statementsOf(act: () => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = [];
  const { query } = Client.prototype;
  const spy = vi.spyOn(Client.prototype, 'query').mockImplementation(function record(
    this: Client,
    ...given: any[]
  ) {
    const [first, second] = given;
    const text: string = typeof first === 'string' ? first : first.text;
    sent.push({ text, values: (Array.isArray(second) ? second : first.values) ?? [] });
    return Reflect.apply(query, this, given);
  } as never);
  try {
    await act();
  } finally {
    spy.mockRestore();
  }
  return sent.filter(({ text }) => IS_PLANNED.test(text));
}

const IS_PLANNED = /^\s*(?:select|with|insert|update|delete)\b/i;

interface Planned {
  readonly text: string;
  /** For each part of the plan, the number of shards that it is sent to; or why there is no plan. */
  readonly tasks: readonly string[];
}

/** Returns the statements of a request with their plans. */
async function plansOf(service: TestService, act: () => Promise<unknown>): Promise<Planned[]> {
  const statements = await statementsOf(act);
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  const planned: Planned[] = [];
  for (const { text, values } of statements) {
    const tasks = await tasksOf(client, { text, values }).catch(async (error: Error) => {
      // Citus cannot explain every insert of selected rows that has parameters.
      const selecting = INSERT_OF_SELECTED.exec(text)?.[1];
      return selecting ? tasksOf(client, { text: selecting, values }) : [error.message];
    });
    planned.push({ text, tasks });
  }
  await client.end();
  return planned;
}

/** Returns the statements of which a part is sent to several shards, with their numbers. */
async function fanOutsOf(service: TestService, act: () => Promise<unknown>): Promise<string[]> {
  const planned = await plansOf(service, act);
  return planned
    .filter(({ text, tasks }) => tasks.some((count) => count !== '1') && !isUnnamed(text))
    .map(({ text, tasks }) => `${tasks.join()}: ${text}`);
}

const isUnnamed = (text: string): boolean => UNNAMED.some((one) => one.test(text));

const INSERT_OF_SELECTED = /^\s*insert into [^(]+\([^)]*\)\s*(select.*?)(?:\s+on conflict.*)?$/is;

/** The number of shards that each part of a plan is sent to. */
async function tasksOf(client: Client, { text, values }: Statement): Promise<string[]> {
  const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
  return [...JSON.stringify(rows).matchAll(/"Task Count":(\d+)/g)].map(([, count = '']) => count);
}

const SCOPED = endpoints.filter((one) => one.kind === 'keyed' && one.access.kind === 'key');
const PUBLIC = endpoints.filter(({ kind }) => kind === 'public');
const SIGNED = endpoints
  .filter(({ kind }) => kind === 'signed')
  .flatMap((endpoint) =>
    callersOf(endpoint).map((caller) => [`${endpoint.id} by ${caller}`, endpoint, caller] as const),
  );
const ROUTES = consoleRoutes()
  .filter(({ access }) => access.kind === 'scope' || access.kind === 'role')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

/** What bots and synchronisations ask for all day. */
const HOT = [
  'contacts.create',
  'contacts.update',
  'contacts.get',
  'contacts.list',
  'conversations.list',
  'conversations.messages',
  'calendars.availability',
  'appointments.list',
  'opportunities.list',
  'events.list',
];

describe('each statement of a hot path is one round trip to one node', () => {
  test.for(HOT)('%s', async (id, { service }) => {
    const endpoint = SCOPED.find((one) => one.id === id);
    const { line, options } = await successfulRequest(endpoint as (typeof SCOPED)[0], service);
    const planned = await plansOf(service, () => service.call(line, options));
    const onNodes = planned.filter(({ tasks }) => tasks.length > 0);
    expect(onNodes.map(({ tasks }) => tasks)).toEqual(onNodes.map(() => ['1']));
    expect(onNodes.length).toBeGreaterThan(0);
  });
});

describe('each statement of a request is sent to one node', () => {
  test.for(SCOPED.map((endpoint) => [endpoint.id, endpoint] as const))(
    '%s',
    async ([, endpoint], { service }) => {
      const { line, options } = await successfulRequest(endpoint, service);
      expect(await fanOutsOf(service, () => service.call(line, options))).toEqual([]);
    },
  );

  test.for(PUBLIC.map((endpoint) => [endpoint.id, endpoint] as const))(
    'public %s',
    async ([, endpoint], { service }) => {
      const { line, options } = await successfulRequest(endpoint, service);
      const call = () => service.call(line, { ...options, key: null });
      expect(await fanOutsOf(service, call)).toEqual([]);
    },
  );

  test.for(SIGNED)('signed %s', async ([, endpoint, caller], { service }) => {
    const { line, options } = await signedRequest(endpoint, service, caller);
    expect(await fanOutsOf(service, () => service.call(line, options))).toEqual([]);
  });

  test.for(ROUTES)('console %s', async ([, endpoint], { service }) => {
    const owner = await signInAs(service, 'owner');
    const { line, options } = await routeRequest(endpoint, service, owner);
    expect(await fanOutsOf(service, () => owner.call(line, options))).toEqual([]);
  });
});
