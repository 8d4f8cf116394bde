const NO_SPACE = /No space left on device/;

/**
 * Returns one line if the log of a server says that its disk is full, else undefined. The log itself
 * misleads: after the cause it guesses that data is corrupted and advises to use a backup.
 */
export const fullDiskIn = (log: string, folder: string): string | undefined =>
  NO_SPACE.test(log) ? fullDiskText(folder) : undefined;

/** Says that a disk is full and what to do. */
export const fullDiskText = (folder: string): string =>
  `no space left on the disk of ${folder}: free some and start again; the data is not damaged`;
