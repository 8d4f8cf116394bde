import { Fault } from '#core/fault.ts';
import type { Secrets } from '#core/secrets.ts';
import { isKeyOf } from '#platform/config/installation.ts';
import { FORMAT, type Header, type SubAccountHead, type Trailer } from './format.ts';
import { readBackup, type OnRead } from './read-backup.ts';

interface Checked {
  readonly header: Header;
  readonly trailer: Trailer;
}

/** Reads a backup to its end, so that nothing is begun with one that is cut off or was altered. */
export async function checkBackup(file: string, onRead?: OnRead): Promise<Checked> {
  let header: Header | undefined;
  let trailer: Trailer | undefined;
  for await (const piece of readBackup(file, onRead)) {
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

/** As a terminal may show it: the file is nobody's word. */
export const nameOf = ({ name }: SubAccountHead): string => name.replaceAll(/\p{Cc}+/gu, ' ');

/** A whole installation is restored; one sub-account is brought into an installation. */
export function requireWhole(file: string, { subAccount }: Header): void {
  if (subAccount) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} holds one sub-account, ${nameOf(subAccount)}: bring it in with frontdesk admin sub-account import`,
    );
  }
}

/** Answers whose rows the file holds. */
export function requireOneSubAccount(file: string, { subAccount }: Header): SubAccountHead {
  if (!subAccount) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} holds a whole installation: put it into an empty database with frontdesk restore`,
    );
  }
  return subAccount;
}

/**
 * How many of our steps lead to the schema that a backup came from, which it goes into before the
 * others are applied. Throws a Fault where it did not come from this release or an earlier one.
 */
export function stepsTo(file: string, header: Header, names: readonly string[]): number {
  const { migrations, product } = header;
  if (migrations.length === 0 || migrations.some((name, index) => name !== names[index])) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} has the schema of Frontdesk ${product} (${migrations.length} steps, the last is ${migrations.at(-1)}), ` +
        `this release has another (${names.length}, the last is ${names.at(-1)}): restore it with that release or a later one`,
    );
  }
  return migrations.length;
}

/** A sub-account goes into the very schema that it came from. */
export function requireSameSchema(file: string, header: Header, names: readonly string[]): void {
  const { migrations, product } = header;
  const isSame =
    migrations.length === names.length && migrations.every((name) => names.includes(name));
  if (!isSame) {
    throw new Fault(
      'VALIDATION_ERROR',
      `${file} has the schema of Frontdesk ${product} (${migrations.length} steps, the last is ${migrations.at(-1)}), ` +
        `this release has another (${names.length}, the last is ${names.at(-1)}): export it anew once both installations are of one release`,
    );
  }
}

export const isItsKey = ({ keyCheck }: Header, secrets: Secrets): boolean =>
  keyCheck === null || isKeyOf(Buffer.from(keyCheck, 'base64'), secrets);

/** What the backup holds sealed can be read with no other key. */
export function requireItsKey(file: string, header: Header, secrets: Secrets): void {
  if (!isItsKey(header, secrets)) {
    throw new Fault(
      'SERVICE_UNAVAILABLE',
      `FRONTDESK_SECRET_KEY is not the key of ${file}; it takes the one of the installation that was backed up`,
    );
  }
}
