import { pointerToken } from '#core/fault.ts';
import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Alias,
  type Document,
  type ErrorCode,
  type Node,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { EntryIssue } from '#core/section.ts';
import { measureSource, SourceTooLarge } from './measure-source.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A parsed file with the position of each value. */
export interface Source {
  readonly value: unknown;
  /** Syntax errors with their positions. */
  readonly errors: readonly (EntryIssue & Place)[];
  /** Returns the position of a JSON pointer; for a missing value, that of its parent. */
  readonly placeOf: (path: string) => Place;
}

/** Parses YAML, which includes JSON. Never throws. */
export function parseSource(text: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
    // The parser compares each name with all before it: `errorsIn` finds repeated ones faster.
    uniqueKeys: false,
    logLevel: 'error',
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errorAt = (offset: number, message: string) => ({
    ...placeAt(offset),
    path: pathAt(document.contents, offset),
    message,
  });
  // What follows the first syntax error is read wrongly, and so is the path around it.
  const [syntax] = [...document.errors, ...document.warnings].sort((a, b) => a.pos[0] - b.pos[0]);
  if (syntax) {
    return {
      value: undefined,
      errors: [{ ...placeAt(syntax.pos[0]), path: '', message: explainSyntax(syntax) }],
      placeOf: () => placeAt(syntax.pos[0]),
    };
  }
  let targets: ReadonlyMap<Alias, Node> = new Map();
  const placeOf = (path: string) => placeAt(offsetOf(document.contents, path, targets));
  try {
    targets = measureSource(document, text);
    const errors = errorsIn(document).map(({ at, message }) => errorAt(at, message));
    return { value: errors.length > 0 ? undefined : document.toJS(), errors, placeOf };
  } catch (error) {
    // The parser refuses excessive aliases.
    const { message } = error as Error;
    const at = error instanceof SourceTooLarge ? error.at : undefined;
    const mistake = at === undefined ? { ...placeAt(0), path: '', message } : errorAt(at, message);
    return { value: undefined, errors: [mistake], placeOf };
  }
}

/** Finding the place of each error takes time. */
const ERRORS_MAX = 50;

interface Mistake {
  /** The offset in the text. */
  readonly at: number;
  readonly message: string;
}

/** Returns the first repeated names and aliases of unknown anchors. */
function errorsIn(document: Document.Parsed): readonly Mistake[] {
  const errors: Mistake[] = [];
  const anchors = new Set<string>();
  visit(document, {
    Node(_, node) {
      if (isAlias(node)) {
        if (!anchors.has(node.source)) {
          const message = `refers to the anchor &${node.source}, which is not defined before it`;
          errors.push({ at: startOf(node) ?? 0, message });
        }
      } else {
        anchors.add(node.anchor ?? '');
        errors.push(...(isMap(node) ? repeatsIn(node) : []));
      }
      return errors.length < ERRORS_MAX ? undefined : visit.BREAK;
    },
  });
  return errors.slice(0, ERRORS_MAX);
}

function repeatsIn({ items }: YAMLMap): readonly Mistake[] {
  const names = new Set<unknown>();
  const repeated = items.filter(({ key }) => {
    const name = isScalar(key) ? key.value : key;
    const isRepeat = names.has(name);
    names.add(name);
    return isRepeat;
  });
  return repeated
    .slice(0, ERRORS_MAX)
    .map(({ key }) => ({ at: startOf(key) ?? 0, message: 'is given twice' }));
}

/** Says what is probably wrong, in place of the parser's terms. */
const SYNTAX: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'this line is indented differently from the lines around it',
  BLOCK_AS_IMPLICIT_KEY:
    'this line is indented differently from the lines around it, or its text contains a colon: put such a text in quotes',
  MISSING_CHAR: 'a character is missing, such as a closing quote or bracket, or a comma',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing in this line or the one before it',
  MULTIPLE_DOCS: 'a second document begins here: remove the line ---',
  TAB_AS_INDENT: 'this line is indented with a tab: use spaces',
};

function explainSyntax({ code, message }: YAMLError): string {
  // The parser says that a hyphen is missing, but the line is rarely meant to be an item.
  const cause = message.startsWith('Sequence item without') ? 'BAD_INDENT' : code;
  return `is not valid YAML: ${SYNTAX[cause] ?? message}`;
}

/** Returns the pointer of the innermost value around the offset. */
function pathAt(node: unknown, offset: number): string {
  // The last match: a value ends where the next one begins, if nothing separates them.
  const match = childrenOf(node).findLast(({ from, to }) => from <= offset && offset <= to);
  return match ? `/${match.token}${pathAt(match.child, offset)}` : '';
}

function offsetOf(contents: unknown, path: string, targets: ReadonlyMap<Alias, Node>): number {
  let node = contents;
  let offset = startOf(node) ?? 0;
  for (const token of path.split('/').slice(1)) {
    const target = isAlias(node) ? targets.get(node) : node;
    const found = childrenOf(target).find((child) => child.token === token);
    if (!found) {
      break;
    }
    offset = found.from;
    node = found.child;
  }
  return offset;
}

interface Child {
  /** Escaped for a pointer. */
  readonly token: string;
  readonly from: number;
  readonly to: number;
  readonly child: unknown;
}

const known = new WeakMap<object, readonly Child[]>();

/** Remembers the children: the places of many issues are in the same large list. */
function childrenOf(node: unknown): readonly Child[] {
  if (!isCollection(node)) {
    return [];
  }
  const children = known.get(node) ?? listChildren(node);
  known.set(node, children);
  return children;
}

const listChildren = (node: YAMLMap | YAMLSeq): readonly Child[] =>
  isSeq(node)
    ? node.items.map((item, index) => childOf(String(index), item as Node, item as Node))
    : node.items.map(({ key, value }) =>
        childOf(isScalar(key) ? pointerToken(String(key.value)) : '', key, value),
      );

/** A member begins at its name. */
function childOf(token: string, first: unknown, child: unknown): Child {
  const from = startOf(first) ?? 0;
  const to = (child as Node | null)?.range?.[1] ?? (first as Node | null)?.range?.[1] ?? from;
  return { token, from, to, child };
}

const startOf = (node: unknown): number | undefined => (node as Node | null)?.range?.[0];
