import { counted } from '#lib/counted.ts';
import { DAY_MS } from '#lib/duration.ts';
import { certificateFilesOf, readCertificate } from '#platform/process/certificate.ts';
import { fail, ok, warn, type Check, type Finding } from '../check.ts';

const DAYS_WARN = 14;

/** Whether the server's own certificate can be used, and for how long. */
export const certificate: Check = {
  name: 'certificate',
  async examine(environment) {
    const files = certificateFilesOf(environment);
    if (!files) {
      return ok('the server speaks HTTP, for a proxy in front of it');
    }
    try {
      const { leaf } = await readCertificate(files);
      const daysLeft = (leaf.validToDate.getTime() - Date.now()) / DAY_MS;
      const fix =
        'renew it: the server uses new files within ten seconds; up --https creates a new one when it starts';
      return (
        certificateExpiry(`the certificate ${files.cert}`, daysLeft, fix) ??
        ok(`${files.cert} is valid for ${daysText(daysLeft)}`)
      );
    } catch (error) {
      return fail((error as Error).message, 'correct the file or the variable');
    }
  },
};

/** Returns a finding for a certificate that has expired or is about to, otherwise undefined. */
export function certificateExpiry(
  name: string,
  daysLeft: number,
  fix: string,
): Finding | undefined {
  if (daysLeft >= DAYS_WARN) {
    return undefined;
  }
  const message =
    daysLeft < 0
      ? `${name} has expired`
      : `${name} expires in ${counted(Math.floor(daysLeft), 'day')}`;
  return daysLeft < 1 ? fail(message, fix) : warn(message, fix);
}

export const daysText = (days: number): string =>
  counted(Math.floor(days), 'more day', 'more days');
