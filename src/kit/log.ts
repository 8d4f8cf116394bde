/** What jobs tell the operator beside their outcome. */
export interface Log {
  warn(facts: object, message: string): void;
}
