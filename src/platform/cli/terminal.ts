/** True where a person can be asked: prompts read from standard input and draw on standard error. */
export const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** https://no-color.org: any value but the empty one means no colour. */
export const wantsColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && !process.env['NO_COLOR'];

/** A reader that went away, such as `head`, is no failure of ours. */
export function bearClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') {
        throw error;
      }
    });
  }
}
