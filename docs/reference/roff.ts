import type { Block } from './blocks.ts';

/** Returns a page of section 1, in ASCII. */
export const manPageOf = (name: string, blocks: readonly Block[]): string =>
  [
    `.\\" Written by docs/build.ts; change what it is written from.`,
    `.TH ${name.toUpperCase()} 1 "" "Frontdesk" "User Commands"`,
    // Long words are commands and addresses: do not hyphenate or justify them.
    '.nh',
    '.ad l',
    ...blocks.flatMap(linesOf),
    '',
  ].join('\n');

function linesOf(block: Block): string[] {
  if ('heading' in block) {
    const { heading, level } = block;
    return [
      `${level === 1 ? '.SH' : '.SS'} ${quoted(level === 1 ? heading.toUpperCase() : heading)}`,
    ];
  }
  if ('code' in block) {
    return [
      '.PP',
      '.RS 4',
      '.nf',
      ...block.code.map((line) => guarded(literal(line))),
      '.fi',
      '.RE',
    ];
  }
  return 'terms' in block
    ? block.terms.flatMap(([term, text]) => ['.TP', `\\fB${literal(term)}\\fR`, lineOf(text)])
    : ['.PP', lineOf(block.text)];
}

const ASCII: Readonly<Record<string, string>> = {
  '…': '...',
  '–': '\\-',
  '±': '+/\\-',
  '’': "'",
};

/** Escapes hyphens, so that they can be pasted into a shell. */
function literal(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return plain.replaceAll(/[^\x20-\x7e]/g, (mark) => ASCII[mark] ?? '?');
}

/** Makes code bold; long code may break after commas. */
const lineOf = (text: string): string =>
  guarded(
    literal(text)
      .replaceAll(/`([^`]+)`/g, '\\fB$1\\fR')
      .replaceAll(/,(?=\S)/g, ',\\:'),
  );

/** Escapes lines that begin like a roff request. */
const guarded = (line: string): string => line.replace(/^(?=[.'])/, '\\&');

const quoted = (text: string): string => `"${literal(text).replaceAll('"', '\\(dq')}"`;
