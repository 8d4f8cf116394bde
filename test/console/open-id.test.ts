import { AGENCY } from '#lib/id.ts';
import { loadUser } from '../../src/accounts/users/user.store.ts';
import { disableUser } from '../../src/accounts/sign-in/end-sessions.ts';
import { visitor } from '../support/open-id-provider.ts';
import { browserOf, cookieOf, inviteAs, SAME_ORIGIN, signInAs } from '../support/people.ts';
import { describe, expect, OPERATOR, test, type TestService } from '../support/service.ts';
import { opened } from './open-id.support.ts';

const refusedWith = (url: string) => new URL(url).searchParams.get('refused');

describe('signing in with OpenID Connect', () => {
  test.for(['client_secret_basic', 'client_secret_post'] as const)(
    'opens a session of the user with the verified email address (%s)',
    async (authMethod, { service }) => {
      const { signIn, session, email, server, browser, provider } = await opened(service, {
        authMethod,
      });
      provider.claims['email'] = email.toUpperCase();
      const { userId } = await inviteAs(service, 'agent', email);
      const { url } = await signIn();
      expect(url).toBe(`${server.url}/console`);
      const { status, body } = await session();
      expect(status).toBe(200);
      expect(body.data.user).toMatchObject({ id: userId, email });
      expect(body.data.memberships).toMatchObject([
        { subAccountId: service.subAccountId, role: 'agent' },
      ]);
      expect([...browser.cookiesOf(server.url).keys()]).toContain('frontdesk_session');
      expect(await service.eventNames()).toEqual([]);
    },
  );

  test('sends state, nonce and the challenge of PKCE, new for every sign-in', async ({
    service,
  }) => {
    const { signIn, email } = await opened(service);
    await inviteAs(service, 'agent', email);
    const sent = [await signIn(), await signIn()].map(({ opened: urls }) => {
      const authorize = urls.find((url) => new URL(url).pathname === '/auth') ?? '';
      return new URL(authorize).searchParams;
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const values = sent.map((search) => search.get(name));
      expect(new Set(values).size, name).toBe(2);
      expect(values[0]?.length, name).toBe(43);
    }
    expect(sent[0]?.get('code_challenge_method')).toBe('S256');
    expect(sent[0]?.get('scope')).toBe('openid email profile');
  });

  test('ends the previous session of the browser', async ({ service }) => {
    const { signIn, session, email, server, browser } = await opened(service);
    await inviteAs(service, 'agent', email);
    await signIn();
    const cookies = browser.cookiesOf(server.url);
    const before = cookies.get('frontdesk_session');
    await signIn();
    expect(cookies.get('frontdesk_session')).not.toBe(before);
    cookies.set('frontdesk_session', before ?? '');
    expect((await session()).status).toBe(401);
  });

  test('is offered on the sign-in page where a provider is set up', async ({ service }) => {
    const { server } = await opened(service);
    const response = await fetch(`${server.url}/console/api/sign-in`);
    expect(await response.json()).toEqual({ data: { mail: false, oidc: true } });
    const { status } = await service.call('GET /console/oidc/start', { key: null });
    expect(status).toBe(404);
  });
});

describe('a user whose sign-in link was shown to an admin', () => {
  /** Someone else signs in with the link that an admin got for the address, and stays signed in. */
  async function preRegistered(service: TestService, roles?: string) {
    const found = await opened(service, roles === undefined ? {} : { roles });
    const admin = await signInAs(service, 'admin');
    const body = { email: found.email, role: 'viewer' };
    const { link } = (await admin.call('POST /console/api/v1/users', { body })).body.data;
    const token = new URL(link).hash.slice(1);
    const answer = await service.call('POST /console/api/sign-in/link', {
      key: null,
      headers: SAME_ORIGIN,
      body: { token },
    });
    expect(answer.status).toBe(200);
    const other = browserOf(service, found.email, cookieOf(answer));
    expect((await other.call('GET /console/api/session')).status).toBe(200);
    const statusOfOther = async () => (await other.call('GET /console/api/session')).status;
    return { ...found, statusOfOther };
  }

  test.for([
    ['owner', 'groups:team=owner'],
    ['agent elsewhere', 'groups:team=agent@SUB'],
  ])('loses every session before a claim makes them %s', async ([, rule = ''], { service }) => {
    const roles = rule.replace('SUB', service.otherSubAccountId);
    const { signIn, session, provider, statusOfOther } = await preRegistered(service, roles);
    provider.claims['groups'] = ['team'];
    await signIn();
    expect((await session()).status).toBe(200);
    expect(await statusOfOther()).toBe(401);
  });

  test('keeps them while no claim gives access to more', async ({ service }) => {
    const { signIn, session, statusOfOther } = await preRegistered(service);
    await signIn();
    expect((await session()).status).toBe(200);
    expect(await statusOfOther()).toBe(200);
  });
});

describe('a sign-in with OpenID Connect is refused', () => {
  test.for([false, undefined, 'no'])(
    'while the provider says %s about the email address',
    async (verified, { service }) => {
      const { signIn, session, email, provider } = await opened(service);
      await inviteAs(service, 'agent', email);
      provider.claims['email_verified'] = verified;
      expect(refusedWith((await signIn()).url)).toBe('unverified');
      expect((await session()).status).toBe(401);
    },
  );

  test('to a person who is no user, and to a disabled user', async ({ service }) => {
    const { signIn, session, email } = await opened(service);
    expect(refusedWith((await signIn()).url)).toBe('unknown');
    await inviteAs(service, 'agent', email);
    await service.transact(AGENCY, OPERATOR, async (work) =>
      disableUser(work, await loadUser(work, email)),
    );
    expect(refusedWith((await signIn()).url)).toBe('disabled');
    expect((await session()).status).toBe(401);
  });

  test('to a browser that did not begin it, and after 10 minutes', async ({ service }) => {
    const { email, browser, server, session } = await opened(service);
    await inviteAs(service, 'agent', email);
    const stop = new Error('the callback');
    let callback = '';
    const untilCallback = () =>
      browser
        .visit(`${server.url}/console/oidc/start`, {
          onRequest(url) {
            if (url.includes('/console/oidc/callback')) {
              callback = url;
              throw stop;
            }
            return url;
          },
        })
        .catch((error: unknown) => expect(error).toBe(stop));
    await untilCallback();
    const other = visitor();
    expect(refusedWith((await other.visit(callback)).url)).toBe('expired');
    await other.open(`${server.url}/console/oidc/start`);
    expect(refusedWith((await other.visit(callback)).url)).toBe('failed');
    service.clock.advance(10 * 60_000);
    expect(refusedWith((await browser.visit(callback)).url)).toBe('expired');
    expect((await session()).status).toBe(401);
  });

  test.for(['state', 'iss', 'code'])(
    'if the %s of the response was replaced',
    async (name, { service }) => {
      const { email, browser, server, session } = await opened(service);
      await inviteAs(service, 'agent', email);
      const { url } = await browser.visit(`${server.url}/console/oidc/start`, {
        onRequest(given) {
          const changed = new URL(given);
          if (changed.pathname === '/console/oidc/callback') {
            changed.searchParams.set(name, name === 'iss' ? 'https://evil.example' : 'replaced');
          }
          return changed.href;
        },
      });
      expect(refusedWith(url)).toBe('failed');
      expect((await session()).status).toBe(401);
    },
  );

  test('when the person cancels, and when a callback is opened again', async ({ service }) => {
    const { email, signIn, provider, browser } = await opened(service);
    await inviteAs(service, 'agent', email);
    provider.behave('denying');
    expect(refusedWith((await signIn()).url)).toBe('denied');
    provider.behave('up');
    const { opened: urls } = await signIn();
    const callback = urls.find((url) => url.includes('/console/oidc/callback')) ?? '';
    expect(refusedWith((await browser.visit(callback)).url)).toBe('failed');
  });

  test('with a page that says so while the provider is down; later it works', async ({
    service,
  }) => {
    const { email, signIn, provider, server } = await opened(service);
    await inviteAs(service, 'agent', email);
    provider.behave('failing');
    expect(refusedWith((await signIn()).url)).toBe('unavailable');
    provider.behave('up');
    expect((await signIn()).url).toBe(`${server.url}/console`);
  });
});
