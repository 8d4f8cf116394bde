import { openLine, type Envelope, type SmtpLine, type SmtpServer } from './smtp-line.ts';
import { outcomeOfEntry, type SmtpError, type SmtpOutcome } from './smtp-outcome.ts';

/** A line that nothing goes over is closed. */
const IDLE_MS = 8_000;

export interface SmtpLines {
  /** Over the first line that is free; those who wait go in turn. Never rejects. */
  send(envelope: Envelope, mail: Buffer): Promise<SmtpOutcome>;
  /** Closes those that are free, and the others once they are. */
  close(): void;
}

/** Up to so many connections to a mail server, opened as they are needed. */
export function openLines(server: SmtpServer, count: number): SmtpLines {
  const { obtain, giveBack, close } = placesFor(count);
  return {
    async send(envelope, mail) {
      let line = await obtain();
      try {
        line ??= await openLine(server);
        return await line.send(envelope, mail);
      } catch (error) {
        return outcomeOfEntry(error as SmtpError);
      } finally {
        giveBack(line);
      }
    },
    close,
  };
}

/** Who has a place may use the line that comes with it, or open one where none does. */
function placesFor(count: number) {
  const free: SmtpLine[] = [];
  const waiting: ((line: SmtpLine | undefined) => void)[] = [];
  let taken = 0;
  let isClosed = false;
  let idle: NodeJS.Timeout | undefined;
  const closeFree = () => free.splice(0).forEach((line) => line.close());
  const nextFree = (): SmtpLine | undefined => {
    let line = free.pop();
    while (line && !line.isOpen()) {
      line = free.pop();
    }
    return line;
  };
  return {
    obtain(): Promise<SmtpLine | undefined> | SmtpLine | undefined {
      clearTimeout(idle);
      if (taken >= count) {
        return new Promise((resolve) => waiting.push(resolve));
      }
      taken += 1;
      return nextFree();
    },
    giveBack(line: SmtpLine | undefined): void {
      const usable = line?.isOpen() ? line : undefined;
      const next = waiting.shift();
      if (next) {
        next(usable);
        return;
      }
      taken -= 1;
      if (usable) {
        free.push(usable);
      }
      if (isClosed) {
        closeFree();
      } else if (taken === 0) {
        idle = setTimeout(closeFree, IDLE_MS).unref();
      }
    },
    close(): void {
      isClosed = true;
      clearTimeout(idle);
      closeFree();
    },
  };
}
