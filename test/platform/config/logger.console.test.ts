import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { logConsole } from '#platform/config/logger.ts';

test('what a library writes to the console is one line of JSON in the log', () => {
  const texts: string[] = [];
  const log = pino(
    { level: 'debug', base: null },
    { write: (text: string) => void texts.push(text) },
  );
  onTestFinished(logConsole(log));
  const library = globalThis.console;
  library.trace(new Error('connect ECONNREFUSED'));
  library.error('two\nlines');
  expect(texts.map((text) => text.trimEnd().split('\n').length)).toEqual([1, 1]);
  expect(texts.map((text) => JSON.parse(text))).toMatchObject([
    { level: 20, from: 'console', msg: expect.stringContaining('Error: connect ECONNREFUSED') },
    { level: 50, from: 'console', msg: 'two\nlines' },
  ]);
});
