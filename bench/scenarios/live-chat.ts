import type { BrowserContext, Page } from 'playwright-core';
import { createClient } from '../../sdk/src/main.ts';
import { openInbox, type Inbox } from '../console.ts';
import type { Ground } from '../ground.ts';
import { frontdesk } from '../processes.ts';
import { latencyScenario } from '../scenario.ts';

const AT_MOST_MS = 250;
const MESSAGES = 40;
const VISITOR = 'Grace Hopper';

/** Waits until the page, or a shadow root in it, shows a text; returns epoch milliseconds. */
const shown = (text: string): string => `new Promise((resolve) => {
  const texts = (root) => [...root.querySelectorAll('*')].some((element) =>
    (element.shadowRoot && texts(element.shadowRoot)) ||
    (element.childElementCount === 0 && element.textContent.includes(${JSON.stringify(text)})));
  const look = () => texts(document)
    ? requestAnimationFrame(() => resolve(Date.now()))
    : requestAnimationFrame(look);
  look();
})`;

/** A chat between a visitor at one server and the console of another. */
interface Chat {
  readonly desk: Page;
  readonly widget: Page;
  /** Sends a message of the business through the server of the console. */
  reply(text: string): Promise<void>;
}

/** From a visitor's message to the console, at another server process. */
export const chatToConsole = latencyScenario({
  name: 'chat-to-console',
  what: "a visitor's message in the console, over two servers",
  atMostMs: AT_MOST_MS,
  timesOf: (ground) =>
    timesOf(ground, async ({ desk, widget }, text) => {
      await widget.getByRole('textbox', { name: 'Your message' }).fill(text);
      return timeOf(desk, text, () => widget.keyboard.press('Enter'));
    }),
});

/** From a reply to the widget, at another server process. */
export const replyToWidget = latencyScenario({
  name: 'reply-to-widget',
  what: 'a reply in the widget, over two servers',
  atMostMs: AT_MOST_MS,
  timesOf: (ground) =>
    timesOf(ground, ({ widget, reply }, text) => timeOf(widget, text, () => reply(text))),
});

/** Returns milliseconds from `send` until the page shows the text. */
async function timeOf(page: Page, text: string, send: () => Promise<unknown>): Promise<number> {
  const appeared = page.evaluate(shown(text));
  const begun = Date.now();
  await send();
  return Number(await appeared) - begun;
}

async function timesOf(
  ground: Ground,
  measure: (chat: Chat, text: string) => Promise<number>,
): Promise<number[]> {
  const inbox = await openInbox(ground);
  const other = await ground.startProduct();
  const chat = await openChat(ground, inbox, other.url);
  const times: number[] = [];
  for (let n = 0; n <= MESSAGES; n += 1) {
    times.push(await measure(chat, `Number ${n} of ${MESSAGES}`));
  }
  // The first one warms the servers up.
  return times.slice(1);
}

async function openChat(
  { product, env }: Ground,
  { subAccountId, browser, signIn }: Inbox,
  otherUrl: string,
): Promise<Chat> {
  const visitor = await browser.newContext();
  const widget = await visitor.newPage();
  await widget.goto(`${otherUrl}/chat/demo?subAccountId=${subAccountId}`);
  await widget.getByLabel('Your name').fill(VISITOR);
  await widget.keyboard.press('Enter');
  await widget.getByRole('textbox', { name: 'Your message' }).fill('Hello!');
  await widget.keyboard.press('Enter');
  const desk = await openConversation(await signIn(product.url), product.url, subAccountId);
  const options = ['--sub-account', subAccountId, '--name', 'bench', '--scopes', 'all'];
  const { key } = await frontdesk(env, 'admin', 'key', 'create', ...options);
  const { conversations } = createClient({ baseUrl: product.url, apiKey: key });
  const { data } = await conversations.list({ channel: 'live_chat', limit: 1 });
  const id = data[0]?.id ?? '';
  return {
    desk,
    widget,
    reply: async (bodyText) => {
      await conversations.send(id, { channel: 'live_chat', bodyText });
    },
  };
}

async function openConversation(
  context: BrowserContext,
  url: string,
  subAccountId: string,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/console/${subAccountId}/inbox`);
  await page.getByRole('link', { name: new RegExp(VISITOR) }).click();
  await page.getByRole('log').getByText('Hello!').waitFor();
  return page;
}
