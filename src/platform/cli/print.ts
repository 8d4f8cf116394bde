import type { Outcome } from '#kit/command.ts';
import { wantsColour } from './terminal.ts';

/** Prints what a command has to say: one JSON value, its own text, or a table of its rows. */
export async function print(outcome: Outcome, asJson: boolean): Promise<void> {
  const { json, text, table = json } = outcome;
  const said = asJson ? JSON.stringify(json) : (text ?? (await tableOf(table)));
  await write(`${said}\n`);
}

/** Waits until the text has gone, so that the process may end; a reader that left is no failure. */
export const write = (text: string) =>
  new Promise<void>((resolve) => {
    process.stdout.write(text, () => resolve());
  });

async function tableOf(value: unknown): Promise<string> {
  const rows = [value].flat();
  if (rows.length === 0) {
    return 'none';
  }
  if (!rows.every((row) => typeof row === 'object' && row !== null)) {
    return rows.map(cell).join('\n');
  }
  const { default: Table } = await import('cli-table3');
  const look = wantsColour(process.stdout) ? COLOURED : PLAIN;
  const lines = new Table(Array.isArray(value) ? { ...look, head: columnsOf(rows) } : look);
  if (Array.isArray(value)) {
    const columns = columnsOf(rows);
    lines.push(...rows.map((row) => columns.map((name) => cell((row as Row)[name]))));
  } else {
    lines.push(...Object.entries(value as Row).map(([name, held]) => [name, cell(held)]));
  }
  return lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

type Row = Readonly<Record<string, unknown>>;

const columnsOf = (rows: readonly object[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

function cell(value: unknown): string {
  if (value === null || value === undefined) {
    return '–';
  }
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (Array.isArray(value)) {
    return value.map(cell).join(', ');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A frame, without a line between each two rows. */
const COLOURED = {
  chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  style: { head: ['bold'], border: ['dim'] },
};

/** Aligned columns and nothing else, for pipes and NO_COLOR. */
const PLAIN = {
  chars: Object.fromEntries(
    ['top', 'bottom', 'left', 'right', 'mid']
      .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`])
      .concat('middle')
      .map((place) => [place, '']),
  ),
  style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
};
