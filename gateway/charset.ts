/** Charsets whose texts are the same in UTF-8. */
const LIKE_UTF_8: ReadonlySet<string> = new Set(['', 'utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Whether a content type says that its body is in a charset that UTF-8 would misread: nothing here reads another. */
export function isInOtherCharset(contentType: string | undefined): boolean {
  const named = contentType?.matchAll(/;\s*charset\s*=\s*["']?([^"';\s]*)/gi) ?? []
  return [...named].some(([, charset = '']) => !LIKE_UTF_8.has(charset.toLowerCase()))
}
