/** One option of a command, in commander's notation: `--name <name>`, or `--sandbox` for a switch. */
export interface Option<T = unknown> {
  readonly flag: string;
  readonly help: string;
  /** The noun of its prompt, such as "Time zone"; made from the flag where it is left out. */
  readonly label?: string;
  /** Asked for on a terminal; without one, its absence ends the command with exit code 2. */
  readonly required?: boolean;
  /** Asked for on a terminal, too, unless the option of this name is given. */
  readonly askUnless?: string;
  /** The kind of its prompt; a line of text by default. */
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

type CommandInputs<O extends Options> = {
  readonly [K in keyof O]: O[K] extends { required: true } ? Value<O[K]> : Value<O[K]> | undefined;
};

/** The options that every command has, as the parser read them. */
export interface Switches {
  readonly json: boolean;
  readonly yes: boolean;
}

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
  readonly printed: AbortSignal;
}

/** Of a command that says nothing but lines, each when there is something to say, until it is told to end. */
export interface Following {
  readonly follow: (stream: Stream) => Promise<void>;
}

/** What is asked before a command runs. */
export interface Question {
  readonly text: string;
  /** Asks for this text to be typed, instead of a yes. */
  readonly typed?: string;
}

/** Words that several commands begin with, and what `--help` says after them. */
export interface CommandGroup {
  /** `admin key`; empty for the program itself. */
  readonly path: string;
  readonly summary: string;
  readonly examples: readonly string[];
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
  /** Asks this before it runs, unless `--yes` is given; a function may return undefined: harmless. */
  readonly confirm?: string | ((answers: any) => string | undefined);
  /** The question with the names of what is changed. Throws what `run` would refuse. */
  readonly question?: (context: Context, answers: any) => Promise<Question>;
  readonly context: 'none' | 'service';
  readonly run: (
    context: Context,
    answers: any,
    switches: Switches,
  ) => Promise<Outcome | Following>;
}

type Declared<Context, O extends Options, A extends string> = Omit<
  Command<Context>,
  'options' | 'arguments' | 'confirm' | 'question' | 'run'
> & {
  readonly arguments?: readonly A[];
  readonly options: O;
  readonly confirm?: string | ((answers: CommandInput<O, A>) => string | undefined);
  readonly question?: (context: Context, answers: CommandInput<O, A>) => Promise<Question>;
  readonly run: (
    context: Context,
    answers: CommandInput<O, A>,
    switches: Switches,
  ) => Promise<Outcome | Following>;
};

type CommandInput<O extends Options, A extends string> = CommandInputs<O> & {
  readonly [K in A]: string;
};

/** Curried so that the context is named once per file and the answers are inferred. */
export const defineCommand =
  <Context>() =>
  <const O extends Options, const A extends string = never>(
    command: Declared<Context, O, A>,
  ): Command<Context> =>
    command;
