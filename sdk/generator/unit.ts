/** A generated file. */
export interface Unit {
  /** Without the extension. */
  readonly file: string;
  readonly imports: readonly string[];
  readonly text: string;
}
