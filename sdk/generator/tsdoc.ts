const WIDTH = 96;

/** Returns a doc comment of paragraphs, on one line if it fits. */
export function tsdoc(paragraphs: readonly string[]): string {
  const [first = '', ...others] = paragraphs.map((text) => text.replaceAll('*/', '*\\/'));
  if (others.length === 0 && first.length < WIDTH - 10) {
    return `/** ${first} */`;
  }
  const lines = [first, ...others].flatMap((text, index) => [
    ...(index === 0 ? [] : ['']),
    ...wrapped(text),
  ]);
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n');
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length + 1 > WIDTH - 5) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    }
  }
  return lines;
}
