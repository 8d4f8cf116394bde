const GAP = 2;
/** Free text is cut to this many characters before a column is dropped. */
const TEXT_MIN = 20;

export interface Column {
  readonly name: string;
  /** The text of each row. */
  readonly cells: readonly string[];
}

export interface Fitted {
  readonly columns: readonly (Column & { readonly width: number })[];
  /** Names of the columns that had no room. */
  readonly dropped: readonly string[];
}

/**
 * Fits columns, the most important first, into a width: cuts free text, then drops columns from the
 * end. Ids and other single words are never cut, unless the first column alone is too wide.
 */
export function fitColumns(columns: readonly Column[], width: number): Fitted {
  const measured = columns.map((column) => {
    const natural = Math.max(displayWidth(column.name), ...column.cells.map(displayWidth));
    const least = column.cells.some((cell) => /\s|:\/\//.test(cell))
      ? Math.min(natural, Math.max(TEXT_MIN, displayWidth(column.name)))
      : natural;
    return { ...column, natural, least };
  });
  let kept = measured.length;
  while (kept > 1 && totalOf(measured.slice(0, kept).map(({ least }) => least)) > width) {
    kept -= 1;
  }
  const shown = measured.slice(0, kept);
  const widths = shrink(shown, width);
  return {
    columns: shown.map(({ name, cells }, index) => ({ name, cells, width: widths[index] ?? 0 })),
    dropped: measured.slice(kept).map(({ name }) => name),
  };
}

const totalOf = (widths: readonly number[]): number =>
  widths.reduce((sum, one) => sum + one, 0) + GAP * (widths.length - 1);

/** Takes what is missing from the widest columns that may be cut. */
function shrink(
  columns: readonly { readonly natural: number; readonly least: number }[],
  width: number,
): number[] {
  const widths = columns.map(({ natural }) => natural);
  for (let excess = totalOf(widths) - width; excess > 0; excess = totalOf(widths) - width) {
    const room = widths.map((one, index) => one - (columns[index]?.least ?? one));
    const widest = room.indexOf(Math.max(...room));
    const taken = Math.min(excess, room[widest] ?? 0);
    if (taken === 0) {
      return columns.length === 1 ? [width] : widths;
    }
    widths[widest] = (widths[widest] ?? 0) - taken;
  }
  return widths;
}

const GRAPHEMES = new Intl.Segmenter();
/** Emoji, and the scripts whose characters take two cells of a terminal. */
const DOUBLE =
  /\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;

/** How many cells of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += DOUBLE.test(segment) ? 2 : 1;
  }
  return width;
}

/** Cuts a text to so many cells, with an ellipsis where something is missing. */
function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) {
    return text;
  }
  let kept = '';
  for (const { segment } of GRAPHEMES.segment(text)) {
    if (displayWidth(kept + segment) > width - 1) {
      break;
    }
    kept += segment;
  }
  return `${kept}…`;
}

/** Lines of aligned columns, without a frame and without blanks at their ends. */
export function alignColumns({ columns }: Fitted): string[] {
  const lineOf = (texts: readonly string[]) =>
    texts
      .map((text, index) => {
        const { width = 0 } = columns[index] ?? {};
        const shown = cut(text, width);
        return shown + ' '.repeat(Math.max(0, width - displayWidth(shown)));
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  const count = columns[0]?.cells.length ?? 0;
  const rows = Array.from({ length: count }, (_, row) =>
    lineOf(columns.map(({ cells }) => cells[row] ?? '')),
  );
  return [lineOf(columns.map(({ name }) => name)), ...rows];
}
