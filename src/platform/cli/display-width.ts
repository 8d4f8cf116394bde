export const GRAPHEMES = new Intl.Segmenter();
/** Emoji and scripts whose characters take two terminal cells. */
const DOUBLE =
  /\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;

/** Returns the number of terminal cells of a text. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    width += DOUBLE.test(segment) ? 2 : 1;
  }
  return width;
}
