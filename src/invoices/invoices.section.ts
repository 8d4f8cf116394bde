import { Type } from 'typebox';
import { Fault } from '#core/fault.ts';
import { request } from '#core/schema/schema.ts';
import { defineSection, type SectionTools } from '#core/section.ts';
import type { Work } from '#core/work.ts';
import { newId } from '#lib/id.ts';
import { InvoiceSettings } from './invoice-settings.entity.ts';
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
  readonly settings: InvoiceSettings;
}

export const invoicesSection = defineSection({
  name: 'invoices',
  summary:
    'The invoicing system that reports paid invoices. Without this section, reports are refused.',
  match: 'only',
  schema,
  secrets: /^\/secret$/,
  environment: { path: /^\/secret$/, label: 'invoices.secret' },
  complete: (given, stored: InvoiceEntry | undefined): InvoiceEntry => ({
    secret: stored?.secret ?? null,
    ...given,
  }),
  load,
  valueOf: ({ secret }: Row): InvoiceEntry => ({ secret }),
  create({ em, subAccountId, now }, { secret }, _key, _idOf, tools): Row {
    const id = newId(now);
    const fields = { subAccountId, id, secret: sealed(secret, id, tools) };
    const settings = em.create(InvoiceSettings, { ...fields, createdAt: now, updatedAt: now });
    em.persist(settings);
    return { settings, secret };
  },
  update({ em, now }, { settings }, { secret }, _idOf, tools) {
    em.assign(settings, { secret: sealed(secret, settings.id, tools), updatedAt: now });
  },
  remove: ({ em }, { settings }) => void em.remove(settings),
});

async function load({ em, subAccountId }: Work, { secrets }: SectionTools): Promise<Row[]> {
  const stored = await em.find(InvoiceSettings, { subAccountId });
  return stored.map((settings) => {
    const { id, secret } = settings;
    return {
      settings,
      secret: secrets ? secrets.open(Buffer.from(secret), invoicesPlace(id)) : null,
    };
  });
}

function sealed(secret: string | null, id: string, { secrets }: SectionTools): Buffer {
  if (secret === null) {
    throw new Fault('VALIDATION_ERROR', 'invoices: secret is required');
  }
  if (!secrets) {
    const message = 'invoices: FRONTDESK_SECRET_KEY, which encrypts the secret, is not set';
    throw new Fault('VALIDATION_ERROR', message);
  }
  return secrets.seal(secret, invoicesPlace(id));
}
