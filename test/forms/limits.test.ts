import { openServer } from '../support/server.ts';
import { caller, describe, expect, test as base, type Answer } from '../support/service.ts';
import { setUpForm, submissionsOf } from './forms.support.ts';

const MANY = { limit: 1_000, windowMs: 60_000 };
const RATES = {
  chat_session: MANY,
  chat_message: MANY,
  chat_activity: MANY,
  chat_file: MANY,
  form_file: MANY,
  form: { limit: 3, windowMs: 3_600_000 },
  booking: MANY,
  workflow: MANY,
  availability: MANY,
  sign_in: MANY,
  oauth: MANY,
  public_read: MANY,
  captcha: MANY,
  unsubscribe: MANY,
};

interface Site {
  /** Submits with that address in `X-Forwarded-For`. */
  submit(formId: string, claimed: string): Promise<Answer>;
  readonly url: string;
}

const test = base.extend<{ serving: (trustedProxies?: readonly string[]) => Promise<Site> }>({
  serving: async ({ running: { databaseUrl, clock } }, use) => {
    const opened: { stop(): Promise<void> }[] = [];
    await use(async (trustedProxies = []) => {
      const server = await openServer({ databaseUrl, clock, publicRates: RATES, trustedProxies });
      opened.push(server);
      const call = caller(server.url, {});
      return {
        url: server.url,
        submit: (formId, claimed) =>
          call('POST /api/forms/submit', {
            key: null,
            body: { formId, fields: { email: 'ada@example.com' } },
            headers: { 'x-forwarded-for': claimed },
          }),
      };
    });
    await Promise.all(opened.map(({ stop }) => stop()));
  },
});

const ADDRESSES = ['198.51.100.1', '198.51.100.2', '2001:db8::1', '10.0.0.1', '127.0.0.1'];

describe('submissions from one address', () => {
  test('end in 429 whatever address they claim, on the page and through the API', async ({
    service,
    serving,
  }) => {
    const formId = await setUpForm(service);
    const { submit, url } = await serving();
    const statuses: number[] = [];
    for (const address of ADDRESSES) {
      statuses.push((await submit(formId, address)).status);
    }
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
    const refused = await submit(formId, '203.0.113.9');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');

    const page = await fetch(`${url}/f/${formId}`, {
      method: 'POST',
      body: new URLSearchParams({ 'fields.email': 'ada@example.com' }),
      headers: { 'x-forwarded-for': '203.0.113.10' },
    });
    expect([page.status, page.headers.get('content-type')]).toEqual([
      429,
      'text/html; charset=utf-8',
    ]);
    expect(await page.text()).toContain('Please wait a minute');
    // Viewing the page does not count.
    expect((await fetch(`${url}/f/${formId}`)).status).toBe(200);
    expect((await fetch(`${url}/api/forms/captcha?formId=${formId}`)).status).toBe(200);
    expect(await submissionsOf(service)).toHaveLength(3);
    const names = await service.eventNames();
    expect(names.filter((name) => name === 'form.submitted')).toHaveLength(3);
  });

  test('are counted by the rightmost hop that is not a trusted proxy', async ({
    service,
    serving,
  }) => {
    const formId = await setUpForm(service);
    const { submit } = await serving(['127.0.0.0/8', '10.0.0.0/8']);
    const statuses: number[] = [];
    for (const claimed of ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4']) {
      statuses.push((await submit(formId, `${claimed}, 198.51.100.7, 10.1.2.3`)).status);
    }
    statuses.push((await submit(formId, '198.51.100.8')).status);
    expect(statuses).toEqual([201, 201, 201, 429, 201]);
  });
});
