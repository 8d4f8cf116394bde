import type { Sealed } from '#core/secrets.ts';
import { sealedPasswords } from '../accounts/team/accounts.sealed.ts';
import { sealedCredentials } from '../conversations/channels/conversations.sealed.ts';
import { sealedInvoices } from '../invoices/invoices.sealed.ts';
import { sealedSigning } from '../webhooks/subscriptions/webhooks.sealed.ts';
import { sealedWorkflows } from '../workflows/definition/workflows.sealed.ts';

/** All values that are encrypted with the key of the installation. */
export const sealed: readonly Sealed[] = [
  sealedPasswords,
  sealedCredentials,
  sealedInvoices,
  sealedSigning,
  sealedWorkflows,
];
