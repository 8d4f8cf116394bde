import type { Random } from './random.ts';

export interface FuzzedBody {
  /** Undefined where the request has no content type. */
  readonly type: string | undefined;
  readonly bytes: Buffer;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Input that breaks parsers, alone or inside well-formed input. */
const POISON = [
  '\0',
  '%',
  '%zz',
  '%00',
  '%E0%A4',
  '%c0%ae',
  '+',
  '&',
  '&&=',
  '=',
  '\r\n',
  '\r\n\r\n',
  '\n',
  '"',
  '\\',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'NaN',
  '1e999',
  '-0',
  '--x',
  '--x--',
  '--x\r\n',
  '\uFEFF',
  '\u202E',
  '__proto__',
  'constructor',
  '../../',
  "' or '1'='1",
  '<script>',
  '{{firstName}}',
  '${env:X}',
] as const;
const INVALID_UTF8 = [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0x80], [0xfe, 0xff]];

const BOUNDARIES = [
  'multipart/form-data; boundary=x',
  'multipart/form-data; boundary="x"',
  'multipart/form-data; boundary=y',
  'multipart/form-data; boundary=',
  'multipart/form-data',
  'multipart/form-data;',
  'multipart/form-data; a=b',
  `multipart/form-data; boundary=${'x'.repeat(300)}`,
  'multipart/form-data; boundary=x; boundary=y',
  'multipart/mixed; boundary=x',
  'MULTIPART/FORM-DATA; BOUNDARY=x',
] as const;

type Encode = (random: Random, fields: Fields) => FuzzedBody;

const json: Encode = (random, fields) => ({
  type: random.pick([
    'application/json',
    'application/json; charset=utf-8',
    'application/merge-patch+json',
  ]),
  bytes: Buffer.from(JSON.stringify(fields)),
});

const urlencoded: Encode = (_, fields) => ({
  type: 'application/x-www-form-urlencoded',
  bytes: Buffer.from(new URLSearchParams(textsOf(fields)).toString()),
});

const multipart: Encode = (random, fields) => {
  const parts = textsOf(fields).map(
    ([name, value]) =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${random.chance(0.1) ? '; filename="a.txt"' : ''}\r\n\r\n${value}\r\n`,
  );
  return { type: random.pick(BOUNDARIES), bytes: Buffer.from(`${parts.join('')}--x--\r\n`) };
};

const mail: Encode = (random, fields) => ({
  type: 'message/rfc822',
  bytes: Buffer.from(
    `From: ada@example.com\r\nMessage-ID: <${random.below(1e9)}@example.com>\r\nSubject: =?utf-8?q?${random.pick(POISON)}?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: ${random.pick(['base64', 'quoted-printable', '8bit', 'x'])}\r\n\r\n${JSON.stringify(fields)}\r\n--x--\r\n`,
  ),
});

const plain =
  (type: string | undefined): Encode =>
  (random, fields) => ({
    type,
    bytes: random.chance(0.5)
      ? Buffer.from(JSON.stringify(fields))
      : random.bytes(random.below(2_000)),
  });

const ENCODINGS = [
  json,
  json,
  urlencoded,
  urlencoded,
  multipart,
  multipart,
  mail,
  plain('text/plain'),
  plain('application/octet-stream'),
  plain(undefined),
] as const;

const textsOf = (fields: Fields): [string, string][] =>
  Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  ]);

const deep = (depth: number): unknown =>
  JSON.parse(`${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`);

/** Values of unexpected types. */
const strange = (random: Random): unknown =>
  random.pick<() => unknown>([
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => '',
    () => -1,
    () => 1e308,
    () => 0.1,
    () => 'x'.repeat(random.below(70_000)),
    () => '\0',
    () => '\ud800',
    () => random.pick(POISON),
    () => deep(1 + random.below(1_000)),
    () => Array.from({ length: random.below(12_000) }, () => 1),
    () => JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}'),
  ])();

/** Unexpected or additional fields. */
function changed(random: Random, fields: Fields): Fields {
  const names = Object.keys(fields);
  const name = names[random.below(names.length)] ?? 'field';
  return random.pick<() => Fields>([
    () => fields,
    () => ({ ...fields, [name]: strange(random) }),
    () => ({ ...fields, [random.pick(POISON)]: strange(random) }),
    () => JSON.parse(`{"__proto__":{"polluted":1},${JSON.stringify({ ...fields, a: 1 }).slice(1)}`),
    () =>
      Object.fromEntries(names.filter(() => random.chance(0.6)).map((one) => [one, fields[one]])),
    () => ({
      ...fields,
      ...(random.chance(0.1) &&
        Object.fromEntries(Array.from({ length: random.below(15_000) }, (_, n) => [`f${n}`, '']))),
    }),
  ])();
}

/** Cuts, repeats or corrupts bytes at a random position. */
function broken(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1);
  const until = Math.min(bytes.length, at + random.below(40));
  const poison = (): Buffer =>
    random.chance(0.7)
      ? Buffer.from(random.pick(POISON))
      : Buffer.from(INVALID_UTF8[random.below(INVALID_UTF8.length)] ?? []);
  const pieces = random.pick<() => Buffer[]>([
    () => [bytes],
    () => [bytes.subarray(0, at)],
    () => [bytes.subarray(at)],
    () => [bytes.subarray(0, at), bytes.subarray(until)],
    () => [bytes.subarray(0, until), bytes.subarray(at)],
    () => [bytes.subarray(0, at), poison(), bytes.subarray(at)],
    () => [bytes.subarray(0, at), random.bytes(1), bytes.subarray(at + 1)],
  ])();
  return Buffer.concat(pieces);
}

/** A body for the accepted fields: sometimes valid, mostly not. */
export function fuzzedBody(random: Random, fields: Fields): FuzzedBody {
  const { type, bytes } = random.pick(ENCODINGS)(random, changed(random, fields));
  return { type, bytes: broken(random, bytes) };
}

/** A query that starts with `?`, of printable ASCII, as clients can send it. */
export function fuzzedQuery(random: Random, fields: Fields): string {
  const text = urlencoded(random, changed(random, fields)).bytes;
  const bytes = broken(random, text).subarray(0, 6_000);
  return `?${bytes.toString('latin1').replaceAll(/[^!-~]|#/g, (one) => encodeURIComponent(one))}`;
}
