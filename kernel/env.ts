import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'
import { isAmount, isPositive } from './money.js'

/** One environment variable: how it is read, and what `--help` says of it. */
export interface Variable<T> {
  name: string
  description: string
  /** Shown by `--help`; what an absent variable is read as. */
  defaultText: string
  /** Its messages complete "NAME …", e.g. "must be a whole number", and never repeat the value, which may be a secret. */
  schema: z.ZodType<T, string | undefined>
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
 * Reads a group of variables; an empty one counts as absent.
 * @throws EnvError with all problems at once; values are never in it, as they may be secrets
 */
export function readEnv<Group extends Record<string, Variable<unknown>>>(
  group: Group,
  environment: NodeJS.ProcessEnv,
): Values<Group> {
  const read = Object.entries(group).map(([key, { name, schema }]) => {
    const { data, error } = schema.safeParse(environment[name] === '' ? undefined : environment[name])
    return { key, data, problems: error ? [`${name} ${error.issues[0]?.message}`] : [] }
  })
  const problems = read.flatMap((variable) => variable.problems)
  if (problems.length > 0) throw new EnvError(problems)
  return Object.fromEntries(read.map(({ key, data }) => [key, data])) as Values<Group>
}

/** A text; without a default it is optional. */
export function text<Fallback extends string | undefined = undefined>(
  name: string,
  description: string,
  fallback?: Fallback,
): Variable<string | Fallback> {
  return variable(name, description, z.string(), fallback)
}

/** A whole number from `min` to `max`. */
export function integer(
  name: string,
  description: string,
  fallback: number,
  min: number,
  max: number,
): Variable<number> {
  return variable(name, description, wholeNumber(min, max), fallback)
}

/** A port to listen on, 0 for a free one; optional. */
export function port(name: string, description: string): Variable<number | undefined> {
  return variable(name, description, wholeNumber(0, 65_535))
}

function wholeNumber(min: number, max: number): z.ZodType<number, string> {
  const isInRange = (value: number): boolean => Number.isInteger(value) && value >= min && value <= max
  return z
    .string()
    .transform((given) => (given.trim() === '' ? NaN : Number(given)))
    .refine(isInRange, `must be a whole number from ${min} to ${max}`)
}

/** One of a few words; without a default it is optional. */
export function oneOf<Word extends string, Fallback extends Word | undefined = undefined>(
  name: string,
  description: string,
  words: readonly Word[],
  fallback?: Fallback,
): Variable<Word | Fallback> {
  const schema = z.string().pipe(z.enum(words, `must be one of ${words.join(', ')}`))
  return variable<Word, Fallback>(name, description, schema, fallback)
}

/** Several of a few words, separated by commas. */
export function listOf<Word extends string>(
  name: string,
  description: string,
  words: readonly Word[],
  fallback: readonly Word[],
): Variable<readonly Word[]> {
  const schema = COMMA_LIST.pipe(z.array(z.enum(words, `must be a comma list of ${words.join(', ')}`)))
  return variable<readonly Word[], readonly Word[]>(name, description, schema, fallback)
}

/** Words that match a pattern, separated by commas. */
export function wordList(
  name: string,
  description: string,
  pattern: RegExp,
  fallback: readonly string[],
): Variable<readonly string[]> {
  const example = fallback[0] === undefined ? '' : ` of words like ${fallback[0]}`
  const schema = COMMA_LIST.pipe(z.array(z.string().regex(pattern, `must be a comma list${example}`)))
  return variable<readonly string[], readonly string[]>(name, description, schema, fallback)
}

/** An absolute http(s) URL without a slash at its end; optional. */
export function url(name: string, description: string): Variable<string | undefined> {
  const schema = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  return variable(
    name,
    description,
    schema.transform((given) => given.replace(/\/$/, '')),
  )
}

/** The URL of a mail server, `smtp:` or `smtps:`; optional. */
export function smtpUrl(name: string, description: string): Variable<string | undefined> {
  return variable(name, description, z.url({ protocol: /^smtps?$/, error: 'must be an smtp or smtps URL' }))
}

/** The URL of a PostgreSQL; optional. */
export function postgresUrl(name: string, description: string): Variable<string | undefined> {
  const error = 'must be a postgres or postgresql URL'
  return variable(name, description, z.url({ protocol: /^postgres(?:ql)?$/, error }))
}

/** An IP address, or the name of a host. */
export function host(name: string, description: string, fallback: string): Variable<string> {
  // What has digits and dots only is meant as an address, never as a name.
  const isName = (value: string): boolean =>
    /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(value) && !/^[\d.]+$/.test(value)
  const schema = z
    .string()
    .refine((value) => isIP(value) !== 0 || isName(value), 'must be an IP address or the name of a host')
  return variable(name, description, schema, fallback)
}

/** The text of a file, by its path; optional. */
export function file(name: string, description: string): Variable<string | undefined> {
  return variable(name, description, FILE)
}

/** What a JSON file holds, by its path; optional. @param parse throws an Error where its content does not do */
export function jsonFile<T>(
  name: string,
  description: string,
  parse: (content: unknown) => T,
): Variable<T | undefined> {
  const schema = FILE.transform((content, issues): unknown => {
    try {
      return JSON.parse(content)
    } catch {
      return refuse(issues, 'must be a file of JSON')
    }
  }).transform((content, issues): T => {
    try {
      return parse(content)
    } catch (error) {
      return refuse(issues, `must be a file that can be used: ${(error as Error).message}`)
    }
  })
  return variable(name, description, schema)
}

/** A text with a form of its own; optional. @param parse throws an Error whose message completes "NAME …", without the value */
export function parsed<T>(name: string, description: string, parse: (given: string) => T): Variable<T | undefined> {
  const schema = z.string().transform((given, issues): T => {
    try {
      return parse(given)
    } catch (error) {
      return refuse(issues, (error as Error).message)
    }
  })
  return variable(name, description, schema)
}

/** Several such texts, separated by commas or spaces; optional. Of several, what is wrong with one is told with its place. */
export function parsedList<T>(
  name: string,
  description: string,
  parse: (given: string) => T,
): Variable<readonly T[] | undefined> {
  return parsed(name, description, (given) => {
    const entries = given.split(/[\s,]+/).filter((entry) => entry !== '')
    if (entries.length === 0) throw new Error('must not be empty')
    return entries.map((entry, index) => {
      try {
        return parse(entry)
      } catch (error) {
        const place = entries.length === 1 ? '' : ` (entry ${index + 1} of ${entries.length})`
        throw new Error(`${(error as Error).message}${place}`, { cause: error })
      }
    })
  })
}

/** Named http(s) URLs: `name=url,name=url`. */
export function urlMap(name: string, description: string): Variable<Readonly<Record<string, string>>> {
  const error = 'must be name=URL, separated by commas'
  const entry = z
    .string()
    .regex(/^[^=]+=/, error)
    .transform((text) => [text.slice(0, text.indexOf('=')).trim(), text.slice(text.indexOf('=') + 1)] as const)
    .pipe(z.tuple([z.string(), z.url({ protocol: /^https?$/, error })]))
  return { name, description, defaultText: '–', schema: mapOf(entry).default({}) }
}

/** A positive decimal number with at most 18 decimals, kept as its text. */
export function decimal(name: string, description: string, fallback: string): Variable<string> {
  const isDecimal = (value: string): boolean => isAmount(value) && isPositive(value)
  return variable(name, description, z.string().refine(isDecimal, 'must be a number above zero'), fallback)
}

/** A comma list of `BRL=500`: an amount for each currency. */
export function amountMap(
  name: string,
  description: string,
  fallback: Readonly<Record<string, string>>,
): Variable<Readonly<Record<string, string>>> {
  const error = 'must be currency=amount, separated by commas'
  const defaultText = Object.entries(fallback).map((entry) => entry.join('=')).join(',') // prettier-ignore
  const entry = z
    .string()
    .regex(/^[A-Z0-9]{2,12}=/, error)
    .transform((text) => text.split('=', 2) as [string, string])
    .refine(([, amount]) => isAmount(amount), error)
  return { name, description, defaultText, schema: mapOf(entry).default(fallback) }
}

/** `true` or `false`. */
export function flag(name: string, description: string, fallback: boolean): Variable<boolean> {
  const schema = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: 'must be true or false' })
  return variable(name, description, schema, fallback)
}

/** A secret of 32 bytes: 64 hex characters. Optional here; what needs it says so. */
export function secretKey(name: string, description: string): Variable<Buffer | undefined> {
  const schema = z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hex characters (32 bytes)')
  return variable(
    name,
    description,
    schema.transform((given) => Buffer.from(given, 'hex')),
  )
}

/** The lines of `--help` for a group. */
export function describe(group: Record<string, Variable<unknown>>): string[] {
  return Object.values(group).map(
    ({ name, description, defaultText }) => `  ${name.padEnd(30)} ${description} (default: ${defaultText})`,
  )
}

const COMMA_LIST = z.string().transform((given) => given.split(',').map((part) => part.trim()))

/** @param entry what one of the list is read by: a name, and what it stands for */
function mapOf(entry: z.ZodType<readonly [string, string], string>) {
  return COMMA_LIST.transform((entries) => entries.filter((text) => text !== ''))
    .pipe(z.array(entry))
    .transform((entries) => Object.fromEntries(entries))
}

const FILE = z.string().transform((path, issues): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return refuse(issues, `must be a file that can be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`)
  }
})

function refuse(issues: z.RefinementCtx, message: string): never {
  issues.addIssue(message)
  return z.NEVER
}

/** @param fallback what an absent variable is read as; without it the variable is optional */
function variable<T, Fallback extends T | undefined = undefined>(
  name: string,
  description: string,
  schema: z.ZodType<T, string>,
  fallback?: Fallback,
): Variable<T | Fallback> {
  const defaultText = fallback === undefined ? '–' : String(fallback)
  const read = schema.optional().transform((value) => value ?? (fallback as Fallback))
  return { name, description, defaultText, schema: read }
}
