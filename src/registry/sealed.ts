import type { Sealed } from '#core/sealed.ts';
import { sealedPasswords } from '../accounts/team/accounts.sealed.ts';
import { sealedCredentials } from '../conversations/channels/conversations.sealed.ts';
import { sealedInvoices } from '../invoices/invoices.sealed.ts';
import { sealedSigning } from '../webhooks/subscriptions/webhooks.sealed.ts';
import { sealedWorkflows } from '../workflows/definition/workflows.sealed.ts';

/** Everything of a sub-account that only the key of its installation opens. */
export const sealed: readonly Sealed[] = [
  sealedPasswords,
  sealedCredentials,
  sealedInvoices,
  sealedSigning,
  sealedWorkflows,
];
