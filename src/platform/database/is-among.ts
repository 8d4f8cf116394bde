/**
 * Returns the condition that a column is among the values of a query that does not depend on the row. A join
 * would compare each row of a sub-account that the statistics do not know with each value. Here an index can
 * find the values of the array. If the planner takes another index, which it does for one expected row, the
 * hash table that `is true` allows keeps each comparison short.
 */
export const isAmong = (column: string, query: string): string =>
  `${column} = any(array(${query})) and (${column} in (${query})) is true`;
