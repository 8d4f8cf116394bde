import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copyIn, copyOut } from '../../src/backup/copy.ts';
import { newDatabase } from '../operations/backup.support.ts';

const ROWS = 20_000;
const ROW_BYTES = 4_000;
const MIB = 2 ** 20;
const COPY_LARGE = `copy (select i, repeat('x', ${ROW_BYTES}) from generate_series(1, ${ROWS}) i) to stdout`;

/** Two connections to a new database; errors of closed ones are ignored, as `withClient` does. */
async function connections() {
  const connectionString = await newDatabase();
  const connect = async () => {
    const client = new Client({ connectionString });
    client.on('error', () => undefined);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  return { client: await connect(), other: await connect() };
}

const terminate = async (client: Client, other: Client): Promise<void> => {
  const { processID } = client as Client & { readonly processID: number };
  await other.query('select pg_terminate_backend($1::int)', [processID]);
};

async function readAll(blocks: AsyncGenerator<Buffer, number>) {
  let bytes = 0;
  let next = await blocks.next();
  for (; !next.done; next = await blocks.next()) {
    bytes += next.value.length;
  }
  return { bytes, rows: next.value };
}

async function* repeated(block: Buffer, times: number) {
  for (let count = 0; count < times; count += 1) {
    yield block;
  }
}

describe('copying out', () => {
  test('yields all bytes and returns the rows; then the connection is usable', async () => {
    const { client } = await connections();
    const { bytes, rows } = await readAll(copyOut(client, COPY_LARGE));
    expect(rows).toBe(ROWS);
    expect(bytes).toBeGreaterThan(ROWS * ROW_BYTES);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    expect(await readAll(copyOut(client, 'copy (select where false) to stdout'))).toEqual({
      bytes: 0,
      rows: 0,
    });
  });

  test('reads from the server no faster than its consumer', async () => {
    const { client } = await connections();
    const blocks = copyOut(client, COPY_LARGE);
    await blocks.next();
    const { stream } = (client as any).connection;
    const before = stream.bytesRead;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(stream.bytesRead - before).toBeLessThan(MIB);
    await readAll(blocks);
  });

  test('throws the error of the server, and of a broken connection', async () => {
    const { client, other } = await connections();
    const failing = copyOut(
      client,
      'copy (select 1 / (i - 500) from generate_series(1, 1000) i) to stdout',
    );
    await expect(readAll(failing)).rejects.toThrow('division by zero');
    const broken = copyOut(client, COPY_LARGE);
    await broken.next();
    await terminate(client, other);
    await expect(readAll(broken)).rejects.toThrow(/terminat/);
  });

  test('that a consumer ends early leaves nothing that fails later', async () => {
    const { client } = await connections();
    const blocks = copyOut(client, COPY_LARGE);
    await blocks.next();
    await blocks.return(0);
    await expect(client.end()).resolves.toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
});

describe('copying in', () => {
  const prepare = async () => {
    const { client, other } = await connections();
    await client.query('create temporary table copied (value int not null, text text)');
    return { client, other };
  };
  const ROW = Buffer.from(`1\t${'x'.repeat(1_000)}\n`.repeat(100));

  test('writes all rows and returns their number', async () => {
    const { client } = await prepare();
    expect(await copyIn(client, 'copy copied from stdin', repeated(ROW, 50))).toBe(5_000);
    expect((await client.query('select count(*)::int as n from copied')).rows).toEqual([
      { n: 5_000 },
    ]);
    expect(await copyIn(client, 'copy copied from stdin', repeated(ROW, 0))).toBe(0);
  });

  test('reads its source no faster than the server writes', async () => {
    const { client, other } = await prepare();
    await client.query('create table shared (value int not null, text text)');
    await other.query('begin');
    await other.query('lock table shared');
    let blocks = 0;
    const counted = async function* () {
      for (; blocks < 1_000; blocks += 1) {
        yield ROW;
      }
    };
    const copying = copyIn(client, 'copy shared from stdin', counted());
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(blocks * ROW.length).toBeLessThan(8 * MIB);
    await other.query('rollback');
    expect(await copying).toBe(100_000);
  });

  test('throws the error of a row, of its source, and of a broken connection', async () => {
    const { client, other } = await prepare();
    const refused = copyIn(client, 'copy copied from stdin', repeated(Buffer.from('a\tb\n'), 10));
    await expect(refused).rejects.toThrow('invalid input syntax');
    const source = async function* () {
      yield ROW;
      throw new Error('the file is cut off');
    };
    await expect(copyIn(client, 'copy copied from stdin', source())).rejects.toThrow(
      'the file is cut off',
    );
    expect((await client.query('select from copied')).rowCount).toBe(0);
    const endless = async function* () {
      for (;;) {
        yield ROW;
      }
    };
    const broken = copyIn(client, 'copy copied from stdin', endless());
    const outcome = broken.catch((error: Error) => error.message);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await terminate(client, other);
    expect(await outcome).toMatch(/terminat|ECONNRESET|EPIPE/);
  });
});
