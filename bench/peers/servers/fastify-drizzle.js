import { and, count, desc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import fastify from 'fastify';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';

/** Fastify and Drizzle on the product's table, as their guides write it. No keys, limits or logs. */
const contacts = pgTable('contacts', {
  subAccountId: uuid('sub_account_id').notNull(),
  id: uuid('id').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  email: text('email'),
  phone: text('phone'),
  company: text('company'),
  title: text('title'),
  source: text('source'),
  tags: text('tags').array(),
  lifecycleStage: text('lifecycle_stage').notNull(),
  assignedTo: uuid('assigned_to'),
  additionalEmails: text('additional_emails').array(),
  additionalPhones: text('additional_phones').array(),
  addressLine1: text('address_line1'),
  city: text('city'),
  state: text('state'),
  postalCode: text('postal_code'),
  country: text('country'),
  dateOfBirth: text('date_of_birth'),
  timezone: text('timezone'),
  customFields: jsonb('custom_fields'),
  dnd: jsonb('dnd'),
  engagementScore: integer('engagement_score'),
  createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true, mode: 'date' }).notNull(),
  deletedAt: timestamp('deleted_at', { withTimezone: true, mode: 'date' }),
});
const { deletedAt: _, ...shown } = getTableColumns(contacts);
const isLive = (subAccountId) =>
  and(eq(contacts.subAccountId, subAccountId), isNull(contacts.deletedAt));

const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['CONNECTIONS']),
});
const db = drizzle(pool);
const app = fastify();

app.get('/healthz', async () => ({ data: 'ok' }));

app.get('/contact/:subAccountId/:id', async ({ params: { subAccountId, id } }) => {
  const where = and(isLive(subAccountId), eq(contacts.id, id));
  const [data] = await db.select(shown).from(contacts).where(where).limit(1);
  return { data };
});

app.get('/contacts/:subAccountId', async ({ params: { subAccountId } }) => {
  const where = isLive(subAccountId);
  const [data, [counted]] = await Promise.all([
    db.select(shown).from(contacts).where(where).orderBy(desc(contacts.id)).limit(50),
    db.select({ total: count() }).from(contacts).where(where),
  ]);
  return { data, meta: { total: counted.total } };
});

app.post('/contacts/:subAccountId', async ({ params: { subAccountId }, body }, reply) => {
  const now = new Date();
  const own = {
    subAccountId,
    id: uuidv7(),
    lifecycleStage: 'lead',
    createdAt: now,
    updatedAt: now,
  };
  const [data] = await db
    .insert(contacts)
    .values({ ...body, ...own })
    .returning(shown);
  return reply.code(201).send({ data });
});

await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' });
process.once('SIGTERM', () => process.exit(0));
