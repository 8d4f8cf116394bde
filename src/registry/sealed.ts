import type { Sealed } from '#kit/sealed.ts';
import { sealedPasswords } from '../accounts/accounts.sealed.ts';
import { sealedCredentials } from '../conversations/conversations.sealed.ts';
import { sealedInvoices } from '../invoices/invoices.sealed.ts';
import { sealedSigning } from '../webhooks/webhooks.sealed.ts';
import { sealedWorkflows } from '../workflows/workflows.sealed.ts';

/** Everything of a sub-account that only the key of its installation opens. */
export const sealed: readonly Sealed[] = [
  sealedPasswords,
  sealedCredentials,
  sealedInvoices,
  sealedSigning,
  sealedWorkflows,
];
