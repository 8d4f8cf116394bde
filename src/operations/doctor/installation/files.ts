import type { FileKey, FileStore, ProbeResult } from '#core/files.ts';
import { counted } from '#lib/counted.ts';
import { fail, ok, warn, type Check, type Examined, type Finding } from '../check.ts';

/** How many of the newest files, and how many stored contents, are compared. */
const NEWEST = 20;
const LISTED_MAX = 10_000;

/** Whether files can be stored: what can be checked without a database. */
export const fileStorage: Check = {
  name: 'files',
  async examine({ files: store }) {
    const probed = await store.probe();
    return probed.status === 'missing'
      ? warn(missingFolder(store), MISSING_FIX)
      : findingOf(store, probed);
  },
};

/** Whether files can be stored, whether their contents are there, and whether others are left over. */
export const files: Check = {
  name: 'files',
  async examine(examined) {
    const { files: store } = examined;
    const probed = await store.probe();
    if (probed.status === 'missing') {
      const stored = await examined.rows(NEWEST_FILES);
      return stored.length > 0
        ? fail(`${missingFolder(store)}, but files are stored`, LOST_FIX)
        : ok(`${missingFolder(store)} yet; the first file creates it`);
    }
    const storage = findingOf(store, probed);
    if (storage.status !== 'ok') {
      return storage;
    }
    const missing = await missingContents(examined);
    if (missing.length > 0) {
      return warn(
        `${store.place} lacks ${missing.length} of the newest ${NEWEST} files, such as ${missing[0]}`,
        'give all servers and workers the same storage, or restore its contents',
      );
    }
    const [{ waiting } = { waiting: 0 }] = await examined.rows<{ waiting: number }>(WAITING);
    if (waiting > 0) {
      return warn(`${counted(waiting, 'deleted file')} waited an hour for removal`, WAITING_FIX);
    }
    const orphans = await countOrphans(examined);
    return orphans > 0
      ? warn(`${store.place} contains ${counted(orphans, 'file')} without a record`, ORPHANS_FIX)
      : storage;
  },
};

const findingOf = ({ place }: FileStore, probed: ProbeResult): Finding =>
  probed.status === 'failed'
    ? fail(`${place} cannot be used: ${probed.reason}`, fixOf(probed.reason))
    : ok(`${place} can be written and read`);

const missingFolder = ({ place }: FileStore): string => `there is no folder ${place}`;

const fixOf = (failure: string): string => (/ENOSPC/.test(failure) ? 'free some space there' : FIX);

const FIX = 'correct FRONTDESK_FILES_DIR or FRONTDESK_FILES_S3_…, or the rights of this user';
const MISSING_FIX = 'correct FRONTDESK_FILES_DIR, unless no file was stored yet';
const LOST_FIX = 'correct FRONTDESK_FILES_DIR, mount the folder, or restore its contents';
const WAITING_FIX = 'check that a worker runs, and that it can use the storage';
const ORPHANS_FIX =
  'another installation may use the same storage; otherwise they are left of a database that was replaced';

async function missingContents({ files: store, rows }: Examined): Promise<string[]> {
  const missing: string[] = [];
  for (const key of await rows<FileKey>(NEWEST_FILES)) {
    const found = await store.open(key);
    await found?.stream.cancel();
    if (!found) {
      missing.push(key.id);
    }
  }
  return missing;
}

const NEWEST_FILES = `select sub_account_id as "subAccountId", content_id as id from files
  where state = 'stored' order by created_at desc limit ${NEWEST}`;

const WAITING = `select count(*)::int as waiting from file_deletions
  where due_at < now() - interval '1 hour'`;

/** Counts contents that neither a file nor a deletion names, among the first ones of the storage. */
async function countOrphans({ files: store, rows }: Examined): Promise<number> {
  const keys: FileKey[] = [];
  for await (const key of store.list()) {
    if (keys.push(key) === LISTED_MAX) {
      break;
    }
  }
  const owners = keys.map(({ subAccountId }) => subAccountId);
  const ids = keys.map(({ id }) => id);
  const known = await rows<FileKey>(KNOWN, [owners, ids]);
  const names = new Set(known.map(nameOf));
  return keys.filter((key) => !names.has(nameOf(key))).length;
}

const nameOf = ({ subAccountId, id }: FileKey): string => `${subAccountId}/${id}`;

/** Those that a file or a deletion names; a pair of other owners and ids does no harm. */
const KNOWN = `
  select sub_account_id as "subAccountId", content_id as id from files
  where sub_account_id = any ($1) and content_id = any ($2)
  union all
  select sub_account_id, content_id from file_deletions
  where sub_account_id = any ($1) and content_id = any ($2)`;
