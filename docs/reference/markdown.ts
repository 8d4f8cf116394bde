import type { Block } from './blocks.ts';

export const markdownOf = (blocks: readonly Block[]): string =>
  `${blocks.map(partOf).join('\n\n')}\n`;

function partOf(block: Block): string {
  if ('heading' in block) {
    const { heading, level } = block;
    return `${'#'.repeat(level)} ${/^(?:frontdesk|admin)\b/.test(heading) ? `\`${heading}\`` : heading}`;
  }
  if ('code' in block) {
    return ['```sh', ...block.code, '```'].join('\n');
  }
  return 'terms' in block
    ? block.terms.map(([term, text]) => `- \`${term}\`: ${escaped(text)}`).join('\n')
    : escaped(block.text);
}

/** Escapes angle brackets, which are not HTML. */
const escaped = (text: string): string => text.replaceAll(/<(?=\w)/g, '\\<');

/** Formats a table as oxfmt does. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], filler = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, filler)).join(' | ')} |`;
  const rule = line(
    head.map(() => '---'),
    '-',
  );
  return [line(head), rule, ...rows.map((row) => line(row))].join('\n');
}
