const LENGTH_MAX = 2048

/** Whether a text is an absolute http or https URL of at most 2,048 characters, and carries no credentials. */
export function isHttpUrl(text: string): boolean {
  const url = text.length <= LENGTH_MAX ? URL.parse(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}
