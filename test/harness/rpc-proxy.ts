import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { serve } from './serve.js'

/** One JSON-RPC call on its way to the node. */
export interface RpcCall {
  method: string
  params: unknown[]
}

/**
 * What happens to a call: `pass` it on, `cut` the connection before it is passed on, pass it on and cut the connection
 * instead of answering (`drop-answer`), or answer something else.
 */
export type RpcFate = 'pass' | 'cut' | 'drop-answer' | { answer: object }

/** A way to a chain's node that counts calls, and breaks where it is told to. A batch counts as its first call. */
export interface RpcProxy {
  url: string
  /** Every call that was passed on, in order. */
  calls: RpcCall[]
  /** Decides about each call; may do something first. */
  onCall: (call: RpcCall) => RpcFate | Promise<RpcFate>
  /** Called after the node has answered, before the caller sees it. */
  onAnswer: (call: RpcCall) => void | Promise<void>
  /** How often a method was passed on. */
  countOf: (method: string) => number
  /** How often exactly these signed bytes were passed on to the node. */
  sendsOf: (raw: string) => number
}

/** Starts the way to a node, on a free port of loopback. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const { url } = await serve((request, response) => {
    forward(target, proxy, request, response).catch(() => response.destroy())
  })
  const proxy: RpcProxy = {
    url,
    calls: [],
    onCall: () => 'pass',
    onAnswer: () => undefined,
    countOf: (wanted) => proxy.calls.filter(({ method }) => method === wanted).length,
    sendsOf: (raw) =>
      proxy.calls.filter(({ method, params }) => method === 'eth_sendRawTransaction' && params[0] === raw).length,
  }
  return proxy
}

/** Starts a way on which the answers to a method are lost. */
export async function startDroppingProxy(target: string, droppedMethod: string): Promise<RpcProxy> {
  const proxy = await startRpcProxy(target)
  proxy.onCall = ({ method }) => (method === droppedMethod ? 'drop-answer' : 'pass')
  return proxy
}

type Sent = RpcCall & { id: number }

async function forward(
  target: string,
  proxy: RpcProxy,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await text(request)
  const sent = JSON.parse(body) as Sent | [Sent]
  const [{ method, params = [] }] = [sent].flat() as [Sent]
  const call = { method, params }
  const fate = await proxy.onCall(call)
  if (fate === 'cut') {
    request.socket.resetAndDestroy()
    return
  }
  if (typeof fate === 'object') {
    const answerTo = ({ id }: Sent): object => ({ jsonrpc: '2.0', id, ...fate.answer })
    const answers = Array.isArray(sent) ? sent.map(answerTo) : answerTo(sent)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answers))
    return
  }
  proxy.calls.push(call)
  const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answerText = await answer.text()
  await proxy.onAnswer(call)
  if (fate === 'drop-answer') request.socket.resetAndDestroy()
  else response.setHeader('content-type', 'application/json').end(answerText)
}

/** What a node answers to one call. */
export interface RpcAnswer {
  result?: unknown
  error?: unknown
}

/** Asks a node. */
export async function jsonRpc(rpcUrl: string, method: string, params: readonly unknown[] = []): Promise<RpcAnswer> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return (await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()) as RpcAnswer
}
