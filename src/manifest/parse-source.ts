import { pointerToken } from '#core/fault.ts';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type ErrorCode,
  type Node,
  type YAMLError,
} from 'yaml';
import type { Issue } from '#core/section.ts';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A parsed file with the position of each value. */
export interface Source {
  readonly value: unknown;
  /** Syntax errors with their positions. */
  readonly errors: readonly (Issue & Place)[];
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
  const found = [...document.errors, ...document.warnings];
  const errors = found
    .filter(({ code }) => code === 'DUPLICATE_KEY')
    .map(({ pos: [at] }) => errorAt(at, 'is given twice'));
  // What follows the first syntax error is read wrongly, and so is the path around it.
  const [syntax] = found
    .filter(({ code }) => code !== 'DUPLICATE_KEY')
    .sort((a, b) => a.pos[0] - b.pos[0]);
  if (syntax) {
    return {
      value: undefined,
      errors: [{ ...placeAt(syntax.pos[0]), path: '', message: explainSyntax(syntax) }],
      placeOf: () => placeAt(syntax.pos[0]),
    };
  }
  visit(document, {
    Alias(_, alias) {
      if (!alias.resolve(document)) {
        errors.push(
          errorAt(
            startOf(alias) ?? 0,
            `refers to the anchor &${alias.source}, which is not defined before it`,
          ),
        );
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
    // The parser refuses excessive aliases.
    return { value: undefined, errors: [errorAt(0, (error as Error).message)], placeOf };
  }
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

const explainSyntax = ({ code, message }: YAMLError): string =>
  `is not valid YAML: ${SYNTAX[code] ?? message}`;

/** Returns the pointer of the innermost value around the offset. */
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

/** A member begins at its name. */
function childOf(token: string, first: unknown, child: unknown): Child {
  const from = startOf(first) ?? 0;
  const to = (child as Node | null)?.range?.[1] ?? (first as Node | null)?.range?.[1] ?? from;
  return { token, from, to, child };
}

const startOf = (node: unknown): number | undefined => (node as Node | null)?.range?.[0];
