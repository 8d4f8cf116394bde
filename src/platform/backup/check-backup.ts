import { Fault } from '#kit/fault.ts';
import type { Secrets } from '#kit/secrets.ts';
import { isKeyOf } from '../installation.ts';
import { FORMAT, type Header, type Trailer } from './format.ts';
import { readBackup } from './read-backup.ts';

export interface Checked {
  readonly header: Header;
  readonly trailer: Trailer;
}

/** Reads a backup to its end, so that nothing is begun with one that is cut off or was altered. */
export async function checkBackup(file: string): Promise<Checked> {
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  for await (const piece of readBackup(file)) {
    if (piece.kind === 'header') {
      ({ header } = piece);
      requireFormat(file, header);
    } else if (piece.kind === 'trailer') {
      ({ trailer } = piece);
    }
  }
  return { header: header as Header, trailer: trailer as Trailer };
}

function requireFormat(file: string, { frontdeskBackup, product }: Header): void {
  if (frontdeskBackup !== FORMAT) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} has the format ${frontdeskBackup} of Frontdesk ${product}; this release reads ${FORMAT}`,
    );
  }
}

/** A backup goes into the schema that it came from; a later release migrates it afterwards. */
export function requireSameSchema(file: string, header: Header, names: readonly string[]): void {
  const { migrations, product } = header;
  const isSame =
    migrations.length === names.length && migrations.every((name) => names.includes(name));
  if (!isSame) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} has the schema of Frontdesk ${product} (${migrations.length} steps, the last is ${migrations.at(-1)}), ` +
        `this release has another (${names.length}, the last is ${names.at(-1)}): restore it with that release, then run frontdesk migrate with this one`,
    );
  }
}

/** What the backup holds sealed can be read with no other key. */
export function requireItsKey(file: string, { keyCheck }: Header, secrets: Secrets): void {
  if (keyCheck !== null && !isKeyOf(Buffer.from(keyCheck, 'base64'), secrets)) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `FRONTDESK_SECRET_KEY is not the key of ${file}; it takes the one of the installation that was backed up`,
    );
  }
}
