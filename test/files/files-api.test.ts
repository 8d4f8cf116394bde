import { describe, expect, test } from '../support/service.ts';
import { FILES_MAX_BYTES } from '../support/files.ts';
import {
  download,
  GIF,
  HTML,
  liveChatThread,
  PDF,
  PNG,
  removeNow,
  storedContents,
  SVG,
  upload,
  uploaded,
} from './files.support.ts';

describe('POST /api/v1/files', () => {
  test('stores the content and returns the file; no event fires', async ({ service }) => {
    await service.events();
    const { status, body } = await upload(service);
    expect(status).toBe(201);
    const { id } = body.data;
    expect(body.data).toEqual({
      id,
      name: 'x-ray.png',
      type: 'image/png',
      size: PNG.length,
      url: `/api/v1/files/${id}`,
      refused: null,
    });
    expect(await service.eventNames()).toEqual([]);
    expect(await storedContents(service)).toEqual([id]);
  });

  test('decides on the type by the bytes, whatever the sender says', async ({ service }) => {
    const gif = await upload(service, { name: 'a.png', bytes: GIF, type: 'text/html' });
    expect(gif.body.data).toMatchObject({ type: 'image/gif', name: 'a.png.gif' });
    const pdf = await upload(service, { name: 'bill', bytes: PDF, type: 'image/png' });
    expect(pdf.body.data).toMatchObject({ type: 'application/pdf', name: 'bill.pdf' });
    const csv = { name: 'list.csv', bytes: Buffer.from('Name;Größe\n', 'latin1') };
    const text = await upload(service, { ...csv, type: 'application/octet-stream' });
    expect(text.body.data).toMatchObject({ type: 'text/csv', name: 'list.csv' });
  });

  test.for([
    ['text/calendar', 'a.ics', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n'],
    ['text/vcard', 'a.vcf', 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n'],
  ] as const)('accepts %s', async ([type, name, text], { service }) => {
    for (const declared of [type, 'application/octet-stream']) {
      const { status, body } = await upload(service, {
        name,
        type: declared,
        bytes: Buffer.from(text),
      });
      expect([status, body.data]).toMatchObject([201, { type, name }]);
    }
  });

  test.for([
    ['SVG', SVG, 'image/svg+xml'],
    ['SVG that claims to be PNG', SVG, 'image/png'],
    ['HTML', HTML, 'text/html'],
    ['HTML that claims to be PNG', HTML, 'image/png'],
    ['a ZIP', Buffer.from('PK\x03\x04\x14\0\0\0\0\0', 'latin1'), 'application/zip'],
    ['a program', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1'), 'application/pdf'],
    ['bytes that are no text', Buffer.from([0, 1, 2, 3]), 'text/plain'],
    ['a script', Buffer.from('#!/bin/sh\n'), 'text/x-shellscript'],
  ] as const)('refuses %s with 415 and stores nothing', async ([, bytes, type], { service }) => {
    const { status, body } = await upload(service, { bytes, type });
    expect(status).toBe(415);
    expect(body.error.details).toMatchObject({ reason: 'file_type' });
    expect(await storedContents(service)).toEqual([]);
  });

  test('takes calendar and contact files, and a refusal lists them', async ({ service }) => {
    const ics = {
      bytes: Buffer.from('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n'),
      type: 'text/calendar',
    };
    expect((await upload(service, ics)).status).toBe(201);
    const vcf = { bytes: Buffer.from('BEGIN:VCARD\r\nEND:VCARD\r\n'), type: 'text/vcard' };
    expect((await upload(service, vcf)).status).toBe(201);
    const refused = await upload(service, { bytes: HTML, type: 'text/html' });
    expect(refused.body.error.message).toContain('calendar and contact files (ICS, VCF)');
  });

  test('refuses an empty file, and one above the limit', async ({ service }) => {
    expect((await upload(service, { bytes: Buffer.alloc(0) })).status).toBe(400);
    const huge = Buffer.concat([PNG, Buffer.alloc(FILES_MAX_BYTES)]);
    expect((await upload(service, { bytes: huge })).status).toBe(413);
    const whole = Buffer.concat([PNG, Buffer.alloc(FILES_MAX_BYTES - PNG.length)]);
    expect((await upload(service, { bytes: whole })).status).toBe(201);
  });

  test.for([
    ['../../etc/passwd', 'passwd.png'],
    ['..\\..\\boot.ini', 'boot.ini.png'],
    ['a\u202egnp.exe', 'agnp.exe.png'],
    ['<img onerror=x>.png', '_img onerror=x_.png'],
    ['.', 'file.png'],
    ['CON: "x"|?*.PNG', 'CON_ _x____.PNG'],
    ['röntgen bild.png', 'röntgen bild.png'],
    [`${'n'.repeat(200)}.png`, `${'n'.repeat(116)}.png`],
  ] as const)('names %j safely', async ([given, name], { service }) => {
    expect((await upload(service, { name: given })).body.data.name).toBe(name);
  });

  test('replays the response to a repeated Idempotency-Key, and stores one file', async ({
    service,
  }) => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await upload(service, { headers });
    const second = await upload(service, { headers });
    expect(second.body).toEqual(first.body);
    expect((await upload(service, { headers, name: 'other.png' })).status).toBe(422);
    const due = 'update file_deletions set due_at = now() where sub_account_id = $1';
    await service.database.rows(due, [service.subAccountId]);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([first.body.data.id]);
  });
});

describe('GET /api/v1/files/{id}', () => {
  test('returns images for showing, and anything else for saving', async ({ service }) => {
    const image = await download(service, `/api/v1/files/${await uploaded(service)}`);
    expect(image.bytes.equals(PNG)).toBe(true);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(image.headers.get('content-disposition')).toBe('inline; filename="x-ray.png"');
    const given = { name: 'Kostenplan ä.pdf', bytes: PDF };
    const pdf = await download(service, `/api/v1/files/${await uploaded(service, given)}`);
    expect(pdf.headers.get('content-disposition')).toBe(
      `attachment; filename="Kostenplan _.pdf"; filename*=UTF-8''Kostenplan%20%C3%A4.pdf`,
    );
    for (const { headers } of [image, pdf]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain('sandbox');
      expect(headers.get('cache-control')).toContain('private');
    }
  });

  test('needs conversations:read, in the sub-account of the file', async ({ service }) => {
    const path = `/api/v1/files/${await uploaded(service)}`;
    expect((await download(service, path, 'reader')).status).toBe(200);
    expect((await download(service, path, 'other')).status).toBe(404);
    expect((await download(service, path, null)).status).toBe(401);
  });

  test('answers 404 once the content is lost', async ({ service }) => {
    const id = await uploaded(service);
    await service.tools.files.remove({ subAccountId: service.subAccountId, id });
    expect((await download(service, `/api/v1/files/${id}`)).status).toBe(404);
  });
});

describe('POST /api/v1/conversations/{id}/messages with attachmentIds', () => {
  const send = ({ call }: any, id: string, body: object) =>
    call(`POST /api/v1/conversations/${id}/messages`, {
      body: { channel: 'live_chat', bodyText: '', ...body },
    });

  test('sends files in their order, also without a text', async ({ service }) => {
    const { id } = await liveChatThread(service);
    const files = [
      await uploaded(service, { name: 'b.png' }),
      await uploaded(service, { name: 'a.pdf', bytes: PDF }),
    ];
    await service.events();
    const sent = await send(service, id, { attachmentIds: files });
    expect(sent.status).toBe(201);
    expect(sent.body.data.attachments).toEqual([
      expect.objectContaining({ id: files[0], name: 'b.png', url: `/api/v1/files/${files[0]}` }),
      expect.objectContaining({ id: files[1], name: 'a.pdf', size: PDF.length }),
    ]);
    expect(await service.eventNames()).toEqual([]);
    const listed = await service.call(`GET /api/v1/conversations/${id}/messages`);
    expect(listed.body.data[0]).toEqual(sent.body.data);
  });

  test('refuses a blank text without files', async ({ service }) => {
    const { id } = await liveChatThread(service);
    const refused = await send(service, id, { bodyText: ' ' });
    expect(refused.body.error.details.issues).toEqual([
      { in: 'body', path: '/bodyText', message: 'must not be blank' },
    ]);
  });

  test('refuses files of others, of another message and unknown ones, and attaches none', async ({
    service,
  }) => {
    const { id } = await liveChatThread(service);
    const own = await uploaded(service);
    const used = await uploaded(service);
    await send(service, id, { attachmentIds: [used] });
    const foreign = await uploaded(service, { key: 'other' });
    for (const other of [used, foreign, crypto.randomUUID()]) {
      const refused = await send(service, id, { attachmentIds: [own, other] });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details.issues).toMatchObject([{ path: '/attachmentIds/1' }]);
    }
    expect((await send(service, id, { attachmentIds: [own] })).status).toBe(201);
  });

  test('gives a file to one of two simultaneous messages', async ({ service }) => {
    const { id } = await liveChatThread(service);
    for (let round = 0; round < 20; round += 1) {
      const file = await uploaded(service);
      const both = await Promise.all(
        [1, 2].map(() => send(service, id, { attachmentIds: [file] })),
      );
      expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 400]));
    }
  });
});

describe('the content of a file', () => {
  test('is removed with its contact', async ({ service }) => {
    const { contactId, id } = await liveChatThread(service);
    const file = await uploaded(service);
    await service.call(`POST /api/v1/conversations/${id}/messages`, {
      body: { channel: 'live_chat', bodyText: 'See', attachmentIds: [file] },
    });
    await removeNow(service);
    expect(await storedContents(service)).toEqual([file]);
    await service.call(`DELETE /api/v1/contacts/${contactId}`);
    expect((await download(service, `/api/v1/files/${file}`)).status).toBe(404);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([]);
  });

  test('is removed with a message that is erased, unless another message has a copy', async ({
    service,
  }) => {
    const { id } = await liveChatThread(service);
    const file = await uploaded(service);
    const sent = await service.call(`POST /api/v1/conversations/${id}/messages`, {
      body: { channel: 'live_chat', bodyText: 'See', attachmentIds: [file] },
    });
    const messageId = sent.body.data.id as string;
    const { rows } = service.database;
    await rows(
      `insert into files (sub_account_id, id, content_id, state, name, type, size, created_at)
       select sub_account_id, gen_random_uuid(), content_id, state, name, type, size, $2
       from files where id = $1`,
      [file, service.clock()],
    );
    await rows('delete from messages where id = $1', [messageId]);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([file]);
    await rows('delete from files where content_id = $1', [file]);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([]);
  });

  test('is removed a day after an upload that no message got', async ({ service }) => {
    const file = await uploaded(service);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([file]);
    await service.database.rows(
      `update files set created_at = now() - interval '25 hours' where id = $1`,
      [file],
    );
    await removeNow(service);
    expect(await storedContents(service)).toEqual([]);
    expect(await service.database.rows('select from files where id = $1', [file])).toEqual([]);
  });

  test('is removed an hour after a process was killed between storage and commit', async ({
    service,
  }) => {
    const { database, subAccountId, tools } = service;
    const id = crypto.randomUUID();
    await database.rows(
      `insert into file_deletions (sub_account_id, content_id, due_at)
       values ($1, $2, now() + interval '1 hour')`,
      [subAccountId, id],
    );
    await tools.files.put({ subAccountId, id }, PNG);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([id]);
    await database.rows('update file_deletions set due_at = now() where content_id = $1', [id]);
    await removeNow(service);
    expect(await storedContents(service)).toEqual([]);
  });

  test('is removed by the next worker if one is killed while removing it', async ({ service }) => {
    const { database, subAccountId, tools } = service;
    for (const takenAt of [`now() - interval '6 minutes'`, `now() + interval '1 hour'`]) {
      const id = crypto.randomUUID();
      await tools.files.put({ subAccountId, id }, PNG);
      await database.rows(
        `insert into file_deletions (sub_account_id, content_id, due_at, taken_at)
         values ($1, $2, now() - interval '1 hour', ${takenAt})`,
        [subAccountId, id],
      );
      await removeNow(service);
      expect(await storedContents(service)).toEqual([]);
    }
  });
});
