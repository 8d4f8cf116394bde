import { accessSync, constants } from 'node:fs';

/** The shell draws pages only, and takes half of the time of the whole browser. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Returns the machine's Chromium, or the program that `CHROMIUM` names. */
export function findChromium(): string {
  const given = process.env['CHROMIUM'];
  const found = [given ?? [], PLACES].flat().find(isProgram);
  if (found === undefined) {
    throw new Error(
      'Chromium is missing: apt-get install chromium-headless-shell, or set CHROMIUM to it',
    );
  }
  return found;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
