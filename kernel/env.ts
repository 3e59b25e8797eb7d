import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

/** One environment variable: how it is read, and what `--help` says of it. */
export interface Variable<T> {
  name: string
  description: string
  /** Shown by `--help`; what `read` makes of an absent variable. */
  defaultText: string
  /** Throws an Error whose message completes "NAME …", e.g. "must be a whole number". */
  read: (text: string | undefined) => T
}

/** What the variables of a group read to. */
export type Values<Group extends Record<string, Variable<unknown>>> = {
  [Key in keyof Group]: Group[Key] extends Variable<infer T> ? T : never
}

/** A setting is wrong: every problem, one line each. */
export class EnvError extends Error {
  override readonly name = 'EnvError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/**
 * Reads a group of variables.
 * @throws EnvError with all problems at once; values are never in it, as they may be secrets
 */
export function readEnv<Group extends Record<string, Variable<unknown>>>(
  group: Group,
  environment: NodeJS.ProcessEnv,
): Values<Group> {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [key, variable] of Object.entries(group)) {
    const text = environment[variable.name]
    try {
      values[key] = variable.read(text === '' ? undefined : text)
    } catch (error) {
      problems.push(`${variable.name} ${(error as Error).message}`)
    }
  }
  if (problems.length > 0) throw new EnvError(problems)
  return values as Values<Group>
}

/** A text; without a default it is optional. */
export function text(name: string, description: string): Variable<string | undefined>
export function text(name: string, description: string, fallback: string): Variable<string>
export function text(name: string, description: string, fallback?: string): Variable<string | undefined> {
  return { name, description, defaultText: fallback ?? '–', read: (given) => given ?? fallback }
}

/** A whole number from `min` to `max`. */
export function integer(
  name: string,
  description: string,
  fallback: number,
  min: number,
  max: number,
): Variable<number> {
  const read = (given: string | undefined): number => {
    const value = given === undefined ? fallback : Number(given)
    if (given?.trim() === '' || !Number.isInteger(value) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return value
  }
  return { name, description, defaultText: String(fallback), read }
}

/** One of a few words; without a default it is optional. */
export function oneOf<Word extends string>(
  name: string,
  description: string,
  words: readonly Word[],
): Variable<Word | undefined>
export function oneOf<Word extends string>(
  name: string,
  description: string,
  words: readonly Word[],
  fallback: Word,
): Variable<Word>
export function oneOf<Word extends string>(
  name: string,
  description: string,
  words: readonly Word[],
  fallback?: Word,
): Variable<Word | undefined> {
  const read = (given: string | undefined): Word | undefined => {
    if (given === undefined) return fallback
    const word = words.find((candidate) => candidate === given)
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`)
    return word
  }
  return { name, description, defaultText: fallback ?? '–', read }
}

/** Several of a few words, separated by commas. */
export function listOf<Word extends string>(
  name: string,
  description: string,
  words: readonly Word[],
  fallback: readonly Word[],
): Variable<readonly Word[]> {
  const read = (given: string | undefined): readonly Word[] => {
    if (given === undefined) return fallback
    return given.split(',').map((part) => {
      const word = words.find((candidate) => candidate === part.trim())
      if (word === undefined) throw new Error(`must be a comma list of ${words.join(', ')}`)
      return word
    })
  }
  return { name, description, defaultText: fallback.join(','), read }
}

/** Words that match a pattern, separated by commas. */
export function wordList(
  name: string,
  description: string,
  pattern: RegExp,
  fallback: readonly string[],
): Variable<readonly string[]> {
  const read = (given: string | undefined): readonly string[] => {
    const words = given === undefined ? fallback : given.split(',').map((part) => part.trim())
    if (!words.every((word) => pattern.test(word)))
      throw new Error(`must be a comma list${fallback[0] === undefined ? '' : ` of words like ${fallback[0]}`}`)
    return words
  }
  return { name, description, defaultText: fallback.join(','), read }
}

/** An absolute http(s) URL without a slash at its end; without a default it is optional. */
export function url(name: string, description: string): Variable<string | undefined> {
  const read = (given: string | undefined): string | undefined => {
    if (given === undefined) return undefined
    const parsed = URL.parse(given)
    if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new Error('must be an http or https URL')
    return given.replace(/\/$/, '')
  }
  return { name, description, defaultText: '–', read }
}

/** The URL of a mail server, `smtp:` or `smtps:`; optional. */
export function smtpUrl(name: string, description: string): Variable<string | undefined> {
  const read = (given: string | undefined): string | undefined => {
    if (given !== undefined && !/^smtps?:$/.test(URL.parse(given)?.protocol ?? '')) {
      throw new Error('must be an smtp or smtps URL')
    }
    return given
  }
  return { name, description, defaultText: '–', read }
}

/** The URL of a PostgreSQL; optional. */
export function postgresUrl(name: string, description: string): Variable<string | undefined> {
  const read = (given: string | undefined): string | undefined => {
    if (given !== undefined && !/^postgres(?:ql)?:$/.test(URL.parse(given)?.protocol ?? '')) {
      throw new Error('must be a postgres or postgresql URL')
    }
    return given
  }
  return { name, description, defaultText: '–', read }
}

/** An IP address, or the name of a host. */
export function host(name: string, description: string, fallback: string): Variable<string> {
  const read = (given: string | undefined): string => {
    const value = given ?? fallback
    // What has digits and dots only is meant as an address, never as a name.
    const isName = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value) && !/^[\d.]+$/.test(value)
    if (isIP(value) === 0 && !isName) throw new Error('must be an IP address or the name of a host')
    return value
  }
  return { name, description, defaultText: fallback, read }
}

/** The text of a file, by its path; optional. */
export function file(name: string, description: string): Variable<string | undefined> {
  const read = (path: string | undefined) => (path === undefined ? undefined : readText(path))
  return { name, description, defaultText: '–', read }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`must be a file that can be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`, {
      cause: error,
    })
  }
}

/** What a JSON file holds, by its path; optional. @param parse throws an Error where its content does not do */
export function jsonFile<T>(
  name: string,
  description: string,
  parse: (content: unknown) => T,
): Variable<T | undefined> {
  const read = (path: string | undefined): T | undefined => {
    if (path === undefined) return undefined
    const text = readText(path)
    let content: unknown
    try {
      content = JSON.parse(text)
    } catch {
      throw new Error('must be a file of JSON')
    }
    try {
      return parse(content)
    } catch (error) {
      throw new Error(`must be a file that can be used: ${(error as Error).message}`, { cause: error })
    }
  }
  return { name, description, defaultText: '–', read }
}

/** Named http(s) URLs: `name=url,name=url`. */
export function urlMap(name: string, description: string): Variable<Readonly<Record<string, string>>> {
  const read = (given: string | undefined): Record<string, string> => {
    const entries = (given ?? '').split(',').filter((part) => part !== '')
    return Object.fromEntries(
      entries.map((entry) => {
        const [key = '', ...rest] = entry.split('=')
        const address = rest.join('=')
        if (key === '' || !/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
          throw new Error('must be name=URL, separated by commas')
        return [key.trim(), address]
      }),
    )
  }
  return { name, description, defaultText: '–', read }
}

/** `true` or `false`. */
export function flag(name: string, description: string, fallback: boolean): Variable<boolean> {
  const read = (given: string | undefined): boolean => {
    if (given === undefined) return fallback
    if (given !== 'true' && given !== 'false') throw new Error('must be true or false')
    return given === 'true'
  }
  return { name, description, defaultText: String(fallback), read }
}

/** A secret of 32 bytes: 64 hex characters. Optional here; who needs it says so. */
export function secretKey(name: string, description: string): Variable<Buffer | undefined> {
  const read = (given: string | undefined): Buffer | undefined => {
    if (given === undefined) return undefined
    if (!/^[0-9a-f]{64}$/i.test(given)) throw new Error('must be 64 hex characters (32 bytes)')
    return Buffer.from(given, 'hex')
  }
  return { name, description, defaultText: '–', read }
}

/** The lines of `--help` for a group. */
export function describe(group: Record<string, Variable<unknown>>): string[] {
  return Object.values(group).map(
    ({ name, description, defaultText }) => `  ${name.padEnd(30)} ${description} (default: ${defaultText})`,
  )
}
