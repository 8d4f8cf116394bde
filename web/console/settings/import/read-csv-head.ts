const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Returns the first rows of a CSV, to choose its columns by. The server reads the file itself; as there,
 * the first line decides the delimiter.
 */
export function readCsvHead(text: string, rowsMax: number): string[][] {
  const plain = text.replace(/^\uFEFF/, '');
  const delimiter = delimiterOf(plain);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRow = () => {
    row.push(cell);
    if (row.some((one) => one.trim() !== '')) {
      rows.push(row);
    }
    row = [];
    cell = '';
  };
  for (let at = 0; at < plain.length && rows.length < rowsMax; at += 1) {
    const character = plain[at] ?? '';
    if (isQuoted) {
      if (character !== '"') {
        cell += character;
      } else if (plain[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else {
        isQuoted = false;
      }
    } else if (character === '"' && cell === '') {
      isQuoted = true;
    } else if (character === delimiter) {
      row.push(cell);
      cell = '';
    } else if (character === '\n' || character === '\r') {
      endRow();
    } else {
      cell += character;
    }
  }
  if (rows.length < rowsMax && (cell !== '' || row.length > 0)) {
    endRow();
  }
  return rows;
}

function delimiterOf(text: string): string {
  const [header = ''] = text.replaceAll(/"[^"]*"?/g, '').split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
}
