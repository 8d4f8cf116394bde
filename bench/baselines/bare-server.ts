import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'pg';
import { uuidv7 } from 'uuidv7';

/**
 * Node and PostgreSQL without a product: node:http, pg, named statements on the product's tables.
 * No keys, limits, logs or checks.
 */
const pool = new Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['CONNECTIONS']),
});

const COLUMNS = `id, first_name as "firstName", last_name as "lastName", email, phone, company,
  title, source, tags, lifecycle_stage as "lifecycleStage", assigned_to as "assignedTo",
  additional_emails as "additionalEmails", additional_phones as "additionalPhones",
  address_line1 as "addressLine1", city, state, postal_code as "postalCode", country,
  date_of_birth as "dateOfBirth", timezone, custom_fields as "customFields", dnd,
  engagement_score as "engagementScore", created_at as "createdAt", updated_at as "updatedAt"`;

const GET = {
  name: 'get',
  text: `select ${COLUMNS} from contacts
    where sub_account_id = $1 and id = $2 and deleted_at is null`,
};

const LIST = {
  name: 'list',
  text: `select ${COLUMNS} from contacts where sub_account_id = $1 and deleted_at is null
    order by id desc limit 50`,
};

const TOTAL = { name: 'total', text: 'select total from bench_totals where sub_account_id = $1' };

const INSERT = {
  name: 'insert',
  text: `insert into contacts (sub_account_id, id, first_name, last_name, email, phone, company,
      tags, lifecycle_stage, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, 'lead', now(), now()) returning ${COLUMNS}`,
};

/** Checks and inserts in one function, under an exclusion constraint; the scenario creates it. */
const BOOK = {
  name: 'book',
  text: 'select bench_book(tstzrange(to_timestamp($1), to_timestamp($1 + 1800))) as booked',
};

async function answer(request: IncomingMessage): Promise<object> {
  const [, noun = '', subAccountId, id] = request.url?.split('/') ?? [];
  switch (`${request.method} ${noun}`) {
    case 'GET contact':
      return { data: (await pool.query({ ...GET, values: [subAccountId, id] })).rows[0] };
    case 'GET contacts': {
      const [page, counter] = await Promise.all([
        pool.query({ ...LIST, values: [subAccountId] }),
        pool.query({ ...TOTAL, values: [subAccountId] }),
      ]);
      return { data: page.rows, meta: { total: Number(counter.rows[0].total) } };
    }
    case 'POST contacts': {
      const { firstName, lastName, email, phone, company, tags } = await bodyOf(request);
      const values = [subAccountId, uuidv7(), firstName, lastName, email, phone, company, tags];
      return { data: (await pool.query({ ...INSERT, values })).rows[0] };
    }
    case 'POST slots': {
      const { slot } = await bodyOf(request);
      return { data: (await pool.query({ ...BOOK, values: [slot * 1_800] })).rows[0] };
    }
    default:
      return { data: 'ok' };
  }
}

async function bodyOf(request: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

function send(response: ServerResponse, status: number, value: object): void {
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const server = createServer((request, response) => {
  answer(request).then(
    (value) => send(response, 200, value),
    (error: unknown) => send(response, 500, { error: String(error) }),
  );
});
server.listen(Number(process.argv[2]), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
