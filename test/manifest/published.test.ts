import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { sections } from '#registry/sections.ts';
import { manifestSchema } from '../../src/manifest/manifest-schema.ts';

describe('what is published of the manifest', () => {
  test('is a valid JSON Schema of its dialect', () => {
    expect(new Ajv2020().validateSchema(manifestSchema(sections))).toBe(true);
  });

  test('config/manifest.schema.json matches the declarations; `vitest -u` writes it', async () => {
    const schema = `${JSON.stringify(manifestSchema(sections), undefined, 2)}\n`;
    await expect(schema).toMatchFileSnapshot('../../config/manifest.schema.json');
  });

  test.each(sections.map((section) => [section.name, section] as const))(
    'docs/manifest.md tells of %s, with every field',
    async (name, { schema, summary }) => {
      const docs = await readFile('docs/manifest.md', 'utf8');
      const [, chapter = ''] = docs.split(`### \`${name}\`\n`);
      const [said = ''] = chapter.split('\n#');
      expect(said).toContain(summary);
      const { properties = {} } = schema as { properties?: object };
      for (const field of Object.keys(properties)) {
        expect(said).toMatch(new RegExp(`^\\| \`${field}\` +\\|`, 'm'));
      }
    },
  );

  test.each(sections)('docs/manifest.md lists the required fields of $name', async (section) => {
    const page = await readFile(new URL('../../docs/manifest.md', import.meta.url), 'utf8');
    const table = page.slice(page.indexOf('## Required fields'), page.indexOf('## Sections'));
    const row = table.split('\n').find((line) => line.startsWith(`| \`${section.name}\``)) ?? '';
    const [, , fields = ''] = row.split('|');
    const own = (fields.split(/;|, with| of `/)[0] ?? '').matchAll(/`(\w+)`/g);
    const { required = [] } = section.schema as { required?: readonly string[] };
    const listed = [...own].map(([, name]) => name);
    expect(listed).toEqual(section.name === 'invoices' ? ['secret'] : [...required]);
  });
});
