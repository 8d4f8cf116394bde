import { createHash } from 'node:crypto';
import type { TSchema } from 'typebox';

interface Keywords {
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly TSchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly items?: TSchema;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly minimum?: number;
}

/**
 * Returns a valid and telling value: the first example of the schema, or a generated one. Nullable and
 * optional members are present; members of the same name get the same id. A text or number with limits
 * other than format, choice or minimum needs `examples`.
 */
export function exampleOf(schema: TSchema, name = ''): unknown {
  const { examples, enum: values, const: fixed, anyOf, type, ...rest } = schema as Keywords;
  const [known = fixed] = examples ?? values ?? [];
  if (known !== undefined) {
    return known;
  }
  if (anyOf?.[0]) {
    return exampleOf(anyOf[0], name);
  }
  switch ([type].flat()[0] ?? 'number') {
    case 'object':
      return Object.fromEntries(
        Object.entries(rest.properties ?? {}).map(([key, member]) => [key, exampleOf(member, key)]),
      );
    case 'array':
      return rest.items ? [exampleOf(rest.items, name)] : [];
    case 'string':
      return rest.format === 'uuid' ? exampleId(name) : (TEXTS[rest.format ?? ''] ?? 'text');
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return rest.minimum ?? 1;
  }
}

/** Returns a UUIDv7 derived from the name: `stageId` and `pipelineId` differ. */
export const exampleId = (name: string): string =>
  `0192f7c4-5b1e-7c3a-9d42-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;

/** By format; other formats accept any text that is not blank. */
const TEXTS: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  e164: '+4930123456',
  date: '2026-12-01',
  'date-time': '2026-12-01T09:00:00.000Z',
  'time-zone': 'Europe/Berlin',
  currency: 'EUR',
  uri: 'https://example.com/',
};
