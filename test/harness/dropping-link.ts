import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/** A way to a node on which some answers are lost. */
export interface DroppingLink {
  url: string
  /** How often each method was passed on. */
  calls: Map<string, number>
  stop(): void
}

/** Passes every call on to a node, but cuts the connection instead of answering the given method. */
export async function startDroppingLink(rpcUrl: string, droppedMethod: string): Promise<DroppingLink> {
  const calls = new Map<string, number>()
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      const method = /"method":"(\w+)"/.exec(body)?.[1] ?? ''
      calls.set(method, (calls.get(method) ?? 0) + 1)
      const answer = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const answerText = await answer.text()
      if (method === droppedMethod) response.destroy()
      else response.setHeader('content-type', 'application/json').end(answerText)
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
