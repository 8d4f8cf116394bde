import { confirmPlace } from '../../../src/booking/waiting/confirm-waiting.ts';
import { offerFreeSlots } from '../../../src/booking/waiting/offer-waiting.ts';
import { waitingPath } from '../../../src/booking/waiting/waiting-link.ts';
import { confirmWaiting } from '../../../src/booking/waiting/waiting.jobs.ts';
import { apply } from '../../support/manifest.ts';
import {
  at,
  bookedOf,
  bookNext,
  bookingOf,
  calendarOf,
  dayFromNow,
  type Setup,
} from '../../support/calendars.ts';
import { expect, OPERATOR, type TestService } from '../../support/service.ts';
import { send } from '../pages/page.support.ts';

export const HELD_MINUTES = 60;

export interface FullDay extends Setup {
  /** The starts of the day's slots, in order. */
  readonly starts: readonly number[];
  /** The ids of the appointments at the starts. */
  readonly booked: readonly string[];
  readonly date: string;
}

/** Sets up a day with two slots of Anna's that are both booked, and a waiting list. */
export async function fullDay(service: TestService, more: object = {}): Promise<FullDay> {
  const email = { provider: 'smtp', host: '127.0.0.1', port: 25, from: 'hello@harbour.example' };
  await apply(service, { channels: { email } });
  const date = dayFromNow(service, 2);
  const setup = await calendarOf(service, {
    hours: {},
    overrides: [{ date, hours: ['09:00-10:00'] }],
    waitingListMinutes: HELD_MINUTES,
    ...more,
  });
  const starts = [at(service, 2, '09:00'), at(service, 2, '09:30')];
  const booked: string[] = [];
  for (const start of starts) {
    booked.push((await bookedOf(service, bookingOf(setup.typeId, start))).id);
  }
  return { ...setup, starts, booked, date };
}

/** Joins the waiting list like a browser, and returns where it is redirected to. */
export async function submitJoin(
  service: TestService,
  { date }: FullDay,
  { name, email = `${name}@example.com` }: { readonly name: string; readonly email?: string },
): Promise<string> {
  const answer = await send(service, `/book/${service.subAccountId}/check-up/wait`, {
    date,
    tz: 'UTC',
    firstName: name,
    lastName: 'Waiting',
    email,
  });
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([303, '']);
  return answer.headers.get('location') ?? '';
}

/** Joins the waiting list, and returns the path of the place, which the visitor gets by mail. */
export async function join(service: TestService, day: FullDay, name: string): Promise<string> {
  await submitJoin(service, day, { name });
  const { database, secrets, subAccountId } = service;
  const [place] = await database.rows<{ id: string }>(PLACE_OF, [subAccountId, name]);
  return waitingPath(secrets, { subAccountId, id: place?.id ?? '' });
}

const PLACE_OF = `select e.id from waiting_entries e
  join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
  where e.sub_account_id = $1 and c.first_name = $2 order by e.created_at desc, e.id desc limit 1`;

interface QueuedPlace {
  readonly subAccountId: string;
  readonly placeId: string;
}

/** Runs the queued jobs that mail the links of new places, each of them twice. */
export async function confirmJoined({
  database,
  transact,
  secrets,
  subAccountId,
}: TestService): Promise<void> {
  const jobs = await database.rows<{ payload: QueuedPlace }>(
    `select j.payload from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = $1 and j.payload->>'subAccountId' = $2 order by j.id`,
    [confirmWaiting.name, subAccountId],
  );
  for (const { placeId } of [...jobs, ...jobs].map(({ payload }) => payload)) {
    const link = waitingPath(secrets, { subAccountId, id: placeId });
    await transact(subAccountId, OPERATOR, (work) => confirmPlace(work, placeId, link));
  }
}

/** Runs the job that offers free slots, from the first in line or behind a place. */
export const offer = (
  { transact, subAccountId, secrets, openView, clock }: TestService,
  after?: string,
) =>
  offerFreeSlots(
    {
      view: openView(subAccountId, clock()),
      change: (act) => transact(subAccountId, OPERATOR, act),
      linkOf: (id) => waitingPath(secrets, { subAccountId, id }),
    },
    after,
  );

export async function cancel({ call }: TestService, id: string): Promise<void> {
  const { status, body } = await call(`DELETE /api/v1/calendars/appointments/${id}`);
  expect([status, body.data]).toEqual([200, { id, cancelled: true }]);
}

interface OfferRow {
  readonly name: string;
  readonly state: string;
  readonly start: number;
}

/** Returns every offer with the first name of its person, in the order in which they were made. */
export const offersOf = ({ database, subAccountId }: TestService): Promise<OfferRow[]> =>
  database.rows<OfferRow>(
    `select c.first_name as name, o.state, (extract(epoch from o.start_time) * 1000)::int8 as start
     from waiting_offers o
     join waiting_entries e on e.sub_account_id = o.sub_account_id and e.id = o.entry_id
     join contacts c on c.sub_account_id = e.sub_account_id and c.id = e.contact_id
     where o.sub_account_id = $1 order by o.created_at, o.id`,
    [subAccountId],
  );

/** Returns the mails of offers, or others by subject: the first name of the recipient, and the link. */
export const mailsOf = ({ database, subAccountId }: TestService, subject = 'A time is free') =>
  database.rows<{ name: string; link: string }>(
    `select c.first_name as name, substring(m.body_text from '/book/wait/[\\w-]+') as link
     from messages m
     join conversations v on v.sub_account_id = m.sub_account_id and v.id = m.conversation_id
     join contacts c on c.sub_account_id = v.sub_account_id and c.id = v.contact_id
     where m.sub_account_id = $1 and m.direction = 'outbound' and m.subject like $2 || '%'
     order by m.id`,
    [subAccountId, subject],
  );

/** Returns the slots that two live appointments, or an appointment and an open offer, both have. */
export const doubles = ({ database, subAccountId }: TestService) =>
  database.rows(
    `with taken as (
       select start_time, assigned_to::text as member from appointments
       where sub_account_id = $1 and status <> 'cancelled'
       union all
       select start_time, one::text from waiting_offers, unnest(member_ids) as one
       where sub_account_id = $1 and state = 'offered'
     )
     select start_time from taken group by start_time, member having count(*) > 1`,
    [subAccountId],
  );

/** Returns the link of the first mail. */
export async function linkOf(service: TestService): Promise<string> {
  const [mail] = await mailsOf(service);
  return mail?.link ?? '';
}

/** Lets a customer with an appointment wait for a day, and returns the id of the place. */
export const waitingPlaceOf = async (service: TestService, key = 'full'): Promise<string> =>
  waitFor(service, await bookNext(service, key));

/** Lets a contact wait for a day. */
export async function waitFor(
  { database, clock }: TestService,
  { appointmentTypeId, contactId }: { appointmentTypeId: string; contactId: string },
): Promise<string> {
  const values = [appointmentTypeId, contactId, clock()];
  const [row] = await database.rows<{ id: string }>(WAIT, values);
  return row?.id ?? '';
}

const WAIT = `insert into waiting_entries (sub_account_id, id, appointment_type_id, contact_id,
    from_time, until_time, timezone, state, created_at, updated_at)
  select sub_account_id, gen_random_uuid(), $1, id, $3, $3::timestamptz + interval '1 day', 'UTC',
    'waiting', $3, $3
  from contacts where id = $2 returning id`;
