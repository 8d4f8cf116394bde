import type { ChangeSet } from '@mikro-orm/core';
import array from 'postgres-array';

/** A field of a record before and after a change. */
interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export type FieldChanges = Readonly<Record<string, FieldChange>>;

/** Secrets are never stored, not even sealed ones. */
const SECRET = /secret|password|hash|token|credential|cipher|sealed/i;
const MASK = '***';
/** Fields that follow from the others, or from the change itself. */
const DERIVED = new Set(['updatedAt', 'addresses', 'position', 'version']);
const TEXT_MAX = 500;
const TOTAL_MAX = 8_000;

/**
 * Returns the changed fields of a record, for the audit trail: at most 8,000 characters, with secrets
 * masked and long values cut. Undefined if no field is left.
 */
export function fieldChangesOf({
  payload,
  entity,
  originalEntity = {},
  meta,
}: Pick<ChangeSet<any>, 'payload' | 'entity' | 'originalEntity'> & {
  readonly meta?: Pick<ChangeSet<any>['meta'], 'properties'>;
}): FieldChanges | undefined {
  const changes: Record<string, FieldChange> = {};
  let left = TOTAL_MAX;
  for (const field of Object.keys(payload)) {
    if (DERIVED.has(field) || meta?.properties[field]?.generated !== undefined) {
      continue;
    }
    const isSecret = SECRET.test(field) || Buffer.isBuffer(entity[field]);
    const after: unknown = entity[field] ?? null;
    const stored = (originalEntity as Record<string, unknown>)[field] ?? null;
    if (stored !== null && stored === after) {
      // Statements that change several records carry their keys.
      continue;
    }
    const before = typeof stored === 'string' ? parsed(stored, after) : stored;
    const change = isSecret
      ? { from: before === null ? null : MASK, to: after === null ? null : MASK }
      : { from: shortened(before), to: shortened(after) };
    left -= JSON.stringify(change).length;
    if (left < 0) {
      break;
    }
    changes[field] = change;
  }
  return Object.keys(changes).length > 0 ? changes : undefined;
}

/**
 * Returns changes that the caller describes, as the audit trail keeps them: at most 8,000 characters, with
 * secrets masked and long values cut.
 */
export function limitChanges(given: FieldChanges): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  let left = TOTAL_MAX;
  for (const [field, { from, to }] of Object.entries(given)) {
    const isSecret = SECRET.test(field);
    const masked = (value: unknown) => (isSecret && value !== null ? MASK : shortened(value));
    const change = { from: masked(from), to: masked(to) };
    left -= field.length + JSON.stringify(change).length;
    if (left < 0) {
      break;
    }
    changes[field] = change;
  }
  return changes;
}

/** Arrays and JSON of the original are PostgreSQL's text. */
function parsed(stored: string, after: unknown): unknown {
  if (Array.isArray(after) && stored.startsWith('{')) {
    return array.parse(stored);
  }
  return typeof after === 'object' && after !== null && /^[[{]/.test(stored)
    ? (JSON.parse(stored) as unknown)
    : stored;
}

/** Objects are kept whole while they are short, so that the reader can compare their members. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return cut(value);
  }
  const text = JSON.stringify(value ?? null, maskSecrets);
  return text.length > TEXT_MAX ? cut(text) : (JSON.parse(text) as unknown);
}

const cut = (text: string): string =>
  text.length > TEXT_MAX ? `${Array.from(text.slice(0, TEXT_MAX)).slice(0, -1).join('')}…` : text;

const maskSecrets = (name: string, member: unknown): unknown =>
  SECRET.test(name) && (member ?? null) !== null ? MASK : member;
