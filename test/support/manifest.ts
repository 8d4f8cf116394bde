import type { Section } from '#core/section.ts';
import { sections as declared } from '#registry/sections.ts';
import { exportManifest } from '../../src/manifest/export-manifest.ts';
import type { Outcome } from '../../src/manifest/outcome.ts';
import { readManifest } from '../../src/manifest/read-manifest.ts';
import { runManifest, type RunResult } from '../../src/manifest/apply-manifest.ts';
import type { TestService } from './service.ts';

interface ManifestInput {
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly reassign?: string;
  readonly to?: string;
  readonly sections?: readonly Section[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** Applies a manifest, given as a value or text, like the command. */
export async function run(
  { transact, actor, subAccountId: own }: TestService,
  manifest: object | string,
  { to = own, sections = declared, variables = {}, ...options }: ManifestInput = {},
): Promise<RunResult> {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  const read = await readManifest(sections, { name: 'test.yaml', text }, variables);
  const target = { transact, actor, subAccountId: to };
  return runManifest(target, read, { prune: false, dryRun: false, ...options });
}

export const apply = async (
  service: TestService,
  manifest: object | string,
  wanted: ManifestInput = {},
): Promise<Outcome> => (await run(service, manifest, wanted)).outcome;

export const exported = (service: TestService, from = service.subAccountId): Promise<any> =>
  service.transact(from, service.actor, (work) => exportManifest(work, declared));
