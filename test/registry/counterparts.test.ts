import { describe, expect, test } from 'vitest';
import { consoleRoutes } from '#registry/console.ts';
import { counterparts } from '#registry/counterparts.ts';
import { adminCommands } from '../../src/commands/admin/admin-commands.ts';

const entries = Object.entries(counterparts);

describe('every command of frontdesk admin', () => {
  test('has a counterpart in the console, or a reason for having none', () => {
    const commands = adminCommands.map(({ path }) => path.replace(/^admin /, ''));
    expect(
      Object.keys(counterparts).sort(),
      'list a new command in src/registry/counterparts.ts',
    ).toEqual(commands.sort());
    const empty = entries.filter(
      ([, one]) => ('reason' in one ? one.reason : one.endpoints.join()).length === 0,
    );
    expect(empty).toEqual([]);
  });

  test('names endpoints that the console serves', () => {
    const served = new Set(consoleRoutes().map(({ id }) => id));
    const unknown = entries.flatMap(([command, counterpart]) =>
      'endpoints' in counterpart
        ? counterpart.endpoints.filter((id) => !served.has(id)).map((id) => `${command}: ${id}`)
        : [],
    );
    expect(unknown).toEqual([]);
  });
});
