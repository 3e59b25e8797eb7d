/** How a request's key came: in the right header, in a form that old clients get wrong, or not at all. */
export type ApiKeyHeader = { kind: 'key'; key: string } | { kind: 'wrong-form'; hint: string } | { kind: 'absent' }

/** Which letter case of `x-api-key` is accepted; `any-case` is for proxies that rewrite header names. */
export type ApiKeyHeaderCase = 'exact' | 'any-case'

const NAME = 'x-api-key'
const ABSENT: ApiKeyHeader = { kind: 'absent' }

/**
 * Reads the API key of a request.
 * @param rawHeaders Node's `rawHeaders`, names and values in turn: the parsed headers no longer tell the letter case.
 *   A repeated header is joined by `, ` as HTTP has it, and so is no key
 */
export function readApiKeyHeader(rawHeaders: readonly string[], letterCase: ApiKeyHeaderCase): ApiKeyHeader {
  let key: string | undefined
  let wrongName: string | undefined
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name === NAME || (letterCase === 'any-case' && isNamed(name, NAME))) {
      const value = rawHeaders[index + 1] ?? ''
      key = key === undefined ? value : `${key}, ${value}`
    } else if (isNamed(name, NAME) || isNamed(name, 'authorization') || isNamed(name, 'api_key')) wrongName ??= name
  }
  if (key !== undefined) return { kind: 'key', key }
  return wrongName === undefined ? ABSENT : { kind: 'wrong-form', hint: hintFor(wrongName) }
}

/** What a client has to change. The name is one of those that are looked for, so nothing else that was sent is echoed. */
function hintFor(name: string): string {
  return isNamed(name, NAME)
    ? `your client sent ${name}; the name has to be ${NAME} in lower case`
    : `your client sent ${name}; the key has to be in ${NAME}`
}

function isNamed(name: string, lowerCase: string): boolean {
  return name.length === lowerCase.length && name.toLowerCase() === lowerCase
}
