import { reasonOf } from '#platform/process/system-error.ts';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Fault } from '#core/fault.ts';
import { withEnvironmentFile } from '#platform/config/environment-file.ts';
import { sections } from '#registry/sections.ts';
import type { Outcome } from '../manifest/outcome.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { runManifest, type RunOptions } from '../manifest/apply-manifest.ts';
import type { AdminContext } from './open-admin.ts';

interface ApplyFileOptions extends RunOptions {
  readonly file: string;
  readonly subAccountId: string;
}

const STANDARD_INPUT = '-';

/** Applies or plans a manifest file, and logs its cautions. */
export async function applyFile(
  { transact, actor, log }: Pick<AdminContext, 'transact' | 'actor' | 'log'>,
  { file, subAccountId, ...options }: ApplyFileOptions,
): Promise<Outcome> {
  const manifest = await readManifest(sections, await read(file), withEnvironmentFile(process.env));
  const target = { transact, subAccountId, actor };
  const { outcome, cautions } = await runManifest(target, manifest, options);
  cautions.forEach((caution) => log.warn(caution));
  return outcome;
}

async function read(file: string) {
  if (file === STANDARD_INPUT) {
    return { name: 'standard input', text: await text(process.stdin) };
  }
  try {
    return { name: file, text: await readFile(file, 'utf8') };
  } catch (error) {
    throw new Fault('NOT_FOUND', `${file}: the manifest cannot be read: ${reasonOf(error)}`);
  }
}
