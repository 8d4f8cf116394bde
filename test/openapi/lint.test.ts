import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consoleDocument, openapiDocument } from '#registry/openapi.ts';
import { installTools, run } from '../support/tools.ts';

const tools = await installTools('test/openapi/tools');

/** Redocly warns of localhost, which is right for a server that runs there. */
const ABOUT = { version: '1.2.3', baseUrl: 'https://crm.harbour.dev' };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frontdesk-openapi-'));
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(openapiDocument(ABOUT)));
  await writeFile(join(folder, 'console.json'), JSON.stringify(consoleDocument(ABOUT)));
  await writeFile(join(folder, 'spectral.json'), '{"extends": ["spectral:oas"]}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const bin = (name: string): string => join(tools ?? '', 'node_modules/.bin', name);
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const DOCUMENTS = [
  ['API', 'openapi.json', 'Frontdesk'],
  ['console', 'console.json', 'Frontdesk console'],
] as const;

describe.runIf(tools !== undefined).for(DOCUMENTS)(
  'the document of the %s passes',
  ([, file, title]) => {
    test('redocly with its recommended rules, without a warning', async () => {
      const args = ['lint', file, '--extends', 'recommended', '--format', 'json'];
      const { code, output } = await run(bin('redocly'), args, { cwd: folder, env: QUIET });
      const { totals, problems } = JSON.parse(
        output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1),
      );
      expect(problems).toEqual([]);
      expect({ code, totals }).toMatchObject({ code: 0, totals: { errors: 0, warnings: 0 } });
    });

    test('spectral with the rules for OpenAPI, without a warning', async () => {
      const args = ['lint', '-r', 'spectral.json', '--fail-severity', 'hint', file];
      const { code, output } = await run(bin('spectral'), args, { cwd: folder });
      expect({ code, output }).toMatchObject({
        code: 0,
        output: expect.stringContaining('No results'),
      });
    });

    test('swagger-parser', async () => {
      const text = `import { default as parser } from '@apidevtools/swagger-parser';
      const { info } = await parser.validate(process.argv[1]);
      process.stdout.write(info.title);`;
      const args = ['--input-type=module', '-e', text, join(folder, file)];
      expect(await run(process.execPath, args, { cwd: tools ?? '' })).toEqual({
        code: 0,
        output: title,
      });
    });
  },
);
