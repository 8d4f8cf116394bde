import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { FAULTS } from '../src/core/fault.ts';
import { eventUnits } from './generator/event-units.ts';
import { declaredNames } from './generator/names.ts';
import { resourceUnits } from './generator/resource-units.ts';
import { settleNames } from './generator/settle-names.ts';
import type { Unit } from './generator/unit.ts';

export const GENERATED = join(import.meta.dirname, 'src/generated');

const HEAD = '// Written by `node sdk/generate.ts` from the declarations in src/.';

/** Returns the generated files by name. */
export async function generate(): Promise<Map<string, string>> {
  const names = declaredNames();
  const units = settleNames([...resourceUnits(names), ...eventUnits(names), errorCodes], names);
  const style = await formatOptions();
  const files = [...units, typesOf(units)].map(async ({ file, imports, text }) => {
    const { code, errors } = await format(
      `${file}.ts`,
      `${[HEAD, ...imports].join('\n')}\n\n${text}\n`,
      style,
    );
    if (errors.length > 0) {
      throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`);
    }
    return [`${file}.ts`, code] as const;
  });
  return new Map(await Promise.all(files));
}

const errorCodes: Unit = {
  file: 'error-code',
  imports: [],
  text: `/** What \`error.code\` of an answer may be. */
    export type ApiErrorCode = ${Object.keys(FAULTS)
      .map((code) => `'${code}'`)
      .join(' | ')};`,
};

/** The exported types. */
function typesOf(units: readonly Unit[]): Unit {
  const lines = units.map(({ file, text }) => {
    const types = [...text.matchAll(/^ *export (?:interface|type) (\w+)/gm)].map(
      ([, name]) => name,
    );
    return types.length === 0 ? '' : `export type { ${types.join(', ')} } from './${file}.ts';`;
  });
  return { file: 'types', imports: [], text: lines.join('\n') };
}

async function formatOptions(): Promise<FormatConfig> {
  const kept = await readFile(join(import.meta.dirname, '../.oxfmtrc.json'), 'utf8');
  const { $schema: _, ignorePatterns: __, ...style } = JSON.parse(kept);
  return style;
}

if (import.meta.main) {
  const files = await generate();
  await rm(GENERATED, { recursive: true, force: true });
  await mkdir(GENERATED, { recursive: true });
  for (const [name, text] of files) {
    await writeFile(join(GENERATED, name), text);
  }
}
