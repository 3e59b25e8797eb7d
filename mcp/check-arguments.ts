import type { FieldFailure } from '../kernel/errors.js'
import { AMOUNTS } from './amount.js'
import type { Tool } from './tool.js'

/**
 * What is wrong with the arguments of a call before its route is asked: what the path is made of is missing, or the amount that
 * a person would be asked to confirm is no text where the route takes text alone.
 * @param args by the route's own names
 */
export function argumentFailures(tool: Tool, args: Readonly<Record<string, unknown>>): FieldFailure[] {
  const missing = [...tool.route.path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => args[name] === undefined || args[name] === null || args[name] === '')
  // The route ignores what it does not know; beside something that is missing it is most likely that, under another name.
  const unknown = missing.length === 0 ? [] : unknownArguments(tool, args)
  return [
    ...missing.map((field) => ({ field, message: 'is required' })),
    ...unknown.map((field) => ({ field, message: 'is no argument of this tool' })),
    ...amountFailures(tool, args),
  ]
}

/** Names of a plain form only: what is sent as a name may be anything, a card number too. */
function unknownArguments({ shown }: Tool, args: Readonly<Record<string, unknown>>): string[] {
  const known = shown.inputSchema.properties ?? {}
  return Object.keys(args).filter((name) => !Object.hasOwn(known, name) && /^[A-Za-z_]{1,40}$/.test(name))
}

function amountFailures({ shown }: Tool, args: Readonly<Record<string, unknown>>): FieldFailure[] {
  const field = AMOUNTS[shown.name]?.field
  if (field === undefined) return []
  const { type = [] } = shown.inputSchema.properties?.[field] ?? {}
  const types = typeof type === 'string' ? [type] : type
  const isTextAlone = types.includes('string') && types.every((each) => each === 'string' || each === 'null')
  const given = args[field]
  const isAmiss = isTextAlone && given !== undefined && given !== null && typeof given !== 'string'
  return isAmiss ? [{ field, message: 'must be a decimal string' }] : []
}
