import {
  best,
  names,
  objectsIn,
  overlap,
  plain,
  readTexts,
  split,
  startsAt,
  stopOf,
  stopWith,
  textOf,
  wordsOf,
  type Ended,
  type Json,
  type ListedTool,
  type Said,
  type ToolAnswer,
  type World,
} from './reading.ts';

/**
 * A deterministic stand-in for a language model. It knows what a user said, and reads the list of tools
 * and the results; nothing in it comes from Frontdesk's schemas. Where it gets stuck, a text misleads.
 */

const CALLS_MAX = 14;

export function openModel(world: World) {
  const { tools } = world;
  const { allTexts, synonyms, variantsOf, isAbout, wantedFrom, isCovered } = readTexts(tools);
  /** Members of the record that was read for this request, such as startTime. */
  const memory: Json = {};
  let facts: Json = {};
  let wanted: string[] = [];
  let calls: string[] = [];

  const factOf = (label: string): unknown => {
    const words = wordsOf(label).join(' ');
    const alias = wordsOf(label)
      .map((word) => synonyms.get(word) ?? word)
      .join(' ');
    const found = Object.entries(facts).find(([name]) =>
      [words, alias].includes(wordsOf(name).join(' ')),
    );
    return found?.[1];
  };

  async function call(name: string, given: Json): Promise<ToolAnswer> {
    if (calls.length >= CALLS_MAX) {
      stopWith('stuck', `too many calls: ${calls.join(', ')}`);
    }
    calls.push(
      given['action'] === undefined || name !== 'run_action' ? name : String(given['action']),
    );
    const answer = await world.call(name, given);
    if (answer.isError && /Wait \d+ seconds/.test(answer.text)) {
      stopWith('waits', answer.text);
    }
    return answer;
  }

  const remember = (row: Json, noun?: string) => {
    for (const [name, value] of Object.entries(row)) {
      if (name !== 'id' && ['string', 'number'].includes(typeof value)) {
        memory[name] = value;
      }
    }
    if (noun !== undefined && row['id'] !== undefined) {
      memory[noun] = row['id'];
    }
  };

  /** Looks up an id that the user cannot know: with the tool whose text has its noun. */
  async function lookUp(property: string, hint: string): Promise<unknown> {
    const noun = property.replace(/Ids?$/, '');
    const nouns = wordsOf(noun).flatMap(variantsOf);
    const taught = [...allTexts.matchAll(/run_action ([\w.-]+) returns ([\w ]+)/g)].find(
      ([, , what = '']) => overlap(nouns, what) > 0,
    );
    const head = nouns.slice(-2);
    const readers = tools.filter(
      (tool) =>
        tool.annotations?.readOnlyHint === true &&
        (tool.inputSchema['required'] ?? []).length === 0 &&
        overlap(head, textOf(tool)) > 0,
    );
    const reader = taught ? undefined : best(readers, nouns);
    if (!taught && !reader) {
      return undefined;
    }
    for (let cursor: unknown; ;) {
      const given = reader ? await searchOf(reader, property, hint) : {};
      const answer = taught
        ? await call('run_action', { action: taught[1] })
        : await call(reader!.name, cursor === undefined ? given : { ...given, cursor });
      const rows = objectsIn(answer.content['data']).filter((row) => row['id'] ?? row[property]);
      const row = rows.find((one) => names({ ...one, stages: undefined }, hint));
      if (row) {
        return row[property] ?? row['id'];
      }
      if (!answer.text.includes('cursor')) {
        return undefined;
      }
      cursor = answer.content['meta'].cursor;
    }
  }

  /** The words of the user, and ids of other records that they named. */
  async function searchOf(
    { inputSchema }: ListedTool,
    property: string,
    hint: string,
  ): Promise<Json> {
    const given: Json = {};
    const names = Object.keys(inputSchema['properties'] ?? {});
    for (const name of names) {
      if (name === 'email' && hint.includes('@')) {
        given['email'] = hint;
      } else if (name === 'search' && !hint.includes('@')) {
        given['search'] = hint;
      } else if (name.endsWith('Id') && name !== property && !names.includes('search')) {
        const other = factOf(name.replace(/Id$/, ''));
        const id = typeof other === 'string' ? await idOf(name, other) : undefined;
        if (id !== undefined) {
          given[name] = id;
        }
      }
    }
    return given;
  }

  const looked = new Map<string, unknown>();

  async function idOf(property: string, hint: string): Promise<unknown> {
    const key = `${property} ${hint}`;
    if (!looked.has(key)) {
      looked.set(key, await lookUp(property, hint));
    }
    return looked.get(key);
  }

  async function valueOf(name: string, schema: Json, isNeeded: boolean): Promise<unknown> {
    const said = factOf(name);
    if (said !== undefined) {
      return schema['type'] === 'array' && !Array.isArray(said) ? [said] : said;
    }
    if (/must be true/.test(schema['description'] ?? '')) {
      return true;
    }
    const options = schema['enum'] as string[] | undefined;
    const option = options?.find((one) => wordsOf(one).every((word) => wanted.includes(word)));
    if (option !== undefined) {
      return option;
    }
    if (name.endsWith('Id')) {
      const hint = factOf(name.replace(/Id$/, ''));
      if (typeof hint === 'string') {
        return (
          (await idOf(name, hint)) ?? stopWith('asks', `I find no ${split(name)} called ${hint}`)
        );
      }
    }
    return isNeeded ? memory[plain(name)] : undefined;
  }

  async function argumentsFor({ name, inputSchema }: Pick<ListedTool, 'name' | 'inputSchema'>) {
    const required = (inputSchema['required'] ?? []) as string[];
    const given: Json = {};
    const members = Object.entries<Json>(inputSchema['properties'] ?? {});
    const needed = members
      .map(([property]) => property)
      .filter((property) => required.includes(property) || wantedFrom(name, property, wanted));
    for (const [property, schema] of members) {
      const twin = property.endsWith('Id') ? property : `${property}Id`;
      const isSkipped =
        (twin !== property && given[twin] !== undefined) || isCovered(name, property, given);
      const value = isSkipped
        ? undefined
        : await valueOf(property, schema, needed.includes(property));
      if (value !== undefined) {
        given[property] = value;
      }
    }
    for (const property of needed.filter((one) => given[one] === undefined)) {
      const noun = split(property.replace(/Id$/, ''));
      await readFor(name, property);
      given[property] = memory[plain(property)] ?? stopWith('asks', `Which ${noun} do you mean?`);
    }
    return given;
  }

  async function readFor(name: string, property: string): Promise<void> {
    const { description = '' } = tools.find((one) => one.name === name) ?? {};
    const source = tools.find(
      (one) => one.name !== name && description.includes(one.name) && one.annotations?.readOnlyHint,
    );
    if (source) {
      await read(source);
    } else if (property.endsWith('Id')) {
      const reader = best(
        tools.filter(({ annotations }) => annotations?.readOnlyHint),
        wordsOf(property.replace(/Id$/, '')),
      );
      await (reader && read(reader, property));
    }
  }

  async function read(tool: ListedTool, noun?: string): Promise<void> {
    const { content, isError, text } = await call(tool.name, await argumentsFor(tool));
    if (isError) {
      stopWith('tells', text);
    }
    const rows = (Array.isArray(content['data']) ? content['data'] : [content['data']]) as Json[];
    const time = factOf('time');
    const row =
      rows.find((one) => typeof time !== 'string' || startsAt(one, time)) ??
      stopWith('asks', `${tool.name} has nothing that fits: ${text}`);
    remember(row, noun);
  }

  /** Calls a tool until it works, following what its refusals say. */
  async function carryOut(
    target: Pick<ListedTool, 'name' | 'inputSchema'>,
    wrap: (given: Json) => readonly [string, Json],
  ): Promise<Pick<Ended, 'how' | 'text' | 'data'>> {
    let given = await argumentsFor(target);
    const followed = new Set<string>();
    for (;;) {
      const { isError, text, content } = await call(...wrap(given));
      if (!isError) {
        const { data, status } = content;
        return status === 'awaiting_approval'
          ? { how: 'waits', text }
          : { how: 'done', text, data };
      }
      const { error } = content as { error: Json };
      const [slot] = (error['details']?.alternatives ?? []) as Json[];
      const next = String(error['next']);
      const pointed = tools.find(({ name }) => next.includes(name) && !followed.has(name));
      if (slot && facts['flexible'] === true && !followed.has('alternatives')) {
        followed.add('alternatives');
        const times = Object.entries(slot).filter(([name]) => name in given);
        Object.assign(given, Object.fromEntries(times));
      } else if (slot) {
        return { how: 'asks', text: `${text} ${slot['startTimeLocal']}` };
      } else if (pointed && pointed.annotations?.readOnlyHint === true) {
        followed.add(pointed.name);
        await read(pointed);
        given = await argumentsFor(target);
      } else {
        return { how: /Tell the user/.test(next) ? 'tells' : 'asks', text };
      }
    }
  }

  async function carryOutAction(task: string): Promise<Pick<Ended, 'how' | 'text' | 'data'>> {
    const { content, text } = await call('find_action', { query: wanted.join(' ') });
    const actions = (content['actions'] ?? []) as Json[];
    const fitting = actions.toSorted(
      (one, other) =>
        overlap(wanted, `${other['action']} ${other['does']}`) -
        overlap(wanted, `${one['action']} ${one['does']}`),
    );
    const [action] = fitting;
    if (!action || !isAbout(task, `${action['action']} ${action['does']}`)) {
      return { how: 'tells', text };
    }
    const mustAsk = new RegExp(`\\b${action['risk']}\\b`).test(
      tools.find(({ name }) => name === 'run_action')?.description ?? '',
    );
    if (mustAsk && facts['confirmed'] !== true) {
      return { how: 'asks', text: `May I ${action['does']}?` };
    }
    const target = { name: String(action['action']), inputSchema: action['inputSchema'] as Json };
    return carryOut(target, (given) => ['run_action', { action: target.name, arguments: given }]);
  }

  return {
    /** Does what a user says, and returns how it ended. */
    async hear({ task, facts: said = {} }: Said): Promise<Ended> {
      facts = said;
      wanted = wordsOf(task);
      calls = [];
      Object.keys(memory).forEach((name) => void delete memory[name]);
      try {
        const usable = tools.filter(({ name }) => !['find_action', 'run_action'].includes(name));
        const fitting = usable.filter((one) => isAbout(task, textOf(one)));
        const tool = best(fitting, wanted);
        const ended =
          tool !== undefined
            ? await carryOut(tool, (given) => [tool.name, given])
            : await carryOutAction(task);
        return { ...ended, calls };
      } catch (error) {
        return { ...stopOf(error), calls };
      }
    },
  };
}
