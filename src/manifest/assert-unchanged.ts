import { isDeepStrictEqual } from 'node:util';
import { Fault } from '#core/fault.ts';
import type { Section } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { findAudit } from '../accounts/audit/find-audit.ts';
import { findUser } from '../accounts/users/user.store.ts';
import { entriesOf } from './entries.ts';
import { exportManifest } from './export-manifest.ts';

/** A manifest, or some of its sections, as it was exported. */
export type Base = Readonly<Record<string, unknown>>;

interface UnchangedInput {
  /** The parsed source. */
  readonly written: unknown;
  readonly base: Base;
  /** Entries that the source does not name would be removed, so they are compared too. */
  readonly prune: boolean;
}

/**
 * Throws `CHANGED_MEANWHILE` if an entry that the source would write is no longer as `base` has it:
 * applying the source would undo another person's change.
 */
export async function assertUnchanged(
  work: Work,
  sections: readonly Section[],
  { written, base, prune }: UnchangedInput,
): Promise<void> {
  const stored: unknown = JSON.parse(JSON.stringify(await exportManifest(work, sections)));
  const entries = sections.flatMap((section) => {
    const [now, before] = [valuesOf(section, stored), valuesOf(section, base)];
    const keys = entriesOf(section, written).map(({ key }) => key);
    return [...new Set(prune ? [...keys, ...now.keys(), ...before.keys()] : keys)]
      .filter((key) => !isDeepStrictEqual(now.get(key), before.get(key)))
      .map((key) => ({ section: section.name, key }));
  });
  const [first] = entries;
  if (first) {
    const by = await lastChange(work);
    const author = by ? ` (last change by ${by.name})` : '';
    throw new Fault(
      'CHANGED_MEANWHILE',
      `${first.section}/${first.key} was changed after it was read${author}; read it again`,
      { reason: 'changed_meanwhile', entries, by },
    );
  }
}

const valuesOf = (section: Section, manifest: unknown): ReadonlyMap<string, unknown> =>
  new Map(entriesOf(section, manifest).map(({ key, value }) => [key, value]));

/** The endpoint of the console, and the command. */
const APPLYING = /\bapply$/;
const LOOKED_AT = 20;

/** Returns who applied a manifest last, and when; null if it was not recently. */
async function lastChange(work: Work) {
  const { subAccountId } = work;
  const rows = await findAudit(work, { subAccountId, recordId: subAccountId, limit: LOOKED_AT });
  const last = rows.find(({ operation }) => APPLYING.test(operation));
  if (!last) {
    return null;
  }
  const user = last.actorKind === 'user' ? await findUser(work, last.actor) : undefined;
  return { name: user?.name ?? last.actor, at: last.at };
}
