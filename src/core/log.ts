/** What jobs tell the operator beside their outcome. */
export interface Log {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
}
