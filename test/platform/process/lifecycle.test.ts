import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

/** A process of two parts, run apart so that its signals are its own. */
const program = (inStart: string, inStop: string) => `
  const { live } = await import('#platform/process/lifecycle.ts');
  const { pino } = await import('pino');
  const say = (text) => process.stdout.write(text + '\\n');
  const log = pino({ level: 'info' }, pino.destination({ dest: 2, sync: true }));
  const { until } = await live(log, async (lifecycle) => {
    lifecycle.onStop('first', async () => say('first stopped'));
    lifecycle.onStop('second', async (hurry) => { ${inStop}; say('second stopped'); });
    ${inStart};
    say('up');
  }).catch((error) => { say('failed: ' + error.message); return { until: 1 }; });
  process.exit(await until);`;

const WAIT_FOR_HURRY =
  "await new Promise((resolve) => hurry.addEventListener('abort', resolve)); say('hurried')";

/** Longer than the time within which a second signal counts as the first. */
const LATER_MS = 700;

type Signalling = (child: ChildProcess, said: () => string) => Promise<unknown>;

const sends =
  (signal: NodeJS.Signals): Signalling =>
  async (child) =>
    child.kill(signal);

async function run(inStart: string, inStop: string, signalling?: Signalling) {
  const { code, said } = await runLogged(inStart, inStop, signalling);
  return { code, said };
}

async function runLogged(inStart: string, inStop: string, signalling?: Signalling) {
  const child = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const keep = setInterval(() => {}, 1000); ${program(inStart, inStop)}`,
  ]);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const exited = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), exited]);
  await signalling?.(child, () => said);
  const [code] = await exited;
  const logged = log
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).msg);
  return { code, said: said.trim().split('\n'), logged };
}

describe('a process that stays', () => {
  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'on %s stops its parts, the last one first, and ends with 0',
    async (signal) => {
      expect(await run('', '', sends(signal))).toEqual({
        code: 0,
        said: ['up', 'second stopped', 'first stopped'],
      });
    },
  );

  test('logs when it begins to stop and when it has stopped', async () => {
    const { logged } = await runLogged('', '', sends('SIGINT'));
    expect(logged).toEqual(['stopping', 'stopped']);
  });

  test('does not log that it has stopped if a part failed to stop', async () => {
    const { logged } = await runLogged('', "throw new Error('stuck')", sends('SIGTERM'));
    expect(logged).toEqual(['stopping', 'a part of the process did not stop cleanly']);
  });

  test('is hurried by a second signal', async () => {
    const again: Signalling = async (child, said) => {
      while (!said().includes('hurried')) {
        child.kill('SIGINT');
        await sleep(LATER_MS);
      }
    };
    expect(await run('', WAIT_FOR_HURRY, again)).toEqual({
      code: 0,
      said: ['up', 'hurried', 'second stopped', 'first stopped'],
    });
  });

  test('counts two simultaneous signals, as npm sends them, as one', async () => {
    // The process signals itself: signals from here may arrive half a second apart on a busy machine.
    const { said } = await run(
      `let signals = 0;
      process.on('SIGINT', () => (signals += 1) === 2 && say('signalled twice'));
      setImmediate(() => [1, 2].forEach(() => process.kill(process.pid, 'SIGINT')))`,
      `await Promise.race([${WAIT_FOR_HURRY.split(';')[0]?.replace('await ', '')}.then(() => say('hurried')), new Promise((resolve) => setTimeout(resolve, 800))])`,
    );
    expect(said).toEqual(['up', 'signalled twice', 'second stopped', 'first stopped']);
  });

  test('stops the other parts if one fails to stop, and exits with 1', async () => {
    expect(await run('', "throw new Error('stuck')", sends('SIGTERM'))).toEqual({
      code: 1,
      said: ['up', 'first stopped'],
    });
  });

  test('stops the started parts if the start fails', async () => {
    expect(await run("throw new Error('no')", '')).toEqual({
      code: 1,
      said: ['second stopped', 'first stopped', 'failed: no'],
    });
  });

  test.each([
    ['rejection', "setTimeout(() => { Promise.reject(new Error('lost')); }, 50)"],
    ['exception', "setTimeout(() => { throw new Error('lost'); }, 50)"],
    ['end that was not meant', "setTimeout(() => lifecycle.end(1, 'lost'), 50)"],
  ])('stops its parts on an escaped %s and ends with 1', async (_, inStart) => {
    expect(await run(inStart, '')).toEqual({
      code: 1,
      said: ['up', 'second stopped', 'first stopped'],
    });
  });
});
