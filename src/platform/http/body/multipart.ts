import { Fault } from '#core/fault.ts';

/** A part of a multipart form. */
export interface FormPart {
  readonly name: string;
  /** The name of a file; undefined for a field. */
  readonly fileName: string | undefined;
  /** The declared content type of a file. */
  readonly type: string;
  /** A view of the body. */
  readonly bytes: Buffer;
}

const PARTS_MAX = 300;
const HEAD_MAX_BYTES = 8 * 1024;
const LINE_END = '\r\n';
const HEAD_END = '\r\n\r\n';

/**
 * Returns the parts of a multipart form (RFC 7578) without copying their contents: a body may have many
 * megabytes. Throws VALIDATION_ERROR for anything that is not such a form.
 */
export function parseMultipart(contentType: string, body: Buffer): FormPart[] {
  const delimiter = Buffer.from(`${LINE_END}--${boundaryOf(contentType)}`);
  const parts: FormPart[] = [];
  let at = endOfFirst(body, delimiter);
  while (!isLast(body, at)) {
    const end = body.indexOf(LINE_END, at);
    // An empty head directly follows the delimiter's line.
    const headEnd = body.indexOf(HEAD_END, end);
    const next = body.indexOf(delimiter, headEnd + HEAD_END.length);
    const isWhole = end >= 0 && headEnd >= 0 && next >= 0 && headEnd - end <= HEAD_MAX_BYTES;
    if (!isWhole || body.toString('latin1', at, end).trim() !== '' || parts.length === PARTS_MAX) {
      throw malformed();
    }
    const head = body.toString('utf8', end, headEnd);
    parts.push(partOf(head, body.subarray(headEnd + HEAD_END.length, next)));
    at = next + delimiter.length;
  }
  return parts;
}

function boundaryOf(contentType: string): string {
  const found = /;\s{0,9}boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const boundary = found?.[1] ?? found?.[2];
  if (boundary === undefined) {
    throw malformed();
  }
  return boundary;
}

/** The first delimiter may begin the body, without its line break. */
function endOfFirst(body: Buffer, delimiter: Buffer): number {
  const first = delimiter.subarray(LINE_END.length);
  if (body.subarray(0, first.length).equals(first)) {
    return first.length;
  }
  const found = body.indexOf(delimiter);
  if (found < 0) {
    throw malformed();
  }
  return found + delimiter.length;
}

const isLast = (body: Buffer, at: number): boolean => body.toString('latin1', at, at + 2) === '--';

const DISPOSITION = /^content-disposition:\s{0,9}form-data\b(.*)$/im;
const TYPE = /^content-type:(.*)$/im;

function partOf(head: string, bytes: Buffer): FormPart {
  const [, parameters = ''] = DISPOSITION.exec(head) ?? [];
  const name = parameterOf(parameters, 'name');
  if (name === undefined) {
    throw malformed();
  }
  const type = TYPE.exec(head)?.[1]?.trim() ?? '';
  return { name, fileName: parameterOf(parameters, 'filename'), type, bytes };
}

/** Browsers write quotes and line breaks of names as `%22`, `%0D` and `%0A`. */
function parameterOf(parameters: string, name: string): string | undefined {
  const found = new RegExp(`;\\s{0,9}${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(parameters);
  return (found?.[1] ?? found?.[2])?.replaceAll(/%(22|0D|0A)/gi, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}

const malformed = (): Fault =>
  new Fault(
    'VALIDATION_ERROR',
    'the body is not a multipart form with the boundary of its Content-Type',
  );
