import * as fc from 'fast-check';
import { parse } from 'yaml';
import { CUSTOM_FIELD_TYPES } from '../../src/contacts/fields/custom-field.ts';
import { writeYaml } from '../../src/manifest/export-manifest.ts';
import { apply, exported } from '../support/manifest.ts';
import { describe, expect, test } from '../support/service.ts';

const line = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => /\S/.test(text) && !text.includes('\0'));
const paragraph = fc
  .array(
    fc.oneof(line, fc.constantFrom('\n', '\r\n', '\t', ' ', '# ', ': ', '${env:HOME}', '- ')),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(''));
const key = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,8}$/);
const email = fc.option(fc.constantFrom('a@x.example', 'B+1@y.example'), { nil: undefined });

/** Omitted instead of undefined, as in a file. */
const record = <T extends object>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(members).map((given) => JSON.parse(JSON.stringify(given)) as T);

const customField = record({
  name: key,
  label: fc.option(line, { nil: undefined }),
  type: fc.option(fc.constantFrom(...CUSTOM_FIELD_TYPES), { nil: undefined }),
  options: fc.uniqueArray(line, { minLength: 1, maxLength: 3 }),
  isRequired: fc.option(fc.boolean(), { nil: undefined }),
}).map(({ options, ...field }) => (field.type === 'select' ? { ...field, options } : field));

const manifest = record({
  subAccount: record({
    name: line,
    timezone: fc.constantFrom('Europe/Berlin', 'UTC'),
    brand: fc.option(line),
    admins: fc.uniqueArray(fc.constantFrom('a@x.example', 'b@x.example')),
    features: fc.option(fc.uniqueArray(key, { maxLength: 3 })),
  }),
  team: fc.uniqueArray(record({ key, name: line, email }), {
    maxLength: 4,
    selector: (member) => member.key,
  }),
  customFields: fc.uniqueArray(customField, { maxLength: 4, selector: ({ name }) => name }),
  customValues: fc.dictionary(key, paragraph, { maxKeys: 4 }),
});

describe('export', () => {
  test('of any manifest changes nothing when applied again', async ({ service }) => {
    await fc.assert(
      fc.asyncProperty(manifest, async (given) => {
        await apply(service, escaped(given), { prune: true });
        const written = await exported(service);
        const again = await apply(service, `${writeYaml(written)}\n`, { prune: true });
        expect(again).toMatchObject({ created: [], updated: [], removed: [] });
        expect(await exported(service)).toEqual(written);
        expect(parse(`${writeYaml(written)}\n`)).toEqual(written);
      }),
      { numRuns: 25 },
    );
  });

  test('of a workflow keeps null and members named as secrets in free JSON, without its headers', async ({
    service,
  }) => {
    const KEY = Buffer.alloc(32, 1).toString('base64');
    const body = { a: null, b: [null, { c: null }], headers: { x: 'y' }, http: { headers: [1] } };
    const workflow = {
      slug: `free-${service.subAccountId}`,
      name: 'Free',
      triggers: [{ on: 'inbound_webhook', where: { headers: 'x', source: 'y' } }],
      steps: [
        { setField: { field: 'company', value: null } },
        {
          if: { field: 'email', exists: true },
          else: [{ http: { url: 'https://x.example', body } }],
        },
        { http: { url: 'https://y.example', body: null, headers: { Authorization: 'sesame' } } },
      ],
    };
    const variables = { FRONTDESK_SECRET_KEY: KEY };
    await apply(service, { workflows: [workflow] }, { variables });
    const written = await exported(service);
    expect(written.workflows[0].triggers).toEqual(workflow.triggers);
    const [first, second, third] = workflow.steps;
    const { headers: _, ...call } = third?.http ?? {};
    expect(written.workflows[0].steps).toEqual([first, second, { http: call }]);
    const again = await apply(service, `${writeYaml(written)}\n`, { variables });
    expect(again).toMatchObject({ created: [], updated: [], removed: [] });
  });

  test.each(['\n', ' \n', '\n \n', 'a\n\n', 'a\r\nb\n', 'a\nb', '- a: "b" # c', 'null', '1e3', ''])(
    'writes the text %j so that it reads the same',
    (text) => {
      expect(parse(`${writeYaml({ text })}\n`)).toEqual({ text });
    },
  );

  test('writes a text of 100,000 line breaks', () => {
    const text = `a${'\n'.repeat(100_000)}a`;
    expect(parse(`${writeYaml({ text })}\n`)).toEqual({ text });
  });

  test('sets up another sub-account identically', async ({ service }) => {
    const team = [{ key: 'anna', name: 'Anna', email: 'anna@harbour.example' }];
    const customFields = [{ name: 'b' }, { name: 'a', isRequired: true }];
    await apply(service, { team, customFields, customValues: { link: '$${env:HOME}' } });
    const own = await exported(service);
    await apply(service, writeYaml(own), { to: service.otherSubAccountId });
    expect(await exported(service, service.otherSubAccountId)).toEqual(own);
  });

  test('omits empty sections', async ({ service }) => {
    expect(await exported(service)).toEqual({
      subAccount: {
        name: 'Harbour Dental',
        timezone: 'UTC',
        currency: 'USD',
        locale: 'en',
        admins: [],
      },
    });
  });
});

/** The texts above are literal; a file escapes them with a second dollar sign. */
const escaped = (given: object): string =>
  JSON.stringify(given).replaceAll('${env:', (found) => `$${found}`);
