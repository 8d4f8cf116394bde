/** A file in UTF-8, and how it was encoded. */
export interface DecodedFile {
  readonly file: Blob;
  readonly encoding: 'utf-8' | 'utf-16' | 'windows-1252';
}

/** The byte order marks of the encoding that Excel calls "Unicode text". */
const MARKS = [
  { mark: [0xff, 0xfe], label: 'utf-16le' },
  { mark: [0xfe, 0xff], label: 'utf-16be' },
] as const;

/**
 * Returns a file in UTF-8, the only encoding that the server reads. Excel saves a CSV in Windows-1252
 * unless told otherwise; a binary file stays as it is, for the server to refuse.
 */
export async function decodeFile(file: Blob): Promise<DecodedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const marked = MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) {
    return { file: inUtf8(bytes, marked.label), encoding: 'utf-16' };
  }
  return isUtf8(bytes) || bytes.includes(0)
    ? { file, encoding: 'utf-8' }
    : { file: inUtf8(bytes, 'windows-1252'), encoding: 'windows-1252' };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const inUtf8 = (bytes: Uint8Array, label: string): Blob =>
  new Blob([new TextDecoder(label).decode(bytes)]);
