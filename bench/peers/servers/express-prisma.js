import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';
import express from 'express';
import { uuidv7 } from 'uuidv7';

/** Express and Prisma on the product's table, as their guides write it. No keys, limits or logs. */
const adapter = new PrismaPg({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['CONNECTIONS']),
});
const prisma = new PrismaClient({ adapter, omit: { contact: { deletedAt: true } } });

const app = express();
app.use(express.json());

app.get('/healthz', (_, response) => response.json({ data: 'ok' }));

app.get('/contact/:subAccountId/:id', async ({ params: { subAccountId, id } }, response) => {
  const data = await prisma.contact.findFirst({ where: { subAccountId, id, deletedAt: null } });
  response.json({ data });
});

app.get('/contacts/:subAccountId', async ({ params: { subAccountId } }, response) => {
  const where = { subAccountId, deletedAt: null };
  const [data, total] = await Promise.all([
    prisma.contact.findMany({ where, orderBy: { id: 'desc' }, take: 50 }),
    prisma.contact.count({ where }),
  ]);
  response.json({ data, meta: { total } });
});

app.post('/contacts/:subAccountId', async ({ params: { subAccountId }, body }, response) => {
  const now = new Date();
  const own = {
    subAccountId,
    id: uuidv7(),
    lifecycleStage: 'lead',
    createdAt: now,
    updatedAt: now,
  };
  response.status(201).json({ data: await prisma.contact.create({ data: { ...body, ...own } }) });
});

app.listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
