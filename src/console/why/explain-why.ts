import { isGranted } from '#core/endpoint/console-endpoint.ts';
import { Fault, invalid } from '#core/fault.ts';
import type { Role } from '#core/role.ts';
import type { View } from '#core/work.ts';
import { languages, type WHY_LANGUAGES } from './language.ts';
import { whyConfirmation } from './why-confirmation.ts';
import { whyDelivery } from './why-delivery.ts';
import { whyMessage } from './why-message.ts';
import { whyRecipient } from './why-recipient.ts';
import { whyReminder } from './why-reminder.ts';
import { whySlot } from './why-slot.ts';
import { whyStep } from './why-step.ts';
import { whyTrigger } from './why-trigger.ts';
import { requireInput, type WhyAnswer, type WhyInput } from './why.ts';

/** What can be asked about; endpoint, command and documentation derive from this list. */
export const whyKinds = [
  whySlot,
  whyMessage,
  whyDelivery,
  whyTrigger,
  whyStep,
  whyRecipient,
  whyConfirmation,
  whyReminder,
];

export const WHY_KINDS = whyKinds.map(({ kind }) => kind);

export type Why = WhyAnswer & { readonly kind: string };

interface Question extends WhyInput {
  readonly kind: string;
  readonly role: Role;
  /** Of the sentences; English by default. */
  readonly language?: (typeof WHY_LANGUAGES)[number] | undefined;
}

/**
 * Returns why something did not happen. Throws for unknown kinds and records, for missing parts of the
 * question, and for kinds that the role may not see.
 */
export async function explainWhy(view: View, question: Question): Promise<Why> {
  const { kind: name, role, language = 'en', ...input } = question;
  const kind = whyKinds.find((one) => one.kind === name);
  if (!kind) {
    const message = `kind must be one of ${WHY_KINDS.join(', ')}, but is ${name}`;
    throw invalid([{ in: 'query', path: '/kind', message }]);
  }
  if (!isGranted(role, kind.access)) {
    throw new Fault('FORBIDDEN', `your role ${role} may not ask about this`);
  }
  const answer = await kind.explain(view, requireInput(kind, input), languages[language]);
  return { kind: name, ...answer };
}
