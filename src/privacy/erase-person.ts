import { keyOf } from '#core/job.ts';
import type { Work } from '#core/work.ts';
import { ERASE_FROM_JOBS } from '#platform/queue/private-tables.ts';
import { syncAppointment } from '../booking/notices/booking.jobs.ts';
import { deleteContact } from '../contacts/delete-contact.ts';
import { ERASED } from './address-pattern.ts';
import { bound, type Bindings } from './bound.ts';
import { eraseEvents } from './erase-events.ts';
import { hashOptOuts } from './hash-opt-outs.ts';
import { bindingsOf, type Person } from './person.ts';
import { personalTables, type PersonalTable } from './personal-data.ts';

/** What was erased in a table, in rows. */
export interface ErasedRows {
  readonly table: string;
  readonly deleted: number;
  /** Rows that stay without the person's data. */
  readonly blanked: number;
  /** Rows about others in which the person's addresses were replaced. */
  readonly replaced: number;
}

/**
 * Erases a person everywhere and deletes the contact. Rows that others or figures depend on stay, without
 * the person's data. The events that the deletion fires contain none of it.
 */
export async function erasePerson(work: Work, person: Person): Promise<ErasedRows[]> {
  // Texts of large sub-accounts are read whole.
  await work.rows(`select set_config('statement_timeout', '0', true)`, []);
  await work.rows(LOCK, [work.subAccountId, person.contactIds]);
  const bindings = bindingsOf(work, person);
  const counts: ErasedRows[] = [];
  for (const table of personalTables) {
    counts.push({
      table: table.table,
      ...(await eraseRows(work, table, bindings)),
      replaced: await replaceAddresses(work, table, bindings),
    });
  }
  counts.push(await eraseJobs(work, bindings));
  counts.push({ ...NOTHING, table: 'external_holds', deleted: await freePast(work, bindings) });
  for (const id of person.liveIds) {
    await deleteContact(work, id);
  }
  person.contactIds.forEach((id) => work.audit(id));
  return counts.filter(({ deleted, blanked, replaced }) => deleted + blanked + replaced > 0);
}

/** In the order in which merges lock contacts. */
const LOCK = `select from contacts where sub_account_id = $1 and id = any($2::uuid[])
  order by id for update`;

const NOTHING = { deleted: 0, blanked: 0, replaced: 0 };

async function eraseRows(
  work: Work,
  { table, rows, erase }: PersonalTable,
  bindings: Bindings,
): Promise<{ deleted: number; blanked: number }> {
  if (erase === 'delete') {
    return {
      ...NOTHING,
      deleted: await count(work, `delete from ${table} t where ${rows}`, bindings),
    };
  }
  if (erase === 'own') {
    return table === 'opt_outs'
      ? { ...NOTHING, deleted: await hashOptOuts(work, bindings) }
      : { ...NOTHING, blanked: await eraseEvents(work, table, bindings) };
  }
  const columns = Object.entries(erase);
  const values = columns.map(([column, value]) => `${column} = ${value}`).join(', ');
  const differs = columns.map(([column, value]) =>
    JSON_COLUMNS.has(column)
      ? `t.${column}::text is distinct from (${value})::text`
      : `t.${column} is distinct from (${value})`,
  );
  const statement = `update ${table} t set ${values} where ${rows} and (${differs.join(' or ')})`;
  return { ...NOTHING, blanked: await count(work, statement, bindings) };
}

/** Values of the type json can be compared as text only. Those of arrays can not on a cluster. */
const JSON_COLUMNS: ReadonlySet<string> = new Set(['fields', 'custom_fields', 'data']);

/** Returns the number of rows about others that mentioned an address. */
async function replaceAddresses(
  work: Work,
  { table, texts = [] }: PersonalTable,
  bindings: Bindings,
): Promise<number> {
  if (bindings.pattern === null || texts.length === 0) {
    return 0;
  }
  const values = texts.map((column) => {
    const replaced = `regexp_replace(t.${column}::text, :pattern, '${ERASED}', 'gi')`;
    return `${column} = ${JSON_COLUMNS.has(column) ? `${replaced}::json` : replaced}`;
  });
  const found = texts.map((column) => `t.${column}::text ~* :pattern`).join(' or ');
  const statement = `update ${table} t set ${values.join(', ')}
    where t.sub_account_id = :sub and (${found})`;
  return count(work, statement, bindings);
}

async function count(work: Work, statement: string, bindings: Bindings): Promise<number> {
  const { text, values } = bound(statement, bindings);
  const [found] = await work.rows<{ changed: number }>(
    `with changed as (${text} returning 1) select count(*)::int as changed from changed`,
    values,
  );
  return found?.changed ?? 0;
}

/** Queued mails to admins, and errors of servers that repeat an address. */
async function eraseJobs(work: Work, { sub, contacts, pattern, names }: Bindings) {
  const patterns = [pattern, names].filter((one) => one !== null).join('|') || null;
  const [erased] = await work.rows<{ deleted: number; replaced: number }>(ERASE_FROM_JOBS, [
    sub,
    patterns,
    contacts,
    ERASED,
  ]);
  return { ...NOTHING, ...erased, table: 'jobs' };
}

/**
 * Events of past appointments in external calendars name the customer: without a member, the
 * appointment's job deletes them. Those of upcoming appointments end with the appointment.
 */
async function freePast(work: Work, bindings: Bindings): Promise<number> {
  const { text, values } = bound(FREE_PAST, bindings);
  const freed = await work.rows<{ appointmentId: string }>(text, values);
  const ids = new Set(freed.map(({ appointmentId }) => appointmentId));
  for (const appointmentId of ids) {
    const payload = { subAccountId: work.subAccountId, appointmentId };
    work.enqueue(syncAppointment, payload, { key: keyOf(syncAppointment, payload) });
  }
  return ids.size;
}

const FREE_PAST = `delete from appointment_blocks b using external_holds h, appointments t
  where b.sub_account_id = :sub and h.sub_account_id = b.sub_account_id
    and h.appointment_id = b.appointment_id and h.member_id = b.member_id
    and t.sub_account_id = b.sub_account_id and t.id = b.appointment_id
    and t.contact_id = any(:contacts) and t.start_time <= now()
  returning b.appointment_id as "appointmentId"`;
