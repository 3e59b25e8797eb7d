const LENGTH_MAX = 2048

/** What an address has to be that a page shows or a browser follows, for people. */
export const HTTP_URL = 'an absolute http or https URL without credentials'

/** Whether a text is an absolute http or https URL of at most 2,048 characters, and carries no credentials. */
export function isHttpUrl(text: string): boolean {
  const url = urlLengthProblem(text) === undefined ? URL.parse(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** That a text is longer than a URL may be, for people; undefined where it is not. */
export function urlLengthProblem(text: string): string | undefined {
  return text.length > LENGTH_MAX ? `must have at most ${LENGTH_MAX} characters` : undefined
}
