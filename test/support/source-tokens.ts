export interface SourceToken {
  readonly kind: 'identifier' | 'string' | 'comment';
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?/y;
const TEMPLATE = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)?/y;
const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy;
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const OTHER = /\d[\w.]*|\s+|[^]/y;
/** After an operand a slash divides; elsewhere it opens a regular expression. */
const OPERAND = /[\w$)\]}'"`]$/;
const KEYWORD = /(?:^|\W)(?:return|typeof|case|in|of|do|else|void|delete|await|yield)$/;

/**
 * Returns the identifiers, strings and comments of TypeScript, in order. Each part of a template is
 * a string; the code in `${}` is scanned like other code. TypeScript 7 has no API to ask.
 */
export function sourceTokens(source: string): SourceToken[] {
  const tokens: SourceToken[] = [];
  /** For each open `${`, the number of braces open in it. */
  const braces: number[] = [];
  let at = 0;
  let line = 1;
  let code = '';

  const matching = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  const countBrace = (text: string): void => {
    const open = braces.length - 1;
    if (open >= 0 && (text === '{' || text === '}')) {
      braces[open] = (braces[open] ?? 0) + (text === '{' ? 1 : -1);
    }
  };
  const template = (): string | undefined => {
    const isContinued = source[at] === '}' && braces.at(-1) === 0;
    if (source[at] !== '`' && !isContinued) {
      return undefined;
    }
    const text = matching(TEMPLATE) ?? '';
    if (isContinued) {
      braces.pop();
    }
    if (text.endsWith('${')) {
      braces.push(0);
    }
    return text;
  };
  const next = (): Pick<SourceToken, 'text'> & { readonly kind?: SourceToken['kind'] } => {
    const comment = matching(COMMENT);
    if (comment !== undefined) {
      return { kind: 'comment', text: comment };
    }
    const string = template() ?? matching(STRING);
    if (string !== undefined) {
      return { kind: 'string', text: string };
    }
    const identifier = matching(IDENTIFIER);
    if (identifier !== undefined) {
      return { kind: 'identifier', text: identifier };
    }
    const isOperand = OPERAND.test(code) && !KEYWORD.test(code);
    const text = (isOperand ? undefined : matching(REGEXP)) ?? matching(OTHER) ?? '';
    countBrace(text);
    return { text };
  };

  while (at < source.length) {
    const { kind, text } = next();
    if (kind !== undefined) {
      tokens.push({ kind, text, line });
    }
    if (kind !== 'comment' && text.trim() !== '') {
      code = (kind === 'identifier' ? ` ${text}` : text).slice(-12);
    }
    line += text.split('\n').length - 1;
    at += text.length;
  }
  return tokens;
}
