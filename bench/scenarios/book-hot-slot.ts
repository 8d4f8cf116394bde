import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { frontdesk } from '../processes.ts';
import type { Ground } from '../ground.ts';
import { hammer, requestText, UNIQUE, type Round } from '../hammer.ts';
import { median } from '../statistics.ts';
import type { Scenario } from '../scenario.ts';

const AT_LEAST = 0.5;
const CONNECTIONS = 32;
const SLOTS = 100;
/** Slots are requested one after another, so that all connections compete for each. */
const TIMES_EACH = 200;
const SLOT_MS = 1_800_000;

const CALENDAR = {
  key: 'bench',
  name: 'Bench',
  timezone: 'UTC',
  hours: Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ['00:00-24:00']]),
  ),
  types: [{ key: 'bench', name: 'Bench', duration: 30 }],
};

const BARE = [
  'create table if not exists bench_slots (slot tstzrange, exclude using gist (slot with &&))',
  `create or replace function bench_book(wanted tstzrange) returns boolean language plpgsql as $$
   begin
     perform from bench_slots where slot && wanted;
     if found then
       return false;
     end if;
     insert into bench_slots values (wanted) on conflict do nothing;
     return found;
   end $$`,
];

export const bookHotSlot: Scenario = {
  name: 'book-hot-slot',
  async measure(ground) {
    for (const statement of BARE) {
      await ground.sql.query(statement);
    }
    const bare = loadOf(ground.bare.url, (slot) =>
      requestText('POST /slots', [], JSON.stringify({ slot })),
    );
    const product = loadOf(ground.product.url, await productRequest(ground));
    await hammer({ ...bare, seconds: ground.sizing.warmUpSeconds });
    await hammer({ ...product, seconds: ground.sizing.warmUpSeconds });
    const rounds: { readonly bare: Round; readonly product: Round }[] = [];
    for (let n = 0; n < ground.sizing.rounds; n += 1) {
      await freeAll(ground);
      rounds.push({
        bare: await hammer({ ...bare, seconds: ground.sizing.seconds }),
        product: await hammer({ ...product, seconds: ground.sizing.seconds }),
      });
      await requireNoneDouble(ground);
    }
    return [
      {
        what: `attempts on ${SLOTS} slots, each wanted ${TIMES_EACH} times in a row; bare: check and insert in one function`,
        unit: 'requests/s',
        bare: median(rounds.map((round) => round.bare.perSecond)),
        product: median(rounds.map((round) => round.product.perSecond)),
        ratio: median(rounds.map((round) => round.product.perSecond / round.bare.perSecond)),
        bound: { atLeast: AT_LEAST },
        p50Ms: median(rounds.map((round) => round.product.p50Ms)),
        p99Ms: median(rounds.map((round) => round.product.p99Ms)),
      },
    ];
  },
};

/** Attempts to book the same slots, from many connections at once. */
export const loadOf = (origin: string, requestFor: (slot: number) => string) => ({
  origin,
  requests: Array.from({ length: SLOTS * TIMES_EACH }, (_, n) =>
    requestFor(Math.floor(n / TIMES_EACH)),
  ),
  connections: CONNECTIONS,
  mayRefuse: true,
});

/** Each attempt uses another customer. */
export async function productRequest({
  scratch,
  spare,
  env,
}: Pick<Ground, 'scratch' | 'spare' | 'env'>): Promise<(slot: number) => string> {
  const file = join(scratch, 'calendar.json');
  await writeFile(file, JSON.stringify({ calendars: [CALENDAR] }));
  const { ids } = await frontdesk(env, 'admin', 'apply', '-f', file, '--sub-account', spare.id);
  const first = Math.ceil(Date.now() / 86_400_000 + 1) * 86_400_000;
  return (slot) =>
    requestText(
      'POST /api/v1/calendars/appointments',
      [spare.authorization],
      JSON.stringify({
        appointmentTypeId: ids.appointmentTypes.bench,
        startTime: first + slot * SLOT_MS,
        endTime: first + (slot + 1) * SLOT_MS,
        firstName: 'Katharina',
        lastName: 'Belmonte',
        email: `booker.${UNIQUE}@example.com`,
      }),
    );
}

async function freeAll({ sql, spare }: Ground): Promise<void> {
  await sql.query('truncate bench_slots');
  await sql.query('delete from appointments where sub_account_id = $1', [spare.id]);
}

async function requireNoneDouble({ sql, spare }: Ground): Promise<void> {
  const { rows } = await sql.query<{ booked: number; slots: number }>(
    `select count(*)::int as booked, count(distinct start_time)::int as slots
     from appointments where sub_account_id = $1 and status <> 'cancelled'`,
    [spare.id],
  );
  const [{ booked, slots } = { booked: 0, slots: 0 }] = rows;
  if (booked === 0 || booked !== slots) {
    throw new Error(`${booked} appointments in ${slots} slots`);
  }
}
