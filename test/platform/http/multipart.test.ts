import { describe, expect, test } from 'vitest';
import { parseMultipart } from '../../../src/platform/http/body/multipart.ts';

const TYPE = 'multipart/form-data; boundary=b';
const field = (name: string, text = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

const parsed = (body: string, type = TYPE) =>
  parseMultipart(type, Buffer.from(body, 'utf8')).map(({ bytes, ...part }) => ({
    ...part,
    text: bytes.toString(),
  }));

async function asBrowsersSend(form: FormData) {
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const type = request.headers.get('content-type') ?? '';
  return parseMultipart(type, Buffer.from(await request.arrayBuffer()));
}

describe('a multipart form', () => {
  test('is read as browsers send it', async () => {
    const form = new FormData();
    form.set('name "x"\n', 'Zoë\r\n--b--');
    form.set('empty', '');
    const bytes = Uint8Array.from({ length: 2_000 }, (_, index) => index % 256);
    form.set('file', new File([bytes], 'ünï "c".png', { type: 'image/png' }));
    const [name, empty, file, ...others] = await asBrowsersSend(form);
    expect(name).toMatchObject({ name: 'name "x"\r\n', fileName: undefined });
    expect(name?.bytes.toString()).toBe('Zoë\r\n--b--');
    expect(empty).toMatchObject({ name: 'empty', bytes: Buffer.alloc(0) });
    expect(file).toMatchObject({ name: 'file', fileName: 'ünï "c".png', type: 'image/png' });
    expect(file?.bytes.equals(bytes)).toBe(true);
    expect(others).toEqual([]);
  });

  test('has a part without a name of the file for an input without one', () => {
    const head = 'Content-Disposition: form-data; name="a"; filename=""\r\nContent-Type: x/y';
    expect(parsed(`--b\r\n${head}\r\n\r\n\r\n--b--`)).toEqual([
      { name: 'a', fileName: '', type: 'x/y', text: '' },
    ]);
  });

  test('may have a preamble, a quoted boundary, an epilogue and no parts', () => {
    const [part] = parsed(
      `hello\r\n--b 1 \r\ncontent-disposition: FORM-DATA; name=a\r\n\r\nx\r\n--b 1--\r\nbye`,
      'multipart/form-data; boundary="b 1"',
    );
    expect(part).toEqual({ name: 'a', fileName: undefined, type: '', text: 'x' });
    expect(parsed('--b--')).toEqual([]);
  });

  test.for([
    ['nothing', ''],
    ['text', 'hello'],
    ['no end', field('a', 'x')],
    ['half a part', '--b\r\nContent-Disposition: form-data; name="a"\r\n'],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
    ['a part without a head', '--b\r\n\r\n\r\n\r\n--b--'],
    ['a line that goes on', '--bc\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n--b--'],
    ['an endless head', `--b\r\nX: ${'x'.repeat(10_000)}\r\n\r\n\r\n--b--`],
    ['too many parts', `${field('a').repeat(301)}--b--`],
  ])('is refused: %s', ([, body = '']) => {
    expect(() => parsed(body)).toThrow('not a multipart form');
  });

  test.for(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; x=b'])(
    'needs a boundary: %s',
    (type) => {
      expect(() => parsed('--b--', type)).toThrow('not a multipart form');
    },
  );

  test('is read in linear time', () => {
    const body = `${field('a', '\r\n--'.repeat(2_000_000))}--b--`;
    expect(parsed(body)[0]?.text).toHaveLength(8_000_000);
  });
});
