/**
 * Whether a header such as `Accept` or `Accept-Encoding` takes what one of these names stands for (RFC 9110, section 12.5): the first
 * of them that it has decides. Neither names nor `q` have capitals of their own.
 * @param names the narrowest first
 */
export function accepts(header: string, ...names: readonly string[]): boolean {
  const parts = header
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((word) => word.trim()))
  const found = names.map((name) => parts.find(([first]) => first === name)).find((part) => part !== undefined)
  return found !== undefined && !found.some((word) => /^q=0(?:\.0*)?$/.test(word))
}
