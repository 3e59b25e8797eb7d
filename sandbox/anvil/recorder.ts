import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import type { Hex } from 'viem'
import type { Journal } from './journal.js'

/** The calls that change balances or contracts. Their order is kept, so that they can be made again. */
const RECORDED = new Set([
  'eth_sendRawTransaction',
  'eth_sendTransaction',
  'eth_sendUnsignedTransaction',
  'anvil_setBalance',
  'hardhat_setBalance',
])
/** Without a signature there is no nonce: made again, such a transaction would count twice. */
const UNSIGNED = new Set(['eth_sendTransaction', 'eth_sendUnsignedTransaction'])
/** No other call has it in its text, so that the rest pass without being read. */
const HINT = /_send(?:Raw|Unsigned)?Transaction"|_setBalance"/

interface RpcCall {
  id?: unknown
  method: string
  params: unknown[]
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: Buffer
}

/** What stands before the node and is its address for everybody. */
export interface Recorder {
  port: number
  close: () => Promise<void>
}

/**
 * Starts what stands before a node and writes down each call that changes the chain, before the node has it. So a chain
 * that is restored from an older state can be brought to where it was, whatever process is killed at whatever moment:
 * nothing was ever mined that is not on disk.
 * @param options.now the chain's time, for the entries
 * @throws Error where the port is taken
 */
export async function startRecorder(options: {
  port: number
  nodePort: number
  journal: Journal
  now: () => Date
}): Promise<Recorder> {
  const { journal, nodePort } = options
  const agent = new Agent({ keepAlive: true })
  const forward = forwarder(nodePort, agent)
  const ask = async (incoming: IncomingMessage, call: RpcCall): Promise<Answer> =>
    forward(incoming, Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })))
  const recorded = async (incoming: IncomingMessage, call: RpcCall): Promise<Answer> => {
    const { method, params } = call
    const id = await journal.record({ method, params, atSeconds: Math.floor(options.now().getTime() / 1000) })
    const answer = await ask(incoming, call)
    const { result, error } = JSON.parse(answer.body.toString()) as { result?: unknown; error?: unknown }
    const hash = typeof result === 'string' ? { hash: result as Hex } : {}
    journal.answered(id, { taken: error === undefined, ...hash })
    return answer
  }
  // One after the other: two that ask at once would be given the same nonce.
  let numbering: Promise<unknown> = Promise.resolve()
  const numbered = (incoming: IncomingMessage, call: RpcCall): Promise<Answer> => {
    const answer = numbering.then(async () => {
      const [transaction, ...others] = call.params as [{ from: Hex; nonce?: Hex }, ...unknown[]]
      if (transaction.nonce !== undefined) return recorded(incoming, call)
      const count = await ask(incoming, { method: 'eth_getTransactionCount', params: [transaction.from, 'pending'] })
      const { result: nonce } = JSON.parse(count.body.toString()) as { result: Hex }
      return recorded(incoming, { ...call, params: [{ ...transaction, nonce }, ...others] })
    })
    numbering = answer.catch(() => undefined)
    return answer
  }
  const one = (incoming: IncomingMessage, call: RpcCall): Promise<Answer> => {
    if (UNSIGNED.has(call.method)) return numbered(incoming, call)
    return RECORDED.has(call.method) ? recorded(incoming, call) : ask(incoming, call)
  }
  const answerTo = async (incoming: IncomingMessage, body: Buffer): Promise<Answer> => {
    const calls = HINT.test(body.toString('latin1')) ? readCalls(body) : undefined
    if (!calls) return forward(incoming, body)
    if (!Array.isArray(calls)) return one(incoming, calls)
    const answers: Answer[] = []
    for (const call of calls) answers.push(await one(incoming, call))
    const [first] = answers
    const text = `[${answers.map((answer) => answer.body.toString()).join(',')}]`
    return { status: 200, headers: first?.headers ?? {}, body: Buffer.from(text) }
  }

  const server = createServer((incoming, response) => {
    buffer(incoming)
      .then((body) => answerTo(incoming, body))
      .then(({ status, headers, body }) => {
        const { 'content-length': _length, 'transfer-encoding': _coding, connection: _hop, ...kept } = headers
        response.writeHead(status, { ...kept, 'content-length': body.byteLength }).end(body)
      })
      // As a node that is not there.
      .catch(() => response.destroy())
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  return { port: options.port, close: () => closed(server, agent) }
}

type Forward = (incoming: IncomingMessage, body: Buffer) => Promise<Answer>

/** Passes requests on to the node as they came, but for their body. */
function forwarder(nodePort: number, agent: Agent): Forward {
  return async (incoming, body) => {
    const { connection: _hop, 'content-length': _length, ...headers } = incoming.headers
    const sent = request({
      host: '127.0.0.1',
      port: nodePort,
      method: incoming.method ?? 'POST',
      path: incoming.url ?? '/',
      headers: { ...headers, 'content-length': body.byteLength },
      agent,
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 502, headers: response.headers, body: await buffer(response) }
  }
}

/** The calls of a request's body; undefined where it is none, which the node says better. */
function readCalls(body: Buffer): RpcCall | RpcCall[] | undefined {
  try {
    const read = JSON.parse(body.toString()) as RpcCall | RpcCall[]
    const isCall = ({ method, params }: RpcCall): boolean => typeof method === 'string' && Array.isArray(params)
    return (Array.isArray(read) ? read : [read]).every(isCall) ? read : undefined
  } catch {
    return undefined
  }
}

/** Ends server and connections; ended before, it is left as it is. */
async function closed(server: Server, agent: Agent): Promise<void> {
  const ended = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await ended
  agent.destroy()
}
