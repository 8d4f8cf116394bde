import { Type } from 'typebox';
import { Fault } from '#core/fault.ts';
import { newId } from '#lib/id.ts';
import { request } from '#core/schema/schema.ts';
import { defineSection, type SectionTools } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { invoicesPlace } from './invoices-secret.ts';

const SECRET_MIN = 16;
const SECRET_MAX = 4_000;

const schema = request({
  secret: Type.Optional(
    Type.String({
      minLength: SECRET_MIN,
      maxLength: SECRET_MAX,
      description: 'Signing secret of the invoicing system.',
    }),
  ),
});

interface InvoiceEntry {
  /** Null if the manifest leaves it out, or if the secret key is not set. */
  readonly secret: string | null;
}

interface Row extends InvoiceEntry {
  readonly id: string;
}

export const invoicesSection = defineSection({
  name: 'invoices',
  summary:
    'The invoicing system that reports paid invoices. Without this section, reports are refused.',
  match: 'only',
  schema,
  secrets: ['secret'],
  environment: { path: /^\/secret$/, label: 'invoices.secret' },
  complete: (given, stored: InvoiceEntry | undefined): InvoiceEntry => ({
    secret: stored?.secret ?? null,
    ...given,
  }),
  load,
  valueOf: ({ secret }: Row): InvoiceEntry => ({ secret }),
  create(work, { secret }, _key, _idOf, tools): Row {
    const row = { id: newId(work.now), secret };
    work.write(INSERT, valuesOf(work, row, tools));
    return row;
  },
  update(work, { id }, { secret }, _idOf, tools) {
    work.write(UPDATE, valuesOf(work, { id, secret }, tools));
  },
  remove: (work, { id }) => work.write(DELETE, [work.subAccountId, id]),
});

async function load(work: Work, { secrets }: SectionTools): Promise<Row[]> {
  const rows = await work.rows<{ id: string; sealed: Buffer }>(STORED, [work.subAccountId]);
  return rows.map(({ id, sealed }) => {
    return { id, secret: secrets ? secrets.open(sealed, invoicesPlace(id)) : null };
  });
}

function valuesOf({ subAccountId, now }: Work, { id, secret }: Row, { secrets }: SectionTools) {
  if (secret === null) {
    throw new Fault('VALIDATION_ERROR', 'invoices: secret is required');
  }
  if (!secrets) {
    const message = 'invoices: FRONTDESK_SECRET_KEY, which encrypts the secret, is not set';
    throw new Fault('VALIDATION_ERROR', message);
  }
  return [subAccountId, id, now, secrets.seal(secret, invoicesPlace(id))];
}

const STORED = 'select id, secret as sealed from invoice_settings where sub_account_id = $1';

const INSERT = `insert into invoice_settings (sub_account_id, id, created_at, updated_at, secret)
  values ($1, $2, $3, $3, $4)`;

const UPDATE = `update invoice_settings set updated_at = $3, secret = $4
  where sub_account_id = $1 and id = $2`;

const DELETE = 'delete from invoice_settings where sub_account_id = $1 and id = $2';
