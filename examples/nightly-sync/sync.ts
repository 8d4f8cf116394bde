// Mirrors the contacts of a sub-account to a file. The first run reads them all; later runs read only
// what the event feed reports since. Run it nightly: `node sync.ts contacts.json`
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createClient, FrontdeskError, type Client, type Contact } from '@frontdesk/client';

interface Mirror {
  /** The position in the event feed up to which the contacts are current. */
  cursor: string;
  contacts: Record<string, Contact>;
}

const frontdesk: Client = createClient({
  baseUrl: process.env.FRONTDESK_URL ?? 'http://localhost:8080',
  apiKey: process.env.FRONTDESK_API_KEY ?? '',
});

async function readAll(): Promise<Mirror> {
  // The position first: changes during the list are then read again, and none is missed.
  const { meta } = await frontdesk.events.list({ start: 'latest', limit: 1 });
  const contacts: Mirror['contacts'] = {};
  for await (const contact of frontdesk.contacts.iterate()) {
    contacts[contact.id] = contact;
  }
  return { cursor: meta.cursor, contacts };
}

async function readChanges({ cursor: after, contacts }: Mirror): Promise<Mirror> {
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
  return { cursor, contacts };
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
const mirror = before ? await readChanges(before) : await readAll();
// Position and contacts in one step: a run that is interrupted starts again from the old position.
await writeFile(`${file}.new`, JSON.stringify(mirror, null, 2));
await rename(`${file}.new`, file);
console.log(`${Object.keys(mirror.contacts).length} contacts`);
