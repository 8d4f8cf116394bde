import { createHmac, randomBytes } from 'node:crypto';
import { any, contacts, conversations, DAY_MS, email, sessions, type Deed } from './deed.ts';

const IMAGE_MAX_BYTES = 400_000;
const GIF = Buffer.from('GIF89a');
/** A campaign and an import every few minutes at 50 requests a second. */
const RARELY = 64;
const IMPORT_ROWS = 200;

const image = (): Buffer =>
  Buffer.concat([GIF, randomBytes(Math.ceil(Math.random() * IMAGE_MAX_BYTES))]);

const isoDate = (at: number): string => new Date(at).toISOString().slice(0, 10);

const PAGES: readonly (() => string)[] = [
  () => '/console/api/v1/conversations',
  () => '/console/api/v1/inbox/counts',
  () => `/api/v1/conversations/${any(conversations) ?? ''}/messages`,
  () => `/console/api/v1/contacts/${any(contacts) ?? ''}/timeline`,
  () => '/console/api/v1/opportunities',
  () => '/console/api/v1/tasks',
  () => '/console/api/v1/campaigns',
  () => '/console/api/v1/deliveries',
  () => '/console/api/health',
  () =>
    `/console/api/v1/calendars/schedule?date=${isoDate(Date.now())}&endDate=${isoDate(Date.now() + 7 * DAY_MS)}`,
];

/** The tools of an agent, with their arguments. */
const TOOLS: readonly (() => readonly [name: string, args: object])[] = [
  () => ['find_contact', { search: 'soak' }],
  () => ['get_contact', { contactId: any(contacts) }],
  () => ['list_conversations', {}],
  () => ['list_deals', {}],
  () => ['save_contact', { contactId: any(contacts), company: `Company ${Date.now()}` }],
];

/** What people in the console, their agents and programs of the business do. */
export const TEAM: readonly Deed[] = [
  {
    weight: 12,
    async act(call) {
      const page = any(PAGES)?.() ?? '';
      await (contacts.length > 0 && conversations.length > 0 && call(`GET ${page}`));
    },
  },
  {
    weight: 2,
    act: async (call) => {
      const id = any(conversations);
      await (id && call(`POST /console/api/v1/conversations/${id}/read`));
    },
  },
  {
    weight: 8,
    async act(call, _, id) {
      const [name, args] = any(TOOLS)?.() ?? [];
      const params = { name, arguments: args };
      if (contacts.length > 0) {
        const body = { jsonrpc: '2.0', id, method: 'tools/call', params };
        const { error, result } = (await call('POST /mcp', body)) ?? {};
        if (error || result?.isError) {
          throw new Error(`${name} failed: ${JSON.stringify(error ?? result)}`);
        }
      }
    },
  },
  {
    weight: 2,
    async act(call, _, n) {
      const id = any(conversations);
      if (id) {
        const file = (await call(`POST /api/v1/files?name=photo-${n}.gif`, image(), GIF_TYPE))
          ?.data;
        await call(`POST /api/v1/conversations/${id}/messages`, {
          channel: 'email',
          subject: `Photo ${n}`,
          bodyText: 'See the photo.',
          attachmentIds: [file?.id],
        });
        await call(`GET /api/v1/files/${file?.id}`);
      }
    },
  },
  {
    weight: 1,
    async act(call, _, n) {
      const id = any(sessions);
      if (id) {
        const query = `sessionId=${id}&name=tooth-${n}.gif`;
        const file = (await call(`POST /api/chat/files?${query}`, image(), GIF_TYPE))?.data;
        const body = { sessionId: id, message: 'Look.', attachmentIds: [file?.id] };
        await (file && call('POST /api/chat/message', body));
      }
    },
  },
  {
    weight: 3,
    async act(call, { workflowSecret }, n) {
      const body = JSON.stringify({ email: email(n), customData: { n } });
      const now = String(Date.now());
      const sign = (text: string) =>
        `sha256=${createHmac('sha256', workflowSecret).update(text).digest('hex')}`;
      await call('POST /webhooks/workflow/callback', Buffer.from(body), {
        'content-type': 'application/json',
        'x-webhook-timestamp': now,
        'x-webhook-signature': sign(body),
        'x-webhook-signature-v2': sign(`${now}.${body}`),
      });
    },
  },
  {
    weight: 1,
    async act(call) {
      const [id, contactId] = [any(contacts), contacts[0]];
      if (id && contactId && id !== contactId) {
        contacts.shift();
        await call(`POST /api/v1/contacts/${id}/merge`, { contactId });
      }
    },
  },
  {
    weight: 1,
    async act(call, _, n) {
      if (n % RARELY === 0) {
        const made = await call('POST /api/v1/campaigns', {
          name: `Campaign ${n}`,
          subject: 'News for {{firstName}}',
          contentHtml: '<p>We are open on Saturdays: <a href="https://example.com">times</a>.</p>',
          layout: 'Newsletter',
        });
        await call(`POST /api/v1/campaigns/${made?.data?.id}/send`);
      }
    },
  },
  {
    weight: 1,
    async act(call, _, n) {
      if (n % RARELY === 1) {
        const rows = Array.from({ length: IMPORT_ROWS }, (__, row) => `Grace,Row ${n}.${row},`);
        const file = ['firstName,lastName,company', ...rows].join('\n');
        await call('POST /console/api/v1/imports', Buffer.from(file), {
          'content-type': 'text/csv',
        });
      }
    },
  },
];

const GIF_TYPE = { 'content-type': 'image/gif' };
