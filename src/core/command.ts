/** An option of a command in commander's notation: `--name <name>`, or `--sandbox` for a switch. */
export interface Option<T = unknown> {
  readonly flag: string;
  readonly help: string;
  /** The noun of its prompt, such as "Time zone"; derived from the flag by default. */
  readonly label?: string;
  /** Prompted for on a terminal; elsewhere the command ends with exit code 2 if it is missing. */
  readonly required?: boolean;
  /** Prompted for on a terminal unless the option of this name is given. */
  readonly askUnless?: string;
  /** The kind of its prompt; by default a line of text. */
  readonly ask?: 'password' | 'select' | 'checkbox';
  readonly choices?: readonly string[];
  /** Parses the value. Throws a UsageFault that says what the option accepts. */
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

/** The parsed options of every command. */
export interface Switches {
  readonly json: boolean;
  readonly yes: boolean;
}

/** The output of a command: a value for `--json`, and the same as text. */
export interface Outcome {
  readonly json: unknown;
  /** Lines for a terminal; by default a table of the rows. */
  readonly text?: string;
  /** The rows of that table, if the value has more than fits the screen. */
  readonly table?: unknown;
  /** The column that gets lines of its own below each row where the table is too wide for the terminal. */
  readonly below?: string;
  /** The most rows of the list: if it has as many, a note on standard error says that there may be more. */
  readonly limit?: number;
  /** The command wrote its output itself: nothing else may follow on standard output. */
  readonly isWritten?: true;
  /** 1 if the command ran and found something wrong. */
  readonly exitCode?: 0 | 1;
  /** For a command that goes on after this output: settles with the exit code when it has stopped. */
  readonly until?: Promise<0 | 1>;
}

/** A line of a running command: as text, and as JSON (NDJSON). */
interface Line {
  readonly json: object;
  readonly text: string;
}

export interface Stream {
  /** Settles when the line is written. */
  say(line: Line): Promise<void>;
  /** Aborted when the command has to end, or its output is closed. */
  readonly printed: AbortSignal;
}

/** A command that prints lines until it is stopped. */
export interface Following {
  readonly follow: (stream: Stream) => Promise<void>;
}

/** A confirmation before a command runs. */
export interface Question {
  readonly text: string;
  /** What is confirmed, printed before the question. */
  readonly details?: string;
  /** The text to type instead of `yes`. */
  readonly typed?: string;
}

/** The common first words of several commands, and their `--help` text. */
export interface CommandGroup {
  /** `admin key`; empty for the program itself. */
  readonly path: string;
  readonly summary: string;
  readonly examples: readonly string[];
}

/** What help, parsing and completion need to know of a command. */
export interface CommandDeclaration {
  /** Words of the command line: `admin key create`. */
  readonly path: string;
  readonly summary: string;
  /** Names of positional arguments: `['id']`. */
  readonly arguments?: readonly string[];
  /** Those that may be missing: the last ones. */
  readonly optional?: readonly string[];
  /** The possible values of arguments, for completion and the reference. */
  readonly argumentChoices?: Readonly<Record<string, readonly string[]>>;
  readonly options: Options;
  /** Complete command lines, shown by `--help`. */
  readonly examples: readonly string[];
}

/**
 * A command: its parsing, prompts, help, completion and reference derive from this. `context` names what
 * is opened before it runs.
 */
export interface Command<Context = any> extends CommandDeclaration {
  /** Confirms this before it runs, unless `--yes` is given; undefined means nothing to confirm. */
  readonly confirm?: string | ((answers: any) => string | undefined);
  /** When it confirms, such as "without `--grace`"; by default always. Without `confirm`, `run` asks. */
  readonly confirmWhen?: string;
  /** Without a terminal it runs without confirmation: scripts need no `--yes`. */
  readonly confirmOnTerminal?: boolean;
  /** Returns the question with the names of what is changed. Throws the Faults of `run`. */
  readonly question?: (context: Context, answers: any) => Promise<Question>;
  readonly context: 'none' | 'service';
  /** Runs with another secret key than that of the database, too: its key may be lost. */
  readonly anyKey?: boolean;
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
  readonly options?: O;
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

/** Curried, so that the context is named once per file and the option types are inferred. */
export const defineCommand =
  <Context>() =>
  <const O extends Options = {}, const A extends string = never>(
    command: Declared<Context, O, A>,
  ): Command<Context> => ({ options: {}, ...command });
