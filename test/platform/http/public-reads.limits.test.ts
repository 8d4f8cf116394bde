import { linksOf, UNSUBSCRIBE } from '../../../src/campaigns/compose/campaign-links.ts';
import { CAMPAIGN, recipientsOf, setUpCampaigns } from '../../campaigns/campaigns.support.ts';
import { openServer } from '../../support/server.ts';
import { PUBLIC_DEFAULT, readPublicRates, type PublicRates } from '#core/rate-limit.ts';
import { describe, expect, test as base, type TestService } from '../../support/service.ts';

const A_FEW = { limit: 3, windowMs: 3_600_000 };

type Server = Awaited<ReturnType<typeof openServer>>;
type ServerInput = Partial<Parameters<typeof openServer>[0]>;

/** Opens a server on the database, with three requests an hour for each limit that is named. */
const test = base.extend<{ serving: (few: string[], more?: ServerInput) => Promise<Server> }>({
  serving: async ({ running: { databaseUrl, clock } }, use) => {
    const opened: Server[] = [];
    await use(async (few, more) => {
      const publicRates = {
        ...readPublicRates(PUBLIC_DEFAULT),
        ...Object.fromEntries(few.map((name) => [name, A_FEW])),
      } as PublicRates;
      const server = await openServer({ databaseUrl, clock, publicRates, ...more });
      opened.push(server);
      return server;
    });
    await Promise.all(opened.map(({ stop }) => stop()));
  },
});

/** Returns the statuses of four calls, and the last response. */
async function four(call: () => Promise<Response>) {
  const responses = [await call(), await call(), await call(), await call()];
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  return { statuses: responses.map(({ status }) => status), last: responses[3]! };
}

describe('a read that anyone may make', () => {
  test.for([
    ['/openapi.json', 200],
    ['/llms.txt', 200],
    ['/docs/style.css', 200],
    ['/calendar/AAAA.ics', 400],
    ['/api/chat/config?subAccountId=AAAA', 404],
    ['/api/chat/messages?sessionId=AAAA', 404],
    ['/api/chat/stream?sessionId=AAAA', 404],
    ['/api/forms/config?formId=AAAA', 404],
    ['/api/booking/config?subAccountId=AAAA', 404],
  ] as const)('is limited: %s', async ([path], { serving }) => {
    const { url } = await serving(['public_read']);
    const { statuses, last } = await four(() => fetch(url + path));
    expect(statuses.slice(0, 3)).not.toContain(429);
    expect(statuses[3]).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(3_500);
    expect(last.headers.get('x-ratelimit-limit')).toBe('3');
    // Checks of health and other limits go on.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/api/forms/captcha`)).status).toBe(200);
  });

  test('is counted in the process: it needs no rate limit store', async ({ serving }) => {
    const { url } = await serving(['public_read'], { rateStore: 'redis://127.0.0.1:1' });
    const { statuses } = await four(() => fetch(`${url}/openapi.json`));
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  test('has a limit of its own if it is a captcha', async ({ serving }) => {
    const { url } = await serving(['captcha']);
    const { statuses } = await four(() => fetch(`${url}/api/forms/captcha`));
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

/** Returns the preferences links of this many recipients. */
async function linksIn(service: TestService, { secrets, url }: Server, count: number) {
  await setUpCampaigns(service);
  for (let n = 0; n < count; n += 1) {
    const contact = { firstName: 'Ada', lastName: 'L', email: `ada${n}@example.com` };
    await service.call('POST /api/v1/contacts', { body: { ...contact, tags: ['client'] } });
  }
  const { id } = (await service.call('POST /api/v1/campaigns', { body: CAMPAIGN })).body.data;
  await service.call(`POST /api/v1/campaigns/${id}/send`);
  const { subAccountId } = service;
  const link = linksOf(UNSUBSCRIBE, secrets, url);
  return (await recipientsOf(service, id)).map((row) => link({ subAccountId, id: row.id }));
}

const oneClick = (link: string) =>
  fetch(link, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

describe('unsubscribing', () => {
  test('is limited per link: mail providers unsubscribe many recipients from one address', async ({
    service,
    serving,
  }) => {
    const server = await serving(['unsubscribe']);
    const links = await linksIn(service, server, 8);
    expect(links).toHaveLength(8);
    const { statuses } = await four(() => oneClick(links[0]!));
    expect(statuses).toEqual([200, 200, 200, 429]);
    // A forged link is refused before it is counted.
    const link = links[1]!;
    const forgery = link.slice(0, -1) + (link.endsWith('_') ? '-' : '_');
    const forged = await four(() => oneClick(forgery));
    expect(forged.statuses).toEqual([404, 404, 404, 404]);
    for (const other of links.slice(1)) {
      expect((await oneClick(other)).status).toBe(200);
    }
  });

  test('works while the rate limit store is down', async ({ service, serving }) => {
    const server = await serving([], { rateStore: 'redis://127.0.0.1:1' });
    const [link = ''] = await linksIn(service, server, 1);
    expect((await oneClick(link)).status).toBe(200);
  });
});
