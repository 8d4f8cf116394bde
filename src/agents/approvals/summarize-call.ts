import type { KeyedEndpoint } from '#core/endpoint/keyed-endpoint.ts';
import type { View } from '#core/work.ts';
import { plainLine } from '#lib/plain-line.ts';
import type { Arguments } from '../tools/action.ts';
import { zoneOfSubAccount } from '../../accounts/sub-accounts/sub-account.store.ts';
import { describeArguments, type DescribedArgument } from './describe-arguments.ts';

const NAME_MAX = 80;
const VALUE_MAX = 60;
const PARTS_MAX = 7;

/**
 * Returns one line about a call: what it does, when, with which records and customer, and its other
 * values, cut. The number of values that are left out stands at the end.
 */
export async function summarizeCall(
  view: View,
  endpoint: KeyedEndpoint,
  given: Arguments,
): Promise<string> {
  const timezone = await zoneOfSubAccount(view);
  const described = await describeArguments(view, { endpoint, given, timezone });
  const parts = partsOf(described);
  const all = parts.length <= PARTS_MAX ? parts : parts.slice(0, PARTS_MAX);
  const left = parts.length - all.length;
  const shown = left > 0 ? [...all, `and ${left} more`] : all;
  const { summary } = endpoint;
  return shown.length === 0 ? summary : `${summary}: ${shown.join(', ')}`;
}

/** What a customer is known by, without the names of the arguments. */
const CUSTOMER = ['firstName', 'lastName', 'email', 'phone'];

/** Returns the texts in the order of their importance: lists cut the line at its end. */
function partsOf(described: readonly DescribedArgument[]): string[] {
  const of = (kind: DescribedArgument['kind']) => described.filter((one) => one.kind === kind);
  const starts = of('time').some(({ name }) => START.test(name));
  const times = of('time').filter(({ name }) => !starts || !END.test(name));
  const values = new Map(of('other').map(({ name, value }) => [name, value]));
  const [first, last, email, phone] = CUSTOMER.map((name) => textOf(values.get(name)));
  const customer = [[first, last].filter(Boolean).join(' '), email, phone];
  const others = of('other').filter(
    ({ name, value }) => !CUSTOMER.includes(name) || value === null,
  );
  return [
    ...times.map(({ name, meaning }) => (START.test(name) ? meaning : `${name} ${meaning}`)),
    ...of('record').map(({ name, value, meaning }) => meaning ?? `${name} ${String(value)}`),
    ...customer,
    ...others.map(({ name, value }) => `${name} ${valueText(value)}`),
  ].flatMap((text) => (text === undefined || text === '' ? [] : clean(text, NAME_MAX)));
}

const START = /startTime$/i;
/** The end of a slot follows from its start and its type. */
const END = /endTime$/i;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const valueText = (value: unknown): string =>
  typeof value === 'string'
    ? clean(JSON.stringify(value), VALUE_MAX)
    : clean(jsonOf(value), VALUE_MAX);

const jsonOf = (value: unknown): string => JSON.stringify(value) ?? 'null';

/** Texts of customers: line breaks would look like lines of ours. Cut between characters. */
function clean(text: string, max: number): string {
  const characters = Array.from(plainLine(text));
  return characters.length <= max
    ? characters.join('')
    : `${characters.slice(0, max - 1).join('')}…`;
}
