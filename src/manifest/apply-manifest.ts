import { notFound } from '#kit/fault.ts';
import type { Section, SectionTools } from '#kit/section.ts';
import type { Work } from '#kit/work.ts';
import { misfitsOf, planSection, type SectionPlan } from './plan.ts';
import type { Manifest } from './read-manifest.ts';
import { sequenceOf } from './sequence.ts';
import { idMapsOf, idsIn, loadStored, type Stored } from './stored.ts';

/** An entry, as outcomes and plans call it. */
export interface Named {
  readonly section: string;
  readonly key: string;
}

export interface ApplyOutcome {
  readonly created: readonly Named[];
  readonly updated: readonly (Named & { readonly fields: readonly string[] })[];
  readonly unchanged: number;
  readonly removed: readonly Named[];
  readonly ids: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface ApplyOptions {
  /** Removes what the manifest does not name. */
  readonly prune: boolean;
  /** Says what would happen, and writes nothing. */
  readonly dryRun: boolean;
}

/** Makes the work's sub-account as the manifest says; all of it or, by the work, nothing. */
export async function applyManifest(
  work: Work,
  manifest: Manifest,
  { prune, dryRun }: ApplyOptions,
): Promise<{ readonly outcome: ApplyOutcome; readonly cautions: readonly string[] }> {
  if (!dryRun) {
    await takeTurns(work);
  }
  const sections = [...manifest.entries.keys()];
  const stored = await loadStored(work, sections, manifest.tools);
  const plans = sections.map((section) =>
    planSection(section, manifest.entries.get(section) ?? [], rowsOf(stored, section), prune),
  );
  const misfits = misfitsOf(plans, stored);
  if (misfits.length > 0) {
    throw manifest.refusal(misfits);
  }
  if (!dryRun) {
    await carryOut(work, plans, stored, manifest.tools);
  }
  return {
    outcome: outcomeOf(plans, stored),
    cautions: [
      ...plans.flatMap(({ cautions }) => cautions),
      ...(await cautionsAbroad(work, plans)),
    ],
  };
}

async function cautionsAbroad(work: Work, plans: readonly SectionPlan[]): Promise<string[]> {
  const said: string[] = [];
  for (const { section, changes } of plans) {
    for (const { wanted } of changes) {
      const cautions = (await section.cautionsAbroad?.(work, wanted)) ?? [];
      said.push(...cautions.map((caution) => `${section.name}: ${caution}`));
    }
  }
  return said;
}

/** Two applies to one sub-account come one after the other; contacts are created meanwhile. */
async function takeTurns(work: Work): Promise<void> {
  const [found] = await work.rows(
    'select 1 from sub_accounts where id = $1 and deleted_at is null for no key update',
    [work.subAccountId],
  );
  if (!found) {
    throw notFound('sub-account');
  }
}

/** Removes only when nothing refers to it any more: at the end, and what refers before what is. */
async function carryOut(
  work: Work,
  plans: readonly SectionPlan[],
  stored: Stored,
  tools: SectionTools,
): Promise<void> {
  for (const plan of plans) {
    await writeChanges(work, plan, stored, tools);
    await work.em.flush();
  }
  for (const { section, removed } of plans.toReversed()) {
    for (const key of removed) {
      await section.remove?.(work, rowsOf(stored, section).get(key));
    }
    await work.em.flush();
  }
  if (plans.some(({ changes, removed }) => changes.length + removed.length > 0)) {
    work.touch(work.subAccountId);
  }
}

async function writeChanges(
  work: Work,
  plan: SectionPlan,
  stored: Stored,
  tools: SectionTools,
): Promise<void> {
  const { section, entries, changes } = plan;
  const rows = rowsOf(stored, section);
  const before = [...rows.keys()];
  const idOf = idsIn(stored);
  for (const { key, wanted } of changes) {
    if (rows.has(key)) {
      await section.update(work, rows.get(key), wanted, idOf, tools);
    } else {
      rows.set(key, await section.create(work, wanted, key, idOf, tools));
    }
  }
  if (section.place && changes.length > 0) {
    const named = entries.map(({ key }) => key);
    sequenceOf(before, named).forEach((key, position) => section.place?.(rows.get(key), position));
  }
}

function outcomeOf(plans: readonly SectionPlan[], stored: Stored): ApplyOutcome {
  const named = (section: Section, key: string): Named => ({ section: section.name, key });
  for (const { section, removed } of plans) {
    removed.forEach((key) => rowsOf(stored, section).delete(key));
  }
  return {
    created: plans.flatMap(({ section, changes }) =>
      changes.filter(({ fields }) => !fields).map(({ key }) => named(section, key)),
    ),
    updated: plans.flatMap(({ section, changes }) =>
      changes.flatMap(({ key, fields }) => (fields ? [{ ...named(section, key), fields }] : [])),
    ),
    unchanged: plans.reduce((sum, { unchanged }) => sum + unchanged, 0),
    removed: plans
      .toReversed()
      .flatMap(({ section, removed }) => removed.map((key) => named(section, key))),
    ids: idMapsOf(stored),
  };
}

function rowsOf(stored: Stored, section: Section): Map<string, unknown> {
  const rows = stored.get(section);
  if (!rows) {
    throw new Error(`${section.name} was not loaded`);
  }
  return rows;
}
