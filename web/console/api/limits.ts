/** The server searches for two characters or more. */
export const SEARCH_MIN = 2;
