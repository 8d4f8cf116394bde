import { connectionAdvice, isDatabaseAway } from '#platform/database/database-errors.ts';
import { backups } from './installation/backups.ts';
import { calendars } from './calendars.ts';
import { certificate } from './installation/certificate.ts';
import { fail, warn, type Check, type Checked, type Examined, type Finding } from './check.ts';
import { clock } from './installation/clock.ts';
import { database, extensions } from './database/database.ts';
import { disk } from './installation/disk.ts';
import { events } from './database/events.ts';
import { externalCalendars } from './peers/external-calendars.ts';
import { fileStorage, files } from './installation/files.ts';
import { mail } from './peers/mail.ts';
import { mailboxes } from './peers/mailboxes.ts';
import { messages } from './peers/messages.ts';
import { migrations } from './database/migrations.ts';
import { nodes } from './database/nodes.ts';
import { providers } from './peers/providers.ts';
import { publicAddress } from './installation/public-address.ts';
import { queue } from './database/queue.ts';
import { recurringCampaigns } from './recurring-campaigns.ts';
import { runtime } from './installation/runtime.ts';
import { secretKey } from './installation/secret-key.ts';
import { variables } from './installation/variables.ts';
import { servers } from './installation/servers.ts';
import { webhooks } from './peers/webhooks.ts';
import { workers } from './database/workers.ts';
import { workflows } from './workflows.ts';

/** A full disk is the cause of other failures: it is reported first. */
const WITHOUT_DATABASE = [disk, runtime, variables, certificate, publicAddress, mail, backups];
const OF_DATABASE = [migrations, secretKey, extensions];
/** These checks need tables that an old schema may lack. */
const OF_SCHEMA = [
  nodes,
  clock,
  servers,
  workers,
  queue,
  files,
  webhooks,
  providers,
  messages,
  mailboxes,
  externalCalendars,
  calendars,
  recurringCampaigns,
  workflows,
];

const OF_OPERATION = [
  nodes,
  servers,
  workers,
  queue,
  events,
  files,
  webhooks,
  mailboxes,
  externalCalendars,
];

interface Plan {
  readonly first: readonly Check[];
  readonly basics: readonly Check[];
  readonly ofSchema: readonly Check[];
  readonly last: readonly Check[];
}

/** Runs all checks; those that a failure makes impossible are named in a last line. */
export const examine = (examined: Examined): Promise<readonly Checked[]> =>
  runPlan(
    { first: WITHOUT_DATABASE, basics: OF_DATABASE, ofSchema: OF_SCHEMA, last: [] },
    examined,
  );

/**
 * Runs the checks of an operator on call: without those of the configuration, which `doctor` runs as well.
 */
export const examineOperation = (examined: Examined): Promise<readonly Checked[]> =>
  runPlan(
    { first: [disk], basics: [migrations, secretKey], ofSchema: OF_OPERATION, last: [backups] },
    examined,
  );

async function runPlan(plan: Plan, examined: Examined): Promise<readonly Checked[]> {
  const { first, basics, ofSchema, last } = plan;
  const own = await all(first, examined);
  const reached = await all([database], examined);
  const isReached = isFine(reached);
  const found = isReached ? await all(basics, examined) : [];
  // The checks of the schema need it to be current, and nothing else.
  const isCurrent = found.some(({ name, status }) => name === migrations.name && status === 'ok');
  const rest = isCurrent
    ? await all(ofSchema, withUsableSecrets(examined, found))
    : [
        ...(ofSchema.includes(files) ? await all([fileStorage], examined) : []),
        notChecked([...(isReached ? [] : basics), ...ofSchema.filter((one) => one !== files)]),
      ];
  return [...own, ...reached, ...found, ...rest, ...(await all(last, examined))];
}

/** With a wrong key, the checks that read secrets say that they need it, as they do without one. */
const withUsableSecrets = (examined: Examined, found: readonly Checked[]): Examined =>
  found.some(({ name, status }) => name === secretKey.name && status !== 'ok')
    ? { ...examined, secrets: undefined, probeSending: undefined, probeMailbox: undefined }
    : examined;

const notChecked = (checks: readonly Check[]): Checked => ({
  name: 'not checked',
  ...warn(
    checks.map(({ name }) => name).join(', '),
    'these need the database and its current schema: repair the failures above, then run this again',
  ),
});

export const isFine = (checks: readonly Checked[]): boolean =>
  checks.every(({ status }) => status !== 'fail');

/** A check that ends because the database, or a node of it, does not answer says nothing of its subject. */
async function all(checks: readonly Check[], examined: Examined): Promise<Checked[]> {
  const unanswered: string[] = [];
  const checked = await Promise.all(
    checks.map(async ({ name, examine: run }) => {
      try {
        return [{ name, ...(await run(examined)) }];
      } catch (error) {
        if (name !== database.name && isDatabaseAway(error)) {
          unanswered.push(name);
          return [];
        }
        return [{ name, ...failed(name, error, examined) }];
      }
    }),
  );
  return [...checked.flat(), ...(unanswered.length > 0 ? [notAnswered(unanswered)] : [])];
}

const notAnswered = (names: readonly string[]): Checked => ({
  name: 'not checked',
  ...fail(
    names.join(', '),
    'the database, or a node of its cluster, did not answer: repair that, then run frontdesk doctor again',
  ),
});

const failed = (name: string, error: unknown, { nothingRuns }: Examined): Finding =>
  fail(
    reasonOf(error),
    name === database.name
      ? (nothingRuns ?? fixOfDatabase(error))
      : 'run frontdesk doctor again; if it fails again, this check has a bug',
  );

const fixOfDatabase = (error: unknown): string =>
  /No space left on device/.test(reasonOf(error))
    ? 'free space on the disk of the database; start PostgreSQL if it has stopped'
    : connectionAdvice(error);

/** Returns the message of an error; if several addresses were tried, that of the first one. */
function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first instanceof Error ? first.message : String(first);
}
