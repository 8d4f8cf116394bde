import { deleteSubAccount } from '../../src/accounts/sub-accounts/delete-sub-account.ts';
import { describe, expect, test, type TestService } from '../support/service.ts';
import { setUpChat } from './chat.support.ts';

const WIDGET = '/chat/widget.js';
const STYLE = '/chat/demo.css';
const demoOf = (subAccountId: string): string =>
  `/chat/demo?subAccountId=${encodeURIComponent(subAccountId)}`;

const get = ({ url }: TestService, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url + path, init);

const policyOf = ({ headers }: Response): Map<string, string> =>
  new Map(
    (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(' ');
      return [name, sources.join(' ')];
    }),
  );

describe('the widget', () => {
  test('is a script that any site can load and cache', async ({ service }) => {
    const answer = await get(service, WIDGET, { headers: { origin: 'https://site.example' } });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=300',
      'x-request-id': expect.any(String),
    });
    expect(await answer.text()).toContain('api/chat/');
  });

  test.for([WIDGET, STYLE])('%s is not sent again if it is cached', async (path, { service }) => {
    const first = await get(service, path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await get(service, path, { headers: { 'if-none-match': known } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('etag')).toBe(etag);
      expect(again.headers.get('cache-control')).toBe('public, max-age=300');
      expect(again.headers.get('content-length')).toBeNull();
    }
    for (const known of ['"other"', etag.slice(1, -1), '']) {
      const again = await get(service, path, { headers: { 'if-none-match': known } });
      expect(again.status).toBe(200);
      await again.text();
    }
  });

  test.for([WIDGET, STYLE])(
    '%s answers HEAD, and 405 to what changes',
    async (path, { service }) => {
      const headers = { 'accept-encoding': 'identity' };
      const whole = await get(service, path, { headers });
      const head = await get(service, path, { method: 'HEAD', headers });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(
        String(new TextEncoder().encode(await whole.text()).length),
      );
      expect((await get(service, path, { method: 'POST' })).status).toBe(405);
    },
  );
});

describe('the demo page', () => {
  test('embeds the widget of the sub-account, without inline or foreign code', async ({
    service,
  }) => {
    await setUpChat(service);
    const answer = await get(service, demoOf(service.subAccountId.toUpperCase()));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = policyOf(answer);
    expect(policy.get('default-src')).toBe("'none'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('base-uri')).toBe("'none'");
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*|https?:/);
    const html = await answer.text();
    expect(html).toContain(`data-sub-account="${service.subAccountId}"`);
    expect(html).not.toContain('{{');
    for (const [, attributes = '', script] of html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)) {
      expect([attributes.includes('src='), script]).toEqual([true, '']);
    }
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });

  test('is 404 for an unknown sub-account, whatever the query', async ({ service }) => {
    await setUpChat(service, {}, service.otherSubAccountId);
    await service.transact(service.otherSubAccountId, service.actor, deleteSubAccount);
    for (const id of [
      crypto.randomUUID(),
      service.otherSubAccountId,
      'no-one',
      '"><script>',
      '{{',
    ]) {
      const answer = await get(service, demoOf(id));
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await answer.text()).not.toContain('<script');
    }
    const unnamed = await get(service, '/chat/demo');
    expect(unnamed.status).toBe(400);
    expect(await unnamed.text()).toContain('<h1>Choose a sub-account</h1>');
  });
});
