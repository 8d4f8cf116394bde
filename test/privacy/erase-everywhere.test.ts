import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { newFolder, run, withDatabase } from '../operations/backup.support.ts';
import { newPlace, populated } from '../operations/moving.support.ts';
import { makeAppear, needlesOf, newSomebody, tablesWith } from './made-up-person.support.ts';

/** Tables about a person that hold ids and times only. */
const IDS_ONLY = new Set([
  'waiting_offers',
  'engagement_marks',
  'engagement_scores',
  'list_members',
  'chat_sessions',
]);

const FIRST_CONTACT = `select id from contacts where sub_account_id = $1 and deleted_at is null
  order by id limit 1`;

const QUEUED = `select graphile_worker.add_job('accounts/notify-admins',
  json_build_object('subAccountId', $1::text, 'subject', 'A notice', 'text', $2::text,
    'contactId', $3::text), run_at => now() + interval '1 day')`;

/** Jobs that failed with an address in the error of another server. */
const FAILED = `update graphile_worker._private_jobs set last_error = '550 5.1.1 <' || $2 || '>'
  where payload ->> 'subAccountId' = $1`;

const PRESENT = `insert into presences (sub_account_id, conversation_id, participant, name, seen_at)
  select sub_account_id, id, 'visitor', $3, now() from conversations
  where sub_account_id = $1 and contact_id = $2`;

const WAITING_EVENT = `insert into outbox (sub_account_id, id, name, contact_id, data, occurred_at)
  select sub_account_id, gen_random_uuid(), name, contact_id, data, occurred_at from events
  where sub_account_id = $1 limit 1`;

const OTHERS = `select count(*)::int as rows from contacts
  where sub_account_id = $1 and id <> $2 and first_name like 'Zoë%'`;

async function appear(client: Client, subAccountId: string) {
  const { rows } = await client.query<{ id: string }>(FIRST_CONTACT, [subAccountId]);
  const somebody = newSomebody(rows[0]?.id ?? '');
  const { id, email, name } = somebody;
  await client.query(WAITING_EVENT, [subAccountId]);
  const tables = await makeAppear(client, subAccountId, somebody);
  await client.query(FAILED, [subAccountId, email]);
  await client.query(QUEUED, [subAccountId, `Dear ${name.join(' ')}`, null]);
  await client.query(QUEUED, [subAccountId, `${somebody.marker} filled in a form`, id]);
  await client.query(PRESENT, [subAccountId, id, name.join(' ')]);
  return { somebody, tables };
}

describe('an erased person', () => {
  test('is in no column of any table and in no backup', async () => {
    const place = await newPlace();
    const { subAccountId } = await populated(place);
    const { somebody, tables } = await withDatabase(place.url, (client) =>
      appear(client, subAccountId),
    );
    const words = needlesOf(somebody);
    const scan = () => withDatabase(place.url, (client) => tablesWith(client, words));
    const before = await scan();
    const texts = tables.filter((name) => !IDS_ONLY.has(name));
    expect(Object.keys(before)).toEqual(expect.arrayContaining([...texts, 'presences']));
    expect(before['messages']).toEqual([...words].sort());

    const erase = ['contact', 'erase', somebody.id, '--sub-account', subAccountId, '--yes'];
    const ran = await place.admin(...erase);
    expect(ran).toMatchObject({ code: 0, json: { contactIds: [somebody.id], sharedAddresses: 0 } });
    // Events of the outbox are published before.
    const kept = texts.filter((name) => name !== 'outbox');
    const erased = ran.json.tables.map(({ table }: { table: string }) => table);
    expect(erased).toEqual(expect.arrayContaining([...kept, 'jobs', 'presences']));

    expect(await scan()).toEqual({});
    const file = join(await newFolder(), 'after.backup');
    expect(await run(['backup', file], place.url)).toMatchObject({ code: 0 });
    const text = gunzipSync(await readFile(file))
      .toString('latin1')
      .toLowerCase();
    expect(words.filter((word) => text.includes(word.toLowerCase()))).toEqual([]);
    const others = await withDatabase(place.url, (client) =>
      client.query(OTHERS, [subAccountId, somebody.id]),
    );
    expect(others.rows).toEqual([{ rows: 1 }]);
  });

  test('is asked for by name unless --yes is given', async () => {
    const place = await newPlace();
    const { subAccountId } = await populated(place);
    const ran = await place.admin(
      'contact',
      'erase',
      '--email',
      'someone0@example.org',
      '--sub-account',
      subAccountId,
    );
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
  });
});
