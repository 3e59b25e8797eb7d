import { ERRORS, type FieldFailure } from '../kernel/errors.js'
import type { Caller } from '../kernel/tenant.js'
import { failureEnvelope, type Envelope } from '../rest-compat/envelope.js'
import { renamed } from '../rest-compat/aliases.js'
import { failureFrom, handleRoute, type RestDeps } from '../rest-compat/handle.js'
import { refusalOf } from '../rest-compat/server.js'
import { AMOUNTS, isAbove } from './amount.js'
import { argumentFailures } from './check-arguments.js'
import { confirmationToken, isConfirmed } from './confirmation.js'
import { failureResult, type ToolResult } from './result.js'
import { CONFIRMATION_TOKEN, IDEMPOTENCY_KEY, type Tool } from './tool.js'

/** What calling a tool needs. */
export interface ToolDeps {
  rest: RestDeps
  tools: ReadonlyMap<string, Tool>
  clock: { now: () => Date }
  /** Signs confirmations; 32 bytes. */
  confirmationKey: Buffer
  /** Tells one confirmation from another, as `randomBytes`. */
  random: (bytes: number) => Buffer
  /** What is more than this, in whatever currency, is confirmed by a person; a decimal. */
  confirmAbove: string
}

/** Who calls, and with what. */
export interface ToolCall {
  caller: Caller
  requestId: string
  args: Readonly<Record<string, unknown>>
}

/**
 * Calls the route of a tool, as a request to REST would.
 * @returns the envelope of REST; a call of an amount above the limit is asked back first
 */
export async function callTool(deps: ToolDeps, tool: Tool, call: ToolCall): Promise<ToolResult> {
  const { [CONFIRMATION_TOKEN]: token, [IDEMPOTENCY_KEY]: sentKey, ...sent } = call.args
  // By their own names: what an argument is also called must not hide it from the rule of its amount.
  const args = renamed({ ...sent }, tool.route.aliases)
  // Who sends a number for it counts on it; null is none.
  if (typeof (sentKey ?? '') !== 'string') return refusal([{ field: IDEMPOTENCY_KEY, message: 'must be a string' }])
  const ownKey = typeof sentKey === 'string' ? sentKey : undefined
  const { tenantId } = call.caller
  const confirmed = { tenantId: tenantId ?? '', tool: tool.shown.name, args, idempotencyKey: ownKey }
  // Who may not call it at all is told that first, as by REST.
  const failures = refusalOf(tool.route, call.caller) ? [] : argumentFailures(tool, args)
  if (failures.length > 0) return refusal(failures)
  const isAllowed = typeof token === 'string' && isConfirmed(deps.confirmationKey, confirmed, token, deps.clock.now())
  if (!isAllowed && (await needsConfirmation(deps, tool, { ...call, args }))) {
    const fresh = confirmationToken(deps.confirmationKey, confirmed, deps.clock.now(), deps.random)
    return askBack(fresh, token !== undefined, deps.confirmAbove)
  }
  // One confirmation is for one action, however often it is sent; and one key of the caller's, whatever it was confirmed by.
  const key = ownKey ?? (isAllowed ? `mcp ${token}` : undefined)
  return resultOf(await request(deps, tool, { ...call, args }, key))
}

async function needsConfirmation(deps: ToolDeps, tool: Tool, call: ToolCall): Promise<boolean> {
  const rule = AMOUNTS[tool.shown.name]
  if (!rule) return false
  const named = rule.of && call.args[rule.of.argument]
  const isDecidedByOther = rule.isOfFirst === true && named !== undefined && named !== null
  const given = rule.field === undefined || isDecidedByOther ? undefined : call.args[rule.field]
  const isGiven = given !== undefined && given !== null
  if (isGiven && !isAbove(given, deps.confirmAbove)) return false
  const reading = rule.of && deps.tools.get(rule.of.read)
  // An amount that belongs to nothing else, or to something that is not named, is all there is to know.
  if (!rule.of || !reading || (isGiven && typeof named !== 'string')) return true
  const args = { [rule.of.parameter]: named }
  const { success, statusCode, data } = await request(deps, reading, { ...call, args }, undefined)
  // What is not there will be refused by its own route; what cannot be read now may be any amount.
  if (!success) return statusCode !== 404
  if (isGiven) return true
  return isAbove((data as { amount_from?: unknown }).amount_from, deps.confirmAbove)
}

async function request(
  { rest }: ToolDeps,
  { route, isRead }: Tool,
  { caller, requestId, args }: ToolCall,
  idempotencyKey: string | undefined,
): Promise<Envelope> {
  const refused = refusalOf(route, caller)
  if (refused) return failureEnvelope({ code: refused, message: '' }, route, requestId)
  const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const params = Object.fromEntries(names.map((name) => [name, textOf(args[name])]))
  const left = Object.entries(args).filter(([name]) => !names.includes(name))
  const query = isRead ? left.filter(([, value]) => value !== null).map(([name, value]) => [name, textOf(value)]) : []
  try {
    const body = isRead ? undefined : Object.fromEntries(left)
    const { envelope } = await handleRoute(rest, route, {
      caller,
      requestId,
      idempotencyKeys: idempotencyKey === undefined ? [] : [idempotencyKey],
      params,
      query: Object.fromEntries(query),
      body,
    })
    return envelope
  } catch (error) {
    return failureEnvelope(failureFrom(error), route, requestId)
  }
}

/** A value as a path or a query has it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

function resultOf(envelope: Envelope): ToolResult {
  if (!envelope.success) return failureResult(envelope)
  const structuredContent = { status: envelope.status, message: envelope.message, data: envelope.data }
  // The same as text, for clients that know no structured content.
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

function refusal(errors: readonly FieldFailure[]): ToolResult {
  const { http, message } = ERRORS.validation_error
  return failureResult({ statusCode: http, success: false, status: 'validation_error', message, errors: [...errors] })
}

function askBack(token: string, wasSent: boolean, limit: string): ToolResult {
  const text = [
    wasSent ? 'The confirmation_token is not one of this call, or it has expired.' : '',
    `Nothing was done by this call: the amount is above ${limit}, or is not known here.`,
    'Tell the person what would happen and with which amount, and wait for their consent.',
    `Then call again with the same arguments and ${CONFIRMATION_TOKEN} "${token}". It holds for ten minutes and for one action.`,
  ]
  return { content: [{ type: 'text', text: text.filter(Boolean).join(' ') }], isError: true }
}
