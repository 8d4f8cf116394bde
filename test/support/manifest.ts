import type { Section } from '#kit/section.ts';
import { sections as declared } from '#registry/sections.ts';
import { applyManifest, type ApplyOutcome } from '../../src/manifest/apply-manifest.ts';
import { exportManifest } from '../../src/manifest/export-manifest.ts';
import { readManifest } from '../../src/manifest/read-manifest.ts';
import type { TestService } from './service.ts';

interface Wanted {
  readonly prune?: boolean;
  readonly dryRun?: boolean;
  readonly to?: string;
  readonly sections?: readonly Section[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** Applies a manifest, a value or a file's text, as the command does. */
export async function apply(
  service: TestService,
  manifest: object | string,
  wanted: Wanted = {},
): Promise<ApplyOutcome> {
  const { to = service.subAccountId, sections = declared, variables = {} } = wanted;
  const { prune = false, dryRun = false } = wanted;
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  const read = readManifest(sections, { name: 'test.yaml', text }, variables);
  const { outcome } = await service.transact(to, service.actor, (work) =>
    applyManifest(work, read, { prune, dryRun }),
  );
  return outcome;
}

export const exported = (service: TestService, from = service.subAccountId): Promise<any> =>
  service.transact(from, service.actor, (work) => exportManifest(work, declared));
