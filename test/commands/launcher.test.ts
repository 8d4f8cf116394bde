import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const flagsIn = (text = '') => text.match(/--[a-z]+(?:-[a-z]+)*(?:=\d+)?/g);

test('the image starts Node as the launcher does', () => {
  const launcher = /^exec (?:.*\\\n)*.*bin\/frontdesk\.ts.*$/m.exec(textOf('bin/frontdesk'))?.[0];
  const image = /^ENTRYPOINT .*$/m.exec(textOf('Dockerfile'))?.[0];
  expect(flagsIn(image)).toEqual(flagsIn(launcher));
  expect(flagsIn(image)).toContain('--preserve-symlinks-main');
});
