import {
  isAlias,
  isCollection,
  isPair,
  isScalar,
  type Alias,
  type Document,
  type Node,
} from 'yaml';

/** More than a manifest of the largest size has without aliases. */
const VALUES_MAX = 300_000;

/** 200 nested steps of a workflow have 400 levels. What reads the value calls itself for each level. */
const DEPTH_MAX = 420;

/** Each repeated text is copied when a thread returns the value. */
const REPEATED_MAX = 5_000_000;

/** An issue names the path of its value: 200 issues of long names would be a refusal of 100 MB. */
const PATH_MAX = 10_000;
/** 50,000 values of a long name would have paths of 12 GB. */
const PATHS_MAX = 50_000_000;

/** The text stands for a value that is too large to be read. */
export class SourceTooLarge extends Error {
  /** The offset of the cause in the text; undefined if that is the whole. */
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}

/** How large a value is with its aliases replaced. */
interface Size {
  values: number;
  /** Of texts and names. */
  characters: number;
  levels: number;
  /** The characters of the longest path within the value, and of all of them. */
  path: number;
  paths: number;
}

interface Anchored {
  readonly node: Node;
  /** Undefined within the value itself. */
  size: Size | undefined;
}

/**
 * Returns what the aliases of a document refer to. Throws SourceTooLarge if a value contains itself, or is
 * too large or too deep with its aliases replaced. Visits each node once: aliases of aliases may stand for
 * billions of values.
 */
export function measureSource(
  { contents }: Document.Parsed,
  text: string,
): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Anchored>();
  const targets = new Map<Alias, Node>();

  const sizeOfAlias = (alias: Alias): Size => {
    const target = anchors.get(alias.source);
    // `errorsIn` reports it.
    if (!target) {
      return sizeOfScalar(null);
    }
    if (!target.size) {
      const message = `is inside the value that it refers to: move &${alias.source}, or remove the alias`;
      throw new SourceTooLarge(message, alias.range?.[0]);
    }
    targets.set(alias, target.node);
    return target.size;
  };
  const sizeOf = (node: unknown, depth: number): Size => {
    if (isAlias(node)) {
      return sizeOfAlias(node);
    }
    if (isPair(node)) {
      return sizeOfMembers([node], depth);
    }
    const anchored: Anchored = { node: node as Node, size: undefined };
    const { anchor } = (node ?? {}) as { readonly anchor?: string };
    if (anchor !== undefined) {
      anchors.set(anchor, anchored);
    }
    anchored.size = isCollection(node)
      ? sizeOfMembers(node.items, depth)
      : sizeOfScalar(isScalar(node) ? node.value : node);
    return anchored.size;
  };
  const sizeOfMembers = (items: readonly unknown[], depth: number): Size => {
    if (depth > DEPTH_MAX) {
      throw tooDeep();
    }
    const size = { ...NOTHING, values: 1 };
    items.forEach((item, index) => {
      const name = isPair(item) ? sizeOf(item.key, depth + 1).characters : 0;
      const token = 1 + (isPair(item) ? name : String(index).length);
      const member = sizeOf(isPair(item) ? item.value : item, depth + 1);
      size.values += member.values;
      size.characters += name + member.characters;
      size.levels = Math.max(size.levels, member.levels + 1);
      size.path = Math.max(size.path, member.path + token);
      size.paths += member.paths + member.values * token;
      refuseTooLarge(size, depth, text.length);
    });
    return size;
  };
  sizeOf(contents, 0);
  return targets;
}

const NOTHING: Size = { values: 0, characters: 0, levels: 0, path: 0, paths: 0 };

/** Bytes are a list of numbers for what reads the value. */
const sizeOfScalar = (value: unknown): Size => ({
  ...NOTHING,
  values: 1 + (value instanceof Uint8Array ? value.length : 0),
  characters: typeof value === 'string' ? value.length : 0,
});

function refuseTooLarge(
  { values, characters, levels, path, paths }: Size,
  depth: number,
  textLength: number,
): void {
  if (values > VALUES_MAX) {
    throw new SourceTooLarge(`contains more than ${VALUES_MAX} values`);
  }
  if (characters > textLength + REPEATED_MAX) {
    throw new SourceTooLarge(`repeats more than ${REPEATED_MAX} characters with aliases`);
  }
  if (depth + levels > DEPTH_MAX) {
    throw tooDeep();
  }
  if (path > PATH_MAX) {
    throw new SourceTooLarge(`has a value whose path has more than ${PATH_MAX} characters`);
  }
  if (paths > PATHS_MAX) {
    throw new SourceTooLarge(
      `has values whose paths have more than ${PATHS_MAX} characters together`,
    );
  }
}

const tooDeep = () => new SourceTooLarge(`has more than ${DEPTH_MAX} levels of nested values`);
