import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDERS = 'bench|bin|config|docs|man|migrations|sdk|src|systemd|test|web';
/** A path in code: from the root of the checkout, without placeholders. */
const PATH = new RegExp(`(?<![\\w/$.-])((?:${FOLDERS})/[\\w./-]*[\\w/])(?![\\w*<{…])`, 'g');
/** Written by a build, not by hand. */
const BUILT = new Set(['sdk/dist']);
const LINK = /\]\((?!https?:|mailto:)([^)#\s]+)?(#[^)\s]+)?\)/g;

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'sdk/README.md',
  ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

describe.each(pages)('%s', (page) => {
  test('names only files and folders that exist', () => {
    const code = textOf(page).match(/`[^`\n]+`|```[\s\S]*?```/g) ?? [];
    const named = code.flatMap((text) => [...text.matchAll(PATH)].map(([, path = '']) => path));
    const missing = named.filter(
      (path) => ![ROOT, join(ROOT, dirname(page))].some((base) => existsSync(join(base, path))),
    );
    expect(missing.filter((path) => !BUILT.has(path))).toEqual([]);
  });

  test('links only to pages and headings that exist', () => {
    const broken = [...textOf(page).matchAll(LINK)].filter(([, to, heading]) => {
      const target = to === undefined ? page : join(dirname(page), to);
      if (!existsSync(join(ROOT, target))) {
        return true;
      }
      const headings = heading ? textOf(target).match(/(?<=^#+ ).+$/gm) : [];
      return heading !== undefined && !headings?.some((one) => `#${slugOf(one)}` === heading);
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });
});
