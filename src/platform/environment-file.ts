import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UsageFault } from '#kit/fault.ts';
import { VARIABLES } from './environment.ts';

type Source = Readonly<Record<string, string | undefined>>;

/**
 * The environment over the file that its FRONTDESK_ENV_FILE names: what is really set wins. A secret
 * may lie in a file of its own, which NAME_FILE names.
 */
export function withEnvironmentFile(environment: Source): Source {
  const { FRONTDESK_ENV_FILE: path } = environment;
  return withSecretFiles(path ? { ...read(path), ...environment } : environment);
}

function read(path: string): Source {
  return parseEnv(readText('FRONTDESK_ENV_FILE', path));
}

function withSecretFiles(source: Source): Source {
  const found = Object.values(VARIABLES).flatMap((variable) => {
    const place = `${variable.name}_FILE`;
    const path = source[place];
    return 'secret' in variable && path && !source[variable.name]
      ? [[variable.name, readText(place, path).trim()] as const]
      : [];
  });
  return { ...source, ...Object.fromEntries(found) };
}

function readText(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { message } = error as Error;
    throw new UsageFault(`${variable} is "${path}", which cannot be read: ${message}`);
  }
}
