import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Fault, invalid, UsageFault } from '#core/fault.ts';
import { failureOf, printFailure } from '#platform/cli/failure.ts';
import { print } from '#platform/cli/output.ts';

const spoken = (stream: 'stdout' | 'stderr') => {
  let text = '';
  vi.spyOn(process[stream], 'write').mockImplementation((chunk, ...rest) => {
    text += String(chunk);
    rest.forEach((one) => typeof one === 'function' && one());
    return true;
  });
  return () => text;
};
afterEach(() => void vi.restoreAllMocks());

describe('print', () => {
  test('prefers the text, then the table, then the value', async () => {
    const said = spoken('stdout');
    await print({ json: { a: 1 }, text: 'words' }, false);
    await print({ json: { a: 1 }, table: [{ b: 2 }] }, false);
    await print({ json: { a: 1 } }, false);
    await print({ json: [] }, false);
    expect(said()).toBe('words\nb\n2\na  1\nnone\n');
  });

  test('aligns rows that do not have the same members', async () => {
    const said = spoken('stdout');
    await print(
      {
        json: [
          { id: 'x', scopes: ['a', 'b'], at: null },
          { id: 'long', extra: { deep: true } },
        ],
      },
      false,
    );
    expect(said()).toBe(
      [
        'id    scopes  at  extra',
        'x     a, b    –   –',
        'long  –       –   {"deep":true}',
        '',
      ].join('\n'),
    );
  });

  test('says on standard error if a list may have more rows, but not with JSON', async () => {
    spoken('stdout');
    const noted = spoken('stderr');
    await print({ json: [{ a: 1 }], limit: 2 }, false);
    await print({ json: [{ a: 1 }, { a: 2 }], limit: 2 }, true);
    expect(noted()).toBe('');
    await print({ json: [{ a: 1 }, { a: 2 }], limit: 2 }, false);
    expect(noted()).toBe('These are the first 2 rows; there may be more: raise --limit.\n');
  });

  test('as JSON is the value alone, on one line', async () => {
    const said = spoken('stdout');
    await print({ json: { a: [1, null] }, text: 'words', exitCode: 1 }, true);
    expect(said()).toBe('{"a":[1,null]}\n');
  });

  test('as JSON contains nothing that controls a terminal, and the same value', async () => {
    const said = spoken('stdout');
    const name = 'a\u009b31m\u202ee\u2066\u007f\\';
    await print({ json: { name } }, true);
    expect(said()).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(said())).toEqual({ name });
  });

  test('on a terminal contains no control characters of others, and keeps its own colours', async () => {
    const said = spoken('stdout');
    const { isTTY } = process.stdout;
    onTestFinished(() => void (process.stdout.isTTY = isTTY));
    const text = `\u001B[32m✓\u001B[39m erased Eve\u001B]0;x\u0007\u009B2J\r of\n\tHarbour`;
    process.stdout.isTTY = true;
    await print({ json: {}, text }, false);
    expect(said()).toBe('\u001B[32m✓\u001B[39m erased Eve]0;x2J of\n\tHarbour\n');
    process.stdout.isTTY = false;
    await print({ json: {}, text }, false);
    expect(said()).toContain(`${text}\n`);
  });
});

describe('a failure', () => {
  test('contains no characters that control a terminal: a file of others may be wrong', async () => {
    const text = spoken('stderr');
    const message = 'written by \u001B]0;x\u0007\u009B31m2\r of\nothers';
    const issues = ['/a\u001B[2J', '/b'].map((path) => ({
      in: 'body' as const,
      path,
      message: 'is x',
    }));
    printFailure({ message: 'wrong', issues, exitCode: 1 }, false);
    printFailure({ message, exitCode: 1 }, false);
    expect(text()).toBe(
      'frontdesk: wrong\n  a[2J is x\n  b is x\nfrontdesk: written by ]0;x31m2 of\nfrontdesk: others\n',
    );
  });

  test('as JSON contains none either', () => {
    const text = spoken('stderr');
    const message = 'by \u009B31m\u202E\u007F';
    printFailure({ message, exitCode: 1 }, true);
    expect(text()).toMatch(/^[ -~]+\n$/);
    expect(JSON.parse(text())).toEqual({ error: { message } });
  });

  const said = async (error: unknown, asJson = false) => {
    const text = spoken('stderr');
    const failure = await failureOf(error);
    printFailure(failure, asJson);
    return { code: failure.exitCode, text: text() };
  };

  test('of usage is exit code 2, a line for each problem', async () => {
    expect(await said(new UsageFault('A is wrong\nB is wrong'))).toEqual({
      code: 2,
      text: 'frontdesk: A is wrong\nfrontdesk: B is wrong\n',
    });
  });

  test('of a use case is its message, and its issues where there are several', async () => {
    const issue = (path: string) => ({ in: 'body' as const, path, message: 'is required' });
    expect(await said(new Fault('NOT_FOUND', 'contact not found'))).toEqual({
      code: 1,
      text: 'frontdesk: contact not found\n',
    });
    expect(await said(invalid([issue('/name')]))).toEqual({
      code: 1,
      text: 'frontdesk: invalid body: name is required\n',
    });
    expect((await said(invalid([issue('/name'), issue('/email')]))).text).toBe(
      'frontdesk: invalid body: name is required (and 1 more issue)\n  name is required\n  email is required\n',
    );
  });

  test('as JSON is one line with the issues', async () => {
    const { text } = await said(invalid([{ in: 'body', path: '/a', message: 'is bad' }]), true);
    expect(JSON.parse(text)).toEqual({
      error: {
        message: 'invalid body: a is bad',
        issues: [{ in: 'body', path: '/a', message: 'is bad' }],
      },
    });
  });

  test('of a full disk is one line, without the hint of PostgreSQL', async () => {
    const message =
      'could not extend file: No space left on device\n - hint: Check free disk space.';
    const error = Object.assign(new Error(message), { code: '53100' });
    expect((await said(error)).text).toBe(
      'frontdesk: the disk of the database is full: could not extend file: No space left on device; free some space and run this again\n',
    );
  });

  test('of a bug shows the stack trace', async () => {
    const { code, text } = await said(new TypeError('x is not a function'));
    expect(code).toBe(1);
    expect(text).toMatch(/^frontdesk: this is a bug: TypeError: x is not a function\n.*at /);
  });
});
