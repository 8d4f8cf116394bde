import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { Fault } from '#core/fault.ts';
import type { EntryIssue, Section, SectionTools } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { MINUTE_MS } from '#lib/duration.ts';
import { databaseRefusal } from '#platform/database/database-errors.ts';
import { applyManifest, lockSubAccount, type RunResult } from './apply-manifest.ts';
import { assertUnchanged, type Base } from './assert-unchanged.ts';
import { entriesOf, type Entry } from './entries.ts';
import type { StoredValue } from './environment-references.ts';
import { textsIn, valueAt } from './json-pointer.ts';
import { outcomeOf } from './outcome.ts';
import { parseManifest, type Manifest } from './read-manifest.ts';
import { readSourceSafely } from './read-source.ts';
import { loadReferences, loadStored, referencesOf, rowsOf, type Stored } from './stored.ts';

interface ApplySourceInput {
  readonly source: string;
  /** Removes entries that the manifest does not name. */
  readonly prune: boolean;
  /** Whether the caller rolls the work back. */
  readonly isPlan: boolean;
  /** The manifest, or its sections of the source, as the caller read it; not checked if it is undefined. */
  readonly base?: Base | undefined;
  readonly tools: SectionTools;
  readonly limitMs?: number;
}

/** The manifest of a large sub-account takes a few seconds. */
const LIMIT_MS = MINUTE_MS;

/**
 * Applies the text of a manifest without the environment: a `${env:NAME}` that is stored keeps its value,
 * a new one is refused. Throws a Fault with all issues at once.
 */
export async function applySource(
  work: Work,
  sections: readonly Section[],
  { source: text, prune, isPlan, base, tools, limitMs = LIMIT_MS }: ApplySourceInput,
): Promise<RunResult> {
  const source = await readSourceSafely(work.subAccountId, text);
  await claimInTime(work);
  await lockInTime(work);
  if (base !== undefined) {
    await assertUnchanged(work, sections, { written: source.value, base, prune });
  }
  const stored = await loadStored(work, sections, tools);
  const keptIn = await valuesOfReferences(work, stored);
  const file = { name: 'manifest', source, subAccountId: work.subAccountId };
  const valuesFor = (written: unknown) => ({ kept: keptIn(written) });
  const manifest = await parseManifest(sections, file, valuesFor, tools);
  const issues = [...manifest.issues, ...redirections(manifest, stored)];
  const limits = { limitMs, limitsSize: true };
  const applied = await applyManifest(work, { ...manifest, issues }, { prune, ...limits });
  return { outcome: outcomeOf(applied, isPlan), cautions: applied.cautions };
}

const WAIT_MAX_MS = 5_000;
const NOT_AVAILABLE = '55P03';

/** Waits for the manifest that this process applies to the sub-account, before it takes a connection. */
async function claimInTime(work: Work): Promise<void> {
  const late = AbortSignal.timeout(WAIT_MAX_MS);
  const name = `manifest ${work.subAccountId}`;
  for (let busy = work.claim(name); busy; busy = work.claim(name)) {
    await Promise.race([busy, once(late, 'abort')]);
    if (late.aborted) {
      throw manifestBusy();
    }
  }
}

const manifestBusy = () => {
  const why = 'another manifest is being applied to this sub-account; try again in a moment';
  return new Fault('SERVICE_UNAVAILABLE', why, { reason: 'manifest_busy' });
};

/** A caller that waits for the manifest of another process keeps a connection that others need. */
async function lockInTime(work: Work): Promise<void> {
  await work.rows(`select set_config('lock_timeout', $1, true)`, [`${WAIT_MAX_MS}ms`]);
  try {
    await lockSubAccount(work);
  } catch (error) {
    if (databaseRefusal(error)?.code === NOT_AVAILABLE) {
      throw manifestBusy();
    }
    throw error;
  }
  await work.rows('set local lock_timeout to default', []);
}

/** Returns a function for the stored values of the references of a manifest as it is written. */
async function valuesOfReferences(work: Work, stored: Stored) {
  const references = await loadReferences(work);
  return (written: unknown): StoredValue => {
    const entries = new Map(
      [...stored.keys()].flatMap((section) =>
        entriesOf(section, written).map(({ key, path }) => [path, { section, key, path }] as const),
      ),
    );
    return (path, text) => {
      const [, section = '', name = ''] = path.split('/');
      const entry = entries.get(`/${section}/${name}`) ?? entries.get(`/${section}`);
      if (!entry) {
        return undefined;
      }
      const { key } = entry;
      const known = referencesOf(references, entry.section.name, key);
      const within = path.slice(entry.path.length);
      // A header of a step that moved within its workflow keeps the value, too.
      const at = known.get(within) === text ? within : pathOf(known, text);
      const row = rowsOf(stored, entry.section).get(key);
      const value = at === undefined ? undefined : valueAt(entry.section.valueOf(row), at);
      return typeof value === 'string' ? value : undefined;
    };
  };
}

const pathOf = (known: ReadonlyMap<string, string>, text: string): string | undefined =>
  [...known].find(([, reference]) => reference === text)?.[0];

/**
 * Returns the new addresses that would receive a value of the environment: the author of the manifest may
 * not know the value, and must not be able to send it to a server of their choice.
 */
function redirections({ entries }: Manifest, stored: Stored): readonly EntryIssue[] {
  return [...entries].flatMap(([section, listed]) => {
    const destination = section.environment?.destination;
    return destination === undefined
      ? []
      : listed.flatMap((entry) => newDestinations(section, entry, stored, destination));
  });
}

function newDestinations(
  section: Section,
  { key, value, path: at, references }: Entry,
  stored: Stored,
  destination: RegExp,
): readonly EntryIssue[] {
  const rows = rowsOf(stored, section);
  if (references.size === 0 || !rows.has(key)) {
    return [];
  }
  const isDestination = ([path]: readonly [string, unknown]) => destination.test(path);
  const known = textsIn(section.valueOf(rows.get(key))).filter(isDestination);
  return textsIn(value)
    .filter(isDestination)
    .filter(([, to]) => !known.some(([, before]) => isDeepStrictEqual(before, to)))
    .flatMap(([path]) => {
      const sent = [...references].find(([reference]) => areTogether(path, reference));
      const message = `decides where the value of ${sent?.[1]} is sent; change it with frontdesk admin apply, or replace the reference`;
      return sent ? [{ path: at + path, message }] : [];
    });
}

/** An address and a credential belong together if one of them is in the object of the other. */
const areTogether = (one: string, other: string): boolean =>
  other.startsWith(parentOf(one)) || one.startsWith(parentOf(other));

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);
