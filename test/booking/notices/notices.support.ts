import { randomBytes } from 'node:crypto';
import { expect, vi } from 'vitest';
import { secretsOf } from '#platform/config/secrets.ts';
import { bookAppointment } from '../../../src/booking/appointments/book-appointment.ts';
import {
  mailServer,
  smtp,
  startSending,
  type Sending,
} from '../../conversations/sending.support.ts';
import { always, ANNA } from '../../support/calendars.ts';
import { WAIT } from '../../support/deliveries.ts';
import { apply } from '../../support/manifest.ts';
import { OPERATOR, type TestService } from '../../support/service.ts';

const KEY_BYTES = randomBytes(32);
const KEY = KEY_BYTES.toString('base64');
/** The secrets of the worker. */
export const SECRETS = secretsOf(KEY_BYTES);
const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;

interface Written {
  readonly channel: string;
  readonly subject: string | null;
  readonly bodyText: string;
  readonly attachment: { name: string; type: string; content: string } | null;
  readonly status: string;
}

/** A sub-account with a calendar, a customer Ada and a worker. */
export interface Noticing extends Sending {
  readonly mails: Awaited<ReturnType<typeof mailServer>>;
  manifest(manifest: object): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>;
  /** Applies this calendar and returns the id of its type. */
  calendar(more: object, anna?: object): Promise<string>;
  /** Books for Ada and returns the appointment's id. */
  book(typeId: string, startTime: number, email?: string): Promise<string>;
  /** Messages to customers, oldest first. */
  written(): Promise<Written[]>;
  /** Waits until there are that many messages and no job is due, and returns them. */
  settledAt(count: number): Promise<Written[]>;
  /** Makes all scheduled jobs due now. */
  hurry(): Promise<void>;
}

export async function startNoticing(
  variables: Readonly<Record<string, string>> = {},
): Promise<Noticing> {
  const sending = await startSending({
    FRONTDESK_BASE_URL: 'https://desk.example',
    FRONTDESK_SECRET_KEY: KEY,
    ...variables,
  });
  const { database, subAccountId, transact } = sending;
  const mails = await mailServer();
  await sending.setUp(smtp(mails.port));
  const to = { ...sending, actor: OPERATOR } as unknown as TestService;
  const manifest: Noticing['manifest'] = async (given) =>
    (await apply(to, given, { to: subAccountId, variables: { FRONTDESK_SECRET_KEY: KEY } })).ids;
  const written = () => database.rows<Written>(WRITTEN, [subAccountId]);
  return {
    ...sending,
    mails,
    manifest,
    async calendar(more, anna = ANNA) {
      const subAccount = { locale: 'en-GB' };
      const calendars = [{ ...CALENDAR, ...more }];
      const ids = await manifest({ subAccount, team: [anna], calendars });
      return ids['appointmentTypes']?.['checkup-30'] ?? '';
    },
    async book(appointmentTypeId, startTime, email = 'ada@example.com') {
      const times = { startTime, endTime: startTime + HALF_HOUR_MS };
      const who = { firstName: 'Ada', lastName: 'Lovelace', email };
      return transact(subAccountId, OPERATOR, async (work) => {
        const { id } = await bookAppointment(work, { appointmentTypeId, ...times, ...who });
        return id;
      });
    },
    written,
    async settledAt(count) {
      await vi.waitFor(async () => {
        expect(await written()).toHaveLength(count);
        const [due] = await database.rows<{ n: number }>(DUE, []);
        expect(due?.n).toBe(0);
      }, WAIT);
      return written();
    },
    hurry: async () => void (await database.rows(HURRY, [])),
  };
}

const CALENDAR = {
  key: 'checkup',
  name: 'Check-ups',
  type: 'personal',
  timezone: 'Europe/Berlin',
  members: ['anna'],
  hours: always(),
  types: [{ key: 'checkup-30', name: 'Check-up', slug: 'check-up', duration: 30 }],
};

/** Does not change when midnight comes during a test. */
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;

/** Returns noon in UTC, that many days ahead. */
export const noon = (days: number): number => TODAY + days * DAY_MS + DAY_MS / 2;

const WRITTEN = `select channel, subject, body_text as "bodyText", attachment, status from messages
  where sub_account_id = $1 and direction = 'outbound' order by id`;

/** A message that waits for an earlier one is looked at again within a second. */
const DUE = `select count(*)::int as n from graphile_worker._private_jobs
  where run_at <= now() + interval '1 s'`;

const HURRY = 'update graphile_worker._private_jobs set run_at = now() where run_at > now()';
