import type { Block } from './blocks.ts';

/** A page of section 1. The marks of no other language than roff's are left in it: all is ASCII. */
export const manPageOf = (name: string, blocks: readonly Block[]): string =>
  [
    `.\\" Written by docs/build.ts; change what it is written from.`,
    `.TH ${name.toUpperCase()} 1 "" "Frontdesk" "User Commands"`,
    // Long words are commands and addresses: neither is to be broken, nor stretched.
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

/** With every hyphen the one that a shell takes. */
function literal(text: string): string {
  const plain = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return plain.replaceAll(/[^\x20-\x7e]/g, (mark) => ASCII[mark] ?? '?');
}

/** What stands between backticks is bold, and what is long may break behind its commas. */
const lineOf = (text: string): string =>
  guarded(
    literal(text)
      .replaceAll(/`([^`]+)`/g, '\\fB$1\\fR')
      .replaceAll(/,(?=\S)/g, ',\\:'),
  );

/** A line of text must not begin like a request. */
const guarded = (line: string): string => line.replace(/^(?=[.'])/, '\\&');

const quoted = (text: string): string => `"${literal(text).replaceAll('"', '\\(dq')}"`;
