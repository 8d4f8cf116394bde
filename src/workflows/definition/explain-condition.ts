import { valueOf, isEmpty, type Facts } from './conditions.ts';
import type { Condition } from './workflow.schema.ts';

const VALUE_MAX = 60;
/** Data of calls may have secrets; run logs must not. */
const SECRET_NAME = /secret|token|passw|key|auth/i;

/**
 * Returns why a condition is true or false, for the run's log: `lifecycleStage is "lead", not
 * "customer"`, `tag "no-review" is set`. Long values are cut, and values whose name is that of a secret
 * are left out.
 */
export function explainCondition(condition: Condition, facts: Facts, isTrue: boolean): string {
  const { field, equals = '', not, in: any, contains, exists } = condition;
  const found = valueOf(field, facts);
  if (exists !== undefined) {
    return `${field} is ${isEmpty(found) ? 'empty' : 'set'}`;
  }
  const wanted = contains ?? not ?? equals;
  const isMember = Array.isArray(found) || contains !== undefined;
  if (field === TAGS && any === undefined) {
    return `tag ${shown(wanted)} is ${isTrue === (not === undefined) ? 'set' : 'not set'}`;
  }
  if (isMember && any === undefined) {
    const has = isTrue === (not === undefined);
    return `${field} ${has ? 'contains' : 'does not contain'} ${shown(wanted)}`;
  }
  const is = `${field} is ${SECRET_NAME.test(field) && !isEmpty(found) ? '…' : shown(found)}`;
  if (any !== undefined) {
    return isTrue ? is : `${is}, none of ${cut(any.map((one) => shown(one)).join(', '))}`;
  }
  return isTrue === (not === undefined) ? is : `${is}, not ${shown(wanted)}`;
}

const TAGS = 'tags';

function shown(value: unknown): string {
  if (isEmpty(value)) {
    return value === '' ? '""' : 'empty';
  }
  return cut(JSON.stringify(value));
}

/** Cut between characters: PostgreSQL rejects halves of one. */
function cut(text: string): string {
  const characters = Array.from(text);
  return characters.length <= VALUE_MAX ? text : `${characters.slice(0, VALUE_MAX).join('')}…`;
}
