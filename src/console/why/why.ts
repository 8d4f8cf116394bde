import type { MemberAccess } from '#core/endpoint/console-endpoint.ts';
import { invalid } from '#core/fault.ts';
import type { View } from '#core/work.ts';
import type { SlotFacts } from '../../calendars/slots/explain-slot.ts';
import type { WhyLanguage } from './language.ts';

/** The rule that kept something from happening, the record that it looked at, and the moment. */
export interface Reason {
  /** A word for programs, such as `opted_out`. */
  readonly rule: string;
  /** The same as a sentence, with its figures, in the language of the answer. */
  readonly sentence: string;
  readonly record: { readonly type: string; readonly id: string } | null;
  /** When the rule decided, ISO 8601; null if the moment was not recorded. */
  readonly at: string | null;
  /** The figures of the sentence, of a slot. */
  readonly facts?: SlotFacts;
}

/** What a question names: which of them it needs depends on its kind. */
export interface WhyInput {
  readonly id?: string | undefined;
  readonly type?: string | undefined;
  readonly start?: string | undefined;
  readonly assignedTo?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly eventId?: string | undefined;
  readonly subscriptionId?: string | undefined;
  readonly workflow?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly contactId?: string | undefined;
}

export interface WhyAnswer {
  /** It did happen, or still can. */
  readonly happened: boolean;
  readonly reasons: readonly Reason[];
}

/** A kind of thing that did not happen. */
export interface WhyKind {
  readonly kind: string;
  /** What it explains, for the documentation. */
  readonly summary: string;
  /** What members must have to see the records it reads. */
  readonly access: MemberAccess;
  /** The sets of members that a question may have. */
  readonly needs: readonly (readonly (keyof WhyInput)[])[];
  /** Throws NOT_FOUND for unknown records. */
  readonly explain: (
    view: View,
    input: Required<Named>,
    language: WhyLanguage,
  ) => Promise<WhyAnswer>;
}

type Named = { readonly [K in keyof WhyInput]: string };

export const happened = (...reasons: readonly Reason[]): WhyAnswer => ({ happened: true, reasons });
export const because = (...reasons: readonly Reason[]): WhyAnswer => ({ happened: false, reasons });

/**
 * Returns what a question of a kind must name, as a text, if it lacks some of it or names more; otherwise
 * undefined. `nameOf` is how the caller writes a member.
 */
export function missingInput(
  { needs }: WhyKind,
  input: WhyInput,
  nameOf: (member: keyof WhyInput) => string = (member) => member,
): string | undefined {
  const given = Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  const fits = needs.some(
    (names) => names.length === given.length && names.every((name) => given.includes(name)),
  );
  return fits ? undefined : needs.map((names) => names.map(nameOf).join(' and ')).join(', or ');
}

/** Throws if the question lacks what its kind needs, or has more. */
export function requireInput(kind: WhyKind, input: WhyInput): Required<Named> {
  const needed = missingInput(kind, input);
  if (needed !== undefined) {
    throw invalid([{ in: 'query', path: '', message: `kind=${kind.kind} needs ${needed}` }]);
  }
  return input as Required<Named>;
}
