import { describe } from 'vitest';
import { collectionOf } from '#platform/openapi/collection.ts';
import { endpoints } from '#registry/endpoints.ts';
import { frontdesk } from '../support/frontdesk.ts';
import { DOCUMENT } from '../support/openapi.ts';
import { expect, test } from '../support/service.ts';

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly url: { readonly raw: string; readonly path: readonly string[] };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly body?: { readonly raw: string };
  };
}

const COLLECTION = collectionOf(DOCUMENT) as {
  readonly info: { readonly schema: string };
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
};
const ITEMS = COLLECTION.item.flatMap(({ item }) => item);

describe('the Postman collection', () => {
  test('holds every operation once, in a folder per tag', () => {
    const lines = ITEMS.map(({ request }) => `${request.method} /${request.url.path.join('/')}`);
    expect(lines.toSorted()).toEqual(
      endpoints.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    expect(COLLECTION.item.every(({ item }) => item.length > 0)).toBe(true);
  });

  test('sends the key where an operation needs one, and nowhere else', () => {
    const keyed = endpoints.filter(({ kind }) => kind === 'keyed').length;
    expect(ITEMS.filter(({ request }) => request.auth === undefined)).toHaveLength(keyed);
    expect(ITEMS.filter(({ request }) => request.auth?.type === 'noauth')).toHaveLength(
      endpoints.length - keyed,
    );
  });

  test('creates a contact as it stands', async ({ service }) => {
    const { request } = ITEMS.find(({ name }) => name === 'Create a contact')!;
    const { body, header, url, method } = request;
    const line = `${method} ${url.raw.replace('{{baseUrl}}', '')}`;
    const headers = Object.fromEntries(header.map(({ key, value }) => [key.toLowerCase(), value]));
    const { status } = await service.call(line, { raw: body?.raw ?? '', headers });
    expect(status).toBe(201);
  });

  test('is printed by `frontdesk openapi --collection`', async () => {
    const { code, stdout } = await frontdesk(['openapi', '--collection'], {});
    expect({ code, schema: JSON.parse(stdout).info.schema }).toEqual({
      code: 0,
      schema: COLLECTION.info.schema,
    });
  });
});
