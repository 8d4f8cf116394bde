import { defineCommand } from '#core/command.ts';
import { UsageFault } from '#core/fault.ts';
import { check } from '#core/schema/check.ts';
import { invoiceBody } from '../../invoices/invoice.schema.ts';
import { recordInvoice } from '../../invoices/record-invoice.ts';
import type { AdminContext } from '../open-admin.ts';
import {
  given,
  readCurrency,
  readEmail,
  readTime,
  liveSubAccount,
  subAccountOption,
} from './answers.ts';

const AMOUNT = /^\d{1,12}(?:\.\d{1,6})?$/;

function readAmount(text: string): number {
  if (!AMOUNT.test(text)) {
    throw new UsageFault(`${text || 'nothing'} was given; it must be an amount, for example 89.50`);
  }
  return Number(text);
}

const record = defineCommand<AdminContext>()({
  path: 'admin invoice record',
  summary: 'Record a paid invoice; each ID counts once',
  options: {
    subAccount: subAccountOption,
    invoiceId: {
      flag: '--invoice-id <id>',
      label: 'Invoice ID',
      help: 'ID of the invoice in the invoicing program',
      required: true,
    },
    amount: {
      flag: '--amount <amount>',
      help: "amount paid, in the currency's main unit",
      required: true,
      parse: readAmount,
    },
    currency: {
      flag: '--currency <currency>',
      help: 'ISO 4217 currency code',
      required: true,
      parse: (text: string) => readCurrency(text.toUpperCase()),
    },
    email: { flag: '--email <address>', help: 'email of the contact who paid', parse: readEmail },
    paidAt: {
      flag: '--paid-at <time>',
      help: 'payment time, ISO 8601 (default: now)',
      parse: readTime,
    },
  },
  examples: [
    'frontdesk admin invoice record --sub-account 0198c0de-… --invoice-id INV-42 --amount 89.50 --currency EUR',
    'frontdesk admin invoice record --sub-account 0198c0de-… --invoice-id INV-43 --amount 20 --currency EUR --email jo@example.com --paid-at 2026-11-20T09:00:00Z',
  ],
  context: 'service',
  async run(context, { subAccount, paidAt, ...answers }) {
    const body = given({ ...answers, paidAt: paidAt?.toISOString() });
    const invoice = check(invoiceBody, body, 'body');
    const { id } = await liveSubAccount(context, subAccount);
    const json = await context.transact(id, context.actor, (work) => recordInvoice(work, invoice));
    const text = json.recorded
      ? `recorded invoice ${json.invoiceId} as paid`
      : `invoice ${json.invoiceId} was recorded before; nothing was changed`;
    return { json, text };
  },
});

export const invoiceCommands = [record];
