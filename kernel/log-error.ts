/** What the log shows of an error. */
export interface LoggedError {
  type: string
  message: string
  stack?: string | undefined
  code?: string | undefined
  cause?: LoggedError | undefined
}

/** Causes below this are not shown: there may be a circle of them. */
const CAUSES_MAX = 4

/**
 * What the log shows of an error: what it is, where it came from, and what caused it. Not what else hangs on it: pg hangs the
 * whole client on an error, with its connection and its password, and other libraries the request with its headers, the
 * answer, or the parameters of a statement.
 * @param error whatever was thrown
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: withoutSecrets(textOf(error)) }
  const { name, message, stack, cause } = error
  const { code } = error as { code?: unknown }
  return {
    type: name,
    message: withoutSecrets(message),
    stack: stack && withoutSecrets(stack),
    ...(typeof code === 'string' && { code }),
    ...(cause !== undefined && depth < CAUSES_MAX && { cause: loggedError(cause, depth + 1) }),
  }
}

/** An object that was thrown may hold anything. */
function textOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null ? 'an object that is no error was thrown' : String(thrown)
}

/** An address with a password in front of its host, or an API key in its path or query, as nodes of chains have them. */
const ADDRESS = /\b([a-z][a-z\d+.-]*):\/\/(?:[^\s/@'"]*@)?([^\s/?#'"()]+)([/?#][^\s'"()]*)?/gi

/** Of an address only where it leads is shown; a file's path stays, as stacks are made of them. */
export function withoutSecrets(text: string): string {
  return text.replace(ADDRESS, (whole, scheme: string, host: string, rest: string | undefined) => {
    if (/^(file|node|vite-node)$/i.test(scheme)) return whole
    return `${scheme}://${host}${rest && rest !== '/' ? '/…' : ''}`
  })
}
