import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import type { Ground } from './ground.ts';
import { loadContacts } from './load-contacts.ts';
import { frontdesk } from './processes.ts';
import { findChromium } from '../test/support/find-chromium.ts';

const OWNER = 'owner@bench.example';
const CONVERSATIONS = 10_000;
const MESSAGES_EACH = 3;
const DESKTOP = { viewport: { width: 1280, height: 800 }, locale: 'en-GB' } as const;

/** The text of the last message of the n-th conversation, newest first. */
export const lastTextOf = (n: number): string => `Message ${MESSAGES_EACH} of question ${n}`;

export interface Inbox {
  readonly subAccountId: string;
  readonly browser: Browser;
  /** Opens a browser profile with a session and nothing cached. */
  signIn(url: string): Promise<BrowserContext>;
}

type InboxGround = Pick<Ground, 'env' | 'scratch' | 'sql' | 'resources'>;

/** Creates a sub-account with 10,000 conversations and a live chat, an owner, and a browser. */
export async function openInbox({ env, scratch, sql, resources }: InboxGround): Promise<Inbox> {
  const created = ['sub-account', 'create', '--name', 'Inbox'];
  const { id: subAccountId } = await frontdesk(env, 'admin', ...created);
  const file = join(scratch, 'inbox.yaml');
  await writeFile(file, JSON.stringify({ chat: { enabled: true } }));
  await frontdesk(env, 'admin', 'apply', '-f', file, '--sub-account', subAccountId);
  await loadContacts(sql, subAccountId, CONVERSATIONS);
  await sql.query(INSERT_CONVERSATIONS, [subAccountId]);
  await sql.query(INSERT_MESSAGES, [subAccountId, MESSAGES_EACH]);
  await sql.query('vacuum (analyze)');
  await inviteOwner(env);
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--headless', '--no-sandbox', '--disable-gpu'],
  });
  resources.defer(() => browser.close());
  return { subAccountId, browser, signIn: (url) => signIn(browser, env, url) };
}

/** A database that is kept between runs has the owner already. */
async function inviteOwner(env: Ground['env']): Promise<void> {
  const users: { readonly email: string }[] = await frontdesk(env, 'admin', 'user', 'list');
  if (!users.some(({ email }) => email === OWNER)) {
    await frontdesk(env, 'admin', 'user', 'invite', '--email', OWNER, '--role', 'owner');
  }
}

async function signIn(browser: Browser, env: Ground['env'], url: string): Promise<BrowserContext> {
  const { link } = await frontdesk(env, 'admin', 'user', 'link', '--email', OWNER);
  const context = await browser.newContext(DESKTOP);
  const page = await context.newPage();
  const { pathname, hash } = new URL(link);
  await page.goto(url + pathname + hash);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('list', { name: 'Conversations' }).waitFor({ state: 'attached' });
  const storageState = await context.storageState();
  await context.close();
  return browser.newContext({ ...DESKTOP, storageState });
}

const INSERT_CONVERSATIONS = `
  insert into conversations (sub_account_id, id, contact_id, channel, status, subject, unread_count,
    last_message_at, created_at, updated_at)
  select sub_account_id, gen_random_uuid(), id, 'email', 'open', 'Question ' || n, n % 2,
    now() - n * interval '1 min', now() - n * interval '1 min', now() - n * interval '1 min'
  from (select *, row_number() over (order by id) as n from contacts where sub_account_id = $1) c`;

const INSERT_MESSAGES = `
  insert into messages (sub_account_id, id, conversation_id, channel, direction, body_text, subject,
    status, created_at)
  select v.sub_account_id, gen_random_uuid(), v.id, 'email', 'inbound',
    'Message ' || m || ' of question ' || replace(v.subject, 'Question ', ''), v.subject,
    'delivered', v.last_message_at - ($2::int - m) * interval '1 min'
  from conversations v, generate_series(1, $2::int) m
  where v.sub_account_id = $1`;
