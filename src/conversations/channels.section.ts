import { Fault } from '#kit/fault.ts';
import { newId } from '#kit/id.ts';
import { defineSection, type SectionTools } from '#kit/section.ts';
import type { Work } from '#kit/work.ts';
import { channelEntry, type ChannelEntry } from './channel-entry.ts';
import { channelMisfits } from './channel-misfits.ts';
import { channelPlace } from './read-channel.ts';

/** Every member, null where it is not said. */
type Wanted = { readonly [K in keyof ChannelEntry]-?: NonNullable<ChannelEntry[K]> | null };
type Secrets = Pick<Wanted, 'password' | 'secret'>;

interface Row {
  readonly id: string;
  readonly channel: string;
  readonly provider: ChannelEntry['provider'];
  readonly settings: Partial<Wanted>;
  readonly sealed: Buffer | null;
  /** Opened; nothing where the key is not at hand. */
  readonly secrets: Secrets;
}

const UNSAID = {
  host: null,
  port: null,
  secure: null,
  user: null,
  password: null,
  from: null,
  ratePerSecond: null,
  apiBaseUrl: null,
  secret: null,
};
const NO_SECRETS: Secrets = { password: null, secret: null };

export const channelsSection = defineSection({
  name: 'channels',
  summary: 'Who carries the messages of each channel, by the name of the channel.',
  match: 'member',
  schema: channelEntry,
  secrets: ['password', 'secret'],
  check: channelMisfits,
  complete,
  load,
  keyOf: ({ channel }: Row) => channel,
  valueOf: ({ provider, settings, secrets }): Wanted => ({
    ...UNSAID,
    ...settings,
    ...secrets,
    provider,
  }),
  create(work, wanted, channel, _idOf, tools): Row {
    if (wanted.provider === 'http' && wanted.secret === null) {
      throw new Fault('VALIDATION_ERROR', `channels: ${channel} needs a secret`);
    }
    const id = newId(work.now);
    const row = rowOf({ id, channel, sealed: null }, wanted, tools);
    work.write(INSERT, [work.subAccountId, id, work.now, channel, ...writtenOf(row)]);
    return row;
  },
  update(work, row, wanted, _idOf, tools) {
    if (wanted.provider === 'http' && wanted.secret === null && tools.secrets) {
      throw new Fault('VALIDATION_ERROR', `channels: ${row.channel} needs a secret`);
    }
    const changed = rowOf(row, wanted, tools);
    work.write(UPDATE, [work.subAccountId, row.id, work.now, ...writtenOf(changed)]);
  },
  remove: (work, { id }) => work.write(DELETE, [work.subAccountId, id]),
});

/** A secret that is left out stays, but a password only with its user. */
function complete(given: ChannelEntry, stored: Wanted | undefined): Wanted {
  const isSmtp = given.provider === 'smtp';
  const keepsUser = given.user !== undefined && given.user === stored?.user;
  const secure = given.secure ?? false;
  return {
    ...UNSAID,
    ...(isSmtp && { secure, port: secure ? 465 : 587 }),
    password: keepsUser ? stored.password : null,
    secret: stored?.secret ?? null,
    ...given,
  };
}

async function load(work: Work, { secrets }: SectionTools): Promise<Row[]> {
  const rows = await work.rows<Omit<Row, 'secrets'>>(STORED, [work.subAccountId]);
  return rows.map((row) => {
    const opened =
      secrets && row.sealed
        ? (JSON.parse(secrets.open(row.sealed, channelPlace(row.id))) as Partial<Secrets>)
        : {};
    return { ...row, secrets: { ...NO_SECRETS, ...opened } };
  });
}

const STORED = `select id, channel, provider, settings, secrets as sealed from channels
  where sub_account_id = $1 order by channel`;

function rowOf(
  { id, channel, sealed }: Pick<Row, 'id' | 'channel' | 'sealed'>,
  { provider, password, secret, ...settings }: Wanted,
  { secrets }: SectionTools,
): Row {
  const held = { password, secret };
  const isHeld = password !== null || secret !== null;
  if (isHeld && !secrets) {
    throw new Fault('VALIDATION_ERROR', `channels: ${channel} has secrets, and ${NO_KEY}`);
  }
  const fresh = isHeld ? secrets?.seal(JSON.stringify(said(held)), channelPlace(id)) : null;
  return {
    id,
    channel,
    provider: provider ?? 'http',
    settings,
    sealed: (secrets ? fresh : sealed) ?? null,
    secrets: held,
  };
}

const NO_KEY = 'FRONTDESK_SECRET_KEY is not set, which seals them';

const said = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

const writtenOf = ({ provider, settings, sealed }: Row) => [
  provider,
  JSON.stringify(settings),
  sealed,
];

const INSERT = `insert into channels
    (sub_account_id, id, created_at, updated_at, channel, provider, settings, secrets)
  values ($1, $2, $3, $3, $4, $5, $6, $7)`;

const UPDATE = `update channels set updated_at = $3, provider = $4, settings = $5, secrets = $6
  where sub_account_id = $1 and id = $2`;

const DELETE = 'delete from channels where sub_account_id = $1 and id = $2';
