import type { Mail } from './read-mail.ts';

/** Longer headers are cut; those of large providers have 1 kB. */
const READ_MAX = 8_000;

/**
 * Whether the receiving server says that the sender of a mail is forged (RFC 8601): DMARC fails, or
 * without a result of DMARC, neither SPF nor DKIM passes for the sender's domain. Only the topmost
 * results count, which are those of the last server; others may be forged. Without results, nothing
 * speaks against the sender. Results that end within a quotation or a comment, or that contradict each
 * other, prove nothing: part of them is text of the sender.
 */
export function isSenderRefuted({ headers }: Mail, address: string): boolean {
  const [given = ''] = headers.get('authentication-results') ?? [];
  const domain = domainOf(address);
  const results = resultsIn(given.slice(0, READ_MAX));
  if (results === undefined) {
    return true;
  }
  const dmarc = results.filter(({ method }) => method === 'dmarc');
  if (dmarc.some(({ verdict }) => DECIDED.has(verdict))) {
    return dmarc.some(({ verdict, properties }) => {
      const from = domainOf(properties.get('header.from') ?? domain);
      return verdict !== 'pass' || from !== domain;
    });
  }
  const checks = results.filter(({ method }) => method === 'spf' || method === 'dkim');
  return checks.length > 0 && !checks.some((one) => passesFor(domain, one));
}

/** Other results of DMARC say nothing: the domain has no policy, or the server could not read it. */
const DECIDED = new Set(['pass', 'fail']);

/** Whether SPF or DKIM passes for the domain. Servers that name no domain mean the sender's. */
function passesFor(domain: string, { method, verdict, properties }: Result): boolean {
  const named = (method === 'dkim' ? DKIM_NAMES : spfNames(properties)).flatMap(
    (name) => properties.get(name) ?? [],
  );
  return verdict === 'pass' && (named.length === 0 || named.some((one) => isAligned(one, domain)));
}

const DKIM_NAMES = ['header.d', 'header.i'];

/** SPF checks the server's greeting where a mail has no envelope sender. */
const spfNames = (properties: Result['properties']): readonly string[] => [
  properties.has('smtp.mailfrom') ? 'smtp.mailfrom' : 'smtp.helo',
];

const domainOf = (address: string): string =>
  address.slice(address.lastIndexOf('@') + 1).toLowerCase();

/** The same domain, or one below the other, as `bounces.example.com` and `example.com`. */
function isAligned(named: string, domain: string): boolean {
  const by = domainOf(named);
  return by === domain || isBelow(domain, by) || isBelow(by, domain);
}

const isBelow = (name: string, domain: string): boolean =>
  domain.includes('.') && name.endsWith(`.${domain}`);

interface Result {
  readonly method: string;
  readonly verdict: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** Returns undefined if the text ends within a quotation or a comment. */
function resultsIn(text: string): Result[] | undefined {
  return plainText(text)
    ?.split(';')
    .flatMap((part) => {
      const [first = '', ...rest] = part.trim().toLowerCase().split(/\s+/);
      const [method = '', verdict] = first.split('=');
      const properties = new Map(rest.map((one) => pairOf(one)));
      return verdict === undefined ? [] : [{ method, verdict, properties }];
    });
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** A quoted text, a character after a backslash, or any other character; comments have no quotations. */
const PIECE = /"(?:\\[^]|[^"\\])*"|\\[^]|[^]/y;
const PIECE_OF_COMMENT = /\\[^]|[^]/y;
/** What a quoted text of an address is compared by. */
const NOT_IN_ADDRESS = /[^\w.@+-]/g;

/**
 * Returns a text without comments, which may be nested, and without quotes: a sender decides what is in
 * them. Returns undefined if it ends within one.
 */
function plainText(text: string): string | undefined {
  let depth = 0;
  let kept = '';
  for (let at = 0; at < text.length;) {
    const pattern = depth > 0 ? PIECE_OF_COMMENT : PIECE;
    pattern.lastIndex = at;
    const [piece = ''] = pattern.exec(text) ?? [];
    at = pattern.lastIndex;
    if (piece === '"' && depth === 0) {
      return undefined;
    }
    const isKept = depth === 0 && piece !== '(';
    depth += piece === '(' ? 1 : piece === ')' && depth > 0 ? -1 : 0;
    kept += isKept ? unquoted(piece) : '';
  }
  return depth === 0 ? kept : undefined;
}

const unquoted = (piece: string): string =>
  piece.length > 1 && piece.startsWith('"')
    ? piece.slice(1, -1).replaceAll(NOT_IN_ADDRESS, '_')
    : piece;
