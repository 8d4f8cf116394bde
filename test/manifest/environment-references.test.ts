/* oxlint-disable unicorn/no-thenable -- a branch of a step is called so (contract 8) */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sections } from '#registry/sections.ts';
import { VARIABLES } from '#platform/config/environment.ts';
import { escapeReferences, resolveReferences } from '../../src/manifest/environment-references.ts';

const resolve = (value: unknown, variables: Record<string, string> = {}) =>
  resolveReferences(
    value,
    { variables: { HOST: 'h.example', LOOP: '${env:HOST}', ...variables } },
    sections,
  );

const messagesOf = (value: unknown, variables: Record<string, string> = {}) =>
  resolve(value, variables).issues.map(({ path, message }) => `${path} ${message}`);

const channel = (text: string) => ({ channels: { sms: { authToken: text } } });

describe('${env:NAME}', () => {
  test.each([
    ['${env:HOST}', 'h.example'],
    ['https://${env:HOST}/${env:HOST}', 'https://h.example/h.example'],
    ['${env:LOOP}', '${env:HOST}'],
    ['$${env:HOST}', '${env:HOST}'],
    ['$$${env:HOST}', '$${env:HOST}'],
    ['$HOST ${HOST} {{firstName}}', '$HOST ${HOST} {{firstName}}'],
  ])('%s reads as %s', (text, expected) => {
    const { value, issues } = resolve(channel(text));
    expect({ value, issues }).toEqual({ value: channel(expected), issues: [] });
  });

  const steps = (step: object) => ({ workflows: [{ slug: 'a', steps: [step] }] });
  const http = (more: object) => ({ http: { url: 'https://a.example', ...more } });

  test.each<[string, object]>([
    ...[
      { user: '${env:HOST}', imap: { user: '${env:HOST}', password: 'a${env:HOST}' } },
      { password: '${env:HOST}', secret: '${env:HOST}' },
      { accountSid: '${env:HOST}', authToken: '${env:HOST}' },
      { clientId: '${env:HOST}', clientSecret: '${env:HOST}', refreshToken: '${env:HOST}' },
      { accessToken: '${env:HOST}', appSecret: '${env:HOST}', verifyToken: '${env:HOST}' },
    ].map((email): [string, object] => [
      `credentials of a channel: ${Object.keys(email).join()}`,
      { channels: { email } },
    ]),
    ['the login of a calendar', { team: [{ externalCalendar: { password: '${env:HOST}' } }] }],
    ['the URL of a calendar', { team: [{ externalCalendar: { url: '${env:HOST}' } }] }],
    ['the secret of invoices', { invoices: { secret: '${env:HOST}' } }],
    ['a header of a call', steps(http({ headers: { Authorization: 'Bearer ${env:HOST}' } }))],
    [
      'a header of a call in a branch',
      steps({
        if: {},
        then: [{}, { if: {}, else: [http({ headers: { 'X/Y': '${env:HOST}' } })] }],
      }),
    ],
  ])('is allowed in %s', (_, manifest) => {
    expect(messagesOf(manifest)).toEqual([]);
    expect(JSON.stringify(resolve(manifest).value)).toContain('h.example');
  });

  test.each<[string, object]>([
    ...['provider', 'host', 'from', 'replyTo', 'apiBaseUrl', 'tokenUrl', 'pageId', 'userX'].map(
      (name): [string, object] => [
        `/channels/sms/${name}`,
        { channels: { sms: { [name]: 'x${env:HOST}' } } },
      ],
    ),
    ['/channels/email/imap/host', { channels: { email: { imap: { host: '${env:HOST}' } } } }],
    ['/team/0/externalCalendar/type', { team: [{ externalCalendar: { type: '${env:HOST}' } }] }],
    [
      '/team/0/externalCalendar/url',
      { team: [{ externalCalendar: { url: 'https://a.example/?${env:HOST}' } }] },
    ],
    ['/chat/title', { chat: { title: '${env:HOST}' } }],
    ['/customValues/channels', { customValues: { channels: '${env:HOST}' } }],
    ['/team/0/name', { team: [{ name: '${env:HOST}' }] }],
    ['/invoices/note', { invoices: { note: '${env:HOST}' } }],
    ['/workflows/0/steps/0/http/url', steps({ http: { url: 'https://${env:HOST}' } })],
    [
      '/workflows/0/steps/0/http/body/http/headers/X',
      steps(http({ body: { http: { headers: { X: '${env:HOST}' } } } })),
    ],
    [
      '/workflows/0/triggers/0/where/http',
      { workflows: [{ triggers: [{ where: { http: '${env:HOST}' } }] }] },
    ],
    ['/nonsense', { nonsense: '${env:HOST}' }],
  ])('is refused at %s, naming the variable and what is allowed', (path, manifest) => {
    expect(messagesOf(manifest)).toEqual([
      `${path} refers to the environment variable HOST; \${env:…} is allowed only in user, password or as the whole url in externalCalendar of a team member, user, accountSid, clientId, password, secret, authToken, accessToken, appSecret, verifyToken, clientSecret, refreshToken of channels, invoices.secret, headers of a workflow's http step; write $\${env:HOST} for the text itself`,
    ]);
  });

  const own = Object.values(VARIABLES).flatMap(({ name }) => [name, `${name}_FILE`]);
  test.each([
    ...own,
    'FRONTDESK_LATER',
    'database_url',
    'PGPASSWORD',
    'POSTGRES_PASSWORD',
    'NODE_AUTH_TOKEN',
  ])('is refused for %s everywhere, set or not, without its value', (name) => {
    for (const variables of [{}, { [name]: 'hunter2' }]) {
      const [message] = messagesOf(channel(`\${env:${name}}`), variables);
      expect(message).toContain(
        `/channels/sms/authToken refers to ${name}, which configures Frontdesk itself`,
      );
      expect(JSON.stringify(resolve(channel(`\${env:${name}}`), variables))).not.toContain(
        'hunter2',
      );
    }
  });

  test('is replaced in values at any depth, and never in names', () => {
    const { value } = resolve({
      channels: { '${env:HOST}': { user: '${env:HOST}', imap: { user: '${env:HOST}' }, port: 1 } },
    });
    expect(value).toEqual({
      channels: { '${env:HOST}': { user: 'h.example', imap: { user: 'h.example' }, port: 1 } },
    });
  });

  test('is remembered by where it stands', () => {
    const { references } = resolve({
      channels: { sms: { authToken: 'a ${env:HOST}', from: '$${env:HOST}', accountSid: 'AC1' } },
    });
    expect([...references]).toEqual([['/channels/sms/authToken', 'a ${env:HOST}']]);
  });

  test('is missed by its path where it is not set', () => {
    expect(messagesOf({ channels: { 'a/b': { user: '${env:GONE}' } } })).toEqual([
      '/channels/a~1b/user needs the environment variable GONE, which is not set',
    ]);
  });

  test('any text comes back as it was once it is escaped', () => {
    const text = fc
      .array(fc.constantFrom('$', '{env:HOST}', '{env:', '}', 'x', ' '))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const manifest = { customValues: { text: escapeReferences(given) } };
        expect(resolve(manifest)).toEqual({
          value: { customValues: { text: given } },
          references: new Map(),
          issues: [],
        });
      }),
    );
  });
});
