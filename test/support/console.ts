import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openPage } from './browser.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { bindKey } from './bind-key.ts';
import { startFollowing, type Following } from './command-line.ts';
import { frontdesk, newKey, type Variables } from './frontdesk.ts';

/** An installation with one sub-account that has a live chat. */
export interface Installation {
  readonly database: TestDatabase;
  /** The address of the server, which is started at first and ends with the file. */
  url(): Promise<string>;
  /** Ends the server and removes the database. */
  close(): Promise<void>;
  readonly variables: Variables;
  readonly subAccountId: string;
  /** Runs `frontdesk admin …` and returns what it prints as JSON. */
  admin(line: string): Promise<any>;
}

const MANIFEST = 'test/console/harbour.yaml';

export async function install(more: Variables = {}): Promise<Installation> {
  const database = await createDatabase();
  const variables = {
    DATABASE_URL: database.url,
    FRONTDESK_SECRET_KEY: newKey(),
    FRONTDESK_RATE_PUBLIC: 'sign_in=1000/1h',
    ...more,
  };
  await bindKey(variables);
  const run = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await frontdesk(['admin', ...args, '--json'], variables);
    if (code !== 0) {
      throw new Error(`${args.join(' ')}: ${stderr}`);
    }
    return JSON.parse(stdout);
  };
  const admin = (line: string) => run(line.split(' '));
  const { id: subAccountId } = await admin('sub-account create --name Harbour');
  await run(['apply', '-f', MANIFEST, '--sub-account', subAccountId, '--yes']);
  await admin('user invite --email owner@harbour.example --role owner');
  let server: Promise<Following> | undefined;
  const serve = async () => {
    const started = startFollowing(['serve', '--port', '0', '--json'], variables, 'file');
    await started.next(1);
    return started;
  };
  return {
    database,
    variables,
    subAccountId,
    admin,
    url: async () => (await (server ??= serve())).lines[0].url,
    async close() {
      await (await server)?.end();
      await database.drop();
    },
  };
}

export interface ConsoleVisit {
  readonly page: Page;
  readonly url: string;
  /** Errors of scripts, violations of the policy, and requests to other hosts. */
  readonly faults: readonly string[];
}

/** Opens the console in a new profile of the browser, signed in with a link. */
export async function openConsole(
  browser: Browser,
  { url: serve, admin }: Installation,
  options: BrowserContextOptions = {},
  email = 'owner@harbour.example',
): Promise<ConsoleVisit> {
  const url = await serve();
  const page = await openPage(browser, {
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (line) => {
    // Without a session, the first call is refused.
    if (line.type() === 'error' && !/status of 401/.test(line.text())) {
      faults.push(line.text());
    }
  });
  await page.route(
    (to) => to.origin !== url && to.protocol.startsWith('http'),
    async (route) => {
      faults.push(route.request().url());
      await route.abort();
    },
  );
  const { link } = await admin(`user link --email ${email}`);
  await page.goto(url + new URL(link).pathname + new URL(link).hash);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('list', { name: 'Conversations' }).waitFor({ state: 'attached' });
  return { page, url, faults };
}

/** Writes a message as a visitor of the chat; returns the functions that continue the chat. */
export async function chatWith(
  { url, subAccountId }: { readonly url: string; readonly subAccountId: string },
  visitorName: string,
  message: string,
) {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/api/chat/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { data: Record<string, string> }).data;
  };
  const email = `${crypto.randomUUID()}@example.com`;
  const { sessionId } = await post('session', {
    subAccountId,
    visitorName,
    visitorEmail: email,
  });
  const say = (text: string) => post('message', { sessionId, message: text });
  await say(message);
  return {
    say,
    async seen(): Promise<string[]> {
      const response = await fetch(`${url}/api/chat/messages?sessionId=${sessionId}`);
      const { data } = (await response.json()) as { data: { message: string }[] };
      return data.map((one) => JSON.stringify(one));
    },
  };
}

/** Calls the API with the session of a page of the console, and returns the data. */
export const callFrom = (
  page: Page,
  { subAccountId }: Pick<Installation, 'subAccountId'>,
  [method, path]: readonly [string, string],
  body?: object,
): Promise<any> =>
  page.evaluate(
    `fetch('/console/api/v1${path}', {
      method: '${method}',
      headers: { 'content-type': 'application/json', 'x-sub-account-id': '${subAccountId}' },
      ${body ? `body: ${JSON.stringify(JSON.stringify(body))},` : ''}
    }).then((response) => response.json()).then(({ data }) => data)`,
  );
