import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mailing } from '../baselines/bare-mailer.ts';
import type { MailCount } from '../baselines/mail-sink.ts';
import { frontdesk, startServerProcess, startWorkerProcess, until } from '../processes.ts';
import type { Ground } from '../ground.ts';
import { median } from '../statistics.ts';
import type { Scenario } from '../scenario.ts';

const AT_LEAST = 2;
/** Gives 20,000 mails per round at the full size. */
const ROWS_PER_MAIL = 50;
const MAILS_MIN = 5_000;
const ARRIVE_MS = 120_000;
const HTML_BYTES = 10_000;

const SINK = new URL('../baselines/mail-sink.ts', import.meta.url).pathname;
const BARE_MAILER = new URL('../baselines/bare-mailer.ts', import.meta.url).pathname;

const PARAGRAPH = '<p>Spring is here, and with it the <b>new price list</b> of our house.</p>\n';
const LAYOUT = `<html><body>${PARAGRAPH.repeat(HTML_BYTES / PARAGRAPH.length)}{{content}}</body></html>`;

export const campaign: Scenario = {
  name: 'campaign',
  async measure(ground) {
    const resources = ground.resources.use(new AsyncDisposableStack());
    try {
      return await measure({ ...ground, resources });
    } finally {
      await resources.disposeAsync();
    }
  },
};

/** Both sides send the same number of 10 kB mails over ten connections, to each of two kinds of server. */
async function measure(ground: Ground) {
  const sink = await startProcess(ground, 'mail-sink', SINK);
  const mailer = await startProcess(ground, 'bare-mailer', BARE_MAILER);
  const { port, plainPort } = await seen(sink);
  const mails = Math.max(MAILS_MIN, ground.sizing.rows / ROWS_PER_MAIL);
  await setUp(ground, port, mails);
  await startWorkerProcess(ground);
  const compared = { sink, mailer, mails };
  const what = 'mails of 10 kB merged, ledger kept; bare: nodemailer, pool of 10';
  const usual = { what, ...(await compare(ground, { ...compared, port })) };
  await apply(ground, { channels: channelTo(plainPort) });
  const plain = {
    what: 'the same, one command at a time',
    ...(await compare(ground, { ...compared, port: plainPort })),
  };
  return [usual, plain];
}

interface Compared {
  readonly sink: string;
  readonly mailer: string;
  readonly port: number;
  readonly mails: number;
}

/** Alternates the baseline and the product; the first round warms up. */
async function compare(ground: Ground, { sink, mailer, port, mails }: Compared) {
  const pairs: { readonly bare: number; readonly product: number }[] = [];
  for (let round = 0; round <= ground.sizing.rounds; round += 1) {
    const bare = await rate(sink, mails, () => mailBare(mailer, { port, mails, html: LAYOUT }));
    const product = await rate(sink, mails, () => mailCampaign(ground));
    await until(ARRIVE_MS, 'every recipient has its outcome', async () => {
      const { rows } = await ground.sql.query(`select 1 from campaigns where status = 'sending'`);
      return rows.length === 0;
    });
    pairs.push({ bare, product });
  }
  const found = pairs.slice(1);
  return {
    unit: 'mails/s' as const,
    bare: median(found.map(({ bare }) => bare)),
    product: median(found.map(({ product }) => product)),
    ratio: median(found.map(({ bare, product }) => product / bare)),
    bound: { atLeast: AT_LEAST },
  };
}

const startProcess = async ({ scratch, resources }: Ground, name: string, file: string) =>
  (
    await startServerProcess({
      command: (port) => [process.execPath, file, String(port)],
      env: {},
      logFile: join(scratch, `${name}.log`),
      resources,
    })
  ).url;

const seen = async (sink: string, method = 'GET'): Promise<MailCount> =>
  (await (await fetch(`${sink}/count`, { method })).json()) as MailCount;

/** Mails per second from the first arrival to the last. */
async function rate(sink: string, mails: number, setOff: () => Promise<void>): Promise<number> {
  await seen(sink, 'DELETE');
  await setOff();
  let found = await seen(sink);
  await until(ARRIVE_MS, `${mails} mails have arrived`, async () => {
    found = await seen(sink);
    return found.count >= mails;
  });
  return (found.count / (found.lastMs - found.firstMs)) * 1_000;
}

/** Creates a channel to the sink, a layout of 10 kB, and a list with this number of contacts. */
async function setUp(ground: Ground, port: number, mails: number): Promise<void> {
  const { sql, spare } = ground;
  const { ids } = await apply(ground, {
    channels: channelTo(port),
    lists: [{ key: 'bench', name: 'Bench' }],
    templates: [{ key: 'bench', name: 'Bench', html: LAYOUT, defaultList: 'bench' }],
  });
  await sql.query(JOIN, [spare.id, ids.lists.bench, mails]);
}

const channelTo = (port: number) => ({
  email: { provider: 'smtp', host: '127.0.0.1', port, from: 'Harbour <news@harbour.example>' },
});

async function apply({ env, spare, scratch }: Ground, manifest: object): Promise<any> {
  const file = join(scratch, 'campaign.json');
  await writeFile(file, JSON.stringify(manifest));
  return frontdesk(env, 'admin', 'apply', '-f', file, '--sub-account', spare.id);
}

const JOIN = `insert into list_members (sub_account_id, list_id, contact_id, created_at)
  select sub_account_id, $2, id, now() from contacts
  where sub_account_id = $1 and deleted_at is null and email is not null order by id limit $3
  on conflict do nothing`;

async function mailBare(url: string, mailing: Mailing): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(mailing) });
  if (!answer.ok) {
    throw new Error(`the bare mailer failed: ${await answer.text()}`);
  }
}

async function mailCampaign({ product, spare: { authorization } }: Ground): Promise<void> {
  const [name = '', value = ''] = authorization.split(': ');
  const post = async (path: string, body?: object): Promise<{ readonly id: string }> => {
    const answer = await fetch(`${product.url}/api/v1/campaigns${path}`, {
      method: 'POST',
      headers: { [name]: value, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data, error } = (await answer.json()) as any;
    if (!answer.ok) {
      throw new Error(`the product refused: ${error.message}`);
    }
    return data;
  };
  const contentHtml = '<p>Dear {{firstName}} {{lastName}}, this is for you.</p>';
  const draft = { name: 'Bench', subject: 'Hello {{fullName}}', contentHtml, layout: 'Bench' };
  const { id } = await post('', draft);
  await post(`/${id}/send`);
}
