import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
} from 'yaml';
import { pointerToken } from '#core/schema/check.ts';
import type { Issue } from '#core/section.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A parsed file that still knows where each value stands. */
export interface Source {
  readonly value: unknown;
  /** What keeps the text from being read at all, each with its own place. */
  readonly errors: readonly (Issue & Place)[];
  /** Where a JSON pointer leads; of what is not there, where it would have to be. */
  readonly placeOf: (path: string) => Place;
}

/** Reads YAML, and JSON as the part of YAML that it is. Never throws. */
export function parseSource(text: string): Source {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: true,
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
  const errors = [...document.errors, ...document.warnings].map(({ code, message, pos: [at] }) =>
    errorAt(at, code === 'DUPLICATE_KEY' ? 'is given twice' : message),
  );
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document)) {
        errors.push(errorAt(startOf(alias) ?? 0, `has no anchor &${alias.source} before it`));
      }
    },
  });
  const placeOf = (path: string) => placeAt(offsetOf(document, path));
  if (errors.length > 0) {
    return { value: undefined, errors, placeOf };
  }
  try {
    return { value: document.toJS(), errors, placeOf };
  } catch (error) {
    // More aliases than any manifest needs.
    return { value: undefined, errors: [errorAt(0, (error as Error).message)], placeOf };
  }
}

/** The pointer of the innermost value that holds the offset; a broken text may hold none. */
function pathAt(node: unknown, offset: number): string {
  for (const { token, from, to, child } of childrenOf(node)) {
    if (from <= offset && offset <= to) {
      return `/${pointerToken(token)}${pathAt(child, offset)}`;
    }
  }
  return '';
}

function offsetOf(document: Document.Parsed, path: string): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const token of path.split('/').slice(1)) {
    const target = isAlias(node) ? node.resolve(document) : node;
    const found = childrenOf(target).find((child) => pointerToken(child.token) === token);
    if (!found) {
      break;
    }
    offset = found.from;
    node = found.child;
  }
  return offset;
}

interface Child {
  readonly token: string;
  readonly from: number;
  readonly to: number;
  readonly child: unknown;
}

function childrenOf(node: unknown): readonly Child[] {
  if (isSeq(node)) {
    return node.items.map((item, index) => childOf(String(index), item as Node, item as Node));
  }
  return isMap(node)
    ? node.items.map(({ key, value }) =>
        childOf(isScalar(key) ? String(key.value) : '', key, value),
      )
    : [];
}

/** A member begins at its name, since that is where somebody would look for it. */
function childOf(token: string, first: unknown, child: unknown): Child {
  const from = startOf(first) ?? 0;
  const to = (child as Node | null)?.range?.[1] ?? (first as Node | null)?.range?.[1] ?? from;
  return { token, from, to, child };
}

const startOf = (node: unknown): number | undefined => (node as Node | null)?.range?.[0];
