import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

/** The parts of a JSON Schema that completion reads. */
export interface ManifestSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, ManifestSchema>>;
  readonly additionalProperties?: boolean | ManifestSchema;
  readonly items?: ManifestSchema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ManifestSchema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, ManifestSchema>>;
}

/** A step from a value to one of its parts: a member by name, or an item of a list. */
type Step = string | typeof ITEM;
const ITEM = Symbol('item');

/** A line of block YAML: indentation, dashes of lists, and the name of a member. */
const LINE = /^(?<indent> *)(?<dashes>(?:- +)*)(?<name>"[^"]*"|[\w$.-]+)?(?<colon>:)?/;

const columnOf = (line: string): number => {
  const { indent = '', dashes = '' } = LINE.exec(line)?.groups ?? {};
  return indent.length + dashes.length;
};

/**
 * Returns the path to the object that a line of block YAML is in. Lines are read upwards: a line
 * with less indentation is a parent.
 */
export function pathAbove(lines: readonly string[], column: number): Step[] {
  const path: Step[] = [];
  let inner = column;
  for (const line of lines.toReversed()) {
    const { indent = '', dashes = '', name, colon } = LINE.exec(line)?.groups ?? {};
    if (line.trim() === '' || line.trimStart().startsWith('#')) {
      continue;
    }
    const at = indent.length + dashes.length;
    if (dashes !== '' && at === inner && path[0] !== ITEM) {
      path.unshift(ITEM);
      inner = indent.length + 1;
      continue;
    }
    const isList = path[0] === ITEM && at < inner;
    if (name !== undefined && colon !== undefined && (at < inner || isList)) {
      path.unshift(name.replaceAll('"', ''));
      if (dashes !== '') {
        path.unshift(ITEM);
      }
      inner = dashes === '' ? indent.length : indent.length + 1;
    }
    if (inner === 0) {
      break;
    }
  }
  return path;
}

/** Returns the schemas that may describe the value at a path. */
export function schemasAt(root: ManifestSchema, path: readonly Step[]): ManifestSchema[] {
  let found = variants(root, root);
  for (const step of path) {
    found = found.flatMap((schema) => {
      const { additionalProperties: more } = schema;
      const part =
        step === ITEM
          ? schema.items
          : (schema.properties?.[step] ?? (typeof more === 'object' ? more : undefined));
      return part ? variants(root, part) : [];
    });
  }
  return found;
}

/** Resolves a reference and alternatives. */
function variants(root: ManifestSchema, schema: ManifestSchema): ManifestSchema[] {
  const name = schema.$ref?.replace('#/$defs/', '');
  const target = name === undefined ? undefined : root.$defs?.[name];
  const here = target ?? schema;
  return here.anyOf ? here.anyOf.flatMap((one) => variants(root, one)) : [here];
}

const valuesOf = ({ enum: values, const: only, type }: ManifestSchema): unknown[] => [
  ...(values ?? []),
  ...(only === undefined ? [] : [only]),
  ...([type].flat().includes('boolean') ? [true, false] : []),
];

/** Returns a completion of names and values of the manifest in block YAML. */
export const completeManifest =
  (schema: ManifestSchema) =>
  ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos);
    const before = line.text.slice(0, pos - line.from);
    const value = /^(?<lead> *(?:- +)*)(?<name>[\w$.-]+): +(?<typed>[\w-]*)$/.exec(before);
    const name = /^(?<lead> *(?:- +)*)(?<typed>[\w$.-]*)$/.exec(before);
    const groups = (value ?? name)?.groups;
    if (!groups || (!explicit && groups['typed'] === '')) {
      return null;
    }
    const lines = state.doc.sliceString(0, line.from).split('\n');
    const column = columnOf(groups['lead'] ?? '');
    const dashed = /- /.test(groups['lead'] ?? '');
    // The line of a new item is one of its own parents.
    const path = pathAbove(dashed ? [...lines, `${groups['lead']}x`] : lines, column);
    const from = pos - (groups['typed'] ?? '').length;
    const options: Completion[] = value
      ? schemasAt(schema, [...path, groups['name'] ?? '']).flatMap((one) =>
          valuesOf(one).map((each) => ({ label: String(each), type: 'constant' })),
        )
      : schemasAt(schema, path).flatMap(({ properties = {} }) =>
          Object.entries(properties).map(([label, { description }]) => ({
            label,
            type: 'property',
            apply: `${label}: `,
            ...(description && { info: description }),
          })),
        );
    const unique = [...new Map(options.map((option) => [option.label, option])).values()];
    return unique.length > 0 ? { from, options: unique, validFor: /^[\w$.-]*$/ } : null;
  };
