import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

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

/** A way to a chain's node that counts calls, and breaks where it is told to. */
export interface RpcProxy {
  url: string
  /** The node behind; set once it is known. */
  target: string
  /** Every call that was passed on, in order. */
  calls: RpcCall[]
  /** Decides about each call; may do something first. */
  onCall: (call: RpcCall) => RpcFate | Promise<RpcFate>
  /** Called after the node has answered, before the caller sees it. */
  onAnswer: (call: RpcCall) => void | Promise<void>
  /** How often exactly these signed bytes were passed on to the node. */
  sendsOf: (raw: string) => number
  close: () => Promise<void>
}

/** Starts the way, on a free port of loopback. */
export async function startRpcProxy(): Promise<RpcProxy> {
  const server = createServer((request, response) => {
    forward(proxy, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    calls: [],
    onCall: () => 'pass',
    onAnswer: () => undefined,
    sendsOf: (raw) =>
      proxy.calls.filter(({ method, params }) => method === 'eth_sendRawTransaction' && params[0] === raw).length,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return proxy
}

async function forward(proxy: RpcProxy, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const { method, params = [], id } = JSON.parse(body) as RpcCall & { id: number; params?: unknown[] }
  const call = { method, params }
  const fate = await proxy.onCall(call)
  if (fate === 'cut') {
    request.socket.resetAndDestroy()
    return
  }
  if (typeof fate === 'object') {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...fate.answer }))
    return
  }
  proxy.calls.push(call)
  const answer = await fetch(proxy.target, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const answerText = await answer.text()
  await proxy.onAnswer(call)
  if (fate === 'drop-answer') request.socket.resetAndDestroy()
  else response.setHeader('content-type', 'application/json').end(answerText)
}
