import { setTimeout as delay } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'

/** What a tenant at its worst sends, in turn, on so many connections, whatever comes back. */
export interface Attack {
  url: string
  key: string
  connections: number
  documents: readonly AttackDocument[]
}

export interface AttackDocument {
  query: string
  variables: object
  /** Whether each request is a document of its own, which nobody has parsed or planned before. */
  unique: boolean
}

/** Sends as fast as its rate lets it: a refusal is waited out as it says, but looked at again each second. */
async function attack({ url, key, connections, documents }: Attack): Promise<void> {
  let next = 0
  const drive = async (): Promise<never> => {
    for (;;) {
      const number = next++
      const document = documents[number % documents.length]
      if (!document) throw new Error('there is nothing to send')
      const query = document.unique ? document.query.replaceAll('UNIQUE', String(number)) : document.query
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ query, variables: document.variables }),
      })
      await response.arrayBuffer()
      if (response.status === 429) await delay(1_000)
    }
  }
  await Promise.all(Array.from({ length: connections }, drive))
}

await attack(workerData as Attack)
