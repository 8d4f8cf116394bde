/** The server's, counted in UTF-16 units, of which no text has fewer than it has characters. */
export const MESSAGE_MAX = 5000;
