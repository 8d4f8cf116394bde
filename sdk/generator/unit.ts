/** What becomes a file of its own. */
export interface Unit {
  /** Without its ending. */
  readonly file: string;
  readonly imports: readonly string[];
  readonly text: string;
}
