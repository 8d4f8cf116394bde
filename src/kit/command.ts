/** One option of a command, in commander's notation: `--name <name>`, or `--sandbox` for a switch. */
export interface Option<T = unknown> {
  readonly flag: string;
  readonly help: string;
  /** Asked for on a terminal; without one, its absence ends the command with exit code 2. */
  readonly required?: boolean;
  /** Asked for on a terminal, too, unless the option of this name is given. */
  readonly askUnless?: string;
  /** How a person is asked; plain input where nothing is said. */
  readonly ask?: 'password' | 'select' | 'checkbox';
  readonly choices?: readonly string[];
  /** Reads what was given; throws a UsageFault saying what the option takes. */
  readonly parse?: (given: string) => T;
}

type Options = Readonly<Record<string, Option<any>>>;

type Value<O> = O extends { parse: (given: string) => infer T }
  ? T
  : O extends { flag: `${string}<${string}` }
    ? string
    : boolean;

type Answers<O extends Options> = {
  readonly [K in keyof O]: O[K] extends { required: true } ? Value<O[K]> : Value<O[K]> | undefined;
};

/** What a command has to say: a value for `--json`, and the same for people. */
export interface Outcome {
  readonly json: unknown;
  /** Lines for a terminal; a table of the rows where it is left out. */
  readonly text?: string;
  /** What that table shows instead, where the rows hold more than fits a screen. */
  readonly table?: unknown;
  /** 1 where the command ran and found something wrong. */
  readonly exitCode?: 0 | 1;
  /** Of a command that goes on after it has said this: settles with the exit code once it stopped. */
  readonly until?: Promise<0 | 1>;
}

/** A line that a command says while it goes on: for people, and as JSON (NDJSON). */
interface Line {
  readonly json: object;
  readonly text: string;
}

export interface Stream {
  /** Settles when the line has gone. */
  say(line: Line): Promise<void>;
  /** Fires when the command is told to end, or nobody reads it any more. */
  readonly told: AbortSignal;
}

/** Of a command that says nothing but lines, each when there is something to say, until it is told to end. */
export interface Following {
  readonly follow: (stream: Stream) => Promise<void>;
}

/**
 * Everything there is to know about a command: parsing, prompts, help, completion and the reference
 * derive from it. `context` names what is opened before it runs.
 */
export interface Command<Context = any> {
  /** Words of the command line: `admin key create`. */
  readonly path: string;
  readonly summary: string;
  /** Names of positional arguments, all required: `['id']`. */
  readonly arguments?: readonly string[];
  /** What an argument may be, where that is a list: for completion and the reference. */
  readonly argumentChoices?: Readonly<Record<string, readonly string[]>>;
  readonly options: Options;
  /** Whole command lines, shown by `--help`. */
  readonly examples: readonly string[];
  /** Where set, asks this before it runs unless `--yes` is given; a function may find it harmless. */
  readonly confirm?: string | ((answers: any) => string | undefined);
  readonly context: 'none' | 'service';
  readonly run: (context: Context, answers: any) => Promise<Outcome | Following>;
}

type Declared<Context, O extends Options, A extends string> = Omit<
  Command<Context>,
  'options' | 'arguments' | 'confirm' | 'run'
> & {
  readonly arguments?: readonly A[];
  readonly options: O;
  readonly confirm?: string | ((answers: Given<O, A>) => string | undefined);
  readonly run: (context: Context, answers: Given<O, A>) => Promise<Outcome | Following>;
};

type Given<O extends Options, A extends string> = Answers<O> & { readonly [K in A]: string };

/** Curried so that the context is named once per file and the answers are inferred. */
export const defineCommand =
  <Context>() =>
  <const O extends Options, const A extends string = never>(
    command: Declared<Context, O, A>,
  ): Command<Context> =>
    command;
