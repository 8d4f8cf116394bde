// Mirrors the contacts of a sub-account to a file. The first run, and one run a week, reads them all;
// the others read only what the event feed reports since. Run it nightly: `node sync.ts contacts.json`
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createClient, FrontdeskError, type Client, type Contact } from '@frontdesk/client';

const DAY_MS = 86_400_000;
/** Every seventh night: deleting a contact is no event, and the feed keeps events for 30 days. */
const READ_ALL_AFTER_MS = 6.5 * DAY_MS;

interface Mirror {
  /** The position in the event feed up to which the contacts are current. */
  cursor: string;
  contacts: Record<string, Contact>;
  /** When all contacts were read, in epoch milliseconds. */
  readAllAt: number;
}

const frontdesk: Client = createClient({
  baseUrl: process.env.FRONTDESK_URL ?? 'http://localhost:8080',
  apiKey: process.env.FRONTDESK_API_KEY ?? '',
});

async function readAll(): Promise<Mirror> {
  const readAllAt = Date.now();
  // The position first: changes during the list are then read again, and none is missed.
  const { meta } = await frontdesk.events.list({ start: 'latest', limit: 1 });
  const contacts: Mirror['contacts'] = {};
  for await (const contact of frontdesk.contacts.iterate()) {
    contacts[contact.id] = contact;
  }
  return { cursor: meta.cursor, contacts, readAllAt };
}

async function readChanges({ cursor: after, contacts, readAllAt }: Mirror): Promise<Mirror> {
  const changed = new Set<string>();
  let cursor = after;
  for await (const { data, meta } of frontdesk.events.iterate({ after }).pages()) {
    for (const { data: event } of data) {
      if (event.contactId !== undefined) {
        changed.add(event.contactId);
      }
    }
    cursor = meta.cursor;
  }
  // An event says that a contact changed; its record says what it is now.
  for (const id of changed) {
    const contact = await find(id);
    if (contact) {
      contacts[id] = contact;
    } else {
      delete contacts[id];
    }
  }
  return { cursor, contacts, readAllAt };
}

/** Returns undefined for a contact that was deleted meanwhile. */
async function find(id: string): Promise<Contact | undefined> {
  try {
    return await frontdesk.contacts.get(id);
  } catch (error) {
    if (error instanceof FrontdeskError && error.status === 404) {
      return undefined;
    }
    throw error;
  }
}

const [file = 'contacts.json'] = process.argv.slice(2);
const before = existsSync(file) && (JSON.parse(await readFile(file, 'utf8')) as Mirror);
const isCurrent = before && Date.now() - before.readAllAt < READ_ALL_AFTER_MS;
// A run that fails leaves the file as it was: the next one starts from the stored position.
const mirror = isCurrent ? await readChanges(before) : await readAll();
// Position and contacts in one step, so that they belong together after a crash, too.
await writeFile(`${file}.new`, JSON.stringify(mirror, null, 2));
await rename(`${file}.new`, file);
console.log(`${Object.keys(mirror.contacts).length} contacts`);
