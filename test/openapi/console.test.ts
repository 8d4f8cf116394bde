import type { TSchema } from 'typebox';
import { issuesOf } from '#core/schema/check.ts';
import { consoleEndpoints } from '#registry/console.ts';
import { consoleRequest } from '../support/console-samples.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { CONSOLE_DOCUMENT, inlined } from '../support/openapi.ts';
import { signInAs } from '../support/people.ts';
import { describe, expect, test } from '../support/service.ts';
import { NOW } from './seeded.support.ts';

const DOCUMENT = CONSOLE_DOCUMENT;
const { paths } = inlined(DOCUMENT);

const operationOf = ({ path, method }: { path: string; method: string }) =>
  paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];

const EVERY = consoleEndpoints.map((endpoint) => [endpoint.id, endpoint] as const);

/** Their bodies hold what only one browser has: the token of a link, a passkey, a sealed request. */
const PROOFS = new Set(['sign-in.link', 'sign-in.passkey', 'passkeys.create', 'grants.allow']);
/**
 * Their bodies name records of the sub-account, such as a manifest as it was read, or exclude each other;
 * a test mail needs a mail server.
 */
const RECORDS = new Set([
  'manifest.apply, whole',
  'campaigns.update, least',
  'campaigns.update, whole',
  'campaigns.test, whole',
  'campaigns.preview-content, least',
  'campaigns.preview-content, whole',
  'runs.cancel-many, whole',
]);
const EXAMPLES = EVERY.filter(([id]) => !PROOFS.has(id)).flatMap(([id, endpoint]) =>
  Object.entries<{ value: object }>(
    operationOf(endpoint).requestBody?.content['application/json']?.examples ?? {},
  )
    .map(([name, { value }]) => [`${id}, ${name}`, endpoint, value] as const)
    .filter(([name]) => !RECORDS.has(name)),
);
/** A passkey needs a browser: test/console/passkeys.test.ts has one. */
const ANSWERS = EVERY.filter(
  ([id, { documents }]) =>
    documents === undefined && !/^(?:sign-in\.passkey|passkeys\.create)$/.test(id),
);

describe('the document of the console', () => {
  test('holds every endpoint that only the console has, and no other', () => {
    const documented = Object.entries<object>(DOCUMENT.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = consoleEndpoints.map(
      ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
    );
    expect(documented.toSorted()).toEqual(declared.toSorted());
  });

  test('has a description of every tag, and no tag that is not used', () => {
    const tags = new Set(DOCUMENT.tags.map(({ name }: { name: string }) => name));
    expect(tags).toEqual(new Set(consoleEndpoints.map(({ id }) => id.split('.')[0])));
  });

  test('describes no webhooks and no keys', () => {
    expect(DOCUMENT.webhooks).toBeUndefined();
    expect(Object.keys(DOCUMENT.components.securitySchemes)).toEqual(['session']);
    expect(DOCUMENT.info.title).toBe('Frontdesk console');
  });

  test.for(EVERY)('names the session and the sub-account that %s needs', ([, endpoint]) => {
    const { security, parameters, 'x-required-scopes': scopes } = operationOf(endpoint);
    const { access, query } = endpoint;
    const isVisitor = access.kind === 'visitor';
    expect(security).toEqual(isVisitor ? [] : [{ session: [] }]);
    expect(scopes).toEqual(access.kind === 'scope' ? [access.scope] : undefined);
    const header = parameters.find(({ name }: { name: string }) => name === 'X-Sub-Account-Id');
    const isOfSubAccount = access.kind === 'scope' || access.kind === 'role';
    expect(header?.required).toBe(
      isOfSubAccount ? query?.properties['subAccountId'] === undefined : undefined,
    );
  });

  test.for(ANSWERS)('describes what %s answers', async ([, endpoint], { service }) => {
    const browser = await signInAs(service, 'owner');
    const { line, options } = await consoleRequest(endpoint, service, browser);
    const { status, body } = await browser.call(line, options);
    const schema = operationOf(endpoint).responses[status]?.content['application/json']?.schema;
    expect(schema && issuesOf(schema as TSchema, body), JSON.stringify(body)).toEqual([]);
  });

  test.for(EXAMPLES)(
    'shows an example that is accepted: %s',
    async ([, endpoint, body], { service }) => {
      const { clock } = service;
      clock.advance(NOW - clock().getTime());
      const browser = await signInAs(service, 'owner');
      const { line, options } = await consoleRequest(endpoint, service, browser);
      const { contactId } = (options.body ?? {}) as { contactId?: string };
      const shown = { ...body, ...(contactId !== undefined && { contactId }) };
      const answer = await browser.call(line, { body: shown });
      const success = [endpoint.status ?? 200, endpoint.otherStatus ?? 200];
      expect(success, JSON.stringify(answer.body)).toContain(answer.status);
    },
  );
});

describe('frontdesk openapi --console', () => {
  test('prints it', async () => {
    const { code, stdout } = await frontdesk(['openapi', '--console']);
    expect({ code, paths: JSON.parse(stdout).paths }).toEqual({ code: 0, paths: DOCUMENT.paths });
  });

  test('is refused with --collection, which has no session', async () => {
    const { code, stderr } = await frontdesk(['openapi', '--console', '--collection']);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give either --collection or --console'),
    });
  });
});
