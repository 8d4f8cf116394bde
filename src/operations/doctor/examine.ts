import { backups } from './backups.ts';
import { calendars } from './calendars.ts';
import { certificate } from './certificate.ts';
import { fail, type Check, type Checked, type Examined, type Finding } from './check.ts';
import { clock } from './clock.ts';
import { database, extensions } from './database.ts';
import { disk } from './disk.ts';
import { events } from './events.ts';
import { externalCalendars } from './external-calendars.ts';
import { files } from './files.ts';
import { mail } from './mail.ts';
import { mailboxes } from './mailboxes.ts';
import { migrations } from './migrations.ts';
import { nodes } from './nodes.ts';
import { providers } from './providers.ts';
import { publicAddress } from './public-address.ts';
import { queue } from './queue.ts';
import { recurringCampaigns } from './recurring-campaigns.ts';
import { runtime } from './runtime.ts';
import { secretKey } from './secret-key.ts';
import { webhooks } from './webhooks.ts';
import { workers } from './workers.ts';
import { workflows } from './workflows.ts';

const WITHOUT_DATABASE = [runtime, certificate, publicAddress, mail, backups];
const OF_DATABASE = [migrations, secretKey, extensions, disk];
/** These checks need tables that an old schema may lack. */
const OF_SCHEMA = [
  nodes,
  clock,
  workers,
  queue,
  files,
  webhooks,
  providers,
  mailboxes,
  externalCalendars,
  calendars,
  recurringCampaigns,
  workflows,
];

const OF_OPERATION = [nodes, workers, queue, events, webhooks, mailboxes, externalCalendars];

/** Runs all checks. Leaves out checks that cannot work because another one failed. */
export async function examine(examined: Examined): Promise<readonly Checked[]> {
  const own = await all(WITHOUT_DATABASE, examined);
  const reached = await all([database], examined);
  if (!isFine(reached)) {
    return [...own, ...reached];
  }
  const basics = await all(OF_DATABASE, examined);
  const rest = isFine(basics) ? await all(OF_SCHEMA, examined) : [];
  return [...own, ...reached, ...basics, ...rest];
}

/**
 * Runs the checks of an operator on call: without those of the configuration, which `doctor` runs as well.
 */
export async function examineOperation(examined: Examined): Promise<readonly Checked[]> {
  const own = await all([backups], examined);
  const reached = await all([database], examined);
  const basics = isFine(reached) ? await all([migrations, secretKey, disk], examined) : [];
  // The checks of the schema need it to be current, whatever the disk says.
  const isCurrent = basics.some(({ name, status }) => name === migrations.name && status === 'ok');
  const rest = isCurrent ? await all(OF_OPERATION, examined) : [];
  return [...reached, ...basics, ...rest, ...own];
}

export const isFine = (checks: readonly Checked[]): boolean =>
  checks.every(({ status }) => status !== 'fail');

const all = (checks: readonly Check[], examined: Examined): Promise<Checked[]> =>
  Promise.all(
    checks.map(async ({ name, examine: run }) => {
      const finding = await run(examined).catch((error: unknown) => failed(name, error, examined));
      return { name, ...finding };
    }),
  );

const failed = (name: string, error: unknown, { nothingRuns }: Examined): Finding =>
  fail(
    reasonOf(error),
    name === database.name
      ? (nothingRuns ?? 'start the database, or fix DATABASE_URL')
      : 'run frontdesk doctor again; if it fails again, this check has a bug',
  );

/** Returns the message of an error; if several addresses were tried, that of the first one. */
function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? first.message : String(first);
}
