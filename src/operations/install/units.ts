import { readFileSync } from 'node:fs';
import { Fault } from '#core/fault.ts';

export const UNITS = ['frontdesk-serve.service', 'frontdesk-worker.service'] as const;

/** The path of the checkout in its own unit files. */
const DEFAULT_PATH = '/opt/frontdesk';

/** Folders that services cannot read (ProtectHome), or that only root may enter. */
const HIDDEN = /^\/(?:root|home|run\/user|tmp|var\/tmp)(?:\/|$)/;

/** Returns the text of a unit file for the path of this checkout. */
export const unitText = (checkout: string, unit: string): string =>
  readFileSync(`${checkout}/systemd/${unit}`, 'utf8').replaceAll(DEFAULT_PATH, checkout);

/** Throws if services could not read the checkout. */
export function refuseHidden(checkout: string): void {
  if (HIDDEN.test(checkout) || /\s/.test(checkout)) {
    throw new Fault(
      'VALIDATION_ERROR',
      `services cannot read the checkout in ${checkout}: move it to ${DEFAULT_PATH} and install from there`,
    );
  }
}
