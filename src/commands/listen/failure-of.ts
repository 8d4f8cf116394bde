/** Why `fetch` came to no answer: what failed underneath, since its own message never says. */
export function failureOf(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === 'TimeoutError') {
    return 'no answer in time';
  }
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  return reason instanceof Error ? reason.message : message;
}
