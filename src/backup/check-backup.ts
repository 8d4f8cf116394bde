import type { Readable } from 'node:stream';
import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import { nameOfSource, type SourceFile } from '#platform/files/source-file.ts';
import { isKeyOf } from '#platform/config/installation.ts';
import { FORMAT, READABLE, type Header, type SubAccountHead, type Trailer } from './format.ts';
import { readBackup, readBackupStream, type Pieces } from './read-backup.ts';

interface Checked {
  readonly header: Header;
  readonly trailer: Trailer;
}

/** Reads a whole backup and checks its checksum. Throws a Fault if it is unusable. */
export const checkBackup = (file: SourceFile): Promise<Checked> =>
  check(nameOfSource(file), readBackup(file));

/** Like `checkBackup`, for a stream. `name` stands for it in messages. */
export const checkBackupStream = (name: string, stream: Readable): Promise<Checked> =>
  check(name, readBackupStream(name, stream));

async function check(file: string, pieces: Pieces): Promise<Checked> {
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  let table: string | undefined;
  const counts = new Map<string, number>();
  for await (const piece of pieces) {
    if (piece.kind === 'header') {
      ({ header } = piece);
      requireFormat(file, header);
    } else if (piece.kind === 'table') {
      ({ table } = piece.head);
    } else if (piece.kind === 'file') {
      table = undefined;
    } else if (piece.kind === 'count' && table !== undefined) {
      counts.set(table, piece.count);
    } else if (piece.kind === 'trailer') {
      ({ trailer } = piece);
      requireSameCounts(file, trailer, counts);
    }
  }
  return { header: header as Header, trailer: trailer as Trailer };
}

function requireFormat(file: string, { frontdeskBackup, product }: Header): void {
  if (!READABLE.has(frontdeskBackup)) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} has format ${frontdeskBackup}, written by Frontdesk ${product}; this release reads up to format ${FORMAT}. Use Frontdesk ${product} or later`,
    );
  }
}

/** The checksum of a crafted file may be right, and its trailer wrong. */
function requireSameCounts(
  file: string,
  { rows }: Trailer,
  counts: ReadonlyMap<string, number>,
): void {
  const named = new Map(Object.entries(rows));
  for (const table of [...counts.keys(), ...named.keys()]) {
    const [total = 0, found = 0] = [named.get(table), counts.get(table)];
    if (total !== found) {
      throw new Fault(
        'VALIDATION_ERROR',
        `${file} names ${total} rows of ${withoutControls(table)} at its end, but ${found} where they are. Use another backup`,
      );
    }
  }
}

/** The file is untrusted. */
const withoutControls = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');

export const nameOf = ({ name }: SubAccountHead): string => withoutControls(name);

/** Throws a Fault unless the file contains a whole installation. */
export function requireWhole(file: string, { subAccount }: Header): void {
  if (subAccount) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} contains one sub-account, ${nameOf(subAccount)}: import it with frontdesk admin sub-account import`,
    );
  }
}

/** Returns the owner of all rows. Throws a Fault if the file contains a whole installation. */
export function requireOneSubAccount(file: string, { subAccount }: Header): SubAccountHead {
  if (!subAccount) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} contains a whole installation: restore it into an empty database with frontdesk restore`,
    );
  }
  return subAccount;
}

/**
 * Returns the number of migrations that lead to the schema of a backup: it is loaded after those.
 * Throws a Fault if the backup is from a later release.
 */
export function stepsTo(file: string, header: Header, names: readonly string[]): number {
  const { migrations } = header;
  if (migrations.length === 0 || migrations.some((name, index) => name !== names[index])) {
    throw otherSchema(file, header, names, 'restore it with that release or a later one');
  }
  return migrations.length;
}

/** Throws a Fault unless the backup has exactly this schema. */
export function requireSameSchema(file: string, header: Header, names: readonly string[]): void {
  const { migrations } = header;
  const isSame =
    migrations.length === names.length && migrations.every((name) => names.includes(name));
  if (!isSame) {
    throw otherSchema(
      file,
      header,
      names,
      'upgrade both installations to the same release, then export again',
    );
  }
}

const otherSchema = (
  file: string,
  { product, migrations }: Header,
  names: readonly string[],
  remedy: string,
): Fault =>
  new Fault(
    'VALIDATION_ERROR',
    `${file} has the schema of Frontdesk ${product} (${migrations.length} migrations, the last is ${migrations.at(-1)}); ` +
      `this release has another (${names.length}, the last is ${names.at(-1)}): ${remedy}`,
  );

export const isItsKey = ({ keyCheck }: Header, secrets: Secrets): boolean =>
  keyCheck === null || isKeyOf(Buffer.from(keyCheck, 'base64'), secrets);

/** Throws a Fault for another secret key: the encrypted values of the backup would be unreadable. */
export function requireItsKey(file: string, header: Header, secrets: Secrets): void {
  if (!isItsKey(header, secrets)) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `FRONTDESK_SECRET_KEY is not the key of ${file}; set it to the key of the installation that was backed up`,
    );
  }
}
