/** The place in a list that is in the order of its numbers; undefined where the text is no number. */
export function numberFrom(text: string): string | undefined {
  return /^\d{1,18}$/.test(text) ? text : undefined
}
