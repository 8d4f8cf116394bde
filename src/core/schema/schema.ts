import { Type, type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox';
import { EPOCH_MS_MAX } from './instant.ts';

/** Limits of all such values. */
const EMAIL_MAX = 254;
const SHORT_TEXT_MAX = 255;
/** 2026-12-01T09:00:00Z. */
const EPOCH_MS_EXAMPLE = 1_796_115_600_000;

type Keywords = Readonly<Record<string, unknown>>;

/** A request object: unknown members are rejected. */
export const request = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** A response object: clients must ignore unknown members. */
export const response = <P extends TProperties>(properties: P) => Type.Object(properties);

/** The schema, or null. Flat (`type: [t, "null"]`), so that an error names one rule. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, enum: values, ...rest } = schema as Keywords;
  if (type === undefined) {
    return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
  }
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  });
}

/** All members optional, for PATCH. */
export function partial<P extends TProperties>(properties: P) {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)]),
  ) as { [K in keyof P]: ReturnType<typeof Type.Optional<P[K]>> };
}

/** An enumeration. */
export const oneOf = <const V extends readonly string[]>(values: V, options: Keywords = {}) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, ...options });

export const uuid = (options: Keywords = {}) => Type.String({ format: 'uuid', ...options });
export const email = (options: Keywords = {}) =>
  Type.String({ format: 'email', maxLength: EMAIL_MAX, ...options });
export const phone = (options: Keywords = {}) => Type.String({ format: 'e164', ...options });
export const isoTime = (options: Keywords = {}) => Type.String({ format: 'date-time', ...options });
/** A time in a response, an event or a job. Requests take `instant`. */
export const epochMs = (options: Keywords = {}) =>
  Type.Integer({
    minimum: 0,
    maximum: EPOCH_MS_MAX,
    description: 'epoch ms',
    examples: [EPOCH_MS_EXAMPLE],
    ...options,
  });
/**
 * A time in a request: epoch milliseconds, or ISO 8601 with an offset, which the check converts to
 * epoch milliseconds (formats.ts). An integer that looks like seconds is refused.
 */
export const instant = ({ description = '', ...options }: Keywords = {}) =>
  Type.Unsafe<number>({
    type: ['integer', 'string'],
    format: 'date-time',
    minimum: 0,
    maximum: EPOCH_MS_MAX,
    description: ['epoch ms, or ISO 8601 with an offset', description].filter(Boolean).join('; '),
    examples: [EPOCH_MS_EXAMPLE, '2026-12-01T10:00:00+01:00'],
    ...options,
  });
export const isoDate = (options: Keywords = {}) => Type.String({ format: 'date', ...options });
export const timeZone = (options: Keywords = {}) =>
  Type.String({ format: 'time-zone', ...options });
export const currency = (options: Keywords = {}) => Type.String({ format: 'currency', ...options });

/** Text of a line, not blank. */
export const shortText = (options: Keywords = {}) =>
  Type.String({ minLength: 1, maxLength: SHORT_TEXT_MAX, format: 'not-blank', ...options });
