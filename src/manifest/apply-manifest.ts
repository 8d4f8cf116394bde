import { Fault, notFound } from '#core/fault.ts';
import type { IdOf, EntryIssue } from '#core/section.ts';
import { slices } from '#lib/in-slices.ts';
import type { Actor, Transact, Work } from '#core/work.ts';
import { dryRun } from '#platform/database/dry-run.ts';
import { auditedChanges } from './audited-changes.ts';
import { issuesOf } from './issues.ts';
import { refuseGrowth } from './limit-size.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { planSection, type SectionPlan, type Applied } from './plan.ts';
import type { Manifest } from './read-manifest.ts';
import { sequenceOf } from './sequence.ts';
import {
  idMapsOf,
  idsIn,
  loadStored,
  rowsOf,
  deleteReferences,
  loadReferences,
  saveReferences,
  type Stored,
} from './stored.ts';

export interface RunOptions extends ApplyOptions {
  readonly dryRun: boolean;
}

interface Target {
  readonly transact: Transact;
  readonly subAccountId: string;
  readonly actor: Actor;
}

export interface RunResult {
  readonly outcome: Outcome;
  /** Warnings that stop nothing. */
  readonly cautions: readonly string[];
}

/** Applies a manifest to a sub-account; a plan applies it in a transaction that is rolled back. */
export async function runManifest(
  { transact, subAccountId, actor }: Target,
  manifest: Manifest,
  options: RunOptions,
): Promise<RunResult> {
  const change = (work: Work): Promise<Applied> => applyManifest(work, manifest, options);
  const applied = options.dryRun
    ? await dryRun(transact, subAccountId, actor, change)
    : await transact(subAccountId, actor, change);
  return { outcome: outcomeOf(applied, options.dryRun), cautions: applied.cautions };
}

interface ApplyOptions {
  /** Everything is rolled back: the outcome is a plan. Throws the Faults of applying it. */
  readonly dryRun?: boolean;
  /** Removes entries that the manifest does not name. */
  readonly prune: boolean;
  /** The key of the team member who takes over upcoming appointments of members that are removed. */
  readonly reassign?: string | undefined;
  /** For how long it may write: others wait for its locks and connection. Unlimited if it is undefined. */
  readonly limitMs?: number;
  /** Whether settings that are too large for the console may not grow. */
  readonly limitsSize?: boolean;
}

/** Applies a manifest to the work's sub-account. Throws a Fault with all issues at once. */
export async function applyManifest(
  work: Work,
  manifest: Manifest,
  options: ApplyOptions,
): Promise<Applied> {
  await lockSubAccount(work);
  const sections = [...manifest.entries.keys()];
  const stored = await loadStored(work, sections, manifest.tools);
  const idsBefore = idMapsOf(stored);
  const references = await loadReferences(work);
  const plans: SectionPlan[] = [];
  for (const section of sections) {
    const entries = manifest.entries.get(section) ?? [];
    const rows = rowsOf(stored, section);
    plans.push(await planSection(work, section, entries, { rows, references }, options.prune));
  }
  const issues = [...manifest.issues, ...issuesOf(plans, stored)];
  if (issues.length > 0) {
    throw await manifest.refusal(issues);
  }
  if (options.limitsSize) {
    refuseGrowth(plans, stored);
  }
  const described = auditedChanges(plans, stored);
  await carryOut(work, manifest, plans, stored, options);
  if (Object.keys(described).length > 0) {
    work.audit(work.subAccountId, described);
  }
  const cautions = [
    ...plans.flatMap((plan) => plan.cautions),
    ...(await cautionsAbroad(work, plans)),
  ];
  if (!options.dryRun) {
    await finishSections(work, plans);
  }
  return { plans, stored, idsBefore, cautions };
}

async function finishSections(work: Work, plans: readonly SectionPlan[]): Promise<void> {
  for (const { section, changes, removed } of plans) {
    if (changes.length > 0 || removed.length > 0) {
      await section.finish?.(work);
    }
  }
}

async function cautionsAbroad(work: Work, plans: readonly SectionPlan[]): Promise<string[]> {
  const listed: string[] = [];
  const slice = slices(work.subAccountId);
  for (const { section, changes } of plans) {
    for (const { wanted } of changes) {
      await slice();
      const cautions = (await section.cautionsAbroad?.(work, wanted)) ?? [];
      listed.push(...cautions.map((caution) => `${section.name}: ${caution}`));
    }
  }
  return listed;
}

/** Makes applies to one sub-account run one after the other. It does not block creating contacts. */
export async function lockSubAccount(work: Work): Promise<void> {
  const [found] = await work.rows(
    'select 1 from sub_accounts where id = $1 and deleted_at is null for no key update',
    [work.subAccountId],
  );
  if (!found) {
    throw notFound('sub-account');
  }
}

/** Makes a change and records a refusal as an issue at `path`. */
type Attempt = (path: string, write: () => unknown) => Promise<void>;

/** Writes the plans in order, then removes entries in reverse order, after everything that refers to them. */
async function carryOut(
  work: Work,
  manifest: Manifest,
  plans: readonly SectionPlan[],
  stored: Stored,
  options: ApplyOptions,
): Promise<void> {
  const refused: EntryIssue[] = [];
  const until = performance.now() + (options.limitMs ?? Infinity);
  const attempt: Attempt = async (path, write) => {
    refuseAfter(until);
    try {
      await write();
    } catch (error) {
      refused.push(issueOf(error, path));
    }
  };
  try {
    for (const plan of plans) {
      await writeChanges({ work, plan, stored, manifest }, attempt);
      await flushAfter(work, plan.changes);
    }
    const tools = { ...manifest.tools, reassignTo: reassignTo(plans, stored, options) };
    for (const { section, removed } of plans.toReversed()) {
      for (const key of removed) {
        const row = rowsOf(stored, section).get(key);
        await attempt(`/${section.name}`, () => section.remove?.(work, row, tools));
      }
      await deleteReferences(work, section.name, removed);
      await flushAfter(work, removed);
    }
  } catch (error) {
    // A recorded refusal may have caused the error.
    throw refused.length > 0 ? await manifest.refusal(refused) : error;
  }
  if (refused.length > 0) {
    throw await manifest.refusal(refused);
  }
}

/** Each flush compares all loaded rows: those of sections without changes would take seconds. */
async function flushAfter({ em }: Work, changes: readonly unknown[]): Promise<void> {
  if (changes.length > 0) {
    await em.flush();
  }
}

function refuseAfter(until: number): void {
  if (performance.now() >= until) {
    throw new Fault(
      'VALIDATION_ERROR',
      'the manifest takes too long to apply at once; apply it in parts, or with frontdesk admin apply',
      { reason: 'too_slow' },
    );
  }
}

/** Returns the refusal of a section as an issue of the file. Throws other errors. */
function issueOf(error: unknown, path: string): EntryIssue {
  if (error instanceof Fault && error.code === 'VALIDATION_ERROR') {
    return { path, message: error.message };
  }
  throw error;
}

function reassignTo(
  plans: readonly SectionPlan[],
  stored: Stored,
  { reassign }: ApplyOptions,
): string | undefined {
  if (reassign === undefined) {
    return undefined;
  }
  const team = plans.find(({ section }) => section.name === 'team');
  const keys = team ? [...rowsOf(stored, team.section).keys()] : [];
  const isRemoved = new Set(team?.removed);
  const staying = keys.filter((key) => !isRemoved.has(key));
  if (!staying.includes(reassign)) {
    throw new Fault(
      'VALIDATION_ERROR',
      `--reassign: the team has no member "${reassign}" after this change; use one of ${staying.join(', ')}`,
    );
  }
  return idsIn(stored)('team', reassign);
}

interface Writing {
  readonly work: Work;
  readonly plan: SectionPlan;
  readonly stored: Stored;
  readonly manifest: Manifest;
}

async function writeChanges(
  { work, plan, stored, manifest: { tools } }: Writing,
  attempt: Attempt,
): Promise<void> {
  const { section, entries, changes } = plan;
  const rows = rowsOf(stored, section);
  const before = [...rows.keys()];
  const idOf: IdOf = idsIn(stored);
  const slice = slices(work.subAccountId);
  for (const { key, path, wanted, references } of changes) {
    await slice();
    await attempt(path, async () => {
      if (rows.has(key)) {
        await section.update(work, rows.get(key), wanted, idOf, tools);
      } else {
        rows.set(key, await section.create(work, wanted, key, idOf, tools));
      }
      if (references) {
        await saveReferences(work, { section: section.name, key }, references);
      }
    });
  }
  if (section.place && changes.length > 0) {
    const named = entries.map(({ key }) => key).filter((key) => rows.has(key));
    sequenceOf(before, named).forEach((key, position) => section.place?.(rows.get(key), position));
  }
}
