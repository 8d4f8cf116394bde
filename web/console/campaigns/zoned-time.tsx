import { usePlace } from '../api/session.ts';
import { useFormat } from '../i18n/format.ts';

interface ZonedTimeProps {
  readonly at: string;
  /** The sub-account's unless it is given. */
  readonly zone?: string;
  /** Leaves the offset to the tooltip. */
  readonly isBrief?: boolean;
}

/** A time of a campaign in the time zone of the sub-account, whatever the browser's. */
export function ZonedTime({ at, zone, isBrief = false }: ZonedTimeProps) {
  const { timezone } = usePlace().membership;
  const shown = zone ?? timezone;
  const format = useFormat(shown);
  return (
    <time dateTime={at} title={shown}>
      {format.dayAndTime(at)}
      {!isBrief && ` ${format.offset(at)}`}
    </time>
  );
}
