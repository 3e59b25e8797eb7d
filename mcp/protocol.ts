import type { Caller } from '../kernel/tenant.js'
import { isObject } from '../kernel/json.js'
import { callTool, type ToolDeps } from './call-tool.js'

/** The versions of the protocol that are spoken, newest first. @see https://modelcontextprotocol.io/specification */
export const VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** What JSON-RPC says of a message that cannot be answered. */
export const RPC_ERRORS = {
  parse: { code: -32_700, message: 'The message is no JSON.' },
  tooLarge: { code: -32_600, message: 'The message is larger than 256 KiB.' },
  mediaType: { code: -32_600, message: 'A message is sent as application/json in UTF-8.' },
  request: { code: -32_600, message: 'This is no request of JSON-RPC 2.0.' },
  method: { code: -32_601, message: 'There is no such method.' },
  params: { code: -32_602, message: 'The params are not those of the method.' },
} as const

/** Who sends messages, and what they may do. */
export interface Session {
  caller: Caller
  requestId: string
  /** Only tools that change nothing. */
  isReadOnly: boolean
}

export interface ProtocolDeps extends ToolDeps {
  version: string
}

/** An answer as JSON-RPC has it. */
export type RpcAnswer = { jsonrpc: '2.0'; id: string | number | null } & (
  { result: object } | { error: { code: number; message: string } }
)

/** A message that is answered with an error of JSON-RPC. */
class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** Answers one message. @returns undefined where it wants no answer */
export async function answerMessage(
  deps: ProtocolDeps,
  session: Session,
  message: unknown,
): Promise<RpcAnswer | undefined> {
  if (!isObject(message) || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
    return isResponse(message) ? undefined : rpcFailure(null, RPC_ERRORS.request)
  const { id, method, params } = message
  if (id === undefined) return undefined
  // JSON can spell a number that comes as Infinity (1e999), and an answer to it could not name it.
  if (typeof id !== 'string' && !Number.isFinite(id)) return rpcFailure(null, RPC_ERRORS.request)
  try {
    return {
      jsonrpc: '2.0',
      id: id as string | number,
      result: await resultOf(deps, session, String(method), isObject(params) ? params : {}),
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return rpcFailure(id as string | number, error)
  }
}

/** Nothing is asked of clients, so their answers are to nothing. */
function isResponse(message: unknown): boolean {
  return isObject(message) && message['jsonrpc'] === '2.0' && ('result' in message || 'error' in message)
}

export function rpcFailure(
  id: string | number | null,
  { code, message }: { code: number; message: string },
): RpcAnswer {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

async function resultOf(
  deps: ProtocolDeps,
  session: Session,
  method: string,
  params: Record<string, unknown>,
): Promise<object> {
  if (method === 'initialize') return initialize(deps, params)
  if (method === 'ping') return {}
  const tools = [...deps.tools.values()].filter(({ isRead }) => isRead || !session.isReadOnly)
  if (method === 'tools/list') return { tools: tools.map(({ shown }) => shown) }
  if (method !== 'tools/call') throw new RpcError(RPC_ERRORS.method.code, RPC_ERRORS.method.message)
  const { name, arguments: args = {} } = params
  const tool = tools.find(({ shown }) => shown.name === name)
  if (!tool) throw new RpcError(RPC_ERRORS.params.code, unknownTool(deps, name))
  if (!isObject(args)) throw new RpcError(RPC_ERRORS.params.code, 'arguments must be an object.')
  if (isDeeper(args, DEPTH_MAX)) throw new RpcError(RPC_ERRORS.params.code, 'arguments are nested too deep.')
  return callTool(deps, tool, { ...session, args })
}

/** Deeper than any input of ours; what is walked by recursion must not end the stack. */
const DEPTH_MAX = 64

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

function unknownTool({ tools }: ProtocolDeps, name: unknown): string {
  if (typeof name !== 'string' || !/^\w{1,64}$/.test(name)) return 'There is no such tool.'
  return tools.has(name)
    ? `${name} changes something, and only reading is allowed here.`
    : `There is no tool ${name.replace(/\d{6,}/g, '…')}.`
}

function initialize({ version }: ProtocolDeps, { protocolVersion }: Record<string, unknown>): object {
  const isSpoken = typeof protocolVersion === 'string' && VERSIONS.includes(protocolVersion)
  return {
    protocolVersion: isSpoken ? protocolVersion : VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'payments-api', title: 'Payments API', version },
    instructions:
      'Amounts are decimal strings. What changes something takes an idempotency_key. Where a confirmation is asked for, ask the person, not yourself.',
  }
}
