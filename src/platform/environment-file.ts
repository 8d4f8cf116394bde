import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UsageFault } from '#kit/fault.ts';

type Source = Readonly<Record<string, string | undefined>>;

/** The environment over the file that its FRONTDESK_ENV_FILE names: what is really set wins. */
export function withEnvironmentFile(environment: Source): Source {
  const { FRONTDESK_ENV_FILE: path } = environment;
  return path ? { ...read(path), ...environment } : environment;
}

function read(path: string): Source {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const { message } = error as Error;
    throw new UsageFault(`FRONTDESK_ENV_FILE is "${path}", which cannot be read: ${message}`);
  }
}
